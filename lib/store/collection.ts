/**
 * `text`: any string. `integer`: safe integer. `integers`, `texts`: list without order guarantees beyond the one given.
 * `json`: any JSON value, opaque to queries.
 */
export type FieldType = 'integer' | 'text' | 'boolean' | 'integers' | 'texts' | 'json';

/** No field is ever null: a missing value is 0, '', false, [] or (json) null. */
export interface FieldDescriptor {
  readonly type: FieldType;
  /** Keep the folded text (NFKC, lower case) beside it, so that `contains`, `equalsFolded` and folded order are the same in every store. */
  readonly folded?: true;
}

/** Two records may not agree in all `fields`; records that hold the `except` values are free. */
export interface UniqueKey {
  readonly fields: readonly string[];
  readonly except?: Readonly<Record<string, string | number>>;
}

/** The shape of one kind of record. `id` and `version` are there without being declared. */
export interface CollectionDescriptor {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
  readonly unique?: readonly UniqueKey[];
  /**
   * Fields of each index: those compared for equality first, then the one that is ordered by. One that begins with a
   * list field gives the records that hold an item in this way (PostgreSQL plans without it). List fields are always indexed.
   */
  readonly indexes?: readonly (readonly string[])[];
}
