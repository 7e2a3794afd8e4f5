import { EVERYTHING } from './query-check.ts';
import { toSortText } from './text-order.ts';
import type { Order, Predicate, Scalar } from './query.ts';

/** A limit on the last field of an index. `open`: the value itself is outside. */
export interface Bound {
  readonly value: string | number;
  readonly open: boolean;
}

/** One stretch of an index. The pieces of a query have no record in common and together hold every match. */
export interface Piece {
  /** Values of the leading fields. */
  readonly values: readonly Scalar[];
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  /** What is left to test on the records of the piece; EVERYTHING: all of them match. */
  readonly rest: Predicate;
}

/** For each field that can only have certain values: those values. */
export type FixedValues = ReadonlyMap<string, ReadonlySet<Scalar>>;

const NOTHING: Predicate = { op: 'or', of: [] };
const NONE: FixedValues = new Map();

/** True for the predicate that holds for every record. */
export function isEverything(predicate: Predicate): boolean {
  return predicate.op === 'and' && predicate.of.length === 0;
}

function isNothing(predicate: Predicate): boolean {
  return predicate.op === 'or' && predicate.of.length === 0;
}

function fixedByAll(parts: readonly FixedValues[]): FixedValues {
  const fixed = new Map<string, ReadonlySet<Scalar>>();
  for (const part of parts) {
    for (const [field, values] of part) {
      const known = fixed.get(field);
      fixed.set(field, known === undefined ? values : new Set([...known].filter((value) => values.has(value))));
    }
  }
  return fixed;
}

function fixedByAny(parts: readonly FixedValues[]): FixedValues {
  const fixed = new Map<string, ReadonlySet<Scalar>>();
  for (const field of parts[0]?.keys() ?? []) {
    const values = parts.flatMap((part) => (part.has(field) ? [part.get(field) ?? new Set<Scalar>()] : []));
    if (values.length === parts.length) fixed.set(field, new Set(values.flatMap((each) => Array.from(each))));
  }
  return fixed;
}

/** The values that fields must have for the predicate to hold. */
export function toFixedValues(where: Predicate): FixedValues {
  if (where.op === 'eq') return new Map([[where.field, new Set([where.value])]]);
  if (where.op === 'in') return new Map([[where.field, new Set(where.values)]]);
  if (where.op === 'and') return fixedByAll(where.of.map(toFixedValues));
  return where.op === 'or' ? fixedByAny(where.of.map(toFixedValues)) : NONE;
}

/** The fields that a predicate names. */
export function listFields(where: Predicate): readonly string[] {
  if (where.op === 'not') return listFields(where.of);
  return 'field' in where ? [where.field] : where.of.flatMap(listFields);
}

/** `and` / `or` without members that decide nothing. */
function join(op: 'and' | 'or', of: readonly Predicate[]): Predicate {
  const [neutral, deciding] = op === 'and' ? [isEverything, isNothing] : [isNothing, isEverything];
  if (of.some(deciding)) return op === 'and' ? NOTHING : EVERYTHING;
  const left = of.filter((each) => !neutral(each)).flatMap((each) => (each.op === op ? each.of : [each]));
  return left.length === 1 && left[0] !== undefined ? left[0] : { op, of: left };
}

function negate(predicate: Predicate): Predicate {
  if (isEverything(predicate)) return NOTHING;
  return isNothing(predicate) ? EVERYTHING : { op: 'not', of: predicate };
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  return (typeof a === 'string' ? toSortText(a) < toSortText(String(b)) : a < b) ? -1 : 1;
}

function holds(predicate: Predicate, value: Scalar): boolean | null {
  switch (predicate.op) {
    case 'eq': return predicate.value === value;
    case 'in': return predicate.values.includes(value);
    case 'lt': return compareScalars(value, predicate.value) < 0;
    case 'lte': return compareScalars(value, predicate.value) <= 0;
    case 'gt': return compareScalars(value, predicate.value) > 0;
    case 'gte': return compareScalars(value, predicate.value) >= 0;
    default: return null;
  }
}

/** The predicate, where `field` is known to be `value`. */
function assume(where: Predicate, field: string, value: Scalar): Predicate {
  if (where.op === 'not') return negate(assume(where.of, field, value));
  if (!('field' in where)) return join(where.op, where.of.map((each) => assume(each, field, value)));
  const known = where.field === field ? holds(where, value) : null;
  if (known === null) return where;
  return known ? EVERYTHING : NOTHING;
}

function tighter(a: Bound | null, b: Bound, sign: 1 | -1): Bound {
  if (a === null) return b;
  const order = sign * compareScalars(a.value, b.value);
  if (order === 0) return a.open ? a : b;
  return order > 0 ? a : b;
}

function bound(values: readonly Scalar[], where: Predicate, field: string | undefined): Piece {
  let lower: Bound | null = null;
  let upper: Bound | null = null;
  const rest: Predicate[] = [];
  for (const part of where.op === 'and' ? where.of : [where]) {
    const fits = 'field' in part && part.field === field;
    if (fits && (part.op === 'gt' || part.op === 'gte')) lower = tighter(lower, { value: part.value, open: part.op === 'gt' }, 1);
    else if (fits && (part.op === 'lt' || part.op === 'lte')) upper = tighter(upper, { value: part.value, open: part.op === 'lt' }, -1);
    else rest.push(part);
  }
  return { values, lower, upper, rest: join('and', rest) };
}

/** Splits a query along an index: `leading` fields are fixed to values (each of them has some), `last` is bounded. */
export function toPieces(where: Predicate, leading: readonly string[], { last, fixed }: { last: string | undefined; fixed: FixedValues }): readonly Piece[] {
  let pieces: { readonly values: readonly Scalar[]; readonly where: Predicate }[] = [{ values: [], where: join('and', [where]) }];
  for (const field of leading) {
    const values = [...fixed.get(field) ?? []];
    pieces = pieces.flatMap((piece) => values.map((value) => ({ values: piece.values.concat(value), where: assume(piece.where, field, value) })))
      .filter((piece) => !isNothing(piece.where));
  }
  return pieces.map((piece) => bound(piece.values, piece.where, last));
}

/** How many leading fields of an index are fixed to values, with at most `most` combinations of them. */
export function countFixed(fields: readonly string[], fixed: FixedValues, most: number): number {
  let pieces = 1;
  for (const [depth, field] of fields.entries()) {
    pieces *= fixed.get(field)?.size ?? Infinity;
    if (pieces > most) return depth;
  }
  return fields.length;
}

/** The one field that a query is ordered by; undefined when there is more than a field and the id. */
function orderField([first, second, third]: readonly Order[]): string | undefined {
  const isById = second === undefined || ('field' in second && second.field === 'id' && second.direction === first?.direction);
  return third === undefined && isById && first !== undefined && 'field' in first ? first.field : undefined;
}

/** True when each piece of an index, with its first `depth` fields fixed, lies in the order of the query. */
export function isOrdered(fields: readonly string[], depth: number, order: readonly Order[]): boolean {
  const wanted = orderField(order);
  if (depth === fields.length) return wanted === 'id' || (wanted !== undefined && wanted === fields.at(-1));
  return depth === fields.length - 1 && wanted === fields[depth];
}
