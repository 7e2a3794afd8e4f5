import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { PLAIN_ACCESS, type Access } from '../sql/compile-query.ts';
import { findOrderedIndex, toOrderedAccess } from '../sql/ordered-walks.ts';
import type { TableShape } from '../sql/tables.ts';

/**
 * Chooses how a page of records is reached. The planner knows the distribution of the values. It does not see that
 * `status in (…)` in order of date can be read as a few ordered index ranges, each of which ends when the page is full.
 */
export function chooseAccess({ indexes }: TableShape, query: CheckedQuery): Access {
  const found = findOrderedIndex(indexes, query);
  return found === null ? PLAIN_ACCESS : toOrderedAccess(indexes, query, { found, hintOf: () => '' });
}
