import { type Call, createErrors, type ErrorTable, type Permission } from '../../../lib/index.ts';
import {
  createTypeRights,
  editLockOf,
  type Ports,
  readLock,
  releaseLock,
  takeLock,
  toPost,
  userOf,
} from '../../plugin.ts';

/** Errors of locks. */
export const LOCK_ERRORS = {
  rest_post_invalid_id: [404, 'Invalid post ID.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this post.'],
} as const satisfies ErrorTable;

const lockError = createErrors(LOCK_ERRORS);
/** As in WordPress. Editors take the lock again every few seconds. */
const TTL_MS = 150_000;

export interface LockArgs {
  readonly id: number;
}

/** Handlers and permission of the locks of records that people edit. */
export function createLocks(ports: Ports) {
  const { store, content } = ports;
  const rightsOf = createTypeRights(content);
  const use: Permission = async ({ id: post }, { identity }) => {
    const found = await store.get('posts', Number(post));
    if (found === null || !content.types.has(String(found['type']))) return lockError('rest_post_invalid_id');
    const { mayEdit } = rightsOf(String(found['type']));
    return mayEdit(identity, toPost(found)) ? true : lockError('rest_cannot_edit');
  };
  const show = async (post: number, { identity }: Call) => {
    const user = Number(await readLock(ports, editLockOf(post)));
    const found = user === 0 ? null : await store.get('users', user);
    return { post, user, name: String(found?.['name'] ?? ''), mine: user !== 0 && user === userOf(identity) };
  };
  return {
    'editor.locks.use': use,
    'editor.locks.read': ({ id: post }: LockArgs, call: Call) => show(post, call),
    'editor.locks.take': async (
      { id: post, take_over: isForced }: LockArgs & { readonly take_over: boolean },
      call: Call,
    ) => {
      const options = { key: String(userOf(call.identity)), ttlMs: TTL_MS, isForced };
      const key = await takeLock(ports, editLockOf(post), options);
      // The holder released the lock, or another user took it, at the same time.
      if (key === null && isForced) await takeLock(ports, editLockOf(post), options);
      return show(post, call);
    },
    'editor.locks.release': async ({ id: post }: LockArgs, call: Call) => {
      await releaseLock(ports, editLockOf(post), String(userOf(call.identity)));
      return show(post, call);
    },
  };
}
