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
  /** Folded field: some part / the whole of its folded text. `text` is folded by the store. */
  | { readonly op: 'contains' | 'equalsFolded'; readonly field: string; readonly text: string }
  /** List field: some / all of `values` are in it. `hasAll` of no values is true, `hasAny` of none is false. */
  | { readonly op: 'hasAny' | 'hasAll'; readonly field: string; readonly values: readonly Scalar[] };

export type Direction = 'asc' | 'desc';

/**
 * `field`: by value (a folded field by its folded text, then by the text; false before true).
 * `list`: in the order of the given values, others last. `rank`: by the index of the first predicate that holds, others last.
 * `desc` is the exact reverse of `asc`: there the others come first.
 */
export type Order =
  | { readonly field: string; readonly direction: Direction }
  | { readonly list: { readonly field: string; readonly values: readonly Scalar[] }; readonly direction: Direction }
  | { readonly rank: readonly Predicate[]; readonly direction: Direction };

/** Bytes of a text that `longTexts` calls long. */
export const LONG_TEXT_BYTES = 64 * 1024;

/**
 * A read, as data. The store appends `id` to the order (same direction as the first order; ascending without one).
 * `limit` absent: all. `fields`: projection, `id` and `version` always come along. `total`: also count all matches.
 * `longTexts: 'omit'`: a store that would have to fetch them may leave out JSON and folded texts of more than `LONG_TEXT_BYTES`, unless
 * the query orders by them; the result tells from which records. So a page of records stays small, however large some of them are.
 */
export interface Query {
  readonly collection: string;
  readonly where?: Predicate | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly total?: boolean | undefined;
  readonly longTexts?: 'omit' | undefined;
}

export const and = (...of: readonly Predicate[]): Predicate => ({ op: 'and', of });
export const or = (...of: readonly Predicate[]): Predicate => ({ op: 'or', of });
export const not = (of: Predicate): Predicate => ({ op: 'not', of });
export const eq = (field: string, value: Scalar): Predicate => ({ op: 'eq', field, value });
export const oneOf = (field: string, values: readonly Scalar[]): Predicate => ({ op: 'in', field, values });
