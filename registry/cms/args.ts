import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';

/** Parameters of the post routes, in the order of the index. */

export const POST_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** Statuses that a stored post can have: those that are written, then those that the site gives. */
export const STORED_STATUSES = [...POST_STATUSES, 'trash', 'auto-draft', 'inherit'] as const;

/** Statuses that the list filter takes. */
const FILTER_STATUSES = [
  ...STORED_STATUSES, 'request-pending', 'request-confirmed', 'request-failed', 'request-completed', 'any',
] as const;

export const POST_FORMATS = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'] as const;

const ID_LIST = { type: 'array', items: { type: 'integer' } } as const;

const TERM_ID_LIST = { title: 'Term ID List', description: 'List of term IDs.', ...ID_LIST } as const;

const terms = { description: 'Term IDs.', ...ID_LIST, default: [] } as const;

const includeChildren = {
  description: 'Whether the children of the terms count as well.', type: 'boolean', default: false,
} as const;

const operator = {
  description: 'Whether all of the terms are needed or any.', type: 'string', enum: ['AND', 'OR'], default: 'OR',
} as const;

const TERM_QUERY = {
  title: 'Term ID Taxonomy Query', description: 'Term IDs together with how they are matched.', type: 'object',
} as const;

export const contextArg = {
  description: 'Which fields are shown: view for readers, embed for previews, edit for editors.',
  type: 'string', enum: ['view', 'embed', 'edit'], default: 'view',
} as const satisfies ArgSchema;

export const postIdArg = { description: 'ID of the post.', type: 'integer' } as const satisfies ArgSchema;

export const revisionIdArg = { description: 'ID of the revision.', type: 'integer' } as const satisfies ArgSchema;

export const revisionParentArg = { description: 'ID of the post that the revision belongs to.', type: 'integer' } as const satisfies ArgSchema;

export const autosaveParentArg = { description: 'ID of the post that the autosave belongs to.', type: 'integer' } as const satisfies ArgSchema;

const pageArg = { description: 'Number of the page to show.', type: 'integer', default: 1, minimum: 1 } as const;

const perPageArg = {
  description: 'Number of items on a page.', type: 'integer', minimum: 1, maximum: 100,
} as const;

const searchArg = { description: 'Only items that hold these words.', type: 'string' } as const;

const excludeArg = { description: 'No items with these IDs.', ...ID_LIST, default: [] } as const;

const includeArg = { description: 'Only items with these IDs.', ...ID_LIST, default: [] } as const;

const offsetArg = { description: 'Number of items to skip.', type: 'integer' } as const;

const orderArg = { description: 'Direction of the order: ascending or descending.', type: 'string', default: 'desc', enum: ['asc', 'desc'] } as const;

/** Query parameters of the post list. */
export const postListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: { ...perPageArg, default: 10 },
  search: searchArg,
  after: { description: 'Only posts published after this date.', type: 'string', format: 'date-time' },
  modified_after: { description: 'Only posts changed after this date.', type: 'string', format: 'date-time' },
  before: { description: 'Only posts published before this date.', type: 'string', format: 'date-time' },
  modified_before: { description: 'Only posts changed before this date.', type: 'string', format: 'date-time' },
  author: { description: 'Only posts by these authors.', ...ID_LIST, default: [] },
  author_exclude: { description: 'No posts by these authors.', ...ID_LIST, default: [] },
  exclude: excludeArg,
  include: includeArg,
  search_semantics: { description: 'How the search text is matched; exact: a whole field must equal it.', type: 'string', enum: ['exact'] },
  offset: offsetArg,
  order: orderArg,
  orderby: {
    description: 'What the posts are ordered by.', type: 'string', default: 'date',
    enum: ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
  },
  search_columns: {
    description: 'Fields in which the search text is looked for.', default: [], type: 'array',
    items: { type: 'string', enum: ['post_title', 'post_content', 'post_excerpt'] },
  },
  slug: { description: 'Only posts with one of these slugs.', type: 'array', items: { type: 'string' } },
  status: {
    description: 'Only posts with one of these statuses.', default: 'publish', type: 'array',
    items: { type: 'string', enum: FILTER_STATUSES },
  },
  tax_relation: {
    description: 'Whether posts must fit the filters of all taxonomies or of any.', type: 'string', enum: ['AND', 'OR'],
  },
  categories: {
    description: 'Only posts in these categories.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, include_children: includeChildren, operator }, additionalProperties: false }],
  },
  categories_exclude: {
    description: 'No posts in these categories.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, include_children: includeChildren }, additionalProperties: false }],
  },
  tags: {
    description: 'Only posts with these tags.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms, operator }, additionalProperties: false }],
  },
  tags_exclude: {
    description: 'No posts with these tags.', type: ['object', 'array'],
    oneOf: [TERM_ID_LIST, { ...TERM_QUERY, properties: { terms }, additionalProperties: false }],
  },
  sticky: { description: 'Only sticky posts, or none of them.', type: 'boolean' },
  ignore_sticky: { description: 'Whether sticky posts stay at their own place in the order; if not, they come first.', type: 'boolean', default: true },
  format: {
    description: 'Only posts with one of these formats.', type: 'array', uniqueItems: true,
    items: { type: 'string', enum: POST_FORMATS },
  },
} as const satisfies ArgSchemas;

/** Query parameters of one post. */
export const postReadArgs = {
  context: contextArg,
  excerpt_length: { description: 'Length of automatic excerpts, in words, in place of the usual one.', type: 'integer' },
  password: { description: 'Password of a protected post.', type: 'string' },
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
    description: 'What the revisions are ordered by.', type: 'string', default: 'date',
    enum: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
  },
} as const satisfies ArgSchemas;

/** The write fields of a post, all optional. `title`, `content` and `excerpt` also take plain text for `raw`. */
export const postWriteArgs = {
  date: { description: 'When the post was or will be published, in the time of the site.', type: ['string', 'null'], format: 'date-time' },
  date_gmt: { description: 'When the post was or will be published, in GMT.', type: ['string', 'null'], format: 'date-time' },
  slug: { description: 'Name of the post in its address, unique among posts of its type and language.', type: 'string' },
  status: { description: 'Status of the post.', type: 'string', enum: POST_STATUSES },
  password: { description: 'Password that readers need for content and excerpt.', type: 'string' },
  title: {
    description: 'Title of the post.', type: 'object', properties: {
      raw: { description: 'Title as it was written.', type: 'string', context: ['edit'] },
      rendered: { description: 'Title as HTML, ready to be shown.', type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  content: {
    description: 'Content of the post.', type: 'object', properties: {
      raw: { description: 'Content as it was written.', type: 'string', context: ['edit'] },
      rendered: { description: 'Content as HTML, ready to be shown.', type: 'string', context: ['view', 'edit'], readonly: true },
      block_version: { description: 'Version of the block format in which the content is written; 0: no blocks.', type: 'integer', context: ['edit'], readonly: true },
      protected: { description: 'Whether a password is needed for the content.', type: 'boolean', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  author: { description: 'ID of the author.', type: 'integer' },
  excerpt: {
    description: 'Excerpt of the post.', type: 'object', properties: {
      raw: { description: 'Excerpt as it was written.', type: 'string', context: ['edit'] },
      rendered: { description: 'Excerpt as HTML, ready to be shown.', type: 'string', context: ['view', 'edit', 'embed'], readonly: true },
      protected: { description: 'Whether a password is needed for the excerpt.', type: 'boolean', context: ['view', 'edit', 'embed'], readonly: true },
    },
  },
  featured_media: { description: 'ID of the picture that stands for the post; 0: none.', type: 'integer' },
  comment_status: { description: 'Whether readers can comment on the post.', type: 'string', enum: ['open', 'closed'] },
  ping_status: { description: 'Whether other sites can notify the post of links to it.', type: 'string', enum: ['open', 'closed'] },
  format: { description: 'Format of the post.', type: 'string', enum: POST_FORMATS },
  meta: {
    description: 'Further fields of the post.', type: 'object',
    properties: { footnotes: { title: '', description: 'Footnotes of the post, as JSON text.', type: 'string', default: '' } },
  },
  sticky: { description: 'Whether the post is sticky.', type: 'boolean' },
  template: { description: 'Theme file that shows the post; empty: the usual one.', type: 'string' },
  categories: { description: 'IDs of the categories of the post.', ...ID_LIST },
  tags: { description: 'IDs of the tags of the post.', ...ID_LIST },
} as const satisfies ArgSchemas;

export const postForceArg = { description: 'Whether the post is deleted for good instead of going to the trash.', type: 'boolean', default: false } as const satisfies ArgSchema;

export const revisionForceArg = {
  description: 'Must be true: revisions have no trash and are deleted for good.', type: 'boolean', default: false,
} as const satisfies ArgSchema;
