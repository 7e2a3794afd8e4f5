import { quoteName, type Dialect } from './dialect.ts';
import type { TableShape } from './tables.ts';

/** The statement that reads a page of a table by id; its parameters are the id before the page and the limit. */
export function compilePage({ placeholder }: Dialect, { name, collection }: TableShape): string {
  const columns = ['id', 'version', ...Object.keys(collection.fields)].map(quoteName).join(', ');
  return `SELECT ${columns} FROM ${quoteName(name)} WHERE "id" > ${placeholder(1)} ORDER BY "id" LIMIT ${placeholder(2)}`;
}
