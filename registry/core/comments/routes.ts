import type {
  EndpointDescriptor,
  Method,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
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
  textArg,
} from '../schemas/common-args.ts';

/** Parameters of the routes of comments, in the order of the index. */

const commentIdArg = {
  description: 'ID of the comment.',
  type: 'integer',
} as const satisfies ArgSchema;

const commentForceArg = {
  description: 'Whether to delete the comment permanently instead of moving it to the trash.',
  type: 'boolean',
  default: false,
} as const satisfies ArgSchema;

const commentPasswordArg = {
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

const EVERYWHERE = ['view', 'edit', 'embed'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;
/** The order in which WordPress lists the contexts of an avatar. */
const AVATAR_CONTEXTS = ['embed', 'view', 'edit'] as const;

const AVATAR = {
  description: 'URL of an avatar; false for a comment without one.',
  type: 'string',
  format: 'uri',
  context: AVATAR_CONTEXTS,
} as const;

const AVATAR_OR_FALSE = {
  description: AVATAR.description,
  oneOf: [{ type: 'string' }, { type: 'boolean', enum: [false] }],
} as const;

const avatars: ArgSchema = {
  description: 'URLs of avatars of the author, by size in pixels.',
  type: 'object',
  context: EVERYWHERE,
  readonly: true,
  properties: { 24: AVATAR, 48: AVATAR, 96: AVATAR },
};

/** Fields and links of a comment. `meta`: the schema of its registered meta. */
function toCommentResource(meta: ArgSchema): ResourceDescriptor {
  return {
    title: 'comment',
    properties: {
      id: { description: 'ID of the comment.', type: 'integer', context: EVERYWHERE, readonly: true },
      author: { ...commentWriteArgs.author, context: EVERYWHERE },
      author_email: { ...commentWriteArgs.author_email, context: EDIT },
      author_ip: { ...commentWriteArgs.author_ip, context: EDIT },
      author_name: { ...commentWriteArgs.author_name, context: EVERYWHERE },
      author_url: { ...commentWriteArgs.author_url, context: EVERYWHERE },
      author_user_agent: { ...commentWriteArgs.author_user_agent, context: EDIT },
      content: { ...commentWriteArgs.content, context: EVERYWHERE },
      date: { ...commentWriteArgs.date, context: EVERYWHERE },
      date_gmt: { ...commentWriteArgs.date_gmt, context: VIEW_EDIT },
      link: {
        description: 'URL of the comment.',
        type: 'string',
        format: 'uri',
        context: EVERYWHERE,
        readonly: true,
      },
      parent: { ...commentWriteArgs.parent, context: EVERYWHERE, default: 0 },
      post: { ...commentWriteArgs.post, context: VIEW_EDIT, default: 0 },
      status: { ...commentWriteArgs.status, context: VIEW_EDIT },
      type: {
        description: 'Type of the comment.',
        type: 'string',
        context: EVERYWHERE,
        readonly: true,
        default: 'comment',
      },
      author_avatar_urls: avatars,
      meta: { ...meta, context: VIEW_EDIT },
    },
    // The recorded OPTIONS does not mention comments whose authors have no address and no avatar.
    answers: {
      author_email: { description: commentWriteArgs.author_email.description, type: 'string' },
      author_ip: { description: commentWriteArgs.author_ip.description, type: 'string' },
      author_avatar_urls: {
        ...avatars,
        properties: { 24: AVATAR_OR_FALSE, 48: AVATAR_OR_FALSE, 96: AVATAR_OR_FALSE },
      },
    },
    links: {
      self: { href: '/cms/v2/comments/{id}' },
      collection: { href: '/cms/v2/comments' },
      author: { href: '/cms/v2/users/{author}', embeddable: true },
    },
  };
}

/** The collections that a response about comments depends on. */
const SHOWN = ['comments', 'posts', 'terms', 'users', 'options'] as const;
const CHECKS = { meta: 'cms.meta', author_email: 'cms.comments.email' } as const;

const TEXTS = {
  list: [
    'List comments',
    'Returns a page of the approved comments on posts that the caller may read; moderators also find held comments, spam and the trash.',
  ],
  create: [
    'Write a comment',
    'Adds a comment to a post; it is held until a moderator approves it, unless its author was approved before.',
  ],
  read: [
    'Get a comment',
    'Returns a comment with the fields of the context; a comment that is not approved is for its author and moderators.',
  ],
  update: [
    'Change or moderate a comment',
    'Changes the fields of a comment that are sent, or approves it, holds it, or marks it as spam.',
  ],
  remove: [
    'Delete a comment',
    'Moves a comment to the trash, or deletes it permanently and hands its replies to its parent.',
  ],
} as const;

type CommentAction = keyof typeof TEXTS;

/** Moderators and those who may edit the post change comments. */
const MODERATORS = ['moderate_comments', 'edit_published_posts', 'edit_published_pages'] as const;
const NEEDS: Readonly<Record<CommentAction, Pick<EndpointDescriptor, 'needs'>>> = {
  list: {},
  create: { needs: ['read'] },
  read: {},
  update: { needs: MODERATORS },
  remove: { needs: MODERATORS },
};

function act(action: CommentAction, ...methods: readonly Method[]): Omit<EndpointDescriptor, 'args'> {
  const [summary, description] = TEXTS[action];
  return {
    methods,
    handler: `cms.comments.${action}`,
    permission: `cms.comments.${action}`,
    ...NEEDS[action],
    ...(action === 'remove' ? {} : { untrusted: ['content', 'author_name', 'author_url'] }),
    summary,
    description,
  };
}

/** Routes and resource of comments. `meta`: the schema of their registered meta. */
export function describeComments(meta: ArgSchema): {
  readonly routes: readonly RouteDescriptor[];
  readonly resource: ResourceDescriptor;
} {
  const { parent, post } = commentWriteArgs;
  const create = {
    ...commentWriteArgs,
    parent: { ...parent, default: 0 },
    post: { ...post, default: 0 },
    meta,
  };
  return {
    routes: [
      {
        pattern: '/cms/v2/comments',
        resource: 'comment',
        endpoints: [
          {
            ...act('list', 'GET'),
            shows: ['page'],
            cache: SHOWN,
            checks: { search: 'cms.search' },
            args: commentListArgs,
          },
          {
            ...act('create', 'POST'),
            shows: ['record'],
            status: 201,
            checks: CHECKS,
            args: create,
            body: { id: {}, type: {}, password: commentPasswordArg },
          },
        ],
      },
      {
        pattern: '/cms/v2/comments/(?P<id>[\\d]+)',
        resource: 'comment',
        endpoints: [
          {
            ...act('read', 'GET'),
            shows: ['record'],
            cache: SHOWN,
            args: { id: commentIdArg, ...commentReadArgs },
          },
          {
            ...act('update', 'POST', 'PUT', 'PATCH'),
            shows: ['record'],
            ifMatch: true,
            checks: CHECKS,
            args: { id: commentIdArg, ...commentWriteArgs, meta },
            body: { type: {} },
          },
          {
            ...act('remove', 'DELETE'),
            shows: ['record', 'removal'],
            ifMatch: true,
            args: { id: commentIdArg, force: commentForceArg, password: commentPasswordArg },
          },
        ],
      },
    ],
    resource: toCommentResource(meta),
  };
}
