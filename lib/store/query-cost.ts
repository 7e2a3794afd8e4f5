import { toFixedValues } from './query-plan.ts';
import { and, or, type Order, type Predicate } from './query.ts';

function searches(where: Predicate): boolean {
  if (where.op === 'not') return searches(where.of);
  return 'field' in where ? where.op === 'contains' : where.of.some(searches);
}

/** Whether the query searches for parts of texts, which takes longer the longer the texts are. */
export function searchesTexts({
  where,
  order,
}: {
  readonly where: Predicate;
  readonly order: readonly Order[];
}): boolean {
  return searches(where) || order.some((each) => 'rank' in each && each.rank.some(searches));
}

/** A predicate as the conditions that search texts and those that do not. Both must hold. */
export function splitSearches(where: Predicate): { readonly texts: Predicate; readonly others: Predicate } {
  const list = (each: Predicate): readonly Predicate[] =>
    each.op === 'and' ? each.of.flatMap(list) : [each];
  const parts = list(where);
  return { texts: and(...parts.filter(searches)), others: and(...parts.filter((part) => !searches(part))) };
}

/** The largest number of records that a predicate can exclude, if it only excludes records by id; else Infinity. */
export function countExcluded(predicate: Predicate): number {
  const parts = predicate.op === 'and' ? predicate.of : [predicate];
  return parts.reduce(
    (sum, part) =>
      sum + (part.op === 'not' ? (toFixedValues(part.of).get('id')?.length ?? Infinity) : Infinity),
    0,
  );
}

/** A predicate that excludes values of fields: `others` without the exclusions, and what they exclude from it. Its total is the difference of theirs. */
export interface Exclusion {
  readonly others: Predicate;
  readonly excluded: Predicate;
}

/** Null: the predicate excludes nothing by the values of a field. */
export function splitExclusions(where: Predicate): Exclusion | null {
  const parts = where.op === 'and' ? where.of : [where];
  const exclusions = parts.flatMap((part) =>
    part.op === 'not' && (part.of.op === 'eq' || part.of.op === 'in') ? [part.of] : [],
  );
  if (exclusions.length === 0) return null;
  const others = and(
    ...parts.filter((part) => part.op !== 'not' || !exclusions.some((each) => each === part.of)),
  );
  return { others, excluded: and(others, or(...exclusions)) };
}

/** Whether it excludes records by id, so that they are counted quickly and it pays to count the others first: lists that exclude other ids share their total. */
export function excludesById({ excluded }: Exclusion): boolean {
  return toFixedValues(excluded).has('id');
}
