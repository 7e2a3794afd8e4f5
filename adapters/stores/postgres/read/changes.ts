import { checkKept, fromChangeRow, loggedNames, mergeChanges } from '../../../../lib/store/change-rows.ts';
import type { ChangesPage, ChangesQuery, Positions } from '../../../../lib/store/change.ts';
import type { Collections } from '../../../../lib/store/collection.ts';
import { deleteChanges, selectChanges, selectFirst } from '../../sql/change-log.ts';
import { quoteConstant } from '../../sql/dialect.ts';
import type { SqlRow } from '../connections.ts';
import type { RunSql } from '../run-read.ts';

/** Most changes that one statement removes. */
const FORGOTTEN = 500;

/** What one statement returns: a row for each change, and one without a change for each collection that has no newer ones. */
function describeRead(names: readonly string[]): string {
  const parts = names.map((name, at) => {
    const collection = quoteConstant(name);
    return `SELECT c."revision" AS "head", (${selectFirst(collection)}) AS "first", l.*, c."collection" AS "of" FROM "store:collections" AS c LEFT JOIN LATERAL (${selectChanges(collection, `$${at + 2}::bigint`, '$1')}) AS l ON true WHERE c."collection" = ${collection}`;
  });
  return parts.join(' UNION ALL ');
}

/** Reads the log with one statement, and so one state of it. @throws StoreError `expired`, `invalid` */
export async function readChanges(
  run: RunSql,
  collections: Collections,
  query: ChangesQuery,
): Promise<ChangesPage> {
  const { after, limit } = query;
  const names = loggedNames(collections, after);
  if (names.length === 0) return { changes: [], heads: {}, starts: {} };
  const rows = await run({
    text: describeRead(names),
    values: [limit, ...names.map((name) => after[name] ?? 0)],
  });
  const rowsOf = (name: string): readonly SqlRow[] => rows.filter((row) => row['of'] === name);
  const heads: Record<string, number> = {};
  const starts: Record<string, number> = {};
  const lists = names.map((name) => {
    const own = rowsOf(name);
    const { head, first } = own[0] ?? {};
    heads[name] = Number(head ?? 0);
    starts[name] = first === null || first === undefined ? Number(head ?? 0) : Number(first) - 1;
    return own
      .filter((row) => row['revision'] !== null)
      .map((row) => fromChangeRow(Object.values(row).slice(2, -1)));
  });
  checkKept(query, starts);
  return { changes: mergeChanges(lists, limit), heads, starts };
}

/** Removes some of the oldest changes up to the positions. @returns whether any are left */
export async function forgetChanges(
  run: RunSql,
  collections: Collections,
  through: Positions,
): Promise<boolean> {
  const names = loggedNames(collections, through);
  const after = Object.fromEntries(names.map((name) => [name, 0]));
  const { heads, starts } = await readChanges(run, collections, { after, limit: 0 });
  for (const name of names) {
    const start = starts[name] ?? 0;
    const last = Math.min(through[name] ?? 0, heads[name] ?? 0);
    if (last <= start) continue;
    await run({
      text: deleteChanges(quoteConstant(name), '$1'),
      values: [Math.min(last, start + FORGOTTEN)],
    });
    return true;
  }
  return false;
}
