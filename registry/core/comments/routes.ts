import type {
  EndpointDescriptor,
  Method,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import {
  commentForceArg,
  commentIdArg,
  commentListArgs,
  commentPasswordArg,
  commentReadArgs,
  commentWriteArgs,
} from './args.ts';
import { toCommentResource } from './resources.ts';

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
