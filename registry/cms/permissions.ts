import type { Args, Call, Permission } from '../../lib/call.ts';
import type { RestError } from '../../lib/errors.ts';
import { can } from '../../lib/identity.ts';
import type { PostBase } from './context.ts';
import { postError } from './errors.ts';
import { toPost, type PostRecord } from './post-record.ts';
import type { PasswordGuard } from './post-password.ts';
import type { PublishDue } from './schedule.ts';
import { mayDelete, mayEdit, mayRead } from './rights.ts';

/** @throws RestError the given error when there is no such post. */
export async function loadPost({ store }: PostBase, call: Call, { id, missing }: { id: unknown; missing: () => RestError }): Promise<PostRecord> {
  const found = await call.once(`post ${String(id)}`, () => store.get('posts', Number(id)));
  if (found === null || found['type'] !== 'post') throw missing();
  return toPost(found);
}

const invalidId = (): RestError => postError('rest_post_invalid_id');
const invalidParent = (): RestError => postError('rest_post_invalid_parent');

/** Rights that depend on what is written: for another author, or to the top of the list (BEHAVIOUR.md 7 and 8). */
function checkWrite(args: Args, call: Call, verb: 'create' | 'update'): void {
  const { identity } = call;
  const author = Number(args['author'] ?? 0);
  if (author !== 0 && author !== identity.id && !can(identity, 'edit_others_posts')) {
    throw postError('rest_cannot_edit_others', { message: `Sorry, you are not allowed to ${verb} posts as this user.` });
  }
  if (args['sticky'] === true && !can(identity, 'edit_others_posts') && !can(identity, 'publish_posts')) throw postError('rest_cannot_assign_sticky');
}

function listPosts(args: Args, call: Call): void {
  if (args['context'] === 'edit' && !can(call.identity, 'edit_posts')) {
    throw postError('rest_forbidden_context', { message: 'Sorry, you are not allowed to edit posts in this post type.' });
  }
}

function createPost(args: Args, call: Call): void {
  if (args['id'] !== undefined) throw postError('rest_post_exists');
  checkWrite(args, call, 'create');
  if (!can(call.identity, 'edit_posts')) throw postError('rest_cannot_create');
}

const message = (text: string): { message: string } => ({ message: `Sorry, you are not allowed to ${text}.` });

/** Whether the caller may do this to the post as it is. @throws RestError */
export type Check = (call: Call, post: PostRecord, args: Args) => void;

const checkRead: Check = (call, post, args) => {
  if (args['context'] === 'edit' && !mayEdit(call.identity, post)) throw postError('rest_forbidden_context');
  if (!mayRead(call.identity, post)) throw postError('rest_forbidden');
};
const checkEdit: Check = (call, post) => {
  if (!mayEdit(call.identity, post)) throw postError('rest_cannot_edit');
};
export const checkUpdate: Check = (call, post, args) => {
  checkEdit(call, post, args);
  checkWrite(args, call, 'update');
};
export const checkRemove: Check = (call, post) => {
  if (!mayDelete(call.identity, post)) throw postError('rest_cannot_delete');
};
const checkReadRevisions: Check = (call, post) => {
  if (!mayEdit(call.identity, post)) throw postError('rest_cannot_read');
};
const checkRemoveRevisions: Check = (call, post) => {
  if (!mayDelete(call.identity, post)) throw postError('rest_cannot_delete', message('delete revisions of this post'));
};
const checkReadAutosaves: Check = (call, post) => {
  if (!mayEdit(call.identity, post)) throw postError('rest_cannot_read', message('view autosaves of this post'));
};

/** Permission functions by id. The subject of each that names a post is the post that was checked. */
export function createPostPermissions(context: PostBase, { publishDue, passwords }: { publishDue: PublishDue; passwords: PasswordGuard }): Readonly<Record<string, Permission>> {
  const onPost = (param: string, missing: () => RestError, check: Check): Permission => async (args, call) => {
    // Once a call: what it writes itself does not make another post due.
    await call.once('due posts', publishDue);
    const post = await loadPost(context, call, { id: args[param], missing });
    check(call, post, args);
    return post;
  };
  const read = onPost('id', invalidId, checkRead);
  return {
    'cms.posts.list': listPosts,
    'cms.posts.create': createPost,
    'cms.posts.read': async (args, call) => {
      const post = await read(args, call) as PostRecord;
      // After the right to read, so that nobody can try passwords of posts that are hidden from them.
      await passwords.check(call, post, args['password']);
      return post;
    },
    'cms.posts.update': onPost('id', invalidId, checkUpdate),
    'cms.posts.remove': onPost('id', invalidId, checkRemove),
    'cms.revisions.read': onPost('parent', invalidParent, checkReadRevisions),
    'cms.revisions.remove': onPost('parent', invalidParent, checkRemoveRevisions),
    'cms.autosaves.list': onPost('id', invalidParent, checkReadAutosaves),
    'cms.autosaves.create': onPost('id', invalidId, checkEdit),
  };
}

/** The post that the permission of this call checked. */
export function subjectPost(call: Call): PostRecord {
  return call.subject as PostRecord;
}
