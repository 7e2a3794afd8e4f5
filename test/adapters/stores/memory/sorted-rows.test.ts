import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SortedRows } from '../../../../adapters/stores/memory/sorted-rows.ts';
import type { Row } from '../../../../lib/store/row.ts';

const toRow = (id: number, value: number): Row => ({ record: { id, version: 1 }, sortValues: [id, value] });

function listFrom(rows: SortedRows, descending: boolean): readonly number[] {
  const next = rows.cursor(0, rows.size, descending);
  return Array.from({ length: rows.size }, () => next()?.record.id ?? 0);
}

const sorted = suite('SortedRows');
sorted('stays sorted after inserts and removals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(5), fc.boolean(), fc.boolean()), { maxLength: 60 }),
      fc.nat(6),
      (steps, wanted) => {
        const rows = new SortedRows([1, 0]);
        let plain: Row[] = [];
        for (const [index, [value, removes, looks]] of steps.entries()) {
          if (looks) rows.rank([], false);
          const gone = removes ? plain[value] : undefined;
          if (gone === undefined) {
            const row = toRow(index, value);
            rows.insert(row);
            plain = [...plain, row].toSorted(
              (a, b) => Number(a.sortValues[1]) - Number(b.sortValues[1]) || a.record.id - b.record.id,
            );
          } else {
            rows.remove(gone);
            plain = plain.filter((row) => row !== gone);
          }
        }
        assert.is(rows.size, plain.length);
        assert.equal(
          listFrom(rows, false),
          plain.map((row) => row.record.id),
        );
        assert.equal(listFrom(rows, true), plain.map((row) => row.record.id).toReversed());
        assert.is(
          rows.rank([wanted], false),
          plain.filter((row) => Number(row.sortValues[1]) < wanted).length,
        );
        assert.is(
          rows.rank([wanted], true),
          plain.filter((row) => Number(row.sortValues[1]) <= wanted).length,
        );
      },
    ),
    { numRuns: 500 },
  );
});
sorted('stays correct over many chunks', () => {
  const rows = new SortedRows([1, 0]);
  const all = Array.from({ length: 20_000 }, (_, index) => toRow(index, (index * 7919) % 20_011));
  for (const row of all) rows.insert(row);
  for (const row of all.filter((each) => each.record.id % 3 > 0)) rows.remove(row);
  const left = all
    .filter((each) => each.record.id % 3 === 0)
    .toSorted((a, b) => Number(a.sortValues[1]) - Number(b.sortValues[1]));
  assert.equal(
    listFrom(rows, false),
    left.map((row) => row.record.id),
  );
  for (const at of [0, 1, 511, 512, 513, 3000, left.length - 1]) {
    assert.is(rows.rank([left[at]?.sortValues[1] ?? 0], false), at);
    assert.is(rows.cursor(at, at + 1, false)(), left[at]);
    assert.is(rows.cursor(0, at + 1, true)(), left[at]);
  }
  assert.is(rows.cursor(5, 5, false)(), undefined);
});
sorted('accepts many rows between the same two', () => {
  const rows = new SortedRows([1, 0]);
  const placed = Array.from({ length: 1200 }, (_, index) => toRow(index, 1000 * index));
  const between = Array.from({ length: 1900 }, (_, index) =>
    toRow(5000 + index, 700_001 + ((index * 7) % 997)),
  );
  const behind = Array.from({ length: 900 }, (_, index) => toRow(9000 - index, 2_000_000));
  for (const some of [placed, between, behind]) {
    for (const row of some) rows.insert(row);
    rows.rank([], false);
  }
  const expected = [...placed, ...between, ...behind].toSorted(
    (a, b) => Number(a.sortValues[1]) - Number(b.sortValues[1]) || a.record.id - b.record.id,
  );
  assert.equal(
    listFrom(rows, false),
    expected.map((row) => row.record.id),
  );
  assert.equal(listFrom(rows, true), expected.map((row) => row.record.id).toReversed());
  for (const row of between) rows.remove(row);
  assert.equal(
    listFrom(rows, false),
    [...placed, ...behind.toReversed()].map((row) => row.record.id),
  );
});
sorted('refuses to remove a missing row', () => {
  const rows = new SortedRows([1, 0]);
  rows.insert(toRow(1, 1));
  assert.throws(
    () => rows.remove(toRow(1, 1)),
    (error: unknown) => error instanceof Error,
  );
  assert.is(rows.size, 1);
});
sorted.run();
