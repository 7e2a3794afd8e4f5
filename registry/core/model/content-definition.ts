import type { ContentTypeDefinition } from './content-type.ts';
import type { MetaDefinition } from './meta-key.ts';
import type { TaxonomyDefinition } from './taxonomy.ts';

/** A meta key that is declared apart from its type or taxonomy. */
export interface MetaDeclaration extends MetaDefinition {
  /** Name of a type or taxonomy, or `user` or `comment`. */
  readonly of: string;
  /** Name of the key. */
  readonly key: string;
}

/** What a site adds to the built-in types and taxonomies, as plain data that JSON can hold. */
export interface ContentDefinition {
  /** Whether the core controllers are served. Default false. */
  readonly core?: boolean;
  /** Whether the records of every public type and taxonomy have the SEO fields as meta (`seo_title`, …). Default false. */
  readonly seo?: boolean;
  /** Types beside the built-in ones. */
  readonly types?: readonly ContentTypeDefinition[];
  /** Taxonomies beside the built-in ones. */
  readonly taxonomies?: readonly TaxonomyDefinition[];
  /** Meta keys of several owners. */
  readonly meta?: readonly MetaDeclaration[];
}
