import { thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { perObject } from '../../../lib/core/objects.ts';
import type { Store } from '../../../lib/store/store.ts';
import { loadAncestors, createRecordCache, type LoadRecords, type Records } from '../records/record-cache.ts';
import { toTerm, type TermRecord } from '../records/term-record.ts';

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

/** A term as the path of a term below it shows it. */
export type PathTerm = Pick<TermRecord, 'id' | 'slug' | 'parent'>;

const byId = (terms: readonly PathTerm[]): ReadonlyMap<number, PathTerm> =>
  new Map(terms.map((term) => [term.id, term]));

/** Terms by id: those with these ids and all their ancestors. Id 0 is none. */
export async function loadLines(
  store: Store,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PathTerm>> {
  const found = await loadAncestors(
    openTerms(store),
    ids.map((parent) => ({ parent })),
  );
  return byId([...found.values()].map(toTerm));
}

/** Terms by id: these and all their ancestors. */
export async function loadWithAncestors(
  store: Store,
  terms: readonly PathTerm[],
): Promise<ReadonlyMap<number, PathTerm>> {
  const ancestors = await loadAncestors(openTerms(store), terms);
  return byId([...[...ancestors.values()].map(toTerm), ...terms]);
}

/** The ancestors of a term, the top one first. */
export function listAncestors(
  term: Pick<PathTerm, 'id' | 'parent'>,
  known: ReadonlyMap<number, PathTerm>,
): readonly PathTerm[] {
  const seen = new Set([term.id]);
  const ancestors: PathTerm[] = [];
  for (
    let next = known.get(term.parent);
    next !== undefined && !seen.has(next.id);
    next = known.get(next.parent)
  ) {
    seen.add(next.id);
    ancestors.unshift(next);
  }
  return ancestors;
}
