import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';

/** What is read of one state of some collections. `size`: how many things it holds. */
interface Holder {
  readonly size: number;
}

/** `collections`: those that are read. `make`: an empty holder. `most`: a fuller one is not added to. */
interface CachedOptions<T extends Holder> {
  readonly collections: readonly string[];
  readonly make: () => T;
  readonly most: number;
}

/**
 * Keeps what was read until one of the collections changes. The revision is asked for before anything is read, so that the next
 * caller notices a write in between.
 * @returns a function that gives the holder of the present state, which may be empty
 */
export function cachedByRevision<T extends Holder>(
  store: Pick<Store, 'revision'>,
  { collections, make, most }: CachedOptions<T>,
): () => MaybePromise<T> {
  let kept = { revision: -1, holder: make() };
  return () =>
    thenMaybe(store.revision(collections), (revision) => {
      if (kept.revision !== revision || kept.holder.size >= most) kept = { revision, holder: make() };
      return kept.holder;
    });
}

/** Records by id. */
export type Records = ReadonlyMap<number, StoredRecord>;

/** Loads the records with these ids that exist. The map may contain others. */
export type LoadRecords = (ids: readonly number[]) => MaybePromise<Records>;

/** Opens a cache in the current state of its collection. */
export type OpenRecords = () => MaybePromise<LoadRecords>;

/** Which records are cached, and what of them. */
interface CachedCollection {
  readonly collection: string;
  readonly fields: readonly string[];
  readonly mostKept?: number;
}

/** Records that are read together. */
interface Batch {
  readonly ids: number[];
  readonly done: Promise<void>;
}

const MOST_KEPT = 10_000;

/** The records of one state of the collection. Callers that ask at the same moment share a query. */
class Snapshot {
  readonly records = new Map<number, StoredRecord>();
  readonly #reading = new Map<number, Promise<void>>();
  readonly #read: (ids: readonly number[]) => Promise<readonly StoredRecord[]>;
  #next: Batch | null = null;

  get size(): number {
    return this.records.size;
  }

  constructor(read: (ids: readonly number[]) => Promise<readonly StoredRecord[]>) {
    this.#read = read;
  }

  load(ids: readonly number[]): MaybePromise<Records> {
    const missing = ids.filter((id) => !this.records.has(id));
    if (missing.length === 0) return this.records;
    return Promise.all(missing.map((id) => this.#reading.get(id) ?? this.#join(id))).then(() => this.records);
  }

  /** Reads the record with the next batch. */
  #join(id: number): Promise<void> {
    const batch = (this.#next ??= this.#begin());
    batch.ids.push(id);
    this.#reading.set(id, batch.done);
    return batch.done;
  }

  #begin(): Batch {
    const ids: number[] = [];
    return { ids, done: Promise.resolve().then(() => this.#finish(ids)) };
  }

  async #finish(ids: readonly number[]): Promise<void> {
    this.#next = null;
    try {
      for (const record of await this.#read(ids)) this.records.set(record.id, record);
    } finally {
      for (const id of ids) this.#reading.delete(id);
    }
  }
}

/** Caches records until one of the collection changes or `mostKept` of them are cached. */
export function createRecordCache(
  store: Store,
  { collection, fields, mostKept = MOST_KEPT }: CachedCollection,
): OpenRecords {
  const read = async (ids: readonly number[]): Promise<readonly StoredRecord[]> =>
    (await store.find({ collection, where: oneOf('id', ids), fields })).records;
  const open = cachedByRevision(store, {
    collections: [collection],
    make: () => new Snapshot(read),
    most: mostKept,
  });
  return () => thenMaybe(open(), (snapshot) => (ids) => snapshot.load(ids));
}

/** The records above these, level by level. Records whose parents form a loop are loaded once. */
export async function loadAncestors(
  open: OpenRecords,
  records: Iterable<{ readonly parent: number }>,
): Promise<Records> {
  const found = new Map<number, StoredRecord>();
  const listMissing = (level: Iterable<{ readonly parent: number }>): readonly number[] =>
    [...new Set([...level].map(({ parent }) => parent))].filter((id) => id !== 0 && !found.has(id));
  let missing = listMissing(records);
  if (missing.length === 0) return found;
  for (const load = await open(); missing.length > 0;) {
    const known = await load(missing);
    const level = missing.flatMap((id) => known.get(id) ?? []);
    for (const record of level) found.set(record.id, record);
    missing = listMissing(level as Iterable<StoredRecord & { readonly parent: number }>);
  }
  return found;
}
