import { perObject } from '../../../lib/core/objects.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { Taxonomy } from '../model/content-type.ts';
import {
  contextArg,
  dateArg,
  excludeArg,
  flagArg,
  forceArg,
  ID_LIST,
  idArg,
  includeArg,
  offsetArg,
  orderArg,
  orderbyArg,
  pageArg,
  pageSizeArg,
  perPageArg,
  searchArg,
  stringArg,
  TEXT_LIST,
  textArg,
} from './common-args.ts';
import { EDIT, READONLY, READONLY_VIEW_EDIT, READONLY_EDIT } from './fields.ts';

/** Parameters of the post routes, in the order of the index. */

export const POST_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** Statuses that a stored post can have: first those that a caller can set, then those that only the site sets. */
export const STORED_STATUSES = [...POST_STATUSES, 'trash', 'auto-draft', 'inherit'] as const;

/** Statuses that the list filter accepts. */
const FILTER_STATUSES = [
  ...STORED_STATUSES,
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
] as const;

export const POST_FORMATS = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;

const TERM_ID_LIST = { title: 'Term ID List', description: 'List of term IDs.', ...ID_LIST } as const;

const terms = { description: 'Term IDs.', ...ID_LIST, default: [] } as const;

const includeChildren = {
  description: 'Whether child terms are included.',
  type: 'boolean',
  default: false,
} as const;

const operator = {
  description: 'Whether a post must have all of the terms or any of them.',
  type: 'string',
  enum: ['AND', 'OR'],
  default: 'OR',
} as const;

const TERM_QUERY = {
  title: 'Term ID Taxonomy Query',
  description: 'Term IDs and how they are matched.',
  type: 'object',
} as const;

export const postIdArg = idArg('ID of the post.');

export const revisionIdArg = idArg('ID of the revision.');

export const revisionParentArg = idArg('ID of the post that the revision belongs to.');

export const autosaveParentArg = idArg('ID of the post that the autosave belongs to.');

export const autosaveIdArg = idArg('ID of the autosave.');

/** The orders that posts and files have. */
export const POST_ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const;

/** Query parameters of post lists. `describe-kind.ts` selects those of a type. */
export const postListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: perPageArg,
  search: searchArg,
  after: dateArg('Only posts published after this date.'),
  modified_after: dateArg('Only posts changed after this date.'),
  before: dateArg('Only posts published before this date.'),
  modified_before: dateArg('Only posts changed before this date.'),
  author: { description: 'Only posts by these authors.', ...ID_LIST, default: [] },
  author_exclude: { description: 'Excludes posts by these authors.', ...ID_LIST, default: [] },
  exclude: excludeArg,
  include: includeArg,
  menu_order: { description: 'Only posts with this position among their siblings.', type: 'integer' },
  search_semantics: {
    description: 'How the search text is matched. With exact, a whole field must equal it.',
    type: 'string',
    enum: ['exact'],
  },
  offset: offsetArg,
  order: orderArg,
  orderby: orderbyArg('posts', 'date', [...POST_ORDERS, 'menu_order']),
  parent: {
    description: 'Only posts below these parents; 0 for posts without a parent.',
    ...ID_LIST,
    default: [],
  },
  parent_exclude: { description: 'Excludes posts below these parents.', ...ID_LIST, default: [] },
  search_columns: {
    description: 'Fields to search in.',
    default: [],
    type: 'array',
    items: { type: 'string', enum: ['post_title', 'post_content', 'post_excerpt'] },
  },
  slug: { description: 'Only posts with one of these slugs.', ...TEXT_LIST },
  status: {
    description: 'Only posts with one of these statuses.',
    default: 'publish',
    type: 'array',
    items: { type: 'string', enum: FILTER_STATUSES },
  },
  tax_relation: {
    description: 'Whether posts must match the filters of all taxonomies or of any of them.',
    type: 'string',
    enum: ['AND', 'OR'],
  },
  sticky: flagArg('Whether to list only sticky posts (true) or only posts that are not sticky (false).'),
  ignore_sticky: {
    description: 'Whether sticky posts are sorted like all other posts instead of coming first.',
    type: 'boolean',
    default: true,
  },
  format: {
    description: 'Only posts with one of these formats.',
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: POST_FORMATS },
  },
} as const satisfies ArgSchemas;

/** The list filters of a taxonomy, by name. Terms below the given ones exist in hierarchical taxonomies only. */
export const toTermFilters = perObject(
  ({ base, hierarchical, texts }: Pick<Taxonomy, 'base' | 'hierarchical' | 'texts'>): ArgSchemas => {
    const children = hierarchical ? { include_children: includeChildren } : {};
    const toFilter = (description: string, properties: ArgSchemas): ArgSchema => ({
      description,
      type: ['object', 'array'],
      oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties, additionalProperties: false }],
    });
    return {
      [base]: toFilter(texts.filter, { terms, ...children, operator }),
      [`${base}_exclude`]: toFilter(texts.exclude, { terms, ...children }),
    };
  },
);

/** The terms of a post in a taxonomy. */
export const toTermField = perObject(({ texts }: Pick<Taxonomy, 'texts'>): ArgSchema => ({
  description: texts.field,
  ...ID_LIST,
}));

/** Query parameters of one post. */
export const postReadArgs = {
  context: contextArg,
  excerpt_length: {
    description: 'Length of automatic excerpts in words. Overrides the default.',
    type: 'integer',
  },
  password: stringArg('Password of a protected post.'),
} as const satisfies ArgSchemas;

/** Query parameters of a list of revisions. */
export const revisionListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: pageSizeArg,
  search: searchArg,
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg,
  orderby: orderbyArg('revisions', 'date', [
    'date',
    'id',
    'include',
    'relevance',
    'slug',
    'include_slugs',
    'title',
  ]),
} as const satisfies ArgSchemas;

const EXCERPT = textArg('Excerpt of the post.', 'Excerpt');

/** The writable fields of posts, all optional. Each type has some of them. `title`, `content` and `excerpt` also accept plain text in place of `raw`. */
export const postWriteArgs = {
  date: {
    description: 'When the post was or will be published, in the time zone of the site.',
    type: ['string', 'null'],
    format: 'date-time',
  },
  date_gmt: {
    description: 'When the post was or will be published, in GMT.',
    type: ['string', 'null'],
    format: 'date-time',
  },
  slug: stringArg('Slug of the post, unique among posts of its type and language.'),
  status: { description: 'Status of the post.', type: 'string', enum: POST_STATUSES },
  password: stringArg('Password that protects the content and the excerpt.'),
  parent: idArg('ID of the parent of the post; 0 for none.'),
  title: textArg('Title of the post.', 'Title'),
  content: {
    description: 'Content of the post.',
    type: 'object',
    properties: {
      raw: { ...stringArg('Content as it was written.'), context: EDIT },
      rendered: {
        ...stringArg('Content as HTML, ready for display.'),
        ...READONLY_VIEW_EDIT,
      },
      block_version: {
        description: 'Version of the block format of the content; 0 if it has no blocks.',
        type: 'integer',
        ...READONLY_EDIT,
      },
      protected: {
        ...flagArg('Whether a password is needed for the content.'),
        ...READONLY,
      },
    },
  },
  author: idArg('ID of the author.'),
  excerpt: {
    ...EXCERPT,
    properties: {
      ...EXCERPT.properties,
      protected: {
        ...flagArg('Whether a password is needed for the excerpt.'),
        ...READONLY,
      },
    },
  },
  featured_media: idArg('ID of the featured image; 0 for none.'),
  comment_status: {
    description: 'Whether readers can comment on the post.',
    type: 'string',
    enum: ['open', 'closed'],
  },
  ping_status: {
    description: 'Whether other sites can notify the post of links to it.',
    type: 'string',
    enum: ['open', 'closed'],
  },
  menu_order: { description: 'Position of the post among its siblings.', type: 'integer' },
  format: { description: 'Format of the post.', type: 'string', enum: POST_FORMATS },
  meta: {
    description: 'Meta fields of the post.',
    type: 'object',
    properties: {
      footnotes: {
        title: '',
        description: 'Footnotes of the post, as JSON text.',
        type: 'string',
        default: '',
      },
    },
  },
  sticky: flagArg('Whether the post is sticky.'),
  template: stringArg('Theme file that renders the post; empty for the default.'),
} as const satisfies ArgSchemas;

export const postForceArg = forceArg(
  'Whether to delete the post permanently instead of moving it to the trash.',
);

export const revisionForceArg = forceArg('Must be true: revisions cannot be moved to the trash.');
