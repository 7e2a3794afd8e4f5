import { oneOf } from '../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../lib/store/store.ts';
import { thenMaybe, type MaybePromise } from '../../lib/core/maybe-promise.ts';

/** Terms by id. */
export type Terms = ReadonlyMap<number, StoredRecord>;

/** The terms with these ids that exist. The map may contain others. */
export type ReadTerms = (ids: readonly number[]) => MaybePromise<Terms>;

const MOST_KEPT = 10_000;
const NONE: Terms = new Map();
const COLLECTION = ['terms'] as const;

/** Reads terms from the store and caches them until a term changes or `mostKept` terms are cached. */
export function createTerms(store: Store, mostKept: number = MOST_KEPT): ReadTerms {
  let kept = { revision: -1, terms: new Map<number, StoredRecord>() };

  const load = async (terms: Map<number, StoredRecord>, ids: readonly number[]): Promise<Terms> => {
    const { records } = await store.find({ collection: 'terms', where: oneOf('id', ids), fields: ['name', 'taxonomy', 'slug'] });
    for (const record of records) terms.set(record.id, record);
    return terms;
  };

  // The revision is read before the terms, so that the next read notices a write in between.
  return (ids) => (ids.length === 0 ? NONE : thenMaybe(store.revision(COLLECTION), (revision) => {
    if (kept.revision !== revision || kept.terms.size >= mostKept) kept = { revision, terms: new Map() };
    const { terms } = kept;
    const missing = ids.filter((id) => !terms.has(id));
    return missing.length === 0 ? terms : load(terms, [...new Set(missing)]);
  }));
}
