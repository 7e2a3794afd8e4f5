import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../adapters/stores/contract/collections.ts';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import { emptyRecordOf } from '../../../lib/store/check-operations.ts';
import { type CheckedQuery, checkQuery } from '../../../lib/store/check-query.ts';
import { isDeepPage, PageMarks } from '../../../lib/store/count-cache.ts';
import { eq, type Query } from '../../../lib/store/query.ts';
import { createSortKeys } from '../../../lib/store/row.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

const [articles] = contractCollections;
const collections = checkCollections(contractCollections);
const sortKeys = createSortKeys(articles);

const toQuery = (offset: number, query: Partial<Query> = {}): CheckedQuery =>
  checkQuery(collections, {
    collection: 'articles',
    where: eq('status', 'publish'),
    order: [{ field: 'level', direction: 'desc' }],
    limit: 10,
    offset,
    ...query,
  });
const toRecord = (id: number, level: number, status = 'publish'): StoredRecord => ({
  id,
  version: 1,
  ...emptyRecordOf(articles),
  level,
  status,
});

const marks = suite('PageMarks');

marks('are those before the page, and the nearest of them', () => {
  const kept = new PageMarks(sortKeys);
  for (const at of [2000, 6000, 4000]) kept.add(toQuery(at), { record: toRecord(at, -at), at });
  assert.is(kept.find(toQuery(5000))?.at, 4000);
  assert.is(kept.find(toQuery(6000))?.at, 6000);
  assert.is(kept.find(toQuery(1999)), null);
  assert.is(kept.find(toQuery(5000, { where: eq('status', 'draft') })), null);
  assert.is(kept.find(toQuery(5000, { order: [{ field: 'level', direction: 'asc' }] })), null);
});

marks('hold no long texts', () => {
  const kept = new PageMarks(sortKeys);
  kept.add(toQuery(500), { record: { ...toRecord(7, 50), title: 'x'.repeat(1001) }, at: 500 });
  assert.is(kept.find(toQuery(600)), null);
  kept.add(toQuery(500), { record: { ...toRecord(7, 50), title: 'x'.repeat(1000) }, at: 500 });
  assert.is(kept.find(toQuery(600))?.at, 500);
});

marks('follow changes before and at them, but not behind them or of other records', () => {
  const kept = new PageMarks(sortKeys);
  kept.add(toQuery(500), { record: toRecord(7, 50), at: 500 });
  const change = (record: StoredRecord, by: 1 | -1): number | undefined => {
    kept.change(sortKeys.toRow(record), by);
    return kept.find(toQuery(10_000))?.at;
  };
  assert.is(change(toRecord(900, 51), 1), 501);
  assert.is(change(toRecord(901, 49), 1), 501);
  assert.is(change(toRecord(902, 51, 'draft'), 1), 501);
  assert.is(change(toRecord(7, 50), -1), 500);
  // The id decides between equal levels, in the same direction.
  assert.is(change(toRecord(8, 50), 1), 501);
  assert.is(change(toRecord(6, 50), 1), 501);
});

marks('are thinned out behind a client that follows the pages, and limited for each query and in all', () => {
  const kept = new PageMarks(sortKeys);
  for (let at = 10; at <= 400_000; at += 10) kept.add(toQuery(at), { record: toRecord(at, -at), at });
  const found = new Set(Array.from({ length: 4000 }, (_each, index) => kept.find(toQuery(index * 100))?.at));
  assert.ok(found.size > 150 && found.size <= 257, String(found.size));
  assert.is(kept.find(toQuery(400_000))?.at, 400_000);
  for (let number = 0; number < 50; number += 1)
    kept.add(toQuery(100, { where: eq('language', `l${number}`) }), { record: toRecord(1, 1), at: 100 });
  assert.is(kept.size, 20);
});

marks.run();

const deep = suite('isDeepPage');
const CASES: readonly (readonly [query: CheckedQuery, expected: boolean])[] = [
  [toQuery(100), true],
  [toQuery(99), false],
  [toQuery(100, { limit: undefined }), false],
  [
    toQuery(100, {
      order: [
        { field: 'level', direction: 'asc' },
        { field: 'date', direction: 'desc' },
      ],
    }),
    false,
  ],
  [toQuery(100, { order: [{ rank: [eq('level', 1)], direction: 'asc' }] }), false],
  [toQuery(100, { where: { op: 'contains', field: 'title', text: 'a' } }), false],
];
for (const [query, expected] of CASES)
  deep(`${expected} for ${JSON.stringify([query.where, query.order, query.offset])}`, () => {
    assert.is(isDeepPage(query), expected);
  });
deep.run();
