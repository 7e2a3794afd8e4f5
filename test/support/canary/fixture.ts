import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { toWord } from './words.ts';

/** A post of the generated site, with the facts that the reference model needs. */
export interface CanaryPost {
  readonly id: number;
  readonly author: number;
  readonly status: string;
  readonly trashed_from: string;
  readonly ml_language: string;
  readonly password: string;
  readonly sticky: boolean;
  readonly format: string;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly date: string;
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
}

export interface Caller {
  readonly login: string | null;
  readonly id: number;
  readonly role: string;
}

/** All callers. There are two authors and two contributors: one of each has written posts, the other has not. */
export const CALLERS: readonly Caller[] = [
  { login: null, id: 0, role: '' },
  { login: 'admin', id: 1, role: 'administrator' },
  { login: 'editor', id: 2, role: 'editor' },
  { login: 'author', id: 3, role: 'author' },
  { login: 'contributor', id: 4, role: 'contributor' },
  { login: 'subscriber', id: 5, role: 'subscriber' },
  { login: 'author2', id: 6, role: 'author' },
  { login: 'contributor2', id: 7, role: 'contributor' },
  { login: 'translator', id: 8, role: 'translator' },
];

const WRITERS = [1, 3, 4, 5];
export const LANGUAGES = ['en', 'fr'] as const;
const STATUSES = [
  ['publish', ''],
  ['future', ''],
  ['draft', ''],
  ['pending', ''],
  ['private', ''],
  ['trash', 'publish'],
  ['trash', 'draft'],
  ['auto-draft', ''],
  ['inherit', ''],
] as const;
const FIRST_POST = 1001;
const FIRST_REVISION = 20_001;

/** A word that is in every content, and a word that is in every title. */
export const COMMON = { content: 'lantern', title: 'harbour' } as const;

interface Kind {
  readonly status: string;
  readonly from: string;
  readonly author: number;
  readonly isProtected: boolean;
  readonly language: string;
}

const KINDS: readonly Kind[] = STATUSES.flatMap(([status, from]) =>
  WRITERS.flatMap((author) =>
    [false, true].flatMap((isProtected) =>
      LANGUAGES.map((language) => ({ status, from, author, isProtected, language })),
    ),
  ),
);

function toDate(status: string, index: number): string {
  // Every third date equals that of the previous post, so that orders have ties.
  const day = String(1 + ((index - (index % 3)) % 28)).padStart(2, '0');
  return status === 'future'
    ? `2031-05-${day}T10:00:00`
    : `2024-${String(1 + (index % 9)).padStart(2, '0')}-${day}T10:00:00`;
}

function toPost({ status, from, author, isProtected, language }: Kind, index: number): CanaryPost {
  const id = FIRST_POST + index;
  const slug = toWord('s', id);
  return {
    id,
    author,
    status,
    trashed_from: from,
    ml_language: language,
    password: isProtected ? toWord('p', id) : '',
    sticky: status === 'publish' && !isProtected,
    format: index % 4 === 0 ? 'aside' : 'standard',
    categories: index % 2 === 0 ? [2] : [3],
    tags: index % 5 === 0 ? [11] : [],
    date: toDate(status, index),
    slug: status === 'trash' ? `${slug}__trashed` : slug,
    title: `${toWord('t', id)} ${COMMON.title}`,
    content: `<!-- cms:paragraph -->\n<p>${COMMON.content} ${toWord('c', id)}</p>\n<!-- /cms:paragraph -->`,
    excerpt: index % 3 === 0 ? '' : `Words ${toWord('e', id)}`,
  };
}

export const POSTS: readonly CanaryPost[] = KINDS.map(toPost);

const toStoredPost = (post: CanaryPost) => ({
  ...post,
  date_gmt: post.date,
  modified: post.date,
  modified_gmt: post.date,
  featured_media: 0,
  template: '',
  comment_status: 'open',
  ping_status: 'open',
  // The two languages of a kind are adjacent and are translations of each other.
  group: 1 + Math.floor((post.id - FIRST_POST) / LANGUAGES.length),
  trashed_slug: post.status === 'trash' ? toWord('o', post.id) : '',
  meta: { footnotes: JSON.stringify([{ id: 'n1', content: toWord('m', post.id) }]) },
});

const stamp = {
  date: '2024-11-01T10:00:00',
  date_gmt: '2024-11-01T10:00:00',
  modified: '2024-11-01T10:00:00',
  modified_gmt: '2024-11-01T10:00:00',
};

/** Ids of the revision, of the author's autosave and of the editor's autosave of a post. */
export function revisionsOf(post: number): readonly [number, number, number] {
  const first = FIRST_REVISION + (post - FIRST_POST) * 3;
  return [first, first + 1, first + 2];
}

function toRevisions({ id, author }: CanaryPost) {
  const [revision, own, editors] = revisionsOf(id);
  const autosave = (autosaveId: number, by: number) => ({
    id: autosaveId,
    parent: id,
    author: by,
    ...stamp,
    slug: `${id}-autosave-v1`,
    autosave: true,
    title: toWord('g', id),
    content: toWord('h', id),
    excerpt: toWord('i', id),
  });
  return [
    {
      id: revision,
      parent: id,
      author,
      ...stamp,
      slug: `${id}-revision-v1`,
      autosave: false,
      title: toWord('a', id),
      content: toWord('b', id),
      excerpt: toWord('d', id),
      meta: { footnotes: JSON.stringify([{ id: 'n1', content: toWord('f', id) }]) },
    },
    autosave(own, author),
    autosave(editors, 2),
  ];
}

/** The generated site: posts of every status, author and language, with and without a password, each with revisions. */
export const canaryFixture: Fixture = {
  site: {
    name: 'Canaries',
    description: '',
    timezone_string: 'UTC',
    show_on_front: 'posts',
    page_for_posts: 0,
    page_on_front: 0,
    default_category: 2,
    excerpt_length_default: 55,
  },
  users: CALLERS.filter((caller) => caller.login !== null).map(({ login, id, role }) => ({
    id,
    login,
    name: `The ${login}`,
    slug: `${login}-name`,
    role,
  })),
  categories: [
    { id: 2, name: 'News', slug: 'news', parent: 0 },
    { id: 3, name: 'Child', slug: 'child', parent: 2 },
  ],
  tags: [{ id: 11, name: 'red', slug: 'red' }],
  posts: POSTS.map(toStoredPost),
  revisions: POSTS.flatMap(toRevisions),
};
