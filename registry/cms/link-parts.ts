import { own } from '../../lib/core/objects.ts';
import { oneOf } from '../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../lib/store/store.ts';
import type { ContentType } from '../model/content-type.ts';
import { tagsOf, type PermalinkTag } from '../model/permalink-tags.ts';
import type { SiteSettings } from '../site/settings.ts';
import { toPost, type PostRecord } from './post-record.ts';
import { loadWithAncestors } from './terms/load-terms.ts';
import { toTerm, type TermRecord } from './terms/term-record.ts';

/** What the address of a post is made of. */
export type Addressed = Pick<PostRecord, 'id' | 'slug' | 'status' | 'language' | 'parent' | 'date' | 'author' | 'categories'>;

/** The fields that the address of a stored post needs. */
export const ADDRESSED = ['slug', 'status', 'language', 'parent', 'type', 'date', 'author', 'categories'] as const;

/** A post of any type, as its address needs it: the fields `ADDRESSED`. */
export type TypedAddress = Addressed & { readonly type: string };

/** The other records of which the addresses of posts are made. */
export interface LinkParts {
  /** Posts by id, among them the ancestors of the posts whose addresses are needed. */
  readonly posts: ReadonlyMap<number, Addressed>;
  /** Slugs of users by id. */
  readonly authors: ReadonlyMap<number, string>;
  /** Categories by id, with their ancestors. */
  readonly categories: ReadonlyMap<number, TermRecord>;
}

export const NO_LINK_PARTS: LinkParts = { posts: new Map(), authors: new Map(), categories: new Map() };

/** A stored post as its address needs it. */
export const toAddressed = (record: StoredRecord): TypedAddress => toPost(record);

/** The ancestors of these posts, read level by level. */
async function loadAncestors(store: Store, posts: readonly Addressed[]): Promise<ReadonlyMap<number, Addressed>> {
  const found = new Map<number, Addressed>();
  for (let parents = posts.map(({ parent }) => parent); ;) {
    const missing = [...new Set(parents)].filter((id) => id !== 0 && !found.has(id));
    if (missing.length === 0) return found;
    const { records } = await store.find({ collection: 'posts', where: oneOf('id', missing), fields: ADDRESSED });
    for (const record of records) found.set(record.id, toAddressed(record));
    if (records.length === 0) return found;
    parents = records.map((record) => Number(record['parent']));
  }
}

async function loadAuthors(store: Store, posts: readonly Addressed[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(posts.map(({ author }) => author))];
  if (ids.length === 0) return NO_LINK_PARTS.authors;
  const { records } = await store.find({ collection: 'users', where: oneOf('id', ids), fields: ['slug'] });
  return new Map(records.map((record) => [record.id, String(record['slug'])]));
}

async function loadCategories(store: Store, posts: readonly Addressed[], { defaultCategory }: Pick<SiteSettings, 'defaultCategory'>): Promise<LinkParts['categories']> {
  const ids = posts.flatMap(({ categories, language }) => [...categories, own(defaultCategory, language) ?? 0]).filter((id) => id !== 0);
  if (ids.length === 0) return NO_LINK_PARTS.categories;
  const { records } = await store.find({ collection: 'terms', where: oneOf('id', [...new Set(ids)]) });
  return loadWithAncestors(store, records.map(toTerm));
}

export interface LinkSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly settings: Pick<SiteSettings, 'defaultCategory'>;
}

/** Loads what the addresses of these posts need. Reads nothing for posts whose addresses need nothing. */
export async function loadLinkParts({ store, types, settings }: LinkSources, posts: readonly (Addressed & Pick<PostRecord, 'type'>)[]): Promise<LinkParts> {
  const nested = posts.filter(({ type, parent }) => parent !== 0 && types.get(type)?.hierarchical === true);
  const having = (tag: PermalinkTag) => posts.filter(({ type: name }) => {
    const type = types.get(name);
    return type !== undefined && tagsOf(type).has(tag);
  });
  const [authored, filed] = [having('author'), having('category')];
  if (nested.length + authored.length + filed.length === 0) return NO_LINK_PARTS;
  const [ancestors, authors, categories] = await Promise.all([loadAncestors(store, nested), loadAuthors(store, authored), loadCategories(store, filed, settings)]);
  return { posts: ancestors, authors, categories };
}
