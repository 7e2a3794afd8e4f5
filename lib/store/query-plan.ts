import { EVERYTHING } from './check-query.ts';
import { and, not, or, type Order, type Predicate, type Scalar } from './query.ts';
import { toSortText } from './stored-text.ts';

/** A bound of the last field of an index. `open`: the value itself is excluded. */
interface Bound {
  readonly value: string | number;
  readonly open: boolean;
}

/** A range of an index. The ranges of a query do not overlap, and together they contain every match. */
export interface IndexRange {
  /** Values of the leading fields. */
  readonly values: readonly Scalar[];
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  /** What remains to be tested on the records of the range. EVERYTHING: all of them match. */
  readonly rest: Predicate;
}

/** For each field that can only have certain values: those values, without duplicates. */
export type FixedValues = ReadonlyMap<string, readonly Scalar[]>;

const NOTHING: Predicate = or();

/** Whether the predicate matches every record. */
export function isEverything(predicate: Predicate): boolean {
  return predicate.op === 'and' && predicate.of.length === 0;
}

function isNothing(predicate: Predicate): boolean {
  return predicate.op === 'or' && predicate.of.length === 0;
}

function fixedByAny([first, ...others]: readonly FixedValues[]): FixedValues {
  const fixed = new Map<string, readonly Scalar[]>();
  for (const [field, values] of first ?? []) {
    if (others.every((other) => other.has(field)))
      fixed.set(field, [...new Set([...values, ...others.flatMap((other) => other.get(field) ?? [])])]);
  }
  return fixed;
}

function narrow(fixed: Map<string, readonly Scalar[]>, field: string, values: readonly Scalar[]): void {
  const known = fixed.get(field);
  const allowed = known === undefined ? undefined : new Set(values);
  fixed.set(
    field,
    allowed === undefined || known === undefined ? values : known.filter((value) => allowed.has(value)),
  );
}

function fix(fixed: Map<string, readonly Scalar[]>, where: Predicate): void {
  switch (where.op) {
    case 'eq':
      narrow(fixed, where.field, [where.value]);
      break;
    case 'in':
      narrow(fixed, where.field, where.values);
      break;
    case 'and':
      for (const part of where.of) fix(fixed, part);
      break;
    case 'or':
      for (const [field, values] of fixedByAny(where.of.map(toFixedValues))) narrow(fixed, field, values);
      break;
    default:
  }
}

/** The values that fields must have for the predicate to match. */
export function toFixedValues(where: Predicate): FixedValues {
  const fixed = new Map<string, readonly Scalar[]>();
  fix(fixed, where);
  return fixed;
}

/** `and` / `or` without redundant members. */
function join(op: 'and' | 'or', of: readonly Predicate[]): Predicate {
  const [neutral, deciding] = op === 'and' ? [isEverything, isNothing] : [isNothing, isEverything];
  const left: Predicate[] = [];
  for (const each of of) {
    if (deciding(each)) return each;
    if (each.op === op) left.push(...each.of);
    else if (!neutral(each)) left.push(each);
  }
  return left.length === 1 && left[0] !== undefined ? left[0] : { op, of: left };
}

function negate(predicate: Predicate): Predicate {
  if (isEverything(predicate)) return NOTHING;
  return isNothing(predicate) ? EVERYTHING : not(predicate);
}

/** Compares values as stores order them. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  return (typeof a === 'string' ? toSortText(a) < toSortText(String(b)) : a < b) ? -1 : 1;
}

/** Whether the predicate matches the value, or a list that contains it. null: that cannot be told. */
function holds(predicate: Predicate, value: Scalar): boolean | null {
  switch (predicate.op) {
    case 'eq':
      return predicate.value === value;
    case 'in':
      return predicate.values.includes(value);
    case 'lt':
      return compareScalars(value, predicate.value) < 0;
    case 'lte':
      return compareScalars(value, predicate.value) <= 0;
    case 'gt':
      return compareScalars(value, predicate.value) > 0;
    case 'gte':
      return compareScalars(value, predicate.value) >= 0;
    case 'hasAny':
      return predicate.values.includes(value) || null;
    case 'hasAll':
      return predicate.values.every((item) => item === value) || null;
    default:
      return null;
  }
}

/** Simplifies the predicate for fields with known values. A list field is known to contain its value. */
function assume(where: Predicate, fields: readonly string[], values: readonly Scalar[]): Predicate {
  if (where.op === 'not') return negate(assume(where.of, fields, values));
  if (!('field' in where))
    return join(
      where.op,
      where.of.map((each) => assume(each, fields, values)),
    );
  const value = values[fields.indexOf(where.field)];
  const known = value === undefined ? null : holds(where, value);
  if (known === null) return where;
  return known ? EVERYTHING : NOTHING;
}

function tighter(a: Bound | null, b: Bound, sign: 1 | -1): Bound {
  if (a === null) return b;
  const order = sign * compareScalars(a.value, b.value);
  if (order === 0) return a.open ? a : b;
  return order > 0 ? a : b;
}

function bound(values: readonly Scalar[], where: Predicate, field: string | undefined): IndexRange {
  let lower: Bound | null = null;
  let upper: Bound | null = null;
  const rest: Predicate[] = [];
  for (const part of where.op === 'and' ? where.of : [where]) {
    const fits = 'field' in part && part.field === field;
    if (fits && (part.op === 'gt' || part.op === 'gte'))
      lower = tighter(lower, { value: part.value, open: part.op === 'gt' }, 1);
    else if (fits && (part.op === 'lt' || part.op === 'lte'))
      upper = tighter(upper, { value: part.value, open: part.op === 'lt' }, -1);
    else rest.push(part);
  }
  return { values, lower, upper, rest: join('and', rest) };
}

/** Every combination of the values of the fixed fields. */
export function listCombinations(
  fields: readonly string[],
  fixed: FixedValues,
): readonly (readonly Scalar[])[] {
  let found: (readonly Scalar[])[] = [[]];
  for (const field of fields) {
    const longer: (readonly Scalar[])[] = [];
    for (const each of found) for (const value of fixed.get(field) ?? []) longer.push([...each, value]);
    found = longer;
  }
  return found;
}

/** Splits a query into ranges of an index. The `leading` fields are fixed to values, `last` is bounded. */
export function toIndexRanges(
  where: Predicate,
  leading: readonly string[],
  { last, fixed }: { last: string | undefined; fixed: FixedValues },
): readonly IndexRange[] {
  const ranges: IndexRange[] = [];
  for (const values of listCombinations(leading, fixed)) {
    const left = assume(where, leading, values);
    if (!isNothing(left)) ranges.push(bound(values, left, last));
  }
  return ranges;
}

type Comparison = Extract<Predicate, { op: 'lt' | 'lte' | 'gt' | 'gte' }>;

const BOUNDS: ReadonlySet<Predicate['op']> = new Set<Comparison['op']>(['lt', 'lte', 'gt', 'gte']);

function isComparison(predicate: Predicate): predicate is Comparison {
  return BOUNDS.has(predicate.op);
}

/** The conditions that bound a field for all matches of the predicate. */
export function listBounds(where: Predicate): readonly Comparison[] {
  return (where.op === 'and' ? where.of : [where]).filter(isComparison);
}

/** The number of leading fields of an index that are fixed to values, with at most `most` combinations of values. */
export function countFixed(fields: readonly string[], fixed: FixedValues, most: number): number {
  let ranges = 1;
  for (let depth = 0; depth < fields.length; depth += 1) {
    ranges *= fixed.get(fields[depth] ?? '')?.length ?? Infinity;
    if (ranges > most) return depth;
    // A field without values matches no record. The next fields do not matter, and 0 times Infinity is NaN.
    if (ranges === 0) return depth + 1;
  }
  return fields.length;
}

/** The only field that a query is ordered by, apart from the id; undefined if there are several. */
function orderField([first, second, third]: readonly Order[]): string | undefined {
  const isById =
    second === undefined ||
    ('field' in second && second.field === 'id' && second.direction === first?.direction);
  return third === undefined && isById && first !== undefined && 'field' in first ? first.field : undefined;
}

/** Whether each range of an index, with its first `depth` fields fixed, is in the order of the query. */
export function isOrdered(fields: readonly string[], depth: number, order: readonly Order[]): boolean {
  if (depth < fields.length - 1) return false;
  const wanted = orderField(order);
  if (depth === fields.length) return wanted === 'id' || (wanted !== undefined && wanted === fields.at(-1));
  return wanted === fields[depth];
}

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
