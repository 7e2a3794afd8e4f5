import { and, eq, oneOf } from '../../lib/store/query.ts';
import { StoreError, type Durability, type Operation, type Store } from '../../lib/store/store.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { toSuffixed } from '../content/slug.ts';
import { NEW_HISTORY, toHistory, type PostHistory } from './history.ts';
import { toPost, type PostRecord } from './post-record.ts';

/** A write of one post, with whatever belongs to it, as one commit. */
export interface SavePost {
  /** null: a new post. */
  readonly current: PostRecord | null;
  /** Fields to write; `slug` is the wanted one and gets a suffix when it is taken. */
  readonly values: Readonly<Record<string, Json>> & { readonly slug: string };
  /** Of the call that writes. Default `now`. */
  readonly durability?: Durability;
  /** Further operations of the same commit. A new post's id is `{ $ref: 'post' }`. */
  readonly also?: readonly Operation[];
}

/** A post as it was stored. `history`: when the commit wrote it, too. */
export interface SavedPost {
  readonly post: PostRecord;
  readonly history: PostHistory | null;
}

const ATTEMPTS = 20;
const MORE = 10;
const MOST_SPREAD = 256;

async function listTaken(store: Store, [type, language]: readonly [Json, Json], slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const { records } = await store.find({
    collection: 'posts', where: and(eq('type', String(type)), eq('language', String(language)), oneOf('slug', slugs)), fields: ['slug'],
  });
  return new Set(records.map((record) => String(record['slug'])));
}

/** `spread`: take one of so many free ones by chance, because another writer took the first at the same moment; 1: the first. */
interface WantedSlug {
  readonly slug: string;
  readonly own: string | undefined;
  readonly spread: number;
}

/** The slug with a free suffix. Asks for as many as are drawn from, then for ten times as many, and so on. */
async function findFreeSlug(store: Store, scope: readonly [Json, Json], { slug, own, spread }: WantedSlug): Promise<string> {
  for (let from = 2, count = spread; ; from += count, count *= MORE) {
    const candidates = Array.from({ length: count }, (_each, index) => toSuffixed(slug, from + index));
    const taken = await listTaken(store, scope, candidates);
    const free = candidates.filter((candidate) => candidate === own || !taken.has(candidate));
    const found = free[Math.floor(Math.random() * Math.min(spread, free.length))];
    if (found !== undefined) return found;
  }
}

/**
 * Stores a post under a slug that is unique in its type and language. The store knows best whether the wanted one is free:
 * a suffix is looked for when it has refused the commit, and again when another writer takes that slug at the same moment.
 * @throws StoreError `version` when the post has changed meanwhile; `missing` when it is gone.
 */
export async function savePost(store: Store, { current, values, durability = 'now', also = [] }: SavePost): Promise<SavedPost> {
  const scope = [values['type'] ?? current?.type ?? 'post', values['language'] ?? current?.language ?? ''] as const;
  const own = current !== null && current.language === scope[1] ? current.slug : undefined;
  let { slug } = values;
  for (let attempt = 1; ; attempt += 1) {
    const write: Operation = current === null
      ? { op: 'create', collection: 'posts', values: { ...values, slug }, as: 'post' }
      : { op: 'update', collection: 'posts', id: current.id, values: { ...values, slug }, version: current.version };
    try {
      const operations = [write, ...(current === null ? [NEW_HISTORY] : []), ...also];
      const results = await store.commit(operations, durability);
      const [post] = results;
      if (post === null || post === undefined) throw new TypeError('the store answered no record for a write');
      const history = results[operations.findIndex(({ collection }) => collection === 'post_history')] ?? null;
      return { post: toPost(post), history: history === null ? null : toHistory(history) };
    } catch (error) {
      const slugWasTaken = error instanceof StoreError && error.code === 'unique' && error.fields.includes('slug');
      if (!slugWasTaken || attempt === ATTEMPTS) throw error;
      slug = await findFreeSlug(store, scope, { slug: values.slug, own, spread: Math.min(4 ** (attempt - 1), MOST_SPREAD) });
    }
  }
}
