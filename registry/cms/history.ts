import { oneOf } from '../../lib/query.ts';
import type { Operation, Reference, Store } from '../../lib/store.ts';

/** What is known of the past of a post. `newest`: id of its newest revision or autosave, 0 without any. */
export interface PostHistory {
  /** Of the record; 0 when there is none yet. */
  readonly version: number;
  readonly count: number;
  readonly newest: number;
}

export const NO_HISTORY: PostHistory = Object.freeze({ version: 0, count: 0, newest: 0 });

/** The histories of these posts by id; posts without one are left out. */
export async function loadHistories(store: Store, posts: readonly number[]): Promise<ReadonlyMap<number, PostHistory>> {
  if (posts.length === 0) return new Map();
  const { records } = await store.find({ collection: 'post_history', where: oneOf('id', posts) });
  return new Map(records.map((record) => [record.id, { version: record.version, count: Number(record['count']), newest: Number(record['newest']) }]));
}

/** The operation that notes a change of a post's past. It stands in the commit of that change, after what `newest` refers to. */
export async function toHistoryChange(store: Store, post: number, { added, newest }: { added: number; newest: number | Reference }): Promise<Operation> {
  const known = await store.get('post_history', post);
  if (known === null) return { op: 'create', collection: 'post_history', values: { id: post, count: Math.max(added, 0), newest } };
  return { op: 'update', collection: 'post_history', id: post, version: known.version, values: { count: Math.max(Number(known['count']) + added, 0), newest } };
}
