import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { CollectionDescriptor, FieldType } from './collection.ts';
import type { Predicate, Query } from './query.ts';
import type { Durability, Reference, Store, Waiter } from './store.ts';

interface FieldValues extends Record<FieldType, Json> {
  readonly text: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly texts: readonly string[];
  readonly integers: readonly number[];
  readonly json: Json;
}

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
