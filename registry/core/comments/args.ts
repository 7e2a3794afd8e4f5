import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import {
  contextArg,
  excludeArg,
  ID_LIST,
  includeArg,
  offsetArg,
  orderArg,
  pageArg,
  perPageArg,
  searchArg,
} from '../schemas/list-args.ts';
import { textArg } from '../schemas/text-arg.ts';

/** Parameters of the routes of comments, in the order of the index. */

export const commentIdArg = {
  description: 'ID of the comment.',
  type: 'integer',
} as const satisfies ArgSchema;

export const commentForceArg = {
  description: 'Whether to delete the comment permanently instead of moving it to the trash.',
  type: 'boolean',
  default: false,
} as const satisfies ArgSchema;

export const commentPasswordArg = {
  description: 'Password of the post, if it is protected.',
  type: 'string',
} as const satisfies ArgSchema;

export const commentReadArgs = {
  context: contextArg,
  password: commentPasswordArg,
} as const satisfies ArgSchemas;

/** Query parameters of the list of comments. */
export const commentListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: perPageArg,
  search: searchArg,
  after: { description: 'Only comments published after this date.', type: 'string', format: 'date-time' },
  author: { description: 'Only comments by these users. For moderators.', ...ID_LIST },
  author_exclude: { description: 'Excludes comments by these users. For moderators.', ...ID_LIST },
  author_email: {
    description: 'Only comments with this e-mail address. For moderators.',
    default: null,
    format: 'email',
    type: 'string',
  },
  before: { description: 'Only comments published before this date.', type: 'string', format: 'date-time' },
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg,
  orderby: {
    description: 'Attribute by which the comments are sorted.',
    type: 'string',
    default: 'date_gmt',
    enum: ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'],
  },
  parent: {
    description: 'Only replies to these comments; 0 for comments without a parent.',
    default: [],
    ...ID_LIST,
  },
  parent_exclude: { description: 'Excludes replies to these comments.', default: [], ...ID_LIST },
  post: { description: 'Only comments on these posts.', default: [], ...ID_LIST },
  status: {
    description: 'Only comments with this status. Others than approve are for moderators.',
    default: 'approve',
    type: 'string',
  },
  type: {
    description: 'Only comments of this type. Others than comment are for moderators.',
    default: 'comment',
    type: 'string',
  },
  password: commentPasswordArg,
} as const satisfies ArgSchemas;

/** The writable fields of a comment. */
export const commentWriteArgs = {
  author: { description: 'ID of the user who wrote the comment; 0 for a visitor.', type: 'integer' },
  author_email: { description: 'E-mail address of the author.', type: 'string', format: 'email' },
  author_ip: { description: 'IP address of the author.', type: 'string', format: 'ip' },
  author_name: { description: 'Name of the author.', type: 'string' },
  author_url: { description: 'URL of the author.', type: 'string', format: 'uri' },
  author_user_agent: { description: 'User agent of the author.', type: 'string' },
  content: textArg('Text of the comment.', 'Text'),
  date: {
    description: 'When the comment was published, in the time zone of the site.',
    type: 'string',
    format: 'date-time',
  },
  date_gmt: { description: 'When the comment was published, in GMT.', type: 'string', format: 'date-time' },
  parent: { description: 'ID of the comment that this one replies to.', type: 'integer' },
  post: { description: 'ID of the post.', type: 'integer' },
  status: { description: 'Status of the comment.', type: 'string' },
} as const satisfies ArgSchemas;
