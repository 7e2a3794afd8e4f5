import { thenMaybe, type MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';

/** Records by id. */
export type Records = ReadonlyMap<number, StoredRecord>;

/** Loads the records with these ids that exist. The map may contain others. */
export type LoadRecords = (ids: readonly number[]) => MaybePromise<Records>;

/** Opens a cache in the current state of its collection. */
export type OpenRecords = () => MaybePromise<LoadRecords>;

/** Which records are cached, and what of them. */
export interface CachedCollection {
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
  let kept = { revision: -1, snapshot: new Snapshot(read) };
  // The revision is read before the records, so that the next caller notices a write in between.
  return () =>
    thenMaybe(store.revision([collection]), (revision) => {
      if (kept.revision !== revision || kept.snapshot.records.size >= mostKept)
        kept = { revision, snapshot: new Snapshot(read) };
      const { snapshot } = kept;
      return (ids) => snapshot.load(ids);
    });
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
