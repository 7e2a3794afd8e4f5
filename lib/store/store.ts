import type { MaybePromise } from '../core/maybe-promise.ts';
import { brand } from '../core/objects.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { ChangeSource, ChangesPage, ChangesQuery, Positions } from './change.ts';
import type { CollectionDescriptor, FieldType } from './collection.ts';
import { and, gt, oneOf, type Predicate, type Query } from './query.ts';

/** A stored record. `version` starts at 1 and is incremented by every change of the record. It may skip numbers after a crash of the store, so that none is given twice. */
export interface StoredRecord {
  /** Positive, and never assigned again. */
  readonly id: number;
  readonly version: number;
  /** Fields by name. */
  readonly [field: string]: Json;
}

/** The value of an integer field: the id that the operation labelled `ref` created earlier in the same commit. */
export interface Reference {
  /** The label, as `as` of the operation. */
  readonly $ref: string;
}

/**
 * Field values to write. On create, a missing field gets its empty value. `id` may be given (fixtures, at most 15 digits). It must be free (else `unique`), and is never assigned again.
 * In texts, NUL and lone surrogates become U+FFFD, because not every database can store them; `json` values keep them.
 */
export type Values = Readonly<Record<string, Json | Reference>>;

/** A record to change. `version`: that it must have; undefined: not checked. */
interface RecordVersion extends Pick<StoredRecord, 'id'> {
  readonly version?: number | undefined;
}

/** One step of a commit. `version`: the change is refused if the record has another version (undefined: not checked). `as`: label for `$ref`. */
export type Operation =
  | {
      readonly op: 'create';
      readonly collection: string;
      readonly values: Values;
      readonly as?: string | undefined;
    }
  | {
      readonly op: 'update';
      readonly collection: string;
      readonly id: number;
      readonly values: Values;
      readonly version?: number | undefined;
    }
  | {
      readonly op: 'remove';
      readonly collection: string;
      readonly id: number;
      readonly version?: number | undefined;
    }
  /** Removes every match. It is not an error if there is none. */
  | { readonly op: 'removeAll'; readonly collection: string; readonly where: Predicate };

/** Creates a record. `as`: label for `$ref`. */
export const toCreate = (collection: string, values: Values, as?: string): Operation => ({
  op: 'create',
  collection,
  values,
  as,
});
/** Changes a record, unless it has another version by then. */
export const toUpdate = (collection: string, { id, version }: RecordVersion, values: Values): Operation => ({
  op: 'update',
  collection,
  id,
  version,
  values,
});
/** Creates a record or, if it is known, changes it. */
export const toWrite = (
  collection: string,
  known: RecordVersion | null | undefined,
  values: Values,
): Operation =>
  known === null || known === undefined ? toCreate(collection, values) : toUpdate(collection, known, values);
/** Removes a record, unless it has another version by then. */
export const toRemove = (collection: string, { id, version }: RecordVersion): Operation => ({
  op: 'remove',
  collection,
  id,
  version,
});
/** Removes every match. */
export const toRemoveAll = (collection: string, where: Predicate): Operation => ({
  op: 'removeAll',
  collection,
  where,
});

/** The key of a record. */
export type RecordKey = readonly [collection: string, id: number];

/** When a commit must be durable: before its promise settles, or at the latest when the next `flush` settles. */
export type Durability = 'now' | 'later';

/** The result of `find`. */
export interface FindResult {
  /** The records, in the order of the query. */
  readonly records: readonly StoredRecord[];
  /** Number of all matches; -1 if the query did not ask for it. */
  readonly total: number;
  /** With `longTexts: 'omit'`: ids of the records whose omitted texts are empty here. */
  readonly incomplete?: readonly number[];
}

/** The caller that waits for a read. `signal`: aborted when it no longer waits. The store checks it only during long reads. */
export interface Waiter {
  readonly signal: AbortSignal;
}

/** One state of a store, for reads that take long, such as an export. Changes after it was taken are not part of it. */
export interface Snapshot {
  /** The records of a collection with higher ids than `after`, by id, at most `limit`. */
  read(collection: string, after: number, limit: number): MaybePromise<readonly StoredRecord[]>;
  /** Must be called once. */
  close(): Promise<void>;
}

/**
 * Stores records. They are copied in and out. A commit is atomic. It is as durable as the store promises when its promise
 * settles, unless it was given time until the next `flush`. A failed commit changes nothing.
 * Ids are positive integers, never reused.
 */
export interface Store {
  /** Names of its collections, so that references to them can be checked. Absent: not known. */
  readonly collections?: readonly string[];
  /** Returns records of one state of the store. `waiter`: pass the call of a handler. @throws StoreError `closed`, `unavailable`, `cancelled` */
  find(query: Query, waiter?: Waiter): Promise<FindResult>;
  /** One record by id; null: there is none. */
  get(collection: string, id: number): MaybePromise<StoredRecord | null>;
  /** The versions of these records, in order; 0 for a record that does not exist. */
  versions(records: readonly RecordKey[]): MaybePromise<readonly number[]>;
  /**
   * Applies all operations or none. Returns one entry per operation: the record as it is now
   * (create, update), as it was (remove), or null (removeAll).
   * `source`: who and what makes the commit, for the log of changes; what it leaves out is that of `runWithSource`.
   * `later`: this process sees the change at once, others soon. A crash or power failure before `flush` may undo the last of these commits.
   * @throws StoreError `unique`, `version`, `missing`, `full`, `unavailable`, `closed`: nothing was changed; `unknown`: must not simply be repeated
   */
  commit(
    operations: readonly Operation[],
    durability?: Durability,
    source?: Partial<ChangeSource>,
  ): Promise<readonly (StoredRecord | null)[]>;
  /**
   * Resolves when every commit that has settled is durable. `since`: when the caller began, on the clock of `performance.now()`;
   * losses before it do not concern the caller. @throws StoreError if that is not known.
   */
  flush(since?: number): Promise<void>;
  /** A number that grows with every commit that changes one of the collections, in any process, and when changes that were visible are undone. */
  revision(collections: readonly string[]): MaybePromise<number>;
  /**
   * Reads the log of changes of logged collections (`logged` of their descriptors). Each change of each record is in it once, also those
   * of `removeAll`, in the order of the revisions of its collection: a reader that has read revision 7 of a collection gets nothing older later.
   * @throws StoreError `expired` when changes after a position are no longer kept; `invalid` for a collection without a log
   */
  changes(query: ChangesQuery): MaybePromise<ChangesPage>;
  /** Removes the changes up to these positions, at most some hundred at once, so that writers do not wait. @returns whether any are left up to there */
  forgetChanges(through: Positions): Promise<boolean>;
  /**
   * Runs a part of a request that began at `since`, on the clock of `performance.now()`. Until it ends, `revision` may be that of any
   * moment since then, but not older than what this store has returned or committed meanwhile. Without this method it is always the present one.
   */
  inRequest?<T>(since: number, run: () => MaybePromise<T>): MaybePromise<T>;
  /** Whether the store is so busy that a new request should wait. A store without this method is never busy. */
  isBusy?(kind: 'read' | 'write'): boolean;
  /** Resolves when no work waits that the store does later, such as adding what was written to an index. @throws StoreError if it failed */
  prepared?(): Promise<void>;
  /** Takes a snapshot of all collections. A store without this method cannot be exported. */
  snapshot?(): Promise<Snapshot>;
  /** Makes everything durable and frees the store. Later operations are rejected with `closed`. */
  close(): Promise<void>;
}

/**
 * `unique`: a unique key is taken; `version`: the record has another version; `missing`: there is no such record;
 * `full`: no space left; `unavailable`: the storage cannot be reached or refuses writes; `closed`: used after close;
 * `unknown`: the commit was made or not, which nobody can tell; with every other code it was not made;
 * `cancelled`: the caller no longer waits for the read; `expired`: changes that were asked for are no longer in the log;
 * `invalid`: the query or operation does not fit the collection (a bug in the program).
 */
export type StoreErrorCode =
  | 'unique'
  | 'version'
  | 'missing'
  | 'full'
  | 'unavailable'
  | 'unknown'
  | 'closed'
  | 'cancelled'
  | 'expired'
  | 'invalid';

/** The error of every rejected store operation. */
export class StoreError extends Error {
  /** What failed. */
  readonly code: StoreErrorCode;
  /** `unique`: the fields of the key that is taken. */
  readonly fields: readonly string[];

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; fields?: readonly string[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.fields = options.fields ?? [];
  }
}

brand(StoreError, 'StoreError');

/** The values of fields, by type. */
interface FieldValues extends Record<FieldType, Json> {
  /** A text. */
  readonly text: string;
  /** A whole number. */
  readonly integer: number;
  /** True or false. */
  readonly boolean: boolean;
  /** Texts. */
  readonly texts: readonly string[];
  /** Whole numbers. */
  readonly integers: readonly number[];
  /** Any JSON. */
  readonly json: Json;
}

/** The fields of a collection, by name. */
type FieldsOf<C extends CollectionDescriptor> = {
  readonly [K in keyof C['fields']]: FieldValues[C['fields'][K]['type']];
};

/** A record of a collection: `RecordOf<typeof NOTES>`. */
export type RecordOf<C extends CollectionDescriptor> = {
  readonly id: number;
  readonly version: number;
} & FieldsOf<C>;

/** The collection of this name. */
type Named<C extends CollectionDescriptor, N> = Extract<C, { readonly name: N }>;

/** Values to write: an integer may be the id of a record of the same commit. */
type ValuesOf<C extends CollectionDescriptor> = {
  readonly [K in keyof C['fields']]?:
    | FieldsOf<C>[K]
    | (C['fields'][K]['type'] extends 'integer' ? Reference : never);
} & { readonly id?: number };

/** One step of a commit; see `Operation`. */
type OperationOn<C extends CollectionDescriptor> = C extends CollectionDescriptor
  ? | {
        readonly op: 'create';
        readonly collection: C['name'];
        readonly values: ValuesOf<C>;
        readonly as?: string;
      }
    | {
        readonly op: 'update';
        readonly collection: C['name'];
        readonly id: number;
        readonly values: ValuesOf<C>;
        readonly version?: number | undefined;
      }
    | {
        readonly op: 'remove';
        readonly collection: C['name'];
        readonly id: number;
        readonly version?: number | undefined;
      }
    | { readonly op: 'removeAll'; readonly collection: C['name']; readonly where: Predicate }
  : never;

/** What a commit returns for each operation. */
type ResultsOf<C extends CollectionDescriptor, O extends readonly unknown[]> = {
  readonly [K in keyof O]: O[K] extends { readonly op: 'removeAll' }
    ? null
    : O[K] extends { readonly collection: infer N }
      ? RecordOf<Named<C, N>>
      : never;
};

/** A store whose queries, operations and records have the types of its collections. `C`: all of them. */
export interface TypedStore<C extends CollectionDescriptor> extends Omit<Store, 'find' | 'get' | 'commit'> {
  /** See `Store`. */
  find<const N extends C['name']>(
    query: Query & { readonly collection: N },
    waiter?: Waiter,
  ): Promise<{ readonly records: readonly RecordOf<Named<C, N>>[]; readonly total: number }>;
  /** See `Store`. */
  get<const N extends C['name']>(collection: N, id: number): MaybePromise<RecordOf<Named<C, N>> | null>;
  /** See `Store`. A record that is created or changed is always returned. */
  commit<const O extends readonly OperationOn<C>[]>(
    operations: O,
    durability?: Durability,
  ): Promise<ResultsOf<C, O>>;
}

/**
 * The same store with the types of its collections: `typeRecords(store, [NOTES])`. The collections must be written `as const`.
 * @throws TypeError for a collection that the store does not have
 */
export function typeRecords<const C extends readonly CollectionDescriptor[]>(
  store: Store,
  collections: C,
): TypedStore<C[number]> {
  const missing = collections.find(({ name }) => store.collections?.includes(name) === false);
  if (missing !== undefined)
    throw new TypeError(`typeRecords: the store does not have the collection "${missing.name}"`);
  return store as TypedStore<C[number]>;
}

/** The first record that a query finds; undefined if there is none. */
export async function findFirst(
  store: Pick<Store, 'find'>,
  query: Omit<Query, 'limit' | 'total'>,
): Promise<StoredRecord | undefined> {
  return (await store.find({ ...query, limit: 1 })).records[0];
}

/** Whether there is a record that matches. */
export async function exists(
  store: Pick<Store, 'find'>,
  collection: string,
  where: Predicate,
): Promise<boolean> {
  return (await findFirst(store, { collection, where, fields: [] })) !== undefined;
}

/** The records with these ids that exist, by id. 0 stands for no record. */
export async function findByIds(
  store: Pick<Store, 'find'>,
  { ids, ...query }: Pick<Query, 'collection' | 'fields'> & { readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, StoredRecord>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  if (wanted.length === 0) return new Map();
  const { records } = await store.find({ ...query, where: oneOf('id', wanted) });
  return new Map(records.map((record) => [record.id, record]));
}

/** The number of records that a query finds. */
export async function countRecords(
  store: Pick<Store, 'find'>,
  { collection, where }: Pick<Query, 'collection' | 'where'>,
): Promise<number> {
  return (await store.find({ collection, where, limit: 0, fields: [], total: true })).total;
}

/** The records that match, in the order of their ids, `limit` of them at a time. Records that are added meanwhile come last. */
export async function* findInBatches(
  store: Pick<Store, 'find'>,
  query: Pick<Query, 'collection' | 'where' | 'fields'> & { readonly limit: number },
  waiter?: Waiter,
): AsyncGenerator<readonly StoredRecord[]> {
  for (let last = 0; ;) {
    const after = gt('id', last);
    const where = query.where === undefined ? after : and(query.where, after);
    const { records } = await store.find({ ...query, where }, waiter);
    if (records.length > 0) yield records;
    if (records.length < query.limit) return;
    last = records.at(-1)?.id ?? last;
  }
}

/** Whether a commit failed because another writer changed, created or removed the same record at the same time. */
export function isRace(error: unknown): error is StoreError {
  return (
    error instanceof StoreError &&
    (error.code === 'version' || error.code === 'unique' || error.code === 'missing')
  );
}

/** Maximum number of attempts. Each round has a winner, so this many concurrent writers all succeed. */
const ATTEMPTS = 25;

/** Runs the work again on the current state while it loses races. @throws StoreError of the last race, or any other error of the work */
export async function retryRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRace(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
