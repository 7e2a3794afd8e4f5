import {
  CHANGE_COLUMNS,
  checkKept,
  fromChangeRow,
  loggedNames,
  mergeChanges,
} from '../../../lib/store/change-rows.ts';
import type { ChangesPage, ChangesQuery, Positions } from '../../../lib/store/change.ts';
import type { Collections } from '../../../lib/store/collection.ts';
import type { SqlSession } from './database.ts';
import { type Dialect, quoteConstant, quoteName } from './dialect.ts';
import type { SqlValues } from './record-columns.ts';

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

/** Most changes that one transaction removes. */
const FORGOTTEN = 500;

interface Log {
  readonly dialect: Dialect;
  readonly collections: Collections;
}

/** The newest revision of a collection, and that after which its log is complete. */
async function readBounds(
  session: SqlSession,
  name: string,
): Promise<{ readonly head: number; readonly start: number }> {
  const collection = quoteConstant(name);
  const [row] = await session.run({
    text: `SELECT "revision", (${selectFirst(collection)}) AS "first" FROM "store:collections" WHERE "collection" = ${collection}`,
    values: [],
  });
  const [head, first] = row ?? [];
  return { head: Number(head), start: first === null ? Number(head) : Number(first) - 1 };
}

/** Reads the log in one transaction. @throws StoreError `expired`, `invalid` */
export async function readLog(
  session: SqlSession,
  { dialect, collections }: Log,
  query: ChangesQuery,
): Promise<ChangesPage> {
  const { after, limit } = query;
  const heads: Record<string, number> = {};
  const starts: Record<string, number> = {};
  const lists: (readonly SqlValues[])[] = [];
  for (const name of loggedNames(collections, after)) {
    const { head, start } = await readBounds(session, name);
    heads[name] = head;
    starts[name] = start;
    const text = selectChanges(quoteConstant(name), dialect.placeholder(1), String(limit));
    lists.push(limit === 0 ? [] : await session.run({ text, values: [after[name] ?? 0] }));
  }
  checkKept(query, starts);
  const changes = lists.map((list) => list.map(fromChangeRow));
  return { changes: mergeChanges(changes, limit), heads, starts };
}

/** Removes some of the oldest changes up to the positions. @returns whether any are left */
export async function forgetLog(
  session: SqlSession,
  { dialect, collections }: Log,
  through: Positions,
): Promise<boolean> {
  for (const name of loggedNames(collections, through)) {
    const { head, start } = await readBounds(session, name);
    const last = Math.min(through[name] ?? 0, head);
    if (last <= start) continue;
    await session.run({
      text: deleteChanges(quoteConstant(name), dialect.placeholder(1)),
      values: [Math.min(last, start + FORGOTTEN)],
    });
    return true;
  }
  return false;
}
