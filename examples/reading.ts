// A plugin that uses every extension point: how long posts take to read, and notes for their readers.
// `npm run build && node dist/adapters/cli/bin.js serve --store memory --plugins ./dist/examples/reading.js`
//
//   curl -i http://127.0.0.1:8787/en/cms-json/cms/v2/posts?_fields=id,reading_minutes   # 200
//   curl -i http://127.0.0.1:8787/en/cms-json/reading/v1/longest                        # 200
//   curl -i http://127.0.0.1:8787/reading.txt                                           # 200
import { eq, oneOf, type Operation, RestResponse } from '../lib/index.ts';
import { definePlugin, type ShownRecord } from '../registry/plugin.ts';

const NOTES = 'reading_notes';
const TOTALS = 'reading_totals';

function countWords(post: ShownRecord): number {
  const { rendered = '' } = (post['content'] ?? {}) as { readonly rendered?: string };
  return rendered.replaceAll(/<[^>]*>/g, ' ').match(/\S+/g)?.length ?? 0;
}

export default definePlugin(
  {
    name: 'reading',
    summary: 'How long posts take to read, and notes for their readers',
    exposes: ['X-Reading-Minutes'],
    settings: { wordsPerMinute: { type: 'integer', minimum: 1, default: 200 } },
    content: {
      meta: [
        {
          of: 'post',
          key: 'reading_pace',
          type: 'integer',
          description: 'Words of the post that are read in a minute; 0 for those of the settings.',
        },
      ],
    },
    collections: [
      {
        name: NOTES,
        fields: { post: { type: 'integer', references: 'posts' }, text: { type: 'text' } },
        unique: [{ fields: ['post'] }],
      },
      {
        name: TOTALS,
        fields: { key: { type: 'text' }, changes: { type: 'integer' }, tidied: { type: 'integer' } },
        unique: [{ fields: ['key'] }],
      },
    ],
    namespaces: [
      {
        namespace: 'reading/v1',
        routes: [
          {
            pattern: '/reading/v1/longest',
            endpoints: [
              {
                methods: ['GET'],
                handler: 'reading.longest',
                permission: 'public',
                summary: 'The posts that take longest to read',
                args: { per_page: { type: 'integer', minimum: 1, maximum: 100, default: 5 } },
              },
            ],
          },
        ],
      },
    ],
    extends: [
      {
        namespace: 'cms/v2',
        routes: [
          {
            pattern: '/cms/v2/posts/{id}/reading',
            endpoints: [
              {
                methods: ['GET'],
                handler: 'reading.of',
                permission: 'edit_posts',
                summary: 'What is known of the reading of a post',
                args: { id: { type: 'integer' } },
              },
            ],
          },
        ],
      },
    ],
    fields: [
      {
        of: ['post'],
        name: 'reading_minutes',
        schema: { type: 'integer', description: 'Minutes that the post takes to read.' },
        value: 'reading.minutes',
        reads: [],
      },
      {
        of: ['post'],
        name: 'reading_note',
        schema: {
          type: 'string',
          maxLength: 200,
          description: 'A note for readers.',
          context: ['view', 'edit'],
        },
        value: 'reading.notes',
        write: 'reading.writeNote',
        reads: [NOTES],
      },
    ],
    reactions: [{ to: ['posts'], run: 'reading.count' }],
    tasks: [{ every: '1h', run: 'reading.tidy' }],
    shortcodes: [{ name: 'minutes', render: 'reading.badge', reads: [] }],
    blocks: [{ name: 'reading/note', render: 'reading.box', reads: [] }],
    documents: [{ path: '/reading.txt', write: 'reading.list' }],
    rewrites: [{ run: 'reading.moved' }],
  },
  ({ settings: { wordsPerMinute }, site }) => {
    const toMinutes = (post: ShownRecord): number => {
      const { reading_pace: pace } = (post['meta'] ?? {}) as { readonly reading_pace?: number };
      return Math.ceil(countWords(post) / (pace || wordsPerMinute));
    };

    const changeTotals = async (change: {
      readonly changes?: number;
      readonly tidied?: number;
    }): Promise<void> => {
      const {
        records: [found],
      } = await site.store.find({ collection: TOTALS, where: eq('key', 'all'), limit: 1 });
      const values = {
        changes: Number(found?.['changes'] ?? 0) + (change.changes ?? 0),
        tidied: Number(found?.['tidied'] ?? 0) + (change.tidied ?? 0),
      };
      await site.store.commit([
        found === undefined
          ? { op: 'create', collection: TOTALS, values: { key: 'all', ...values } }
          : { op: 'update', collection: TOTALS, id: found.id, values, version: found.version },
      ]);
    };

    const listLongest = async (count: number, siteUrl?: string): Promise<readonly ShownRecord[]> => {
      const posts = await site.posts.find({ per_page: 100 }, siteUrl === undefined ? {} : { siteUrl });
      return posts.toSorted((left, right) => countWords(right) - countWords(left)).slice(0, count);
    };

    return {
      'reading.minutes': (posts) => new Map(posts.map((post) => [post.id, toMinutes(post)])),

      'reading.notes': async (posts) => {
        const ids = posts.map(({ id }) => id);
        const { records } = await site.store.find({ collection: NOTES, where: oneOf('post', ids) });
        return new Map(records.map(({ post, text }) => [Number(post), text]));
      },

      'reading.writeNote': async (text: string, { id }): Promise<readonly Operation[]> => {
        if (typeof id !== 'number') return [{ op: 'create', collection: NOTES, values: { post: id, text } }];
        const {
          records: [found],
        } = await site.store.find({ collection: NOTES, where: eq('post', id), limit: 1 });
        return [
          found === undefined
            ? { op: 'create', collection: NOTES, values: { post: id, text } }
            : { op: 'update', collection: NOTES, id: found.id, values: { text } },
        ];
      },

      'reading.longest': async ({ per_page: count }) =>
        (await listLongest(count)).map((post) => ({ id: post.id, minutes: toMinutes(post) })),

      'reading.of': async ({ id }, { identity }) => {
        const post = await site.posts.load(id, { as: identity });
        if (post === null) return { id, words: 0 };
        const headers = { 'X-Reading-Minutes': String(toMinutes(post)) };
        return new RestResponse({ id, words: countWords(post) }, { headers });
      },

      'reading.count': (changes) => changeTotals({ changes: changes.length }),

      'reading.tidy': () => changeTotals({ tidied: 1 }),

      'reading.badge': ({ of = 'this page' }, { content }) =>
        `<em>${content || String(of)}: a short read</em>`,

      'reading.box': ({ tone = 'plain' }, { content, record }) =>
        `<aside class="note-${String(tone)}" id="note-${record?.id ?? 0}">${content}</aside>`,

      'reading.list': async ({ siteUrl }) => ({
        type: 'text/plain; charset=UTF-8',
        body: (await listLongest(10, siteUrl))
          .map((post) => `${toMinutes(post)} min  ${String(post['link'])}\n`)
          .join(''),
      }),

      'reading.moved': (path) => (path.startsWith('/read/') ? `/en/${path.slice('/read/'.length)}` : null),
    };
  },
);
