import type { Args, Call, Permission } from '../../lib/call.ts';
import type { RestError } from '../../lib/errors.ts';
import { can } from '../../lib/identity.ts';
import type { PostContext } from './context.ts';
import { postError } from './errors.ts';
import { toPost, type PostRecord } from './post-record.ts';
import { checkPassword } from './post-password.ts';
import type { PublishDue } from './schedule.ts';
import { mayDelete, mayEdit, mayRead } from './rights.ts';

/** @throws RestError the given error when there is no such post. */
export async function loadPost({ store }: PostContext, call: Call, { id, missing }: { id: unknown; missing: RestError }): Promise<PostRecord> {
  const found = await call.once(`post ${String(id)}`, () => store.get('posts', Number(id)));
  if (found === null || found['type'] !== 'post') throw missing;
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

/** Permission functions by id. The subject of each is the post that was checked. */
export function createPostPermissions(context: PostContext, publishDue: PublishDue): Readonly<Record<string, Permission>> {
  const parentOf = (args: Args, call: Call, right: (post: PostRecord) => void): Promise<PostRecord> => (
    loadPost(context, call, { id: args['parent'], missing: invalidParent() }).then((post) => (right(post), post))
  );
  return {
    'cms.posts.list': listPosts,
    'cms.posts.create': createPost,
    'cms.posts.read': async (args, call) => {
      await publishDue();
      const post = await loadPost(context, call, { id: args['id'], missing: invalidId() });
      if (args['context'] === 'edit' && !mayEdit(call.identity, post)) throw postError('rest_forbidden_context');
      checkPassword(post, args['password']);
      if (!mayRead(call.identity, post)) throw postError('rest_forbidden');
      return post;
    },
    'cms.posts.update': async (args, call) => {
      const post = await loadPost(context, call, { id: args['id'], missing: invalidId() });
      if (!mayEdit(call.identity, post)) throw postError('rest_cannot_edit');
      checkWrite(args, call, 'update');
      return post;
    },
    'cms.posts.remove': async (args, call) => {
      const post = await loadPost(context, call, { id: args['id'], missing: invalidId() });
      if (!mayDelete(call.identity, post)) throw postError('rest_cannot_delete');
      return post;
    },
    'cms.revisions.read': (args, call) => parentOf(args, call, (post) => {
      if (!mayEdit(call.identity, post)) throw postError('rest_cannot_read');
    }),
    'cms.revisions.remove': (args, call) => parentOf(args, call, (post) => {
      if (!mayDelete(call.identity, post)) throw postError('rest_cannot_delete', message('delete revisions of this post'));
    }),
    'cms.autosaves.list': (args, call) => parentOf({ parent: args['id'] }, call, (post) => {
      if (!mayEdit(call.identity, post)) throw postError('rest_cannot_read', message('view autosaves of this post'));
    }),
    'cms.autosaves.create': async (args, call) => {
      const post = await loadPost(context, call, { id: args['id'], missing: invalidId() });
      if (!mayEdit(call.identity, post)) throw postError('rest_cannot_edit');
      return post;
    },
  };
}

/** The post that the permission of this call checked. */
export function subjectPost(call: Call): PostRecord {
  return call.subject as PostRecord;
}
