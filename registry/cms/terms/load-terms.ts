import { oneOf } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { toTerm, type TermRecord } from './term-record.ts';

/** Terms by id: these and all their ancestors. Terms whose parents form a loop are loaded once. */
export async function loadWithAncestors(store: Store, terms: readonly TermRecord[]): Promise<ReadonlyMap<number, TermRecord>> {
  const known = new Map(terms.map((term) => [term.id, term]));
  for (let level = terms; level.length > 0;) {
    const parents = [...new Set(level.map(({ parent }) => parent))].filter((id) => id !== 0 && !known.has(id));
    if (parents.length === 0) break;
    level = (await store.find({ collection: 'terms', where: oneOf('id', parents) })).records.map(toTerm);
    for (const term of level) known.set(term.id, term);
  }
  return known;
}

/** The ancestors of a term, the top one first. */
export function listAncestors(term: Pick<TermRecord, 'id' | 'parent'>, known: ReadonlyMap<number, TermRecord>): readonly TermRecord[] {
  const seen = new Set([term.id]);
  const ancestors: TermRecord[] = [];
  for (let next = known.get(term.parent); next !== undefined && !seen.has(next.id); next = known.get(next.parent)) {
    seen.add(next.id);
    ancestors.unshift(next);
  }
  return ancestors;
}
