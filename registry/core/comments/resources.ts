import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { commentWriteArgs } from './args.ts';

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
export function toCommentResource(meta: ArgSchema): ResourceDescriptor {
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
