import type { MetaDefinitions, MetaDefinition } from './meta-key.ts';

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

/** A taxonomy of a site with all defaults filled in. `description`: '' if there is none. `types`: all of them. */
export interface Taxonomy extends Required<
  Pick<TaxonomyDefinition, 'name' | 'base' | 'description' | 'hierarchical' | 'types' | 'public' | 'owns'>
> {
  /** Names that people read. */
  readonly labels: Required<Labels>;
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
}

/** Declares a taxonomy. It is checked when the site is created. */
export function defineTaxonomy(definition: TaxonomyDefinition): TaxonomyDefinition {
  return definition;
}

/** What the records of a type can have: the words of WordPress, `sticky`, which only its posts have, and `notes`, which editors write to each other. */
export const SUPPORTS = [
  'title',
  'editor',
  'author',
  'thumbnail',
  'excerpt',
  'trackbacks',
  'custom-fields',
  'comments',
  'revisions',
  'page-attributes',
  'post-formats',
  'autosave',
  'sticky',
  'notes',
] as const;

/** One of `SUPPORTS`. */
export type Support = (typeof SUPPORTS)[number];

/** The rights of a type, as WordPress names them. Each stands for the capability of the roles table that it needs. */
export const TYPE_RIGHTS = [
  'edit_posts',
  'edit_others_posts',
  'delete_posts',
  'publish_posts',
  'read_private_posts',
  'delete_private_posts',
  'delete_published_posts',
  'delete_others_posts',
  'edit_private_posts',
  'edit_published_posts',
  'create_posts',
] as const;

/** One of `TYPE_RIGHTS`. */
export type TypeRight = (typeof TYPE_RIGHTS)[number];

/** Names that people read. Default: made from the name of the type or taxonomy. */
export interface Labels {
  /** Plural: `Books`. */
  readonly name?: string;
  /** Singular: `Book`. */
  readonly singular?: string;
}

/** In lower case, except acronyms. */
const toLower = (text: string): string =>
  text.replaceAll(/\S+/gu, (word) => (/^\p{Lu}{2,}s?$/u.test(word) ? word : word.toLowerCase()));
/** Words that begin with the sound of a vowel: `event`, `upload`, `FAQ`, but not `user` and `URL`. */
const VOWEL = /^(?:[AEFHILMNORSX](?=\p{Lu})|[aio]|e(?!u)|u(?![a-z][aeiou]))/u;

/** The names in the texts of routes: `books`, `book`, and `a book`. */
export function wordsOf({ name, singular }: Required<Labels>) {
  const word = toLower(singular);
  return { many: toLower(name), word, one: `${VOWEL.test(word) ? 'an' : 'a'} ${word}` };
}

/** A content type as its author writes it, as plain data that JSON can hold. */
export interface ContentTypeDefinition {
  /** At most 20 small letters, digits, hyphens and underscores. Stored with every record of the type. */
  readonly name: string;
  /** Path segment of its routes: `books`. */
  readonly base: string;
  /** Names that people read. */
  readonly labels?: Labels;
  /** For people. Default: none. */
  readonly description?: string;
  /** Records can have parents of the same type. Default false. */
  readonly hierarchical?: boolean;
  /** The site has a page that lists its records. Default false. */
  readonly hasArchive?: boolean;
  /** Name of the icon in the administration. Default: none. */
  readonly icon?: string;
  /** Default: title and editor. */
  readonly supports?: readonly Support[];
  /** Names of the taxonomies whose terms its records can have. A taxonomy may name the type instead. */
  readonly taxonomies?: readonly string[];
  /** Meta keys of its records. */
  readonly meta?: MetaDefinitions;
  /** Whose rights it has: `post` (default), `page`, another word for capabilities such as `edit_books`, or a capability for single rights. */
  readonly capabilities?: string | Readonly<Partial<Record<TypeRight, string>>>;
  /** Address of a record below the home page, with the tags of `permalink-tags.ts`. Default: `/NAME/%postname%/`. */
  readonly permalink?: string;
  /** Whether its records have pages that everybody reads. Records of others are parts of pages: only who may edit them lists them, and searches, sitemaps and addresses leave them out. Default true. */
  readonly public?: boolean;
  /** Whether everybody reads its published records by the routes. Default: as `public`. */
  readonly readable?: boolean;
  /** Whether the core has the routes of its records. False: a plugin has. Default true. */
  readonly routes?: boolean;
}

/** A content type of a site with all defaults filled in. `description`: '' if there is none. `taxonomies`: all of them, in the order of their fields. */
export interface ContentType extends Required<
  Pick<
    ContentTypeDefinition,
    | 'name'
    | 'base'
    | 'description'
    | 'hierarchical'
    | 'hasArchive'
    | 'taxonomies'
    | 'permalink'
    | 'public'
    | 'readable'
    | 'routes'
  >
> {
  /** Names that people read. */
  readonly labels: Required<Labels>;
  /** null: none. */
  readonly icon: string | null;
  /** As declared. `features` decides what its records have. */
  readonly supports: ReadonlySet<Support>;
  /** What its records have. */
  readonly features: ReadonlySet<Support>;
  /** The capability that each right needs. */
  readonly capabilities: Readonly<Record<TypeRight, string>>;
  /** Address of an unpublished record below the home page, with `%id%`. */
  readonly draftLink: string;
  /** `comment_status` and `ping_status` of a new record. The settings of the site may close what is open here. */
  readonly discussion: Readonly<Record<'comment_status' | 'ping_status', 'open' | 'closed'>>;
  /** Whether the API has routes for it. */
  readonly served: boolean;
  /** Where its records are: like posts, or in the media library. */
  readonly storage: 'posts' | 'media';
}

/** Whether everybody reads published records of a type, or the terms of a taxonomy, by routes and pages of their own. */
export const hasPages = (kind: Pick<ContentType, 'served' | 'public'>): boolean => kind.served && kind.public;

/** Declares a content type. It is checked when the site is created. */
export function defineContentType(definition: ContentTypeDefinition): ContentTypeDefinition {
  return definition;
}
