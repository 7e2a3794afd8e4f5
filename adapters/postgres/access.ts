import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { PLAIN_ACCESS, type Access } from '../sql/compile-query.ts';
import { findOrderedIndex, toOrderedAccess } from '../sql/ordered-walks.ts';
import type { TableShape } from '../sql/tables.ts';

/**
 * How a page of records is reached. The planner knows the values of the columns; what it does not find by itself is that
 * `status in (…)` in order of date is a few ordered walks of one index, each of which may end when the page is full.
 */
export function chooseAccess({ indexes }: TableShape, query: CheckedQuery): Access {
  const found = findOrderedIndex(indexes, query);
  return found === null ? PLAIN_ACCESS : toOrderedAccess(indexes, query, { found, hintOf: () => '' });
}
