// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
import { createMemoryStore } from '../../adapters/memory-store.ts';
import {
  defineNamespace,
  eq,
  subject,
  subjectFrom,
  typeRecords,
  type NamespaceDescriptor,
  type RecordOf,
} from '../../lib/index.ts';

const NOTES = {
  name: 'notes',
  fields: {
    title: { type: 'text' },
    count: { type: 'integer' },
    tags: { type: 'texts' },
    more: { type: 'json' },
  },
} as const;
const TAGS = { name: 'tags', fields: { word: { type: 'text' }, note: { type: 'integer' } } } as const;
type Note = RecordOf<typeof NOTES>;

/** Records have the types of their collection, without a cast. */
export async function readNotes(): Promise<readonly unknown[]> {
  const store = typeRecords(createMemoryStore([NOTES, TAGS]), [NOTES, TAGS]);
  const { records } = await store.find({ collection: 'notes', where: eq('count', 1), total: true });
  const titles: readonly string[] = records.map(({ title, tags }) => title + tags.join());
  const tag: string | undefined = (await store.get('tags', 1))?.word;
  const [note, made] = await store.commit([
    { op: 'create', collection: 'notes', as: 'note', values: { title: 'a', count: 1 } },
    { op: 'create', collection: 'tags', values: { word: 'b', note: { $ref: 'note' } } },
  ]);
  const words: string = note.title + made.word;
  // @ts-expect-error there is no such collection
  await store.find({ collection: 'note' });
  // @ts-expect-error there is no such field
  const none = records[0]?.text;
  // @ts-expect-error a number where a text belongs
  await store.commit([{ op: 'update', collection: 'notes', id: 1, values: { title: 5 } }]);
  // @ts-expect-error a field of another collection
  await store.commit([{ op: 'create', collection: 'tags', values: { title: 'a' } }]);
  // @ts-expect-error a number is not a text
  const wrong: string = note.count;
  return [titles, tag, words, none, wrong];
}

const PICTURES = {
  namespace: 'pictures',
  routes: [
    {
      pattern: '/pictures/{id}',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'add',
          permission: 'mine',
          args: { id: { type: 'integer' } },
          accepts: {
            'multipart/form-data': { files: { picture: { required: true }, thumbs: { maxCount: 3 } } },
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** Files and the record that the permission checked have types. */
export function typeCalls(note: Note): readonly unknown[] {
  const mine = async () => (note.count > 0 ? subject(note) : false);
  const permissions = { mine };
  return [
    defineNamespace(
      PICTURES,
      {
        add: (_args, call) => {
          const bytes: number = call.files.picture[0].size;
          const thumbs: number | undefined = call.files.thumbs?.length;
          const title: string = subjectFrom(call, mine).title;
          // @ts-expect-error the form has no such file
          const other = call.files.other;
          // @ts-expect-error it may be missing
          const first = call.files.thumbs.length;
          // @ts-expect-error the record has no such field
          const text = subjectFrom(call, mine).text;
          return [bytes, thumbs, title, other, first, text];
        },
      },
      { permissions },
    ),
  ];
}
