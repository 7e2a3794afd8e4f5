import { thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { perObject } from '../../../lib/core/objects.ts';
import type { Store } from '../../../lib/store/store.ts';
import { createRecordCache, type LoadRecords, type Records } from '../records/record-cache.ts';

/** Terms by id. */
export type Terms = Records;

/** The terms with these ids that exist. The map may contain others. */
export type ReadTerms = LoadRecords;

const NONE: Terms = new Map();

/** Opens the cached terms of a store, with the fields that posts and addresses show. */
export const openTerms = perObject((store: Store) =>
  createRecordCache(store, {
    collection: 'terms',
    fields: ['name', 'taxonomy', 'slug', 'parent', 'language'],
  }),
);

/** Reads terms from the store and caches them until a term changes. */
export function createTerms(store: Store): ReadTerms {
  const open = openTerms(store);
  return (ids) => (ids.length === 0 ? NONE : thenMaybe(open(), (load) => load(ids)));
}
