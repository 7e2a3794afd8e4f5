import type { ResourceDescriptor, RouteDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { handledBy } from '../host/contribution.ts';
import {
  contextArg,
  dateArg,
  excludeArg,
  forceArg,
  ID_LIST,
  idArg,
  includeArg,
  offsetArg,
  orderArg,
  orderbyArg,
  pageArg,
  perPageArg,
  searchArg,
  stringArg,
  textArg,
  urlArg,
} from '../schemas/common-args.ts';
import { EDIT, EVERYWHERE, READONLY, toFields, VIEW_EDIT } from '../schemas/fields.ts';

/** Parameters of the routes of comments, in the order of the index. */

const commentIdArg = idArg('ID of the comment.');

const commentForceArg = forceArg(
  'Whether to delete the comment permanently instead of moving it to the trash.',
);

const commentPasswordArg = stringArg('Password of the post, if it is protected.');

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
  after: dateArg('Only comments published after this date.'),
  author: { description: 'Only comments by these users. For moderators.', ...ID_LIST },
  author_exclude: { description: 'Excludes comments by these users. For moderators.', ...ID_LIST },
  author_email: {
    description: 'Only comments with this e-mail address. For moderators.',
    default: null,
    format: 'email',
    type: 'string',
  },
  before: dateArg('Only comments published before this date.'),
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg,
  orderby: orderbyArg('comments', 'date_gmt', [
    'date',
    'date_gmt',
    'id',
    'include',
    'post',
    'parent',
    'type',
  ]),
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
  author: idArg('ID of the user who wrote the comment; 0 for a visitor.'),
  author_email: { description: 'E-mail address of the author.', type: 'string', format: 'email' },
  author_ip: { description: 'IP address of the author.', type: 'string', format: 'ip' },
  author_name: stringArg('Name of the author.'),
  author_url: urlArg('URL of the author.'),
  author_user_agent: stringArg('User agent of the author.'),
  content: textArg('Text of the comment.', 'Text'),
  date: dateArg('When the comment was published, in the time zone of the site.'),
  date_gmt: dateArg('When the comment was published, in GMT.'),
  parent: idArg('ID of the comment that this one replies to.'),
  post: idArg('ID of the post.'),
  status: stringArg('Status of the comment.'),
} as const satisfies ArgSchemas;

/** The order in which WordPress lists the contexts of an avatar. */
const AVATAR_CONTEXTS = ['embed', 'view', 'edit'] as const;

const AVATAR = {
  ...urlArg('URL of an avatar; false for a comment without one.'),
  context: AVATAR_CONTEXTS,
} as const;

const AVATAR_OR_FALSE = {
  description: AVATAR.description,
  oneOf: [{ type: 'string' }, { type: 'boolean', enum: [false] }],
} as const;

const avatars: ArgSchema = {
  description: 'URLs of avatars of the author, by size in pixels.',
  type: 'object',
  ...READONLY,
  properties: { 24: AVATAR, 48: AVATAR, 96: AVATAR },
};

/** Fields and links of a comment. `meta`: the schema of its registered meta. */
function toCommentResource(meta: ArgSchema): ResourceDescriptor {
  return {
    title: 'comment',
    properties: toFields(commentWriteArgs, {
      id: { ...commentIdArg, ...READONLY },
      author: EVERYWHERE,
      author_email: EDIT,
      author_ip: EDIT,
      author_name: EVERYWHERE,
      author_url: EVERYWHERE,
      author_user_agent: EDIT,
      content: EVERYWHERE,
      date: EVERYWHERE,
      date_gmt: VIEW_EDIT,
      link: {
        ...urlArg('URL of the comment.'),
        ...READONLY,
      },
      parent: { ...commentWriteArgs.parent, context: EVERYWHERE, default: 0 },
      post: { ...commentWriteArgs.post, context: VIEW_EDIT, default: 0 },
      status: VIEW_EDIT,
      type: {
        ...stringArg('Type of the comment.'),
        ...READONLY,
        default: 'comment',
      },
      author_avatar_urls: avatars,
      meta: { ...meta, context: VIEW_EDIT },
    }),
    // The recorded OPTIONS does not mention comments whose authors have no address and no avatar.
    answers: {
      author_email: stringArg(commentWriteArgs.author_email.description),
      author_ip: stringArg(commentWriteArgs.author_ip.description),
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

/** Moderators and those who may edit the post change comments. */
const MODERATORS = ['moderate_comments', 'edit_published_posts', 'edit_published_pages'] as const;
/** What visitors write. */
const UNTRUSTED = ['content', 'author_name', 'author_url'] as const;

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
            methods: ['GET'],
            ...handledBy(
              'cms.comments.list',
              'List comments',
              'Returns a page of the approved comments on posts that the caller may read; moderators also find held comments, spam and the trash.',
            ),
            untrusted: UNTRUSTED,
            shows: ['page'],
            cache: SHOWN,
            checks: { search: 'cms.search' },
            args: commentListArgs,
          },
          {
            methods: ['POST'],
            ...handledBy(
              'cms.comments.create',
              'Write a comment',
              'Adds a comment to a post; it is held until a moderator approves it, unless its author was approved before.',
            ),
            needs: ['read'],
            untrusted: UNTRUSTED,
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
            methods: ['GET'],
            ...handledBy(
              'cms.comments.read',
              'Get a comment',
              'Returns a comment with the fields of the context; a comment that is not approved is for its author and moderators.',
            ),
            untrusted: UNTRUSTED,
            shows: ['record'],
            cache: SHOWN,
            args: { id: commentIdArg, ...commentReadArgs },
          },
          {
            methods: ['POST', 'PUT', 'PATCH'],
            ...handledBy(
              'cms.comments.update',
              'Change or moderate a comment',
              'Changes the fields of a comment that are sent, or approves it, holds it, or marks it as spam.',
            ),
            needs: MODERATORS,
            untrusted: UNTRUSTED,
            shows: ['record'],
            ifMatch: true,
            checks: CHECKS,
            args: { id: commentIdArg, ...commentWriteArgs, meta },
            body: { type: {} },
          },
          {
            methods: ['DELETE'],
            ...handledBy(
              'cms.comments.remove',
              'Delete a comment',
              'Moves a comment to the trash, or deletes it permanently and hands its replies to its parent.',
            ),
            needs: MODERATORS,
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
