import { checkKept, fromChangeRow, loggedNames, mergeChanges } from '../../../lib/store/change-rows.ts';
import type { ChangesPage, ChangesQuery, Positions } from '../../../lib/store/change.ts';
import type { Collections } from '../../../lib/store/check-collections.ts';
import { deleteChanges, selectChanges, selectFirst } from './change-table.ts';
import type { SqlSession } from './database.ts';
import { quoteConstant, type Dialect } from './dialect.ts';
import type { SqlValues } from './record-columns.ts';

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
