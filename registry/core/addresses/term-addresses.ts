import type { Store } from '../../../lib/store/store.ts';
import { toPathPart } from '../content/slug.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import type { TermRecord } from '../records/term-record.ts';
import { listAncestors, loadWithAncestors, type PathTerm } from './load-terms.ts';
import type { Homes } from './permalink.ts';

/** What the address of a term is made of. `language`: '' for a term that all languages share. */
type AddressedTerm = Pick<TermRecord, 'id' | 'taxonomy' | 'slug' | 'parent' | 'language'>;

/** Address of one of the terms on the site, with a trailing slash; '' for a term whose taxonomy the site does not have. */
export type TermAddressOf = (term: AddressedTerm, site: Homes) => string;

/** What addresses of terms are loaded from: the `store`, and the `taxonomies` of the site by name. */
interface AddressPorts {
  readonly store: Store;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
}

const NO_TERMS: ReadonlyMap<number, PathTerm> = new Map();

/** Loads what the addresses of terms depend on: the terms above them, where addresses show those. */
export async function loadTermAddresses(
  { store, taxonomies }: AddressPorts,
  terms: readonly AddressedTerm[],
): Promise<TermAddressOf> {
  const nested = terms.filter(({ taxonomy }) => taxonomies.get(taxonomy)?.hasAncestorsInPath === true);
  const known = nested.length === 0 ? NO_TERMS : await loadWithAncestors(store, nested);
  return (term, site) => {
    const taxonomy = taxonomies.get(term.taxonomy);
    if (taxonomy === undefined) return '';
    const home = site.home(term.language === '' ? undefined : toPathPart(term.language));
    const ancestors = taxonomy.hasAncestorsInPath ? listAncestors(term, known) : [];
    return `${home}/${[taxonomy.path, ...[...ancestors, term].map(({ slug }) => toPathPart(slug))].join('/')}/`;
  };
}
