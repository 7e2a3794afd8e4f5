import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, oneOf } from '../../../lib/store/query.ts';
import { StoreError, type Durability, type Operation, type Store } from '../../../lib/store/store.ts';
import { toSuffixed } from '../content/slug.ts';
import { NEW_HISTORY, toHistory, type PostHistory } from '../records/history.ts';
import { toOldSlugs } from '../records/old-slugs.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';

/** A write of one post with everything that belongs to it, as one commit. */
interface SavePost {
  /** null for a new post. */
  readonly current: PostRecord | null;
  /** Fields to write. `slug` is the wanted slug; it gets a suffix if it is taken. */
  readonly values: Readonly<Record<string, Json>> & { readonly slug: string };
  /** Durability of the call. Default `now`. */
  readonly durability?: Durability;
  /** Further operations of the same commit. The id of a new post is `{ $ref: 'post' }`. */
  readonly also?: readonly Operation[];
}

/** The `post` as it was stored. `history` is present if the commit wrote it. */
export interface SavedPost {
  readonly post: PostRecord;
  readonly history: PostHistory | null;
}

const ATTEMPTS = 20;
const MORE = 10;
const MOST_SPREAD = 256;

/** Slugs are unique among the posts of a type and language with the same parent. */
type SlugScope = readonly [type: Json, language: Json, parent: Json];

async function listTaken(
  store: Store,
  [type, language, parent]: SlugScope,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const { records } = await store.find({
    collection: 'posts',
    where: and(
      eq('type', String(type)),
      eq('language', String(language)),
      eq('parent', Number(parent)),
      oneOf('slug', slugs),
    ),
    fields: ['slug'],
  });
  return new Set(records.map((record) => String(record['slug'])));
}

/** `spread`: choose randomly among this many free slugs, because another writer took the first one at the same time; 1: use the first. */
interface WantedSlug {
  readonly slug: string;
  readonly own: string | undefined;
  readonly spread: number;
}

/** The slug with a free suffix. Queries as many candidates as it chooses from, then ten times as many, and so on. */
async function findFreeSlug(
  store: Store,
  scope: SlugScope,
  { slug, own, spread }: WantedSlug,
): Promise<string> {
  for (let from = 2, count = spread; ; from += count, count *= MORE) {
    const candidates = Array.from({ length: count }, (_each, index) => toSuffixed(slug, from + index));
    const taken = await listTaken(store, scope, candidates);
    const free = candidates.filter((candidate) => candidate === own || !taken.has(candidate));
    const found = free[Math.floor(Math.random() * Math.min(spread, free.length))];
    if (found !== undefined) return found;
  }
}

/** A free slug for a post that moves to another parent, or '' if it has none. `chosen`: slugs that other posts of the same commit take there. */
export async function chooseSlug(
  store: Store,
  scope: SlugScope,
  { slug, chosen }: { slug: string; chosen: Set<string> },
): Promise<string> {
  if (slug === '') return slug;
  const key = (candidate: string): string => `${String(scope[1])} ${candidate}`;
  const taken = await listTaken(store, scope, [slug]);
  let free = taken.has(slug) ? await findFreeSlug(store, scope, { slug, own: undefined, spread: 1 }) : slug;
  for (let n = 2; chosen.has(key(free)); n += 1) free = toSuffixed(slug, n);
  chosen.add(key(free));
  return free;
}

/**
 * Stores a post under a slug that is unique in its type and language, among the posts with the same parent. Only the store knows for certain whether the wanted slug is free.
 * If it rejects the commit, a suffix is chosen, and again if another writer takes that slug at the same time.
 * @throws StoreError `version` if the post has changed meanwhile; `missing` if it no longer exists.
 */
export async function savePost(
  store: Store,
  { current, values, durability = 'now', also = [] }: SavePost,
): Promise<SavedPost> {
  const scope = [
    values['type'] ?? current?.type ?? '',
    values['language'] ?? current?.language ?? '',
    values['parent'] ?? current?.parent ?? 0,
  ] as const;
  const own =
    current !== null && current.language === scope[1] && current.parent === scope[2]
      ? current.slug
      : undefined;
  let { slug } = values;
  for (let attempt = 1; ; attempt += 1) {
    const write: Operation =
      current === null
        ? { op: 'create', collection: 'posts', values: { ...values, slug }, as: 'post' }
        : {
            op: 'update',
            collection: 'posts',
            id: current.id,
            values: { ...values, slug },
            version: current.version,
          };
    try {
      const place = {
        slug,
        language: String(scope[1]),
        status: String(values['status'] ?? current?.status ?? ''),
      };
      const operations = [
        write,
        ...(current === null ? [NEW_HISTORY] : await toOldSlugs(store, current, place)),
        ...also,
      ];
      const results = await store.commit(operations, durability);
      const [post] = results;
      if (post === null || post === undefined)
        throw new TypeError('the store must return the record of a write');
      const history =
        results[operations.findIndex(({ collection }) => collection === 'post_history')] ?? null;
      return { post: toPost(post), history: history === null ? null : toHistory(history) };
    } catch (error) {
      const slugWasTaken =
        error instanceof StoreError && error.code === 'unique' && error.fields.includes('slug');
      if (!slugWasTaken || attempt === ATTEMPTS) throw error;
      slug = await findFreeSlug(store, scope, {
        slug: values.slug,
        own,
        spread: Math.min(4 ** (attempt - 1), MOST_SPREAD),
      });
    }
  }
}
