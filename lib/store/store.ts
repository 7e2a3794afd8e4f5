import { brand } from '../core/brand.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { Predicate, Query } from './query.ts';

/** A stored record. `version` starts at 1 and grows by one with every change of the record. */
export interface StoredRecord {
  readonly id: number;
  readonly version: number;
  readonly [field: string]: Json;
}

/** In `values`, for an integer field: the id that the operation labelled `ref` made earlier in the same commit. */
export interface Reference {
  readonly $ref: string;
}

/**
 * Field values to write. On create a missing field gets its empty value; `id` may be given (fixtures, at most 15 digits), must be free (else `unique`), and is never handed out again.
 * In texts NUL and lone surrogates become U+FFFD, because no database holds them; `json` values keep them.
 */
export type Values = Readonly<Record<string, Json | Reference>>;

/** One step of a commit. `version`: the change is refused when the record has another one (undefined: it is not asked). `as`: label for `$ref`. */
export type Operation =
  | { readonly op: 'create'; readonly collection: string; readonly values: Values; readonly as?: string | undefined }
  | { readonly op: 'update'; readonly collection: string; readonly id: number; readonly values: Values; readonly version?: number | undefined }
  | { readonly op: 'remove'; readonly collection: string; readonly id: number; readonly version?: number | undefined }
  /** Removes every match; no match is no error. */
  | { readonly op: 'removeAll'; readonly collection: string; readonly where: Predicate };

/** Where a record is found. */
export type RecordKey = readonly [collection: string, id: number];

/** When a commit has to be durable: before its promise settles, or no later than that of the next `flush`. */
export type Durability = 'now' | 'later';

export interface FindResult {
  readonly records: readonly StoredRecord[];
  /** Number of all matches; -1 when the query did not ask for it. */
  readonly total: number;
  /** With `longTexts: 'omit'`: ids of the records from which texts were left out, which are empty there. */
  readonly incomplete?: readonly number[];
}

/** Who waits for a read. `signal`: aborted when nobody does any more; it is looked at only where a read takes long. */
export interface Waiter {
  readonly signal: AbortSignal;
}

/**
 * Where records live. Records are cloned in and out. A commit is atomic and durable as far as the store promises
 * durability when its promise settles, unless it was given time until the next `flush`; a failed commit changes nothing.
 * Ids are positive integers, never reused.
 */
export interface Store {
  /** Names of its collections, so that what names one can be checked. Absent: not known. */
  readonly collections?: readonly string[];
  /** What is found is of one state of the store. `waiter`: of a handler, its call. @throws StoreError `closed`, `unavailable`, `cancelled` */
  find(query: Query, waiter?: Waiter): Promise<FindResult>;
  /** One record by id; null when there is none. */
  get(collection: string, id: number): MaybePromise<StoredRecord | null>;
  /** The versions of these records, in their order; 0 for one that is not there. */
  versions(records: readonly RecordKey[]): MaybePromise<readonly number[]>;
  /**
   * Applies all operations or none. Answers one entry per operation: the record as it is now
   * (create, update), as it was (remove), or null (removeAll).
   * `later`: this process sees the change at once, others soon; what ends the process or the power before `flush` may take back the last of such commits.
   * @throws StoreError `unique`, `version`, `missing`, `full`, `unavailable`, `closed`
   */
  commit(operations: readonly Operation[], durability?: Durability): Promise<readonly (StoredRecord | null)[]>;
  /** Settles when every commit that has settled is durable. @throws StoreError when that is not known. */
  flush(): Promise<void>;
  /** A number that grows with every commit that changes one of the collections, also by another process, and when changes that were seen are taken back. */
  revision(collections: readonly string[]): MaybePromise<number>;
  /** Whether so much waits for this store that more had better wait before it is begun. A store without it never is. */
  isBusy?(kind: 'read' | 'write'): boolean;
  close(): Promise<void>;
}

/**
 * `unique`: a unique key is taken; `version`: the record has another version; `missing`: no such record;
 * `full`: no space left; `unavailable`: the storage can not be reached or refuses writes; `closed`: used after close;
 * `cancelled`: nobody waits for the read any more;
 * `invalid`: the query or operation does not fit the collection (a mistake of the program).
 */
export type StoreErrorCode = 'unique' | 'version' | 'missing' | 'full' | 'unavailable' | 'closed' | 'cancelled' | 'invalid';

/** What a store rejects with. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** `unique`: the fields of the key that is taken. */
  readonly fields: readonly string[];

  constructor(code: StoreErrorCode, message: string, options: { cause?: unknown; fields?: readonly string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.fields = options.fields ?? [];
  }
}

brand(StoreError, 'StoreError');
