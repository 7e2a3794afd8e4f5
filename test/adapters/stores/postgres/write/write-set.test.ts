import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../../../../adapters/stores/contract/collections.ts';
import type { Connection } from '../../../../../adapters/stores/postgres/connections.ts';
import { PostgresFailure } from '../../../../../adapters/stores/postgres/errors.ts';
import { TableWriter } from '../../../../../adapters/stores/postgres/write/table-writer.ts';
import { Undecided, type Write, WriteSet } from '../../../../../adapters/stores/postgres/write/write-set.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { emptyRecordOf } from '../../../../../lib/store/check-operations.ts';
import type { CollectionDescriptor } from '../../../../../lib/store/collection.ts';
import type { StoredRecord } from '../../../../../lib/store/store.ts';

const collectionOf = (name: string): CollectionDescriptor =>
  contractCollections.find((each) => each.name === name) as CollectionDescriptor;
const [articles, notes] = ['articles', 'notes'].map(
  (name) => new TableWriter(toTable(collectionOf(name))),
) as [TableWriter, TableWriter];
const record = (name: string, id: number): StoredRecord => ({
  id,
  version: 1,
  ...emptyRecordOf(collectionOf(name)),
});
const create = (id: number, writer = articles): Write =>
  writer.insert([{ id, values: emptyRecordOf(collectionOf(writer.table.name)) }]);
const level = (id: number): Write => articles.update(record('articles', id), { level: 5 }).write;
const slug = (id: number): Write => articles.update(record('articles', id), { slug: 'other' }).write;

/** The index of the unique key of slugs. */
const KEY = articles.table.indexes.find(({ unique, fields }) => unique && fields.includes('slug'))?.name;

interface Sent {
  readonly name: string | undefined;
  readonly tables: readonly string[];
}

/** A connection that notes what is sent. `fault`: the constraint that refuses everything. */
function connect(fault?: string): { readonly connection: Connection; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const send = (text: string, name: string | undefined): void => {
    sent.push({
      name,
      tables: [...text.matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM) "(articles|notes)" /g)].map(
        ([, table]) => table ?? '',
      ),
    });
    if (fault !== undefined)
      throw new PostgresFailure(
        Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505', constraint: fault }),
      );
  };
  const connection: Connection = {
    query: async (text, _values, name) => {
      send(text, name);
      return [];
    },
    script: async (text) => {
      send(text, undefined);
      return { tag: 'ROLLBACK', rows: [], all: [] };
    },
  };
  return { connection, sent };
}

const together = suite('WriteSet');
for (const [what, writes, expected] of [
  ['creates in two collections', [create(1), create(1, notes)], [2]],
  ['changes of different records', [level(1), level(2), create(3), create(1, notes)], [4]],
  ['two changes of one record', [level(1), level(1)], [1, 1]],
  ['a record that is created, then changed', [create(1), level(1), create(2)], [1, 2]],
  ['a key that is released, then taken', [slug(1), create(2)], [1, 1]],
  ['a key that is taken, then released', [create(2), articles.remove([1])], [1, 1]],
  ['keys that move', [slug(1), slug(2)], [1, 1]],
  [
    'removals, and changes that leave the keys alone',
    [articles.remove([1]), level(2), articles.remove([3])],
    [3],
  ],
  ['a key of another collection', [articles.remove([1]), create(1, notes)], [2]],
] as readonly (readonly [string, readonly Write[], readonly number[]])[]) {
  together(`sends ${what} as ${expected.length} statement(s), in order`, async () => {
    const { connection, sent } = connect();
    const set = new WriteSet(connection, true);
    for (const each of writes) await set.add(each);
    await set.flush();
    await set.flush();
    assert.equal(
      sent.map(({ tables }) => tables.length),
      expected,
    );
  });
}

together('sends what is left before the end of the transaction', async () => {
  const { connection, sent } = connect();
  const set = new WriteSet(connection, true);
  for (const each of [level(1), level(1), level(2)]) await set.add(each);
  assert.is(await set.finish(['SELECT 1', 'COMMIT']), 'ROLLBACK');
  assert.equal(
    sent.map(({ tables }) => tables.length),
    [1, 2, 0],
  );
  assert.is(await set.finish(['COMMIT']), 'ROLLBACK');
  assert.is(sent.length, 4);
});

together('names the key that is taken, and does not send the end', async () => {
  const { connection } = connect(KEY);
  const set = new WriteSet(connection, true);
  await set.add(create(1));
  await rejectsStore(set.finish(['COMMIT']), 'unique');
});

together('sends no more parameters at once than the server takes', async () => {
  const name = 'wide';
  const fields = Object.fromEntries(
    Array.from({ length: 400 }, (_each, index) => [`field${index}`, { type: 'text' }] as const),
  );
  const wide = new TableWriter(toTable({ name, fields }));
  const values = emptyRecordOf({ name, fields });
  const counts: number[] = [];
  const connection: Connection = {
    ...connect().connection,
    query: async (_text, params) => {
      counts.push(params?.length ?? 0);
      return [];
    },
  };
  const set = new WriteSet(connection, true);
  const insert = (first: number, count: number): Promise<void> =>
    set.add(wide.insert(Array.from({ length: count }, (_each, index) => ({ id: first + index, values }))));
  for (const [first, count] of [
    [1, 100],
    [101, 63],
    [164, 1],
  ] as const)
    await insert(first, count);
  await set.flush();
  assert.equal(counts, [163 * 402, 402]);
});

together('sends each write at once if it does not merge', async () => {
  const { connection, sent } = connect();
  const set = new WriteSet(connection, false);
  for (const each of [create(1), create(2), level(3)]) await set.add(each);
  assert.equal(
    sent.map(({ name, tables }) => ({ name, tables })),
    [
      { name: 'insert articles', tables: ['articles'] },
      { name: 'insert articles', tables: ['articles'] },
      { name: undefined, tables: ['articles'] },
    ],
  );
});

together('names a statement whose text is always the same, and no other', async () => {
  const { connection, sent } = connect();
  const set = new WriteSet(connection, true);
  for (const each of [create(1), create(1, notes)]) await set.add(each);
  await set.flush();
  for (const each of [create(2), level(1)]) await set.add(each);
  await set.flush();
  assert.equal(
    sent.map(({ name }) => name),
    ['insert articles, insert notes', undefined],
  );
});

together(
  'names the fields of a key that the first write takes; behind another write it is undecided',
  async () => {
    const add = async (writes: readonly Write[]): Promise<void> => {
      const set = new WriteSet(connect(KEY).connection, true);
      for (const each of writes) await set.add(each);
      await set.flush();
    };
    assert.equal((await rejectsStore(add([create(1), create(1, notes)]), 'unique')).fields, [
      'language',
      'slug',
    ]);
    await add([create(1, notes), create(1)]).then(
      () => assert.unreachable(),
      (error) => assert.instance(error, Undecided),
    );
  },
);

together('splits what is too much for one statement', async () => {
  const { connection, sent } = connect();
  const set = new WriteSet(connection, true);
  for (let id = 1; id <= 1000; id += 1) await set.add(level(id));
  await set.flush();
  assert.ok(sent.length >= 4 && sent.length <= 20, `${sent.length} statements`);
  assert.is(sent.flatMap(({ tables }) => tables).length, 1000);
});

together.run();
