import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';

// Parameters that lists of all kinds share.

/** A list of ids as a parameter. */
export const ID_LIST = { type: 'array', items: { type: 'integer' } } as const;

/** Which fields are shown. */
export const contextArg = {
  description: 'Which fields are shown; view for readers, embed for previews, edit for editors.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
} as const satisfies ArgSchema;

/** The page of a list. */
export const pageArg = {
  description: 'Number of the page to show.',
  type: 'integer',
  default: 1,
  minimum: 1,
} as const;

/** The size of a page. Lists without it return everything. */
export const pageSizeArg = {
  description: 'Number of items on a page.',
  type: 'integer',
  minimum: 1,
  maximum: 100,
} as const;

/** The size of a page of a list, 10 by default. */
export const perPageArg = { ...pageSizeArg, default: 10 } as const;

/** The words of a search. */
export const searchArg = { description: 'Only items that contain these words.', type: 'string' } as const;

/** Ids that a list leaves out. */
export const excludeArg = { description: 'Excludes items with these IDs.', ...ID_LIST, default: [] } as const;

/** The only ids of a list. */
export const includeArg = { description: 'Only items with these IDs.', ...ID_LIST, default: [] } as const;

/** Items that a list skips. */
export const offsetArg = { description: 'Number of items to skip.', type: 'integer' } as const;

/** The direction of a list. */
export const orderArg = {
  description: 'Sort direction: ascending or descending.',
  type: 'string',
  default: 'desc',
  enum: ['asc', 'desc'],
} as const;

/** The first query parameters of lists by name. */
export const namedListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: perPageArg,
  search: searchArg,
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: { ...orderArg, default: 'asc' },
} as const;
