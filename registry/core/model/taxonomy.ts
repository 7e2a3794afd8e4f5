import type { Labels } from './content-type.ts';
import type { MetaDefinitions } from './meta-key.ts';

/** The rights of a taxonomy, as WordPress names them. */
export const TAXONOMY_RIGHTS = ['manage_terms', 'edit_terms', 'delete_terms', 'assign_terms'] as const;

/** One of `TAXONOMY_RIGHTS`. */
export type TaxonomyRight = (typeof TAXONOMY_RIGHTS)[number];

/** A taxonomy as its author writes it, as plain data that JSON can hold. */
export interface TaxonomyDefinition {
  /** At most 32 small letters, digits, hyphens and underscores. Stored with every term. */
  readonly name: string;
  /** Path segment of its routes, and name of the field of records that holds their terms: `genres`. */
  readonly base: string;
  /** Names that people read. */
  readonly labels?: Labels;
  /** For people. Default: none. */
  readonly description?: string;
  /** Terms can have parents. Default false. */
  readonly hierarchical?: boolean;
  /** Names of the types whose records can have its terms. A type may name the taxonomy instead. */
  readonly types?: readonly string[];
  /** Meta keys of its terms. */
  readonly meta?: MetaDefinitions;
  /** A capability for single rights. Default: those of categories. */
  readonly capabilities?: Readonly<Partial<Record<TaxonomyRight, string>>>;
  /** Whether its terms have pages that everybody reads. Terms of others are for those who write for the site. Default true. */
  readonly public?: boolean;
  /** Whether a record belongs to its term, and is removed with it. Such terms show no `count`. Default false. */
  readonly owns?: boolean;
}

/** Descriptions of what a taxonomy adds to the routes of its types. */
interface TaxonomyTexts {
  /** Description of the field of records. */
  readonly field: string;
  /** Description of the filter for records with terms. */
  readonly filter: string;
  /** Description of the filter that leaves out records with terms. */
  readonly exclude: string;
}

/** A taxonomy of a site with all defaults filled in. */
export interface Taxonomy {
  /** Stored with every term. */
  readonly name: string;
  /** Path segment of its routes, and name of the field of records. */
  readonly base: string;
  /** Names that people read. */
  readonly labels: Required<Labels>;
  /** For people; '' if there is none. */
  readonly description: string;
  /** Terms can have parents. */
  readonly hierarchical: boolean;
  /** Names of its types. */
  readonly types: readonly string[];
  /** The capability that each right needs. */
  readonly capabilities: Readonly<Record<TaxonomyRight, string>>;
  /** The field of stored records that holds its terms. Ids of terms are unique across taxonomies, so that one field serves all registered ones. */
  readonly field: 'categories' | 'tags' | 'terms';
  /** First segment of the addresses of its terms: `category`. */
  readonly path: string;
  /** Whether the address of a term has the slugs of its ancestors. */
  readonly hasAncestorsInPath: boolean;
  /** Whether a new record without its terms gets the default category of the site. */
  readonly hasDefault: boolean;
  /** Descriptions of the field of records, and of the list filters. */
  readonly texts: TaxonomyTexts;
  /** Whether the API has routes for it. */
  readonly served: boolean;
  /** Whether its terms have pages that everybody reads. */
  readonly public: boolean;
  /** Whether a record belongs to its term, and is removed with it. */
  readonly owns: boolean;
}

/** Declares a taxonomy. It is checked when the site is created. */
export function defineTaxonomy(definition: TaxonomyDefinition): TaxonomyDefinition {
  return definition;
}
