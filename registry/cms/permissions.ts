import type { Args, Call, Permission, Verdict } from '../../lib/route/call.ts';
import { RestError } from '../../lib/core/errors.ts';
import { can } from '../../lib/core/identity.ts';
import { own } from '../../lib/core/objects.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { thenMaybe, type MaybePromise } from '../../lib/core/maybe-promise.ts';
import type { PostBase } from './context.ts';
import { postError } from './errors.ts';
import { toPost, type PostRecord } from './post-record.ts';
import type { PasswordGuard } from './post-password.ts';
import type { PublishDue } from './schedule.ts';
import { mayDelete, mayEdit, mayRead } from './rights.ts';

const invalidId = (): RestError => postError('rest_post_invalid_id');
const invalidParent = (): RestError => postError('rest_post_invalid_parent');

/** Rights that depend on what is written: a post for another author, or a sticky post. */
function refuseWrite(args: Args, { identity }: Call, verb: 'create' | 'update'): RestError | null {
  const author = Number(args['author'] ?? 0);
  if (author !== 0 && author !== identity.id && !can(identity, 'edit_others_posts')) {
    return postError('rest_cannot_edit_others', { message: `Sorry, you are not allowed to ${verb} posts as this user.` });
  }
  const mayStick = args['sticky'] !== true || can(identity, 'edit_others_posts') || can(identity, 'publish_posts');
  return mayStick ? null : postError('rest_cannot_assign_sticky');
}

function listPosts(args: Args, { identity }: Call): Verdict {
  if (args['context'] !== 'edit' || can(identity, 'edit_posts')) return true;
  return postError('rest_forbidden_context', { message: 'Sorry, you are not allowed to edit posts in this post type.' });
}

function createPost(args: Args, call: Call): Verdict {
  if (args['id'] !== undefined) return postError('rest_post_exists');
  return refuseWrite(args, call, 'create') ?? (can(call.identity, 'edit_posts') ? true : postError('rest_cannot_create'));
}

const message = (text: string): { message: string } => ({ message: `Sorry, you are not allowed to ${text}.` });

/** Returns the reason why the caller must not do this to the current post, or null if it is allowed. */
type Refuse = (call: Call, post: PostRecord, args: Args) => RestError | null;

const refuseRead: Refuse = ({ identity }, post, args) => {
  if (args['context'] === 'edit' && !mayEdit(identity, post)) return postError('rest_forbidden_context');
  return mayRead(identity, post) ? null : postError('rest_forbidden');
};
const refuseEdit: Refuse = ({ identity }, post) => (mayEdit(identity, post) ? null : postError('rest_cannot_edit'));
const refuseUpdate: Refuse = (call, post, args) => refuseEdit(call, post, args) ?? refuseWrite(args, call, 'update');
const refuseRemove: Refuse = ({ identity }, post) => (mayDelete(identity, post) ? null : postError('rest_cannot_delete'));
const refuseReadRevisions: Refuse = ({ identity }, post) => (mayEdit(identity, post) ? null : postError('rest_cannot_read'));
const refuseRemoveRevisions: Refuse = ({ identity }, post) => (
  mayDelete(identity, post) ? null : postError('rest_cannot_delete', message('delete revisions of this post'))
);
const refuseReadAutosaves: Refuse = ({ identity }, post) => (
  mayEdit(identity, post) ? null : postError('rest_cannot_read', message('view autosaves of this post'))
);

/** Throws if the caller must not do this to the current post. For handlers. @throws RestError */
export type Check = (call: Call, post: PostRecord, args: Args) => void;

const toCheck = (refuse: Refuse): Check => (call, post, args) => {
  const refusal = refuse(call, post, args);
  if (refusal !== null) throw refusal;
};

export const checkUpdate = toCheck(refuseUpdate);
export const checkRemove = toCheck(refuseRemove);

type Found = StoredRecord | null;

/** Whether the date of a scheduled post can change how this post looks: it is scheduled itself, or it lists its translations. */
function mayDependOnDue(post: StoredRecord): boolean {
  return post['status'] === 'future' || post['group'] !== 0;
}

/** Permission functions by id. If one names a post, its subject is the post that it checked. */
export function createPostPermissions({ store }: PostBase, { publishDue, passwords }: { publishDue: PublishDue; passwords: PasswordGuard }): Readonly<Record<string, Permission>> {
  const find = (id: unknown): MaybePromise<Found> => thenMaybe(store.get('posts', Number(id)), (post) => {
    if (post === null || !mayDependOnDue(post)) return post;
    // Publishing other posts does not change this one.
    return thenMaybe(publishDue(), () => (post['status'] === 'future' ? store.get('posts', post.id) : post));
  });
  // Loaded once per call: the permissions that `Allow` needs read the same post.
  const load = (call: Call, id: unknown): MaybePromise<Found> => call.once(`post ${String(id)}`, () => find(id));
  const onPost = (param: string, missing: () => RestError, refuse: Refuse) => (args: Args, call: Call): MaybePromise<PostRecord | RestError> => (
    thenMaybe(load(call, own(args, param)), (found) => {
      if (found === null || found['type'] !== 'post') return missing();
      const post = toPost(found);
      return refuse(call, post, args) ?? post;
    })
  );
  const read = onPost('id', invalidId, refuseRead);
  return {
    'cms.posts.list': listPosts,
    'cms.posts.create': createPost,
    'cms.posts.read': (args, call) => thenMaybe(read(args, call), (post) => {
      if (post instanceof RestError) return post;
      // Checked after the right to read, so that nobody can guess the password of a post that is hidden from them.
      return thenMaybe(passwords.check(call, post, args['password']), () => post);
    }),
    'cms.posts.update': onPost('id', invalidId, refuseUpdate),
    'cms.posts.remove': onPost('id', invalidId, refuseRemove),
    'cms.revisions.read': onPost('parent', invalidParent, refuseReadRevisions),
    'cms.revisions.remove': onPost('parent', invalidParent, refuseRemoveRevisions),
    'cms.autosaves.list': onPost('id', invalidParent, refuseReadAutosaves),
    'cms.autosaves.create': onPost('id', invalidId, refuseEdit),
  };
}

/** The post that the permission of this call checked. */
export function subjectPost(call: Call): PostRecord {
  return call.subject as PostRecord;
}
