import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { contextArg, ID_LIST, postListArgs } from '../args.ts';

/** Parameters of the routes of media, in the order of the index. */

/** Media that are attached to a post have the status of that post. */
export const MEDIA_STATUSES = ['inherit', 'private', 'trash'] as const;

export const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

export const mediaIdArg = { description: 'ID of the file.', type: 'integer' } as const satisfies ArgSchema;

export const mediaReadArgs = { context: contextArg } as const satisfies ArgSchemas;

const {
  context, page, per_page, search, after, modified_after, author, author_exclude, before, modified_before, exclude, include, search_semantics,
  offset, order, search_columns, slug,
} = postListArgs;

/** Query parameters of the list of media. */
export const mediaListArgs = {
  context, page, per_page, search, after, modified_after, author, author_exclude, before, modified_before, exclude, include, search_semantics, offset, order,
  orderby: {
    description: 'Attribute by which the posts are sorted.', type: 'string', default: 'date',
    enum: ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
  },
  parent: { description: 'Only files that are attached to these posts; 0 for files without a post.', ...ID_LIST, default: [] },
  parent_exclude: { description: 'Excludes files that are attached to these posts.', ...ID_LIST, default: [] },
  search_columns, slug,
  status: { description: 'Only files with one of these statuses.', type: 'array', default: 'inherit', items: { type: 'string', enum: MEDIA_STATUSES } },
  media_type: { description: 'Only files of these kinds.', type: 'array', default: null, items: { type: 'string', enum: MEDIA_TYPES } },
  mime_type: { description: 'Only files of these media types.', type: 'array', default: null, items: { type: 'string' } },
} as const satisfies ArgSchemas;
