import type { CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isOrdered, toFixedValues } from '../../lib/query-plan.ts';
import { PLAIN_ACCESS, type Access } from '../sql/compile-query.ts';
import type { TableShape } from '../sql/tables.ts';

/** Most walks side by side. */
const MOST_WALKS = 20;

/**
 * How a page of records is reached. The planner knows the values of the columns; what it does not find by itself is that
 * `status in (…)` in order of date is a few ordered walks of one index, each of which may end when the page is full.
 */
export function chooseAccess({ indexes }: TableShape, { where, order, limit }: CheckedQuery): Access {
  if (limit === Infinity) return PLAIN_ACCESS;
  const fixed = toFixedValues(where);
  const [longest] = indexes
    .filter(({ unique, fields }) => !unique && isOrdered(fields, countFixed(fields, fixed, MOST_WALKS), order))
    .toSorted((a, b) => b.fields.length - a.fields.length);
  if (longest === undefined) return PLAIN_ACCESS;
  const leading = longest.fields.slice(0, countFixed(longest.fields, fixed, MOST_WALKS));
  return { ...PLAIN_ACCESS, leading, split: leading.length > 0 };
}
