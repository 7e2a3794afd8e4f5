import type { Store } from '../../../lib/store/store.ts';
import { loadAncestors } from '../record-cache.ts';
import { openTerms } from '../terms.ts';
import { toTerm, type TermRecord } from './term-record.ts';

/** A term as the path of a term below it shows it. */
export type PathTerm = Pick<TermRecord, 'id' | 'slug' | 'parent'>;

/** Terms by id: these and all their ancestors. */
export async function loadWithAncestors(store: Store, terms: readonly PathTerm[]): Promise<ReadonlyMap<number, PathTerm>> {
  const ancestors = await loadAncestors(openTerms(store), terms);
  return new Map([...[...ancestors.values()].map(toTerm), ...terms].map((term) => [term.id, term]));
}

/** The ancestors of a term, the top one first. */
export function listAncestors(term: Pick<PathTerm, 'id' | 'parent'>, known: ReadonlyMap<number, PathTerm>): readonly PathTerm[] {
  const seen = new Set([term.id]);
  const ancestors: PathTerm[] = [];
  for (let next = known.get(term.parent); next !== undefined && !seen.has(next.id); next = known.get(next.parent)) {
    seen.add(next.id);
    ancestors.unshift(next);
  }
  return ancestors;
}
