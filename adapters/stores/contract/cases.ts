import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Predicate, Query } from '../../../lib/store/query.ts';
import {
  type FindResult,
  type Operation,
  type Store,
  type StoredRecord,
  StoreError,
  type StoreErrorCode,
  type Values,
} from '../../../lib/store/store.ts';
import { contractCollections } from './collections.ts';
import * as assert from './expect.ts';

/** Opens an empty store of these collections. Its `close` also removes what the case left, such as files. */
export type OpenStore = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

/** One case of the contract. `run` opens a store for itself, closes it, and rejects if the store breaks the contract. */
export interface StoreCase {
  /** What the store must do. */
  readonly name: string;
  run(openStore: OpenStore): Promise<void>;
}

/** Collects the cases of one part of the contract. `part`: begins their names. */
export class CaseList {
  readonly cases: StoreCase[] = [];
  readonly #part: string;

  constructor(part: string) {
    this.#part = part;
  }

  /** Adds a case that runs on an empty store. */
  test(what: string, run: (store: Store) => Promise<void>): void {
    this.cases.push({
      name: `${this.#part}: ${what}`,
      async run(openStore) {
        const store = await openStore(contractCollections);
        try {
          await run(store);
        } finally {
          await store.close();
        }
      },
    });
  }
}

/** Creates an article. */
export const article = (values: Values, as?: string): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
  ...(as === undefined ? {} : { as }),
});
/** Creates a note. */
export const note = (values: Values): Operation => ({ op: 'create', collection: 'notes', values });

/** Changes an article. */
export const update = (id: number, values: Values, version?: number): Operation => ({
  op: 'update',
  collection: 'articles',
  id,
  values,
  version,
});
/** Removes an article. */
export const remove = (id: number, version?: number): Operation => ({
  op: 'remove',
  collection: 'articles',
  id,
  version,
});
/** Removes all these articles. */
export const removeAll = (where: Predicate): Operation => ({
  op: 'removeAll',
  collection: 'articles',
  where,
});

/** Creates one article and returns it. */
export async function createOne(store: Store, values: Values = {}): Promise<StoredRecord> {
  const [record] = await store.commit([article(values)]);
  assert.ok(record);
  return record;
}

/** Reads articles. */
export const find = async (store: Store, query: Partial<Query> = {}): Promise<FindResult> =>
  store.find({ collection: 'articles', ...query });
/** How many articles match. */
export const count = async (store: Store, where?: Predicate): Promise<number> =>
  (await find(store, { where, total: true })).total;
/** The ids of the articles that are found, in their order. */
export const findIds = async (store: Store, query?: Partial<Query>): Promise<readonly number[]> =>
  (await find(store, query)).records.map(({ id }) => id);

/** The complete content of the store as one text. */
export async function dump(store: Store): Promise<string> {
  return JSON.stringify([
    await find(store, { total: true }),
    await store.find({ collection: 'notes', total: true }),
  ]);
}

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** The error of a class that the promise rejects with. It must have this code. Other errors are rethrown. */
export async function rejectsWith<E extends Error & { readonly code: string }>(
  type: ErrorClass<E>,
  promise: Promise<unknown>,
  code: string,
): Promise<E> {
  const outcome: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome === null) throw new Error(`settled well, where ${code} was expected`);
  if (!(outcome instanceof type)) throw outcome;
  if (outcome.code !== code)
    throw new Error(`rejected with ${outcome.code} (${outcome.message}), where ${code} was expected`);
  return outcome;
}

/** The StoreError that the promise rejects with. It must have this code. Other errors are rethrown. */
export const rejectsStore = (promise: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> =>
  rejectsWith(StoreError, promise, code);
