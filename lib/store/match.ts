import { toSortValue, type SortValue } from './collection.ts';
import type { Order, Predicate } from './query.ts';
import { isBefore, type SortKeys, type Row } from './row.ts';

/** Whether a row matches. */
export type Test = (row: Row) => boolean;

/** Negative: `a` comes first. */
export type Compare = (a: Row, b: Row) => number;

type Comparison = Exclude<Predicate, { readonly of: unknown }>;

function toComparisonTest(predicate: Comparison, sortKeys: SortKeys): Test {
  const raw = sortKeys.raw[predicate.field] ?? 0;
  const folded = sortKeys.folded[predicate.field] ?? 0;
  const at = (row: Row, position: number): SortValue => row.sortValues[position] ?? 0;
  switch (predicate.op) {
    case 'eq': {
      const value = toSortValue(predicate.value);
      return (row) => row.sortValues[raw] === value;
    }
    case 'in': {
      const values = new Set(predicate.values.map(toSortValue));
      return (row) => values.has(at(row, raw));
    }
    case 'lt': {
      const value = toSortValue(predicate.value);
      return (row) => isBefore(at(row, raw), value);
    }
    case 'lte': {
      const value = toSortValue(predicate.value);
      return (row) => !isBefore(value, at(row, raw));
    }
    case 'gt': {
      const value = toSortValue(predicate.value);
      return (row) => isBefore(value, at(row, raw));
    }
    case 'gte': {
      const value = toSortValue(predicate.value);
      return (row) => !isBefore(at(row, raw), value);
    }
    case 'contains': {
      const text = String(toSortValue(predicate.text));
      return (row) => String(at(row, folded)).includes(text);
    }
    case 'equalsFolded': {
      const text = toSortValue(predicate.text);
      return (row) => row.sortValues[folded] === text;
    }
    case 'hasAny':
    case 'hasAll': {
      const { field, op, values } = predicate;
      return (row) => {
        const list = row.record[field] as readonly unknown[];
        return op === 'hasAny'
          ? values.some((value) => list.includes(value))
          : values.every((value) => list.includes(value));
      };
    }
    default:
      throw new TypeError(`Unknown predicate ${JSON.stringify(predicate)}`);
  }
}

/** Compiles a checked predicate. */
export function toTest(predicate: Predicate, sortKeys: SortKeys): Test {
  if ('field' in predicate) return toComparisonTest(predicate, sortKeys);
  if (predicate.op === 'not') {
    const test = toTest(predicate.of, sortKeys);
    return (row) => !test(row);
  }
  const tests = predicate.of.map((each) => toTest(each, sortKeys));
  return predicate.op === 'and'
    ? (row) => tests.every((test) => test(row))
    : (row) => tests.some((test) => test(row));
}

/** The positions that a field is ordered by. A folded field is ordered by its folded text first. */
export function positionsOf(field: string, sortKeys: SortKeys): readonly number[] {
  const raw = sortKeys.raw[field] ?? 0;
  const folded = sortKeys.folded[field];
  return folded === undefined ? [raw] : [folded, raw];
}

function comparePosition(position: number, before: -1 | 1): Compare {
  return (a, b) => {
    const left = a.sortValues[position] ?? 0;
    const right = b.sortValues[position] ?? 0;
    if (left === right) return 0;
    return isBefore(left, right) ? before : -before;
  };
}

function compareRank(rank: (row: Row) => number, before: -1 | 1): Compare {
  // A sort compares each row many times, so its rank is computed once.
  const known = new Map<Row, number>();
  const rankOf = (row: Row): number => {
    const found = known.get(row) ?? rank(row);
    known.set(row, found);
    return found;
  };
  return (a, b) => before * (rankOf(b) - rankOf(a));
}

function toCompares(order: Order, sortKeys: SortKeys): readonly Compare[] {
  const before = order.direction === 'asc' ? -1 : 1;
  if ('field' in order)
    return positionsOf(order.field, sortKeys).map((position) => comparePosition(position, before));
  if ('rank' in order) {
    const tests = order.rank.map((predicate) => toTest(predicate, sortKeys));
    return [
      compareRank((row) => {
        const index = tests.findIndex((test) => test(row));
        return index === -1 ? tests.length : index;
      }, before),
    ];
  }
  const { field, values } = order.list;
  const ranks = new Map(values.map((value, index) => [toSortValue(value), index]));
  const position = sortKeys.raw[field] ?? 0;
  return [compareRank((row) => ranks.get(row.sortValues[position] ?? 0) ?? values.length, before)];
}

/** Compiles a checked order. */
export function toCompare(order: readonly Order[], sortKeys: SortKeys): Compare {
  const parts = order.flatMap((each) => toCompares(each, sortKeys));
  return (a, b) => {
    for (const compare of parts) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}
