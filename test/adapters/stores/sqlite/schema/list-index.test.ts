import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quoteName } from '../../../../../adapters/stores/sql/dialect.ts';
import { type TableShape, toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import { listListIndexes, migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import { TableWriter } from '../../../../../adapters/stores/sqlite/write/table-writer.ts';
import type { CollectionDescriptor } from '../../../../../lib/store/collection.ts';

const fields = {
  name: { type: 'text', folded: true },
  level: { type: 'integer' },
  tags: { type: 'integers' },
} as const;
const plain: CollectionDescriptor = { name: 'things', fields };
const indexed: CollectionDescriptor = {
  ...plain,
  indexes: [
    ['tags', 'name'],
    ['tags', 'level', 'name'],
  ],
};

async function openSession(): Promise<Session> {
  return new Session((await chooseDriver()).open(':memory:', 0));
}

function migrateTo(session: Session, descriptor: CollectionDescriptor): TableShape {
  const table = toTable(descriptor);
  migrate(session, sqliteDialect, [table]);
  return table;
}

const [BY_NAME = '', BY_LEVEL = ''] = listListIndexes(toTable(indexed)).map(({ name }) => quoteName(name));

function listRows(session: Session): string {
  return JSON.stringify([
    session.all(`SELECT "value", "name:folded", "name", "record" FROM ${BY_NAME} ORDER BY 1, 2, 3, 4`),
    session.all(
      `SELECT "value", "level", "name:folded", "name", "record" FROM ${BY_LEVEL} ORDER BY 1, 2, 3, 4, 5`,
    ),
  ]);
}

/** The expected content of the indexes. */
function listExpected(session: Session): string {
  const from = 'FROM "things:tags" AS l JOIN "things" AS r ON r."id" = l."record"';
  return JSON.stringify([
    session.all(`SELECT l."value", r."name:folded", r."name", l."record" ${from} ORDER BY 1, 2, 3, 4`),
    session.all(
      `SELECT l."value", r."level", r."name:folded", r."name", l."record" ${from} ORDER BY 1, 2, 3, 4, 5`,
    ),
  ]);
}

const values = fc.record(
  {
    name: fc.constantFrom('', 'a', 'A', 'É'),
    level: fc.integer({ min: 0, max: 2 }),
    tags: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.oneof(
    fc.record({ make: values }),
    fc.record({ id: fc.integer({ min: 1, max: 6 }), change: values }),
    fc.record({ remove: fc.integer({ min: 1, max: 6 }) }),
  ),
  { maxLength: 20 },
);
const EMPTY = { name: '', level: 0, tags: [] };

const index = suite('list indexes of SQLite');
index('match the records after creates, updates and removals', async () => {
  const session = await openSession();
  const writer = new TableWriter(session, migrateTo(session, indexed));
  fc.assert(
    fc.property(steps, (life) => {
      for (const step of life) {
        if ('make' in step) writer.insert(undefined, { ...EMPTY, ...step.make });
        else if ('remove' in step) writer.remove(step.remove);
        else {
          const before = writer.get(step.id);
          if (before !== null) writer.update(before, step.change);
        }
      }
      assert.is(listRows(session), listExpected(session));
      session.connection.exec(
        'DELETE FROM "things"; DELETE FROM "things:tags"; DELETE FROM "sqlite_sequence"',
      );
      assert.is(listRows(session), '[[],[]]');
    }),
    { numRuns: 300 },
  );
  session.close();
});
index('are filled from existing records, and dropped when they are no longer declared', async () => {
  const session = await openSession();
  const writer = new TableWriter(session, migrateTo(session, plain));
  for (let at = 0; at < 20; at += 1)
    writer.insert(undefined, { name: `n${at % 3}`, level: at % 4, tags: [at % 2, at % 5, 9] });
  const before = JSON.stringify(session.all('SELECT name FROM sqlite_schema ORDER BY name'));
  migrateTo(session, indexed);
  assert.is(listRows(session), listExpected(session));
  assert.is(
    session.number(`SELECT count(*) FROM ${BY_NAME}`),
    session.number('SELECT count(*) FROM "things:tags"'),
  );
  migrateTo(session, plain);
  assert.is(JSON.stringify(session.all('SELECT name FROM sqlite_schema ORDER BY name')), before);
  session.close();
});
index('are rebuilt when their definition changes, also in older files', async () => {
  const unfolded: CollectionDescriptor = { ...indexed, fields: { ...fields, name: { type: 'text' } } };
  const session = await openSession();
  const before = new TableWriter(session, migrateTo(session, unfolded));
  for (let at = 0; at < 20; at += 1)
    before.insert(undefined, { name: ['É', 'e', 'a'][at % 3] ?? '', level: at % 4, tags: [at % 2, 9] });
  const [old = ''] = listListIndexes(toTable(unfolded)).map(({ name }) => name);
  session.connection.exec(
    `CREATE TABLE "things:tags:name" AS SELECT * FROM ${quoteName(old)}; CREATE TRIGGER "things:tags:name listed" AFTER INSERT ON "things:tags" BEGIN DELETE FROM "things:tags:name"; END`,
  );
  const after = new TableWriter(session, migrateTo(session, indexed));
  after.insert(undefined, { name: 'Éa', level: 1, tags: [9] });
  assert.is(listRows(session), listExpected(session));
  assert.equal(
    session.all("SELECT name FROM sqlite_schema WHERE name LIKE 'things:tags:name%' AND name NOT LIKE ?", [
      `${BY_NAME.slice(1, -1)}%`,
    ]),
    [],
  );
  assert.equal(
    session.all('SELECT name FROM sqlite_schema WHERE name IN (?, ?)', [old, `${old} listed`]),
    [],
  );
  session.close();
});
index.run();
