import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import { TextRows } from '../../../../adapters/stores/memory/text-rows.ts';
import { emptyRecordOf } from '../../../../lib/store/check-operations.ts';
import { createSortKeys, type Row } from '../../../../lib/store/row.ts';
import { fold } from '../../../../lib/store/stored-text.ts';
import { createRandom } from '../../../support/random.ts';
import { LONG_TEXTS } from '../../../support/store-arbitraries.ts';

const [articles] = contractCollections;
const sortKeys = createSortKeys(articles);
const toRow = (id: number, title: string): Row =>
  sortKeys.toRow({ ...emptyRecordOf(articles), id, version: 1, title });
const idsOf = (rows: readonly Row[]): readonly number[] =>
  rows.map(({ record }) => record.id).toSorted((a, b) => a - b);

const texts = suite('TextRows');

texts('finds every row that contains a text, after any changes', () => {
  const random = createRandom(5);
  const index = new TextRows(['title'], sortKeys);
  const rows = new Map<number, Row>();
  // Rows come and go so often that the index renumbers them several times.
  for (let step = 0; step < 12_000; step += 1) {
    const id = random.below(400) + 1;
    const row = rows.get(id);
    if (row !== undefined) index.remove(row);
    rows.delete(id);
    if (random.chance(0.3)) continue;
    const next = toRow(id, `${random.pick(LONG_TEXTS)} ${random.pick(LONG_TEXTS)}`);
    rows.set(id, next);
    index.insert(next);
  }
  for (const text of LONG_TEXTS) {
    for (const length of [3, 5, 9, 30]) {
      const part = Array.from(fold(text))
        .slice(1, 1 + length)
        .join('');
      if (Array.from(part).length < 3) continue;
      const expected = [...rows.values()].filter(({ record }) =>
        fold(String(record['title'])).includes(part),
      );
      const found = new Set(idsOf(index.find({ text: part })));
      assert.ok(
        idsOf(expected).every((id) => found.has(id)),
        part,
      );
      // A trigram narrows: texts without the part are found only when they have all of its trigrams.
      if (length === 3) assert.equal([...found], idsOf(expected), part);
    }
  }
});

texts('combines conditions', () => {
  const index = new TextRows(['title'], sortKeys);
  for (const [at, title] of ['harbour', 'morning', 'harbour morning', 'night'].entries())
    index.insert(toRow(at + 1, title));
  const find = (op: 'and' | 'or', ...of: readonly string[]): readonly number[] =>
    idsOf(index.find({ op, of: of.map((text) => ({ text })) }));
  assert.equal(find('and', 'harbour', 'morning'), [3]);
  assert.equal(find('or', 'harbour', 'morning'), [1, 2, 3]);
  assert.equal(find('and', 'harbour', 'absent'), []);
  assert.equal(find('or', 'absent', 'night'), [4]);
});

texts.run();
