import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import { Totals } from '../../../../adapters/stores/postgres/count-cache.ts';
import { emptyRecordOf } from '../../../../lib/store/check-operations.ts';
import { eq, type Predicate } from '../../../../lib/store/query.ts';
import { createSortKeys } from '../../../../lib/store/row.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';

const [articles] = contractCollections;
const toRecord = (id: number, level: number): StoredRecord => ({
  id,
  version: 1,
  ...emptyRecordOf(articles),
  level,
});
const where: Predicate = eq('level', 1);

/** Totals of a collection whose database has these revisions and totals, and the number of counts. */
function openTotals() {
  const state = { revision: 5, total: 2, counts: 0 };
  const totals = new Totals(createSortKeys(articles));
  const get = (revision = state.revision): Promise<number> =>
    totals.get(revision, where, async () => {
      state.counts += 1;
      const { revision: counted, total } = state;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return { revision: counted, total };
    });
  return { state, totals, get };
}

const tests = suite('Totals of PostgreSQL');

tests('are counted once by callers of one revision', async () => {
  const { state, get } = openTotals();
  assert.equal(await Promise.all([get(), get(), get()]), [2, 2, 2]);
  assert.is(await get(), 2);
  assert.is(state.counts, 1);
});

tests('follow the commits of this process without counting', async () => {
  const { state, totals, get } = openTotals();
  await get();
  totals.expect()({
    from: 5,
    to: 6,
    changes: [
      { before: null, after: toRecord(3, 1) },
      { before: toRecord(1, 1), after: toRecord(1, 2) },
      { before: null, after: toRecord(4, 1) },
    ],
  });
  assert.is(await get(6), 3);
  totals.expect()({ from: 6, to: 7, changes: [{ before: toRecord(3, 1), after: null }] });
  assert.is(await get(7), 2);
  assert.is(state.counts, 1);
});

/** The database shows a commit before its process hears that it succeeded. */
tests('wait for a commit that was sent', async () => {
  const { state, totals, get } = openTotals();
  await get();
  const tell = totals.expect();
  const total = get(6);
  setTimeout(() => tell({ from: 5, to: 6, changes: [{ before: null, after: toRecord(3, 1) }] }), 5);
  assert.is(await total, 3);
  assert.is(state.counts, 1);
});

tests(
  'are counted again after a commit that failed, or whose changes are not known, or of another process',
  async () => {
    for (const revision of [6, 7]) {
      const { state, totals, get } = openTotals();
      await get();
      totals.expect()(null);
      Object.assign(state, { revision, total: 9 });
      assert.is(await get(), 9);
      assert.is(state.counts, 2);
    }
    const { state, totals, get } = openTotals();
    await get();
    // Another process made revision 6, and this one made 7.
    totals.expect()({ from: 6, to: 7, changes: [{ before: null, after: toRecord(3, 1) }] });
    Object.assign(state, { revision: 7, total: 4 });
    assert.is(await get(), 4);
    assert.is(state.counts, 2);
  },
);

tests('of other queries are forgotten with a commit of another process', async () => {
  const { state, totals, get } = openTotals();
  const other = (total: number): Promise<number> =>
    totals.get(state.revision, eq('level', 2), async () => ({ revision: state.revision, total }));
  assert.equal([await get(), await other(5)], [2, 5]);
  Object.assign(state, { revision: 6, total: 3 });
  assert.equal([await get(), await other(4)], [3, 4]);
});

/** The count sees a state that is newer than the revision its caller has read. It must not be changed by that commit again. */
tests('belong to the revision of the state that was counted', async () => {
  const { state, totals, get } = openTotals();
  Object.assign(state, { revision: 6, total: 3 });
  assert.is(await get(5), 3);
  totals.expect()({ from: 5, to: 6, changes: [{ before: null, after: toRecord(3, 1) }] });
  assert.is(await get(6), 3);
  assert.is(state.counts, 1);
});

tests('of an older state do not replace those of a newer one', async () => {
  const { state, totals, get } = openTotals();
  const old = get(5);
  while (state.counts === 0) await Promise.resolve();
  totals.expect()(null);
  Object.assign(state, { revision: 7, total: 8 });
  assert.equal([await get(7), await old, await get(7)], [8, 2, 8]);
  assert.is(state.counts, 2);
});

tests.run();
