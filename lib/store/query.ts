/** A value that conditions compare with. */
export type Scalar = string | number | boolean;

/**
 * A condition on a record, as data. Field names are those of the collection, plus `id` and `version`.
 * Texts are compared by code point, as in UTF-8. At most 16 levels and 900 nodes.
 */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly op: 'not'; readonly of: Predicate }
  | { readonly op: 'eq'; readonly field: string; readonly value: Scalar }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly field: string; readonly value: string | number }
  /** Folded field: `text` is part of / equal to its folded text. The store folds `text`. */
  | { readonly op: 'contains' | 'equalsFolded'; readonly field: string; readonly text: string }
  /** List field: it contains some / all of `values`. `hasAny` of no values is false, `hasAll` of no values is true. */
  | { readonly op: 'hasAny' | 'hasAll'; readonly field: string; readonly values: readonly Scalar[] };

/** Smallest first, or largest first. */
export type Direction = 'asc' | 'desc';

/**
 * `field`: by value. A folded field is ordered by its folded text, then by its text; false comes before true.
 * `list`: in the order of the given values, others last. `rank`: by the index of the first matching predicate, others last.
 * `desc` is the exact reverse of `asc`, so the others come first.
 */
export type Order =
  | { readonly field: string; readonly direction: Direction }
  | {
      readonly list: { readonly field: string; readonly values: readonly Scalar[] };
      readonly direction: Direction;
    }
  | { readonly rank: readonly Predicate[]; readonly direction: Direction };

/** Texts of more bytes are long for `longTexts`. */
export const LONG_TEXT_BYTES = 64 * 1024;

/**
 * A read, as data. The store appends `id` to the order, in the direction of the first order (ascending if there is none).
 * `limit`: absent means all. `fields`: the fields to return; `id` and `version` are always returned. `total`: also count all matches.
 * `longTexts: 'omit'`: the store may omit JSON and folded texts of more than `LONG_TEXT_BYTES` that it would have to fetch, unless
 * the query orders by them. The result names the affected records. So a page of records stays small, even if some records are large.
 */
export interface Query {
  /** Name of the collection. */
  readonly collection: string;
  /** Which records. Default: all. */
  readonly where?: Predicate | undefined;
  /** First by the first entry, then by the next. Default: by `id`. */
  readonly order?: readonly Order[] | undefined;
  readonly limit?: number | undefined;
  /** Number of matches to leave out at the start. Default 0. */
  readonly offset?: number | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly total?: boolean | undefined;
  readonly longTexts?: 'omit' | undefined;
}

/** All of these hold. */
export const and = (...of: readonly Predicate[]): Predicate => ({ op: 'and', of });
/** At least one of these holds. */
export const or = (...of: readonly Predicate[]): Predicate => ({ op: 'or', of });
/** This does not hold. */
export const not = (of: Predicate): Predicate => ({ op: 'not', of });
/** The field has this value. */
export const eq = (field: string, value: Scalar): Predicate => ({ op: 'eq', field, value });
/** The field has one of these values. */
export const oneOf = (field: string, values: readonly Scalar[]): Predicate => ({ op: 'in', field, values });

const compare =
  (op: 'lt' | 'lte' | 'gt' | 'gte') =>
  (field: string, value: string | number): Predicate => ({ op, field, value });
/** The value of the field is below this one. */
export const lt = compare('lt');
/** The value of the field is at most this one. */
export const lte = compare('lte');
/** The value of the field is above this one. */
export const gt = compare('gt');
/** The value of the field is at least this one. */
export const gte = compare('gte');
/** The list field has at least one of these values. */
export const hasAny = (field: string, values: readonly Scalar[]): Predicate => ({
  op: 'hasAny',
  field,
  values,
});
/** The list field has all of these values. */
export const hasAll = (field: string, values: readonly Scalar[]): Predicate => ({
  op: 'hasAll',
  field,
  values,
});
/** The folded text of the field has this part. */
export const contains = (field: string, text: string): Predicate => ({ op: 'contains', field, text });
/** The folded text of the field is this one. */
export const equalsFolded = (field: string, text: string): Predicate => ({ op: 'equalsFolded', field, text });

/** Smallest value of the field first. */
export const asc = (field: string): Order => ({ field, direction: 'asc' });
/** Largest value of the field first. */
export const desc = (field: string): Order => ({ field, direction: 'desc' });
/** Records in the order of these values of the field, others last. */
export const inOrderOf = (field: string, values: readonly Scalar[]): Order => ({
  list: { field, values },
  direction: 'asc',
});
