import { CHANGE_COLUMNS } from '../../../lib/store/change-rows.ts';
import { quoteName } from './dialect.ts';

const NUMBERS: ReadonlySet<string> = new Set(['revision', 'id', 'version', 'at', 'by']);
const TEXTS: ReadonlySet<string> = new Set(['fields', 'before']);
const NAMES = CHANGE_COLUMNS.map(quoteName).join(', ');

/** The table of the log, which has a row for each change. */
export const CHANGE_TABLE = 'store:changes';

/** Types of a database. `name`: of at most 128 characters, which may be part of a key. `text`: of any length. */
export interface ChangeTypes {
  readonly name: string;
  readonly text: string;
  /** A whole number. */
  readonly integer: string;
}

/** Creates the table of the log, unless it exists. Its key is its order, so that a read is one range. */
export function createChangeTable({ name: short, text, integer }: ChangeTypes): string {
  const typeOf = (name: string): string => (NUMBERS.has(name) ? integer : TEXTS.has(name) ? text : short);
  const columns = CHANGE_COLUMNS.map((name) => `${quoteName(name)} ${typeOf(name)} NOT NULL`);
  return `CREATE TABLE IF NOT EXISTS "${CHANGE_TABLE}" (${columns.join(', ')}, PRIMARY KEY ("collection", "revision"))`;
}

/** Inserts rows of the log. `rows`: `(?, ?, …)`. */
export const insertChanges = (rows: readonly string[]): string =>
  `INSERT INTO "${CHANGE_TABLE}" (${NAMES}) VALUES ${rows.join(', ')}`;

/** Selects changes of one collection after a revision. The arguments are placeholders. */
export const selectChanges = (collection: string, revision: string, limit: string): string =>
  `SELECT ${NAMES} FROM "${CHANGE_TABLE}" WHERE "collection" = ${collection} AND "revision" > ${revision} ORDER BY "revision" LIMIT ${limit}`;

/** Selects the oldest revision in the log of a collection. */
export const selectFirst = (collection: string): string =>
  `SELECT "revision" FROM "${CHANGE_TABLE}" WHERE "collection" = ${collection} ORDER BY "revision" LIMIT 1`;

/** Deletes the changes of a collection up to a revision. */
export const deleteChanges = (collection: string, revision: string): string =>
  `DELETE FROM "${CHANGE_TABLE}" WHERE "collection" = ${collection} AND "revision" <= ${revision}`;
