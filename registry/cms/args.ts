import type { ArgSchema, ArgSchemas } from '../../lib/schema-dialect.ts';

/** Parameters of the post routes (interface.md 2.2 and 4.4), in the order of the index. */

export const POST_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** Statuses that only the list filter takes, after the written ones. */
const FILTER_STATUSES = [
  ...POST_STATUSES, 'trash', 'auto-draft', 'inherit', 'request-pending', 'request-confirmed', 'request-failed', 'request-completed', 'any',
] as const;

export const POST_FORMATS = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const;

const ID_LIST = { type: 'array', items: { type: 'integer' } } as const;

const TERM_ID_LIST = { title: 'Term ID List', description: 'Match terms with the listed IDs.', ...ID_LIST } as const;

const terms = { description: 'Term IDs.', ...ID_LIST, default: [] } as const;

const includeChildren = {
  description: 'Whether to include child terms in the terms limiting the result set.', type: 'boolean', default: false,
} as const;

const operator = {
  description: 'Whether items must be assigned all or any of the specified terms.', type: 'string', enum: ['AND', 'OR'], default: 'OR',
} as const;

const TERM_QUERY = {
  title: 'Term ID Taxonomy Query', description: 'Perform an advanced term query.', type: 'object',
} as const;

export const contextArg = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string', enum: ['view', 'embed', 'edit'], default: 'view',
} as const satisfies ArgSchema;

export const postIdArg = { description: 'Unique identifier for the post.', type: 'integer' } as const satisfies ArgSchema;

export const revisionIdArg = { description: 'Unique identifier for the revision.', type: 'integer' } as const satisfies ArgSchema;

export const revisionParentArg = { description: 'The ID for the parent of the revision.', type: 'integer' } as const satisfies ArgSchema;

export const autosaveParentArg = { description: 'The ID for the parent of the autosave.', type: 'integer' } as const satisfies ArgSchema;

const pageArg = { description: 'Current page of the collection.', type: 'integer', default: 1, minimum: 1 } as const;

const perPageArg = {
  description: 'Maximum number of items to be returned in result set.', type: 'integer', minimum: 1, maximum: 100,
} as const;

const searchArg = { description: 'Limit results to those matching a string.', type: 'string' } as const;

const excludeArg = { description: 'Ensure result set excludes specific IDs.', ...ID_LIST, default: [] } as const;

const includeArg = { description: 'Limit result set to specific IDs.', ...ID_LIST, default: [] } as const;

const offsetArg = { description: 'Offset the result set by a specific number of items.', type: 'integer' } as const;

const orderArg = { description: 'Order sort attribute ascending or descending.', type: 'string', default: 'desc', enum: ['asc', 'desc'] } as const;

/** Query parameters of the post list. */
export const postListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: { ...perPageArg, default: 10 },
  search: searchArg,
  after: { description: 'Limit response to posts published after a given date.', type: 'string', format: 'date-time' },
  modified_after: { description: 'Limit response to posts modified after a given date.', type: 'string', format: 'date-time' },
  before: { description: 'Limit response to posts published before a given date.', type: 'string', format: 'date-time' },
  modified_before: { description: 'Limit response to posts modified before a given date.', type: 'string', format: 'date-time' },
  author: { description: 'Limit result set to posts assigned to specific authors.', ...ID_LIST, default: [] },
  author_exclude: { description: 'Ensure result set excludes posts assigned to specific authors.', ...ID_LIST, default: [] },
  exclude: excludeArg,
  include: includeArg,
  search_semantics: { description: 'How to interpret the search input.', type: 'string', enum: ['exact'] },
  offset: offsetArg,
  order: orderArg,
  orderby: {
    description: 'Sort collection by post attribute.', type: 'string', default: 'date',
    enum: ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
  },
  search_columns: {
    description: 'List of fields in which the search text is looked for.', default: [], type: 'array',
    items: { type: 'string', enum: ['post_title', 'post_content', 'post_excerpt'] },
  },
  slug: { description: 'Limit result set to posts with one or more specific slugs.', type: 'array', items: { type: 'string' } },
  status: {
    description: 'Limit result set to posts assigned one or more statuses.', default: 'publish', type: 'array',
    items: { type: 'string', enum: FILTER_STATUSES },
  },
  tax_relation: {
    description: 'Limit result set based on relationship between multiple taxonomies.', type: 'string', enum: ['AND', 'OR'],
  },
  categories: {
    description: 'Limit result set to items with specific terms assigned in the categories taxonomy.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, include_children: includeChildren, operator }, additionalProperties: false }],
  },
  categories_exclude: {
    description: 'Limit result set to items except those with specific terms assigned in the categories taxonomy.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, include_children: includeChildren }, additionalProperties: false }],
  },
  tags: {
    description: 'Limit result set to items with specific terms assigned in the tags taxonomy.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, operator }, additionalProperties: false }],
  },
  tags_exclude: {
    description: 'Limit result set to items except those with specific terms assigned in the tags taxonomy.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms }, additionalProperties: false }],
  },
  sticky: { description: 'Limit result set to items that are sticky.', type: 'boolean' },
  ignore_sticky: { description: 'Whether to leave sticky posts at their own place instead of first.', type: 'boolean', default: true },
  format: {
    description: 'Limit result set to items assigned one or more given formats.', type: 'array', uniqueItems: true,
    items: { type: 'string', enum: POST_FORMATS },
  },
} as const satisfies ArgSchemas;

/** Query parameters of one post. */
export const postReadArgs = {
  context: contextArg,
  excerpt_length: { description: 'Override the default excerpt length.', type: 'integer' },
  password: { description: 'The password for the post if it is password protected.', type: 'string' },
} as const satisfies ArgSchemas;

/** Query parameters of a list of revisions. */
export const revisionListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: perPageArg,
  search: searchArg,
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg,
  orderby: {
    description: 'Sort collection by object attribute.', type: 'string', default: 'date',
    enum: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
  },
} as const satisfies ArgSchemas;

/** The write fields of a post, all optional. `title`, `content` and `excerpt` also take plain text for `raw`. */
export const postWriteArgs = {
  date: { description: "The date the post was published, in the site's timezone.", type: ['string', 'null'], format: 'date-time' },
  date_gmt: { description: 'The date the post was published, as GMT.', type: ['string', 'null'], format: 'date-time' },
  slug: { description: 'An alphanumeric identifier for the post unique to its type.', type: 'string' },
  status: { description: 'A named status for the post.', type: 'string', enum: POST_STATUSES },
  password: { description: 'A password to protect access to the content and excerpt.', type: 'string' },
  title: {
    description: 'The title for the post.', type: 'object', properties: {
      raw: { description: 'Title for the post, as it exists in the database.', type: 'string', context: ['edit'] },
      rendered: { description: 'HTML title for the post, transformed for display.', type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  content: {
    description: 'The content for the post.', type: 'object', properties: {
      raw: { description: 'Content for the post, as it exists in the database.', type: 'string', context: ['edit'] },
      rendered: { description: 'HTML content for the post, transformed for display.', type: 'string', context: ['view', 'edit'], readonly: true },
      block_version: { description: 'Version of the content block format used by the post.', type: 'integer', context: ['edit'], readonly: true },
      protected: { description: 'Whether the content is protected with a password.', type: 'boolean', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  author: { description: 'The ID for the author of the post.', type: 'integer' },
  excerpt: {
    description: 'The excerpt for the post.', type: 'object', properties: {
      raw: { description: 'Excerpt for the post, as it exists in the database.', type: 'string', context: ['edit'] },
      rendered: { description: 'HTML excerpt for the post, transformed for display.', type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
      protected: { description: 'Whether the excerpt is protected with a password.', type: 'boolean', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  featured_media: { description: 'The ID of the featured media for the post.', type: 'integer' },
  comment_status: { description: 'Whether or not comments are open on the post.', type: 'string', enum: ['open', 'closed'] },
  ping_status: { description: 'Whether or not the post can be pinged.', type: 'string', enum: ['open', 'closed'] },
  format: { description: 'The format for the post.', type: 'string', enum: POST_FORMATS },
  meta: {
    description: 'Meta fields.', type: 'object',
    properties: { footnotes: { title: '', description: 'Footnotes of the post, as JSON text.', type: 'string', default: '' } },
  },
  sticky: { description: 'Whether or not the post should be treated as sticky.', type: 'boolean' },
  template: { description: 'The theme file to use to display the post.', type: 'string' },
  categories: { description: 'The terms assigned to the post in the category taxonomy.', ...ID_LIST },
  tags: { description: 'The terms assigned to the post in the post_tag taxonomy.', ...ID_LIST },
} as const satisfies ArgSchemas;

export const postForceArg = { description: 'Whether to bypass Trash and force deletion.', type: 'boolean', default: false } as const satisfies ArgSchema;

export const revisionForceArg = {
  description: 'Required to be true, as revisions do not support trashing.', type: 'boolean', default: false,
} as const satisfies ArgSchema;
