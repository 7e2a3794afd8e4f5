import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { and, desc, eq, inOrderOf, lte, oneOf, type Predicate } from '../../../lib/store/query.ts';
import {
  findFirst,
  type Operation,
  type Reference,
  type Store,
  type StoredRecord,
  StoreError,
  toCreate,
  toRemoveAll,
  toUpdate,
} from '../../../lib/store/store.ts';
import { editLockOf } from '../limits/locks.ts';
import type { PostRecord } from './post-record.ts';

/** Slugs that are kept of one post, and posts that are looked at for one slug. */
const MOST = 20;
const NEWEST_FIRST = [desc('id')] as const;

/** The place of a post in its language, as it was or as it is written. */
interface SlugPlace {
  readonly slug: string;
  readonly language: string;
  readonly status: string;
}

/**
 * The operations that remember the slug of a published post whose commit changes its slug or language, or withdraws it: as a draft, it may get
 * another slug. A post that is published again under a slug forgets it. The oldest slugs are forgotten.
 */
export async function toOldSlugs(
  store: Store,
  { id, slug, language, status }: Pick<PostRecord, 'id' | keyof SlugPlace>,
  next: SlugPlace,
): Promise<readonly Operation[]> {
  const ofPost = eq('post', id);
  const remove = (where: Predicate): Operation => toRemoveAll('old_slugs', and(ofPost, where));
  const isMoved = slug !== next.slug || language !== next.language || status !== next.status;
  if (!isMoved || slug === '') return [];
  if (status !== 'publish') return next.status === 'publish' ? [remove(eq('slug', next.slug))] : [];
  const oldest = await findFirst(store, {
    collection: 'old_slugs',
    where: ofPost,
    order: NEWEST_FIRST,
    offset: MOST - 1,
    fields: [],
  });
  return [
    ...(oldest === undefined ? [] : [remove(lte('id', oldest.id))]),
    remove(oneOf('slug', [slug, next.slug])),
    toCreate('old_slugs', { post: id, language, slug }),
  ];
}

/** The post that had a slug in a language and matches `where`. Of several posts, the one that left the slug last. null: none. */
export async function findByOldSlug(
  store: Store,
  { slug, language }: Pick<SlugPlace, 'slug' | 'language'>,
  where: Predicate,
): Promise<StoredRecord | null> {
  const { records: places } = await store.find({
    collection: 'old_slugs',
    where: and(eq('slug', slug), eq('language', language)),
    order: NEWEST_FIRST,
    limit: MOST,
    fields: ['post'],
  });
  if (places.length === 0) return null;
  const ids = places.map(({ post }) => Number(post));
  const found = await findFirst(store, {
    collection: 'posts',
    where: and(oneOf('id', ids), where),
    order: [inOrderOf('id', ids)],
  });
  return found ?? null;
}

/**
 * What is known of the past of a post: the record `id` with its `version`. `count`: number of its revisions and autosaves, which is the length of the list of revisions.
 * `newest`: the highest of their ids, or 0 if there are none. Dates are not compared, because they are wrong after the clock was set back.
 * An autosave that is overwritten keeps its id.
 */
export interface PostHistory {
  readonly id: number;
  readonly version: number;
  readonly count: number;
  readonly newest: number;
}

export const NO_HISTORY: PostHistory = Object.freeze({ id: 0, version: 0, count: 0, newest: 0 });

/** Reads the history from a record of `post_history`. */
export function toHistory({ id, version, count, newest }: StoredRecord): PostHistory {
  return { id, version, count: Number(count), newest: Number(newest) };
}

/** The histories of these posts, by the id of the post. */
export function loadHistories(
  store: Store,
  posts: readonly number[],
): MaybePromise<ReadonlyMap<number, PostHistory>> {
  if (posts.length === 0) return new Map();
  return store
    .find({ collection: 'post_history', where: oneOf('post', posts) })
    .then(({ records }) => new Map(records.map((record) => [Number(record['post']), toHistory(record)])));
}

/** @throws StoreError `missing` if the post no longer exists */
export async function loadHistory(store: Store, post: number): Promise<PostHistory> {
  const found = await findFirst(store, { collection: 'post_history', where: eq('post', post) });
  if (found === undefined) throw new StoreError('missing', `Post ${post} no longer exists.`);
  return toHistory(found);
}

/** The operation that the commit of a new post must contain. The create operation of the post has the label `post`. */
export const NEW_HISTORY: Operation = toCreate('post_history', { post: { $ref: 'post' } });

/** The operations that the commit that removes a post must contain: its revisions, history, comments, old slugs, previews and edit lock go with it. */
export function listBelongings(post: number): readonly Operation[] {
  return (
    [
      ['revisions', 'parent', post],
      ['post_history', 'post', post],
      ['comments', 'post', post],
      ['old_slugs', 'post', post],
      ['previews', 'post', post],
      ['locks', 'name', editLockOf(post)],
    ] as const
  ).map(([collection, field, value]) => toRemoveAll(collection, eq(field, value)));
}

/**
 * The operation that records a change to the history of a post. It belongs in the commit of that change, after the operation to which
 * `newest` refers. It makes the commit fail if the post is removed at the same time.
 */
export function toHistoryChange(
  history: PostHistory,
  { added, newest }: { added: number; newest: number | Reference },
): Operation {
  return toUpdate('post_history', history, { count: Math.max(history.count + added, 0), newest });
}
