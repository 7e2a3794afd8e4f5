import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  intersect,
  parseIds,
  subtract,
  unite,
} from '../../../../../adapters/stores/sqlite/worker/id-list.ts';

const ids = fc.uniqueArray(
  fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2 ** 53 - 20, max: 2 ** 53 - 1 })),
  { maxLength: 30 },
);
const sorted = (values: Iterable<number>): readonly number[] => [...values].toSorted((a, b) => a - b);

const parsing = suite('parseIds');
parsing('reads ids in any order, each once', () => {
  fc.assert(
    fc.property(ids, (values) => {
      const expected = sorted(values);
      for (const text of [values.join(), expected.join(), [...values, ...values].join()])
        assert.equal([...parseIds(values.length === 0 ? null : text)], expected);
    }),
  );
});
parsing.run();

const combining = suite('lists of ids');
combining('are combined as sets are', () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const [left, right] = [
        parseIds(a.length === 0 ? null : a.join()),
        parseIds(b.length === 0 ? null : b.join()),
      ];
      assert.equal([...intersect(left, right)], sorted(a.filter((id) => b.includes(id))));
      assert.equal([...unite(left, right)], sorted(new Set([...a, ...b])));
      assert.equal([...subtract(left, right)], sorted(a.filter((id) => !b.includes(id))));
    }),
  );
});
combining.run();
