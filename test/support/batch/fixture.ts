import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import { defineContentType } from '../../../registry/index.ts';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';

const STATUSES = ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;

export const BATCH_USERS = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
export const FIRST_POST = 101;
export const POST_COUNT = 12;
export const FIRST_PAGE = 201;
export const FIRST_NOTE = 301;

/** All core controllers and a type of one's own. */
export const BATCH_CONTENT = {
  core: true,
  types: [
    defineContentType({
      name: 'note',
      base: 'notes',
      supports: ['title', 'editor', 'author', 'revisions'],
      taxonomies: ['category'],
    }),
  ],
};

const toStamp = (date: string) => ({ date, date_gmt: date, modified: date, modified_gmt: date });

const toRecords = (first: number, name: string) =>
  Array.from({ length: 3 }, (_each, index) => ({
    id: first + index,
    author: 1 + index,
    status: STATUSES[2 + index],
    title: `${name} ${index}`,
    content: name,
    slug: `${name}-${index}`,
    ...toStamp('2024-02-01T10:00:00'),
  }));

/** Posts of all statuses by different authors, with pages and terms. */
export const batchFixture = {
  site: {
    name: 'Batches',
    description: '',
    timezone_string: 'Europe/Amsterdam',
    default_category: 1,
    excerpt_length_default: 55,
  },
  users: BATCH_USERS.map((role, index) => ({ id: index + 1, login: role, name: role, slug: role, role })),
  categories: [
    { id: 1, name: 'None', slug: 'none', parent: 0 },
    { id: 2, name: 'News', slug: 'news', parent: 0 },
  ],
  tags: [{ id: 11, name: 'red', slug: 'red' }],
  pages: toRecords(FIRST_PAGE, 'page'),
  posts: Array.from({ length: POST_COUNT }, (_each, index) => {
    const status = STATUSES[index % STATUSES.length] ?? 'publish';
    return {
      id: FIRST_POST + index,
      author: 1 + (index % 4),
      status,
      title: `Post ${index}`,
      content: `Content ${index}`,
      excerpt: '',
      slug: `post-${index}${status === 'trash' ? '__trashed' : ''}`,
      password: index === 2 ? 'sesame' : '',
      sticky: index === 1,
      format: 'standard',
      categories: [1],
      tags: [],
      comment_status: 'open',
      ping_status: 'open',
      ...toStamp(status === 'future' ? '2031-01-01T00:00:00' : `2024-01-0${1 + (index % 9)}T10:00:00`),
      ...(status === 'trash' ? { trashed_from: 'draft', trashed_slug: `post-${index}` } : {}),
    };
  }),
} as unknown as Fixture;

/** The same with records of the type of one's own. */
export const allTypesFixture = { ...batchFixture, notes: toRecords(FIRST_NOTE, 'note') };

/** A host namespace that counts the runs of its handler. No batch may reach it. */
export function createProbe(): { readonly namespace: Namespace; runs(): number } {
  let runs = 0;
  const namespace = defineNamespace(
    {
      namespace: 'probe/v1',
      routes: [
        {
          pattern: '/probe/v1/hit',
          endpoints: [
            {
              methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
              handler: 'probe.hit',
              permission: 'public',
              args: {},
            },
          ],
        },
      ],
    },
    {
      'probe.hit': () => {
        runs += 1;
        return {};
      },
    },
  );
  return { namespace, runs: () => runs };
}
