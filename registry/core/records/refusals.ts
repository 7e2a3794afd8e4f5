import type { RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Refuse as RefuseRecord } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { perKind, type PostKind } from './kind.ts';
import { postError } from './post-errors.ts';
import type { PostRecord } from './post-record.ts';

/** Returns the reason why the caller must not do this to the current post, or null if it is allowed. */
export type Refuse = RefuseRecord<PostRecord>;

const message = (text: string): { message: string } => ({
  message: `Sorry, you are not allowed to ${text}.`,
});

/** Rights that depend on what is written: a post for another author, a sticky post, or terms. */
export function refuseWrite(
  { rights, taxonomies }: Pick<PostKind, 'rights' | 'taxonomies'>,
  { args, identity }: Pick<Call, 'args' | 'identity'>,
  verb: 'create' | 'update',
): RestError | null {
  const author = Number(args['author'] ?? 0);
  if (author !== 0 && author !== identity.id && !rights.has(identity, 'edit_others_posts'))
    return postError('rest_cannot_edit_others', message(`${verb} posts as this user`));
  const mayStick =
    args['sticky'] !== true ||
    rights.has(identity, 'edit_others_posts') ||
    rights.has(identity, 'publish_posts');
  if (!mayStick) return postError('rest_cannot_assign_sticky');
  const assigns = taxonomies.some(
    ({ base, capabilities }) => own(args, base) !== undefined && !can(identity, capabilities.assign_terms),
  );
  return assigns && rights.has(identity, 'edit_posts') ? postError('rest_cannot_assign_term') : null;
}

/** The refusals of a type, by what the caller wants to do. */
export const refusalsOf = perKind((kind) => {
  const { rights } = kind;
  const edit: Refuse = ({ identity }, post) =>
    rights.mayEdit(identity, post) ? null : postError('rest_cannot_edit');
  return {
    read: ({ identity }, post, args) => {
      if (args['context'] === 'edit' && !rights.mayEdit(identity, post))
        return postError('rest_forbidden_context');
      return rights.mayRead(identity, post) ? null : postError('rest_forbidden');
    },
    edit,
    update: (call, post, args) =>
      edit(call, post, args) ?? refuseWrite(kind, { args, identity: call.identity }, 'update'),
    remove: ({ identity }, post) =>
      rights.mayDelete(identity, post) ? null : postError('rest_cannot_delete'),
    readRevisions: ({ identity }, post) =>
      rights.mayEdit(identity, post) ? null : postError('rest_cannot_read'),
    removeRevisions: ({ identity }, post) =>
      rights.mayDelete(identity, post)
        ? null
        : postError('rest_cannot_delete', message('delete revisions of this post')),
    readAutosaves: ({ identity }, post) =>
      rights.mayEdit(identity, post)
        ? null
        : postError('rest_cannot_read', message('view autosaves of this post')),
  } satisfies Readonly<Record<string, Refuse>>;
});
