import { createPause } from '../../../lib/core/cooperative.ts';
import { EVERYTHING, type CheckedQuery } from '../../../lib/store/check-query.ts';
import { toTest, type Test } from '../../../lib/store/match.ts';
import { isEverything, toFixedValues } from '../../../lib/store/query-plan.ts';
import type { Row } from '../../../lib/store/row.ts';
import { StoreError, type Waiter } from '../../../lib/store/store.ts';
import type { CollectionRows } from './collection-rows.ts';
import { ENDLESS, Page, openCursor } from './cursors.ts';
import type { FoundRows } from './find-rows.ts';
import { listPlans, smallest } from './plans.ts';

/** Rows that may match, in their state when the search began. `test` is null when all of them match. */
interface Snapshot {
  readonly rows: readonly Row[];
  readonly test: Test | null;
}

/** Rows read between two checks of the clock. */
const STRIDE = 16;

/** Copies the rows, because writes replace their states while the search pauses. The states themselves never change. */
function takeSnapshots(rows: CollectionRows, query: CheckedQuery): readonly Snapshot[] {
  const plan = smallest(listPlans(rows, query, toFixedValues(query.where)), ({ size }) => size);
  return (plan?.ranges ?? []).map(({ sorted, from, to, rest }) => {
    const next = openCursor({ sorted, from, to, rest: EVERYTHING }, rows.sortKeys, {
      descending: false,
      budget: ENDLESS,
    });
    const copies: Row[] = [];
    for (let row = next(); row !== undefined; row = next())
      copies.push({ record: row.record, sortValues: row.sortValues });
    return { rows: copies, test: isEverything(rest) ? null : toTest(rest, rows.sortKeys) };
  });
}

/** Runs a query that must read many rows. It pauses so that others can run, and does not see their writes. @throws StoreError `cancelled` */
export async function findInSlices(
  rows: CollectionRows,
  query: CheckedQuery,
  waiter: Waiter | undefined,
): Promise<FoundRows> {
  const { revision, sortKeys, counts } = rows;
  const pause = createPause();
  const page = new Page(query, sortKeys);
  let [looked, total] = [0, 0];
  for (const { rows: copies, test } of takeSnapshots(rows, query)) {
    for (const row of copies) {
      looked += 1;
      if (test === null || test(row)) {
        total += 1;
        page.add(row);
      }
      const turn = looked % STRIDE === 0 ? pause() : undefined;
      if (turn === undefined) continue;
      await turn;
      if (waiter?.signal.aborted === true) throw new StoreError('cancelled', 'The read was cancelled.');
    }
  }
  if (query.total && rows.revision === revision) counts.set(query.where, total);
  return { page: page.rows, total: query.total ? total : -1 };
}
