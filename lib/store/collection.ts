/**
 * `text`: any string. `integer`: a safe integer. `integers`, `texts`: a list, stored in the given order.
 * `json`: any JSON value, opaque to queries.
 */
export type FieldType = 'integer' | 'text' | 'boolean' | 'integers' | 'texts' | 'json';

/** A field is never null, unless it is `json`. A missing value is 0, '', false, [] or (json) null. */
export interface FieldDescriptor {
  /** Type of its values. */
  readonly type: FieldType;
  /** Also stores the folded text (see `fold`), so that `contains`, `equalsFolded` and the order by folded text are the same in every store. */
  readonly folded?: true;
  /**
   * Most characters (code points) of a text. A longer one is refused with `invalid`. A database whose indexes hold only the beginnings of
   * texts can then index the field as it is, and answer from the index alone. For names, states and dates.
   */
  readonly maxLength?: number;
  /** Collection of the records whose ids the field holds, one or a list. Imports replace them by the ids that these records get. */
  readonly references?: string;
}

/** No two records may have the same values in all `fields`. Records with all of the `except` values are exempt. */
export interface UniqueKey {
  readonly fields: readonly string[];
  readonly except?: Readonly<Record<string, string | number>>;
}

/** The fields of a record that the log keeps with each change, for those who read it when the record has changed again or is gone. */
export interface LoggedFields {
  /** Fields whose values are kept. They should be short. */
  readonly keeps: readonly string[];
  /** Text fields of which the log only says whether they are not empty, such as passwords. */
  readonly hides?: readonly string[];
}

/** The shape of one kind of record. `id` and `version` need not be declared. */
export interface CollectionDescriptor {
  /** Name of the collection. Queries and operations use it. */
  readonly name: string;
  /** Fields by name. */
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
  /** Keys that no two records share. */
  readonly unique?: readonly UniqueKey[];
  /**
   * Fields of each index: first those compared for equality, then the one to order by. An index that begins with a
   * list field returns the records whose list contains an item (PostgreSQL does not use it). List fields are always indexed.
   */
  readonly indexes?: readonly (readonly string[])[];
  /** Folded fields whose texts are indexed by trigrams, so that `contains` of at least three characters does not read every record. */
  readonly search?: readonly string[];
  /** Each change is written into the log, in the same commit (`Store.changes`). `true`: without fields of the record. Absent: there is no log. */
  readonly logged?: true | LoggedFields;
  /** The records belong to this store and moment, such as locks: exports and imports leave them out. */
  readonly transient?: true;
}
