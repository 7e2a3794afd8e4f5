import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { toFixedValues } from '../../../../lib/store/query-plan.ts';
import type { Predicate } from '../../../../lib/store/query.ts';
import { PLAIN_ACCESS, type Access } from '../../sql/compile-query.ts';
import { findOrderedIndex, toOrderedAccess } from '../../sql/ordered-walks.ts';
import type { TableShape } from '../../sql/tables.ts';

/** Most texts that are looked up in an index. */
const MOST_NAMED = 100;
/** With more records before a page, only their keys are read and sorted. */
const MANY = 1000;

/** The folded fields with known values that an index begins with; not a unique key, which has the text itself. The first column of such an index is the folded text, which the planner does not know to be fixed. */
function listNamed({ collection, indexes }: TableShape, where: Predicate): readonly string[] {
  const named = [...toFixedValues(where)].filter(
    ([field, values]) => collection.fields[field]?.folded === true && values.length <= MOST_NAMED,
  );
  return named
    .map(([field]) => field)
    .filter((field) => indexes.some(({ fields, unique }) => !unique && fields[0] === field));
}

/** Chooses how a total is counted. */
export function chooseCountAccess(table: TableShape, where: Predicate): Access {
  return { ...PLAIN_ACCESS, leading: listNamed(table, where) };
}

/**
 * Chooses how a page of records is reached. The planner knows the distribution of the values. It does not see that
 * `status in (…)` in order of date can be read as a few ordered index ranges, each of which ends when the page is full.
 */
export function chooseAccess(table: TableShape, query: CheckedQuery): Access {
  const { indexes } = table;
  const leading = listNamed(table, query.where);
  if (leading.length > 0) return { ...PLAIN_ACCESS, leading };
  const found = findOrderedIndex(indexes, query);
  const access = found === null ? PLAIN_ACCESS : toOrderedAccess(indexes, query, { found, hintOf: () => '' });
  return { ...access, late: query.offset > MANY && query.order.every((order) => 'field' in order) };
}
