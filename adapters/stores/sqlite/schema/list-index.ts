import { isListIndex } from '../../../../lib/store/check-collections.ts';
import { quoteName } from '../../sql/dialect.ts';
import { listName, toDigest, toSortColumns } from '../../sql/names.ts';
import type { TableShape } from '../../sql/tables.ts';
import { columnType } from '../dialect.ts';
import type { Session } from '../session.ts';

/** An index that begins with a list field: a table of (item, values of the other fields, record), in this order. */
export interface ListIndex {
  readonly name: string;
  readonly table: string;
  readonly field: string;
  /** The fields after the list field, and their columns. A folded field has two columns. */
  readonly sortedBy: readonly string[];
  readonly columns: readonly string[];
}

/** Triggers keep the index up to date for every writer, including a program version that does not have the index. */
function listTriggers({ name, table, field, columns }: ListIndex): readonly string[] {
  const [index = '', records = '', list = ''] = [name, table, listName(table, field)].map(quoteName);
  const names = columns.map(quoteName);
  const of = (row: string): string => names.map((column) => `${row}.${column}`).join(', ');
  const recordOf = (row: string): string => `FROM ${records} AS r WHERE r."id" = ${row}."record"`;
  const itemsOf = (row: string): string => `FROM ${list} WHERE "record" = ${row}."id"`;
  const forget = `DELETE FROM ${index} WHERE "value" IN (SELECT "value" ${itemsOf('old')}) AND ${names.map((column) => `${column} = old.${column}`).join(' AND ')} AND "record" = old."id";`;
  const triggers = {
    listed: `AFTER INSERT ON ${list} BEGIN INSERT INTO ${index} SELECT new."value", ${of('r')}, r."id" ${recordOf('new')}; END`,
    unlisted: `AFTER DELETE ON ${list} BEGIN DELETE FROM ${index} WHERE "value" = old."value" AND (${names.join(', ')}) = (SELECT ${of('r')} ${recordOf('old')}) AND "record" = old."record"; END`,
    changed: `AFTER UPDATE OF ${names.join(', ')} ON ${records} WHEN ${names.map((column) => `old.${column} <> new.${column}`).join(' OR ')} BEGIN ${forget} INSERT INTO ${index} SELECT "value", ${of('new')}, new."id" ${itemsOf('new')}; END`,
    removed: `BEFORE DELETE ON ${records} BEGIN ${forget} END`,
  };
  return Object.entries(triggers).map(
    ([what, text]) => `CREATE TRIGGER ${quoteName(`${name} ${what}`)} ${text}`,
  );
}

/** The statements that create an index, fill it and keep it up to date. */
function describe(table: TableShape, index: ListIndex): readonly string[] {
  const { name, columns } = index;
  const list = listName(table.name, index.field);
  const typeOf = (column: string): string =>
    columnType(table.columns.find((each) => each.name === column)?.type ?? 'text');
  const keys = ['"value"', ...columns.map(quoteName), '"record"'].join(', ');
  const described = [
    `"value" ${columnType(table.lists.find((each) => each.name === list)?.type ?? 'text')}`,
    ...columns.map((column) => `${quoteName(column)} ${typeOf(column)}`),
    '"record" INTEGER',
  ];
  return [
    `CREATE TABLE ${quoteName(name)} (${described.map((each) => `${each} NOT NULL`).join(', ')}, PRIMARY KEY (${keys})) STRICT, WITHOUT ROWID`,
    `INSERT INTO ${quoteName(name)} SELECT l."value", ${columns.map((column) => `r.${quoteName(column)}`).join(', ')}, r."id" FROM ${quoteName(list)} AS l JOIN ${quoteName(table.name)} AS r ON r."id" = l."record"`,
    ...listTriggers(index),
  ];
}

function toListIndex(table: TableShape, [field = '', ...sortedBy]: readonly string[]): ListIndex {
  const columns = sortedBy.flatMap((name) => toSortColumns(table.collection, name));
  // Other tables do not have two colons in their names.
  const plain: ListIndex = {
    name: [table.name, field, ...sortedBy].join(':'),
    table: table.name,
    field,
    sortedBy,
    columns,
  };
  // An index must get a new name when its definition changes.
  return { ...plain, name: `${plain.name}:${toDigest(describe(table, plain))}` };
}

/** The indexes of a collection that begin with a list field. An index on a list field alone is the table of that field. */
export function listListIndexes(table: TableShape): readonly ListIndex[] {
  const { collection } = table;
  const declared = (collection.indexes ?? []).filter(
    (fields) => fields.length > 1 && isListIndex(collection, fields),
  );
  return declared.map((fields) => toListIndex(table, fields));
}

/** Creates the new indexes of a table from the stored records, and drops indexes that are no longer declared. Must run inside a transaction. */
export function migrateListIndexes(session: Session, table: TableShape): void {
  const wanted = listListIndexes(table);
  // Triggers are dropped before the tables that they write to.
  const rows = session.all(
    "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger') ORDER BY type DESC",
  );
  const own = rows
    .map(([type, name]) => [String(type), String(name)] as const)
    .filter(([, name]) => name.startsWith(`${table.name}:`) && name.split(':').length > 2);
  const isKept = (name: string): boolean =>
    wanted.some((index) => name === index.name || name.startsWith(`${index.name} `));
  for (const [type, name] of own)
    if (!isKept(name)) session.connection.exec(`DROP ${type} ${quoteName(name)}`);
  for (const index of wanted.filter(({ name }) => !own.some(([, each]) => each === name))) {
    for (const sql of describe(table, index)) session.connection.exec(sql);
  }
}
