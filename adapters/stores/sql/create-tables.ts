import { StoreError } from '../../../lib/store/store.ts';
import type { SqlSession } from './database.ts';
import { quoteConstant, type Dialect } from './dialect.ts';
import type { TableShape } from './tables.ts';

/** The columns and lists of a table as text. */
function describeShape({ columns, lists, indexes }: TableShape): string {
  return JSON.stringify([
    columns.map(({ name, type }) => [name, type]),
    lists.map(({ name, type }) => [name, type]),
    indexes.map(({ name }) => name),
  ]);
}

async function createTable(session: SqlSession, dialect: Dialect, table: TableShape): Promise<void> {
  const statements = [
    dialect.createTable(table),
    ...table.lists.flatMap((list) => dialect.createListTable(list)),
    ...table.indexes.map((index) => dialect.createIndex(index)),
  ];
  for (const text of statements) await session.run({ text, values: [] });
}

/** Creates the tables of new collections. `create`: the statements that create `store:collections` and the table of the log. @throws StoreError `unavailable` when the fields of a collection have changed */
export async function createTables(
  session: SqlSession,
  dialect: Dialect,
  { tables, create }: { readonly tables: readonly TableShape[]; readonly create: readonly string[] },
): Promise<void> {
  for (const text of create) await session.run({ text, values: [] });
  const rows = await session.run({
    text: 'SELECT "collection", "shape" FROM "store:collections"',
    values: [],
  });
  const shapes = new Map(rows.map(([name, shape]) => [String(name), String(shape)]));
  for (const table of tables) {
    const shape = shapes.get(table.name);
    if (shape === undefined) {
      await createTable(session, dialect, table);
      await session.run({
        text: `INSERT INTO "store:collections" ("collection", "shape", "revision", "last_id") VALUES (${quoteConstant(table.name)}, ${dialect.placeholder(1)}, 0, 0)`,
        values: [describeShape(table)],
      });
    } else if (shape !== describeShape(table)) {
      throw new StoreError(
        'unavailable',
        `The collection ${table.name} has other fields or indexes than its table. Use an empty database, and copy the records with a program that opens both: the old one with the descriptors that made it.`,
      );
    }
  }
}
