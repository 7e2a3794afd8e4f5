import { own, perObject } from '../../../lib/core/objects.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import type { ContentType } from '../model/content-type.ts';
import { tagsOf, type PermalinkTag } from '../model/permalink-tags.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { createRecordCache, loadAncestors } from '../records/record-cache.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { loadLines, type PathTerm } from './load-terms.ts';

/** What the address of a post is made of. */
export type Addressed = Pick<
  PostRecord,
  'id' | 'slug' | 'status' | 'language' | 'parent' | 'date' | 'author' | 'categories'
>;

/** The fields that the address of a stored post needs. */
export const ADDRESSED = [
  'slug',
  'status',
  'language',
  'parent',
  'type',
  'date',
  'author',
  'categories',
] as const;

/** A post of any type, as its address needs it: the fields `ADDRESSED`. */
export type TypedAddress = Addressed & { readonly type: string };

/** The other records of which the addresses of posts are made. */
export interface LinkParts {
  /** Posts by id, among them the ancestors of the posts whose addresses are needed. */
  readonly posts: ReadonlyMap<number, Addressed>;
  /** Slugs of users by id. */
  readonly authors: ReadonlyMap<number, string>;
  /** Categories by id, with their ancestors. */
  readonly categories: ReadonlyMap<number, PathTerm>;
}

export const NO_LINK_PARTS: LinkParts = { posts: new Map(), authors: new Map(), categories: new Map() };

/** A stored post as its address needs it. */
export const toAddressed = (record: StoredRecord): TypedAddress => toPost(record);

/** Opens the cached ancestors of the posts of a store. */
const openPosts = perObject((store: Store) =>
  createRecordCache(store, { collection: 'posts', fields: ADDRESSED }),
);

async function loadPostsAbove(
  store: Store,
  posts: readonly Addressed[],
): Promise<ReadonlyMap<number, Addressed>> {
  return new Map(
    [...(await loadAncestors(openPosts(store), posts))].map(([id, record]) => [id, toAddressed(record)]),
  );
}

async function loadAuthors(store: Store, posts: readonly Addressed[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(posts.map(({ author }) => author))];
  if (ids.length === 0) return NO_LINK_PARTS.authors;
  const { records } = await store.find({ collection: 'users', where: oneOf('id', ids), fields: ['slug'] });
  return new Map(records.map((record) => [record.id, String(record['slug'])]));
}

function loadCategories(
  store: Store,
  posts: readonly Addressed[],
  { defaultCategory }: Pick<SiteSettings, 'defaultCategory'>,
): Promise<LinkParts['categories']> {
  return loadLines(
    store,
    posts.flatMap(({ categories, language }) => [...categories, own(defaultCategory, language) ?? 0]),
  );
}

interface LinkSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly settings: Pick<SiteSettings, 'defaultCategory'>;
}

/** Loads what the addresses of these posts need. Reads nothing for posts whose addresses need nothing. */
export async function loadLinkParts(
  { store, types, settings }: LinkSources,
  posts: readonly (Addressed & Pick<PostRecord, 'type'>)[],
): Promise<LinkParts> {
  const nested = posts.filter(({ type, parent }) => parent !== 0 && types.get(type)?.hierarchical === true);
  const having = (tag: PermalinkTag) =>
    posts.filter(({ type: name }) => {
      const type = types.get(name);
      return type !== undefined && tagsOf(type).has(tag);
    });
  const [authored, filed] = [having('author'), having('category')];
  if (nested.length + authored.length + filed.length === 0) return NO_LINK_PARTS;
  const [ancestors, authors, categories] = await Promise.all([
    loadPostsAbove(store, nested),
    loadAuthors(store, authored),
    loadCategories(store, filed, settings),
  ]);
  return { posts: ancestors, authors, categories };
}
