import { isListIndex } from '../../lib/collection-check.ts';
import { quoteName } from '../sql/dialect.ts';
import { listName, toSortColumns, type TableShape } from '../sql/tables.ts';
import { columnType } from './dialect.ts';
import type { Session } from './session.ts';

/** An index that begins with a list field: a table of (item, values of the other fields, record), in this order. */
export interface ListIndex {
  readonly name: string;
  readonly table: string;
  readonly field: string;
  /** The fields behind the list field, and their columns: folded ones have two. */
  readonly sortedBy: readonly string[];
  readonly columns: readonly string[];
}

/** The indexes of a collection that begin with a list field. One of a list field alone is that field's table. */
export function listListIndexes({ collection }: TableShape): readonly ListIndex[] {
  const declared = (collection.indexes ?? []).filter((fields) => fields.length > 1 && isListIndex(collection, fields));
  return declared.map(([field = '', ...sortedBy]) => ({
    // No other table has two colons in its name.
    name: [collection.name, field, ...sortedBy].join(':'), table: collection.name, field, sortedBy,
    columns: sortedBy.flatMap((name) => toSortColumns(collection, name)),
  }));
}

/** Triggers keep the index as the records and their lists are, whoever writes them: a program of before the index, too. */
function listTriggers({ name, table, field, columns }: ListIndex): readonly (readonly [name: string, text: string])[] {
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
  return Object.entries(triggers).map(([what, text]) => [`${name} ${what}`, text]);
}

function create(session: Session, table: TableShape, index: ListIndex): void {
  const { name, columns } = index;
  const list = listName(table.name, index.field);
  const typeOf = (column: string): string => columnType(table.columns.find((each) => each.name === column)?.type ?? 'text');
    const keys = ['"value"', ...columns.map(quoteName), '"record"'].join(', ');
  const exec = (sql: string): void => session.connection.exec(sql);
  const described = [`"value" ${columnType(table.lists.find((each) => each.name === list)?.type ?? 'text')}`, ...columns.map((column) => `${quoteName(column)} ${typeOf(column)}`), '"record" INTEGER'];
  exec(`CREATE TABLE ${quoteName(name)} (${described.map((each) => `${each} NOT NULL`).join(', ')}, PRIMARY KEY (${keys})) STRICT, WITHOUT ROWID`);
  exec(`INSERT INTO ${quoteName(name)} SELECT l."value", ${columns.map((column) => `r.${quoteName(column)}`).join(', ')}, r."id" FROM ${quoteName(list)} AS l JOIN ${quoteName(table.name)} AS r ON r."id" = l."record"`);
  for (const [trigger, text] of listTriggers(index)) exec(`CREATE TRIGGER ${quoteName(trigger)} ${text}`);
}

/** Makes the indexes of a table that are new, from what is stored already, and drops those that are no longer declared. Inside a transaction. */
export function migrateListIndexes(session: Session, table: TableShape): void {
  const wanted = listListIndexes(table);
  const kept = new Set(wanted.flatMap((index) => [index.name, ...listTriggers(index).map(([name]) => name)]));
  const names = session.all('SELECT type, name FROM sqlite_schema WHERE type IN (\'table\', \'trigger\') ORDER BY type DESC').map((row) => [String(row['type']), String(row['name'])] as const);
  const own = names.filter(([, name]) => name.startsWith(`${table.name}:`) && name.split(':').length > 2);
  for (const [type, name] of own) if (!kept.has(name)) session.connection.exec(`DROP ${type} ${quoteName(name)}`);
  for (const index of wanted) if (!own.some(([, name]) => name === index.name)) create(session, table, index);
}
