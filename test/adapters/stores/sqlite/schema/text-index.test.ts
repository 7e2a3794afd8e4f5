import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileWhere, Params } from '../../../../../adapters/stores/sql/compile-where.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/choose-driver.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import { SqliteFailure } from '../../../../../adapters/stores/sqlite/driver.ts';
import { migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import {
  prepareTextIndexes,
  type TextIndex,
} from '../../../../../adapters/stores/sqlite/schema/text-index.ts';
import {
  addExisting,
  addPending,
  isComplete,
} from '../../../../../adapters/stores/sqlite/search/fill-text-index.ts';
import { mergeSome, stopOwnMerges } from '../../../../../adapters/stores/sqlite/search/text-merge.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import { parseIds, subtract } from '../../../../../adapters/stores/sqlite/worker/id-list.ts';
import { TextMatches } from '../../../../../adapters/stores/sqlite/worker/text-matches.ts';
import { TableWriter } from '../../../../../adapters/stores/sqlite/write/table-writer.ts';
import type { CollectionDescriptor } from '../../../../../lib/store/collection.ts';
import type { Predicate } from '../../../../../lib/store/query.ts';
import { fold } from '../../../../../lib/store/stored-text.ts';
import { LONG_TEXTS } from '../../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../../support/store-fuzz.ts';

const plain: CollectionDescriptor = {
  name: 'things',
  fields: {
    name: { type: 'text', folded: true },
    note: { type: 'text', folded: true },
    level: { type: 'integer' },
  },
};
const searched: CollectionDescriptor = { ...plain, search: ['name', 'note'] };
const ignore = (): void => undefined;

async function openSession(): Promise<Session> {
  const session = new Session((await chooseDriver()).open(':memory:', 0));
  migrate(session, sqliteDialect, [toTable(plain)]);
  return session;
}

function prepare(
  session: Session,
  collection: CollectionDescriptor,
  log: (message: string) => void = ignore,
): TextIndex | undefined {
  return prepareTextIndexes(session, [toTable(collection)], log).get('things');
}

function listParts(session: Session): readonly string[] {
  return session
    .all("SELECT name FROM sqlite_schema WHERE name GLOB 'text-index:*' ORDER BY name")
    .map(([name]) => String(name));
}

function step(session: Session, index: TextIndex, most: number): boolean {
  return addPending(session, index, most).isMore || addExisting(session, index, most);
}

function build(session: Session, index: TextIndex): void {
  while (step(session, index, 100));
}

function select(session: Session, where: Predicate, index: TextIndex | null): readonly unknown[] {
  const params = new Params(sqliteDialect);
  const test = compileWhere({ dialect: sqliteDialect, collection: searched, params, gather: false }, where);
  const found = session
    .all(`SELECT "id" FROM "things" WHERE ${test} ORDER BY 1`, params.values)
    .map(([id]) => Number(id));
  if (index === null) return found;
  const matches = new TextMatches(session, index);
  const all = Float64Array.from(session.all('SELECT "id" FROM "things" ORDER BY 1'), ([id]) => Number(id));
  const among = matches.find(where) ?? all;
  const { most, least } = matches.toBounds(where, all);
  // What the index takes for certain must match, and what it rules out must not.
  assert.equal(subtract(least, Float64Array.from(found)), new Float64Array(0), JSON.stringify(where));
  return found.filter((id) => among.includes(id) && most.includes(id));
}

const somewhere = (part: string): Predicate => ({
  op: 'or',
  of: ['name', 'note'].map((field) => ({ op: 'contains', field, text: part })),
});
const SEARCHES: readonly Predicate[] = LONG_TEXTS.flatMap((text) =>
  [1, 2, 3, 4, 8, 30].flatMap((length): readonly Predicate[] => {
    const points = Array.from(fold(text));
    const [first, last] = [points.slice(0, length).join(''), points.slice(-length).join('')];
    return [
      somewhere(first),
      somewhere(last),
      { op: 'not', of: somewhere(first) },
      { op: 'contains', field: 'note', text: first },
      { op: 'and', of: [somewhere(first), { op: 'not', of: somewhere(last) }] },
      {
        op: 'or',
        of: [
          somewhere(last),
          { op: 'equalsFolded', field: 'name', text: first },
          { op: 'eq', field: 'level', value: 0 },
        ],
      },
    ];
  }),
);

const text = fc.constantFrom(...LONG_TEXTS, '', 'b');
const change = fc.oneof(
  fc.record({ op: fc.constant('insert' as const), name: text, note: text }),
  fc.record({
    op: fc.constant('update' as const),
    id: fc.integer({ min: 1, max: 12 }),
    name: text,
    note: text,
  }),
  fc.record({ op: fc.constant('level' as const), id: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ op: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ op: fc.constant('build' as const), most: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ op: fc.constant('merge' as const), pages: fc.integer({ min: 1, max: 3 }) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(session: Session, writer: TableWriter, [index, each]: readonly [TextIndex, Change]): void {
  if (each.op === 'insert') writer.insert(undefined, { name: each.name, note: each.note, level: 0 });
  else if (each.op === 'build') step(session, index, each.most);
  else if (each.op === 'merge') mergeSome(session, index, each.pages);
  else {
    const before = writer.take(each.id);
    if (before === null) return;
    if (each.op === 'remove') writer.remove(each.id);
    else
      writer.update(
        before,
        each.op === 'level' ? { level: before.version } : { name: each.name, note: each.note },
      );
  }
}

const indexes = suite('text index of SQLite');

indexes('adds few long texts at once, and a very long one by itself', async () => {
  const session = await openSession();
  const writer = new TableWriter(session, toTable(searched));
  const insert = (characters: number): unknown =>
    writer.insert(undefined, { name: 'lamp', note: 'x'.repeat(characters), level: 0 });
  for (let count = 0; count < 6; count += 1) insert(40_000);
  const index = prepare(session, searched) as TextIndex;
  const indexed = (): number => session.number(`SELECT count(*) FROM "${index.name}"`);
  let steps = 0;
  for (let before = 0; addExisting(session, index, 500); before = indexed()) {
    assert.ok(indexed() - before <= 2, 'texts that were there');
    steps += 1;
  }
  assert.equal([indexed(), steps], [6, 3]);
  for (const characters of [40_000, 40_000, 250_000, 40_000, 1, 1, 1]) insert(characters);
  const added = Array.from({ length: 5 }, () => addPending(session, index, 500)).map(({ count, isMore }) => [
    count,
    isMore,
  ]);
  assert.equal(added, [
    [2, true],
    [1, true],
    [4, false],
    [0, false],
    [0, false],
  ]);
  session.close();
});

indexes('finds what a scan finds, after any changes while it is built', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text), { maxLength: 8 }),
      fc.array(change, { maxLength: 30 }),
      async (existing, changes) => {
        const session = await openSession();
        const writer = new TableWriter(session, toTable(searched));
        for (const [name, note] of existing) writer.insert(undefined, { name, note, level: 0 });
        const index = prepare(session, searched) as TextIndex;
        stopOwnMerges(session, index);
        for (const each of changes) apply(session, writer, [index, each]);
        const compare = (): void => {
          for (const where of SEARCHES)
            assert.equal(select(session, where, index), select(session, where, null), JSON.stringify(where));
        };
        if (isComplete(session, index)) compare();
        build(session, index);
        assert.ok(isComplete(session, index));
        compare();
        session.close();
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

indexes(
  'decides alone which records have two or three letters, or words that begin with a text',
  async () => {
    const session = await openSession();
    const index = prepare(session, searched) as TextIndex;
    const writer = new TableWriter(session, toTable(searched));
    for (const [name, note] of [
      ['the harbour', 'qa'],
      ['Harboursong at night', ''],
      ['unharboured', 'ха харьков'],
      ['har', 'bour'],
      ['\u{1F600}\u{1F601}', 'x'],
      ['mn\u{10FFFF}', ''],
    ])
      writer.insert(undefined, { name: name ?? '', note: note ?? '', level: 0 });
    build(session, index);
    const all = parseIds('1,2,3,4,5,6');
    const rows: readonly (readonly [text: string, most: readonly number[], least: readonly number[]])[] = [
      ['qa', [1], [1]],
      ['ur', [1, 2, 3, 4], [1, 2, 3, 4]],
      ['ht', [2], [2]],
      ['har', [1, 2, 3, 4], [1, 2, 3, 4]],
      ['zz', [], []],
      ['mn', [6], [6]],
      ['\u{1F600}\u{1F601}', [5], [5]],
      ['ха', [3], [3]],
      // In the middle of a word, it must be tested. A line feed may be one between two fields.
      ['harbour', [1, 2, 3], [1, 2]],
      ['harbours', [2], [2]],
      ['харьк', [3], [3]],
      ['r\nb', [4], []],
      ['at nig', [2], []],
      ['x', [1, 2, 3, 4, 5, 6], []],
    ];
    for (const [part, most, least] of rows) {
      const bounds = new TextMatches(session, index).toBounds(somewhere(part), all);
      assert.equal([[...bounds.most], [...bounds.least]], [most, least], part);
    }
    session.close();
  },
);

indexes('is merged only when told to, and some pages at a time', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
  stopOwnMerges(session, index);
  const countParts = (): readonly number[] =>
    [index.name, `${index.name} words`].map((part) =>
      session.number(`SELECT count(DISTINCT segid) FROM "${part}_idx"`),
    );
  for (let at = 0; at < 40; at += 1) {
    writer.insert(undefined, {
      name: `name ${at}`,
      note: Array.from({ length: 400 }, (_each, word) => (at * 7919 + word * 104_729).toString(36)).join(' '),
      level: 0,
    });
    build(session, index);
  }
  assert.equal(countParts(), [40, 40]);
  let steps = 0;
  while (mergeSome(session, index, 4)) steps += 1;
  assert.ok(steps > 4, `${steps} steps`);
  assert.ok(
    countParts().every((count) => count < 8),
    `${countParts().join()} parts`,
  );
  assert.equal(select(session, somewhere('name 3'), index), select(session, somewhere('name 3'), null));
  session.close();
});

indexes('is made again after a program that knows only a part of it has dropped it', async () => {
  const session = await openSession();
  const { name } = prepare(session, searched) as TextIndex;
  new TableWriter(session, toTable(searched)).insert(undefined, { name: 'harbour', note: '', level: 0 });
  for (const end of ['added', 'changed', 'removed']) session.connection.exec(`DROP TRIGGER "${name} ${end}"`);
  session.connection.exec(
    `DROP TABLE "${name}"; DROP TABLE "${name} pending"; DELETE FROM "store:text-indexes"`,
  );
  const again = prepare(session, searched) as TextIndex;
  build(session, again);
  assert.equal(select(session, somewhere('harbour'), again), [1]);
  session.close();
});

indexes('is not touched by an update that leaves the texts alone', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
  const id = writer.insert(undefined, { name: 'harbour', note: '', level: 0 }).id;
  build(session, index);
  const content = (): string =>
    JSON.stringify([
      session.all(`SELECT id, hex(block) FROM "${index.name}_data"`),
      session.all(`SELECT * FROM "${index.name} pending"`),
    ]);
  const before = content();
  writer.update(writer.take(id) as never, { name: 'harbour', level: 7 });
  assert.is(content(), before);
  writer.update(writer.take(id) as never, { name: 'morning' });
  assert.is.not(content(), before);
  session.close();
});

indexes('follows the declaration, and is dropped with it', async () => {
  const session = await openSession();
  const first = prepare(session, searched) as TextIndex;
  assert.is(prepare(session, searched)?.name, first.name);
  const other = prepare(session, { ...searched, search: ['name'] }) as TextIndex;
  assert.ok(
    listParts(session).length > 0 && listParts(session).every((name) => name.startsWith(other.name)),
    listParts(session).join(),
  );
  assert.is(prepare(session, plain), undefined);
  assert.equal(listParts(session), []);
  session.close();
});

indexes('is made again if its triggers are missing', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  session.connection.exec(`DROP TRIGGER "${index.name} added"`);
  new TableWriter(session, toTable(searched)).insert(undefined, { name: 'harbour', note: '', level: 0 });
  assert.is(prepare(session, searched)?.name, index.name);
  assert.not.ok(isComplete(session, index));
  build(session, index);
  assert.equal(select(session, { op: 'contains', field: 'name', text: 'harbour' }, index), [1]);
  session.close();
});

/** An engine without FTS5 could not write to a table whose triggers use it, so they are dropped. */
indexes('is given up with a note where the engine does not have it', async () => {
  const session = await openSession();
  prepare(session, searched);
  const { connection } = session;
  const lacking = new Session({
    ...connection,
    prepare: (sql) => connection.prepare(sql),
    exec: (sql) => {
      if (sql.includes('fts5')) throw new SqliteFailure(1, new Error('no such module: fts5'));
      connection.exec(sql);
    },
  });
  const notes: string[] = [];
  assert.is(
    prepare(lacking, searched, (message) => notes.push(message)),
    undefined,
  );
  assert.match(notes.join(), /FTS5/);
  new TableWriter(lacking, toTable(searched)).insert(undefined, { name: 'harbour', note: '', level: 0 });
  const again = prepare(session, searched) as TextIndex;
  build(session, again);
  assert.equal(select(session, { op: 'contains', field: 'name', text: 'harbour' }, again), [1]);
  session.close();
});

indexes.run();
