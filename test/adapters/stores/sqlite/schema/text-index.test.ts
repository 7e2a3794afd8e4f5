import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileWhere, Params, type Target } from '../../../../../adapters/stores/sql/compile-where.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import { SqliteFailure } from '../../../../../adapters/stores/sqlite/driver.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import {
  compileTextProbe,
  lookUpTexts,
  reachByTexts,
} from '../../../../../adapters/stores/sqlite/plan/statements.ts';
import { migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import {
  addPending,
  mergeSome,
  prepareTextIndexes,
  type TextIndex,
} from '../../../../../adapters/stores/sqlite/schema/text-index.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
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

function build(session: Session, index: TextIndex): void {
  while (addPending(session, index, 100));
}

const countPending = (session: Session, { name }: TextIndex): number =>
  session.number(`SELECT count(*) FROM "${name} pending"`);

function select(
  session: Session,
  where: Predicate,
  lookUp: Target['lookUp'] | null = null,
): readonly number[] {
  const params = new Params(sqliteDialect);
  const target: Target = { dialect: sqliteDialect, collection: searched, params, gather: false };
  const test = compileWhere(lookUp == null ? target : { ...target, lookUp }, where);
  return session
    .all(`SELECT "id" FROM "things" WHERE ${test} ORDER BY 1`, params.values)
    .map(([id]) => Number(id));
}

/** Finds what a scan finds, in both ways, and the probe does not count fewer candidates. */
function compare(session: Session, index: TextIndex, where: Predicate): void {
  const found = select(session, where);
  assert.equal(select(session, where, lookUpTexts(index, where)), found, JSON.stringify(where));
  assert.equal(select(session, where, reachByTexts(index, where)), found, JSON.stringify(where));
  const probe = compileTextProbe(index, where, 1000);
  assert.ok(
    probe === null || session.number(probe.text, probe.values) >= found.length,
    JSON.stringify(where),
  );
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
  else if (each.op === 'build') addPending(session, index, each.most);
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
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
  for (const characters of [25_000, 25_000, 250_000, 25_000, 1, 1, 1])
    writer.insert(undefined, { name: 'lamp', note: 'x'.repeat(characters), level: 0 });
  const steps = Array.from({ length: 4 }, () => [addPending(session, index), countPending(session, index)]);
  assert.equal(steps, [
    [true, 5],
    [true, 4],
    [false, 0],
    [false, 0],
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
        for (const each of changes) apply(session, writer, [index, each]);
        for (const where of SEARCHES) compare(session, index, where);
        build(session, index);
        for (const where of SEARCHES) compare(session, index, where);
        session.close();
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

indexes('finds parts of words, and texts that only seem to be in a field', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
  for (const [name, note] of [
    ['the harbour', 'qa'],
    ['Harboursong at night', ''],
    ['unharboured', 'ха харьков'],
    ['har', 'bour'],
    ['\u{1F600}\u{1F601}\u{1F602}', 'x'],
    ['mn\u{10FFFF}', ''],
  ])
    writer.insert(undefined, { name: name ?? '', note: note ?? '', level: 0 });
  build(session, index);
  const rows: readonly (readonly [text: string, found: readonly number[]])[] = [
    ['qa', [1]],
    ['har', [1, 2, 3, 4]],
    ['zzz', []],
    ['mn\u{10FFFF}', [6]],
    ['\u{1F600}\u{1F601}\u{1F602}', [5]],
    ['harbour', [1, 2, 3]],
    ['harbours', [2]],
    ['харьк', [3]],
    ['r\nb', []],
    ['at nig', [2]],
  ];
  for (const [part, found] of rows) {
    compare(session, index, somewhere(part));
    assert.equal(select(session, somewhere(part)), found, part);
  }
  session.close();
});

indexes('is merged only when told to, and some pages at a time', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
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
  compare(session, index, somewhere('name 3'));
  session.close();
});

indexes('of the second layout is continued where it stopped', async () => {
  const session = await openSession();
  const index = prepare(session, searched) as TextIndex;
  const writer = new TableWriter(session, toTable(searched));
  for (const name of ['harbour', 'morning', 'qa', 'harbour'])
    writer.insert(undefined, { name, note: '', level: 0 });
  build(session, index);
  session.connection.exec(
    `DELETE FROM "${index.name}" WHERE rowid > 2; DELETE FROM "${index.name} words" WHERE rowid > 2; DROP TABLE "${index.name} terms";
    CREATE VIRTUAL TABLE "${index.name} terms" USING fts5vocab("${index.name}", row);
    CREATE TABLE "store:text-indexes" ("name" TEXT PRIMARY KEY, "next" INTEGER NOT NULL, "last" INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO "store:text-indexes" VALUES ('${index.name}', 2, 4); PRAGMA user_version = 2`,
  );
  migrate(session, sqliteDialect, [toTable(searched)]);
  assert.is(prepare(session, searched)?.name, index.name);
  assert.is(countPending(session, index), 2);
  for (const where of ['harbour', 'qa', 'rn'].map(somewhere)) compare(session, index, where);
  build(session, index);
  for (const where of ['harbour', 'qa', 'rn'].map(somewhere)) compare(session, index, where);
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
  build(session, index);
  const where: Predicate = { op: 'contains', field: 'name', text: 'harbour' };
  assert.equal(select(session, where, lookUpTexts(index, where)), [1]);
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
  const where: Predicate = { op: 'contains', field: 'name', text: 'harbour' };
  assert.equal(select(session, where, lookUpTexts(again, where)), [1]);
  session.close();
});

indexes.run();
