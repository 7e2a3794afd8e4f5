import { eq, oneOf } from '../../lib/store/query.ts';
import { StoreError, type Operation, type Reference, type Store, type StoredRecord } from '../../lib/store/store.ts';

/**
 * What is known of the past of a post. `count`: number of its revisions and autosaves, as many as the list of revisions has.
 * `newest`: the highest of their ids, 0 without any. By id and not by date, which a clock that was set back makes wrong;
 * an autosave that is written over stays where it was.
 */
export interface PostHistory {
  readonly id: number;
  readonly version: number;
  readonly count: number;
  readonly newest: number;
}

export const NO_HISTORY: PostHistory = Object.freeze({ id: 0, version: 0, count: 0, newest: 0 });

/** The history that a record of `post_history` tells. */
export function toHistory({ id, version, count, newest }: StoredRecord): PostHistory {
  return { id, version, count: Number(count), newest: Number(newest) };
}

/** The histories of these posts, by the id of the post. */
export async function loadHistories(store: Store, posts: readonly number[]): Promise<ReadonlyMap<number, PostHistory>> {
  if (posts.length === 0) return new Map();
  const { records } = await store.find({ collection: 'post_history', where: oneOf('post', posts) });
  return new Map(records.map((record) => [Number(record['post']), toHistory(record)]));
}

/** @throws StoreError `missing` when the post has gone */
export async function loadHistory(store: Store, post: number): Promise<PostHistory> {
  const { records: [found] } = await store.find({ collection: 'post_history', where: eq('post', post), limit: 1 });
  if (found === undefined) throw new StoreError('missing', `Post ${post} has gone.`);
  return toHistory(found);
}

/** The operation that stands in the commit that makes a post, which is labelled `post`. */
export const NEW_HISTORY: Operation = { op: 'create', collection: 'post_history', values: { post: { $ref: 'post' } } };

/** The operation that stands in the commit that removes a post. */
export function toHistoryRemoval(post: number): Operation {
  return { op: 'removeAll', collection: 'post_history', where: eq('post', post) };
}

/**
 * The operation that notes a change of a post's past. It stands in the commit of that change, after what `newest` refers to,
 * and lets no change through for a post that is being removed at the same moment.
 */
export function toHistoryChange({ id, version, count }: PostHistory, { added, newest }: { added: number; newest: number | Reference }): Operation {
  return { op: 'update', collection: 'post_history', id, version, values: { count: Math.max(count + added, 0), newest } };
}
