import type {
  ContentTypeDefinition,
  Support,
  TypeRight,
  Taxonomy,
  TaxonomyDefinition,
} from './content-type.ts';
import type { MetaDefinitions } from './meta-key.ts';

/** Facts about a type that only the built-in ones have. `core`: its routes belong to the core controllers. */
interface BuiltInType extends ContentTypeDefinition {
  readonly labels: { readonly name: string; readonly singular: string };
  readonly permalink: string;
  readonly core?: true;
  readonly storage?: 'media';
  readonly draftLink: string;
  /** New records are closed to comments, although the type supports them. */
  readonly closed?: true;
  /** What its records have although WordPress does not name it in `supports`. */
  readonly also?: readonly Support[];
}

/** Footnotes belong to every type with a text that has revisions and meta. */
export const FOOTNOTES: MetaDefinitions = {
  footnotes: {
    type: 'string',
    title: '',
    description: 'Footnotes of the post, as JSON text.',
    default: '',
    revisions: true,
  },
};

const UPLOADS: Readonly<Partial<Record<TypeRight, string>>> = { create_posts: 'upload_files' };

/** The type whose addresses have the permalink structure of the site. */
export const POST = 'post';

/** The types that every site has. */
export const TYPES: readonly BuiltInType[] = [
  {
    name: POST,
    base: 'posts',
    labels: { name: 'Posts', singular: 'Post' },
    icon: 'dashicons-admin-post',
    permalink: '/%postname%/',
    draftLink: '/?p=%id%',
    supports: [
      'title',
      'editor',
      'author',
      'thumbnail',
      'excerpt',
      'trackbacks',
      'custom-fields',
      'comments',
      'revisions',
      'post-formats',
      'autosave',
    ],
    also: ['sticky', 'notes'],
    taxonomies: ['category', 'post_tag'],
  },
  {
    name: 'page',
    base: 'pages',
    labels: { name: 'Pages', singular: 'Page' },
    icon: 'dashicons-admin-page',
    permalink: '/%pagename%/',
    draftLink: '/?page_id=%id%',
    hierarchical: true,
    closed: true,
    supports: [
      'title',
      'editor',
      'author',
      'thumbnail',
      'page-attributes',
      'custom-fields',
      'comments',
      'revisions',
      'autosave',
    ],
    also: ['excerpt', 'notes'],
    capabilities: 'page',
    core: true,
  },
  {
    name: 'attachment',
    base: 'media',
    labels: { name: 'Media', singular: 'Media' },
    icon: 'dashicons-admin-media',
    permalink: '/%postname%/',
    draftLink: '/?attachment_id=%id%',
    supports: ['title', 'author', 'comments'],
    capabilities: UPLOADS,
    core: true,
    storage: 'media',
  },
];

/** The type of synced patterns: blocks that several posts show by `<!-- wp:block {"ref":5} /-->`. */
export const SYNCED_PATTERN = 'wp_block';

/** Types that a site has if its content names them: `types: ['wp_block']` in a document, or this definition in code. */
export const OFFERED_TYPES: readonly ContentTypeDefinition[] = [
  {
    name: SYNCED_PATTERN,
    base: 'blocks',
    labels: { name: 'Patterns', singular: 'Pattern' },
    supports: ['title', 'editor', 'excerpt', 'revisions', 'custom-fields'],
    capabilities: { create_posts: 'publish_posts' },
    public: false,
    meta: {
      wp_pattern_sync_status: {
        type: 'string',
        description: 'Whether posts show a pattern as it is or copy it.',
        schema: { type: 'string', enum: ['partial', 'unsynced'] },
      },
    },
  },
];

type BuiltInTaxonomy = TaxonomyDefinition &
  Pick<Taxonomy, 'field' | 'path' | 'hasAncestorsInPath' | 'hasDefault' | 'texts'> & {
    readonly labels: { readonly name: string; readonly singular: string };
  };

/** The taxonomies that every site has. Their routes belong to the core controllers. */
export const TAXONOMIES: readonly BuiltInTaxonomy[] = [
  {
    name: 'category',
    base: 'categories',
    labels: { name: 'Categories', singular: 'Category' },
    hierarchical: true,
    field: 'categories',
    path: 'category',
    hasAncestorsInPath: true,
    hasDefault: true,
    texts: {
      field: 'IDs of the categories of the post.',
      filter: 'Only posts in these categories.',
      exclude: 'Excludes posts in these categories.',
    },
  },
  {
    name: 'post_tag',
    base: 'tags',
    labels: { name: 'Tags', singular: 'Tag' },
    field: 'tags',
    path: 'tag',
    hasAncestorsInPath: false,
    hasDefault: false,
    texts: {
      field: 'IDs of the tags of the post.',
      filter: 'Only posts with these tags.',
      exclude: 'Excludes posts with these tags.',
    },
  },
];

/** What can have meta besides types and taxonomies, with the keys that every site has. */
export const META_OWNERS: Readonly<Record<'user' | 'comment', MetaDefinitions>> = {
  user: {},
  comment: {
    /** Of a reply to a note: what became of the note with it; '' for nothing. */
    _wp_note_status: {
      type: 'string',
      title: '',
      description: 'Note resolution status',
      enum: ['', 'resolved', 'reopen'],
    },
  },
};

/** Path segments of core routes that are not those of a type or taxonomy. */
export const TAKEN_BASES: readonly string[] = [
  'users',
  'comments',
  'types',
  'statuses',
  'taxonomies',
  'settings',
  'search',
  'revisions',
  'autosaves',
];
