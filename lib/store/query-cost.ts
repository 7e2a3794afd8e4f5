import type { Order, Predicate } from './query.ts';
import { toFixedValues } from './query-plan.ts';

function searches(where: Predicate): boolean {
  if (where.op === 'not') return searches(where.of);
  return 'field' in where ? where.op === 'contains' : where.of.some(searches);
}

/** Whether the query searches for parts of texts, which takes longer the longer the texts are. */
export function searchesTexts({ where, order }: { readonly where: Predicate; readonly order: readonly Order[] }): boolean {
  return searches(where) || order.some((each) => 'rank' in each && each.rank.some(searches));
}

/** The largest number of records that a predicate can exclude, if it only excludes records by id; else Infinity. */
export function countExcluded(predicate: Predicate): number {
  const parts = predicate.op === 'and' ? predicate.of : [predicate];
  return parts.reduce((sum, part) => sum + (part.op === 'not' ? toFixedValues(part.of).get('id')?.length ?? Infinity : Infinity), 0);
}
