import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { own, perObject } from '../../../lib/core/objects.ts';
import { toBaseUrl } from '../../../lib/http/address.ts';
import type { SiteView } from '../../../lib/route/call.ts';
import { findByIds, type Store, type StoredRecord } from '../../../lib/store/store.ts';
import { decodeOctets } from '../content/slug.ts';
import type { ContentType, Taxonomy } from '../model/content-type.ts';
import { type PermalinkTag, piecesOf, SLUG_TAGS, tagsOf } from '../model/permalink-tags.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import { createRecordCache, loadAncestors, type LoadRecords, type Records } from '../records/record-cache.ts';
import type { TermRecord } from '../records/term-record.ts';
import { isFrontPage, type ReadSettings, type SiteSettings } from '../settings/site-settings.ts';

/** A slug or a language as part of an address. It is encoded only if it contains characters that must be encoded there. */
export function toPathPart(text: string): string {
  return /^[\w.~%-]*$/.test(text)
    ? text
    : encodeURIComponent(decodeOctets(text).toWellFormed()).toLowerCase();
}

/** The home pages of a site outside of a request. `pagesUrl`: address of the site that serves the pages, without a trailing slash. */
export function createHomes(prefixes: readonly string[], pagesUrl: string): Homes {
  return {
    home: (language = prefixes[0] ?? '') =>
      toBaseUrl({ prefixes, base: '' }, { siteUrl: pagesUrl, language }),
  };
}

/** What the address of a term is made of. `language`: '' for a term that all languages share. */
type AddressedTerm = Pick<TermRecord, 'id' | 'taxonomy' | 'slug' | 'parent' | 'language'>;

/** Address of one of the terms on the site, with a trailing slash; '' for a term whose taxonomy the site does not have. */
export type TermAddressOf = (term: AddressedTerm, site: Homes) => string;

/** What addresses of terms are loaded from: the `store`, and the `taxonomies` of the site by name. */
interface TermAddressPorts {
  readonly store: Store;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
}

const NO_TERMS: ReadonlyMap<number, PathTerm> = new Map();

/** Loads what the addresses of terms depend on: the terms above them, where addresses show those. */
export async function loadTermAddresses(
  { store, taxonomies }: TermAddressPorts,
  terms: readonly AddressedTerm[],
): Promise<TermAddressOf> {
  const nested = terms.filter(({ taxonomy }) => taxonomies.get(taxonomy)?.hasAncestorsInPath === true);
  const known = nested.length === 0 ? NO_TERMS : await loadWithAncestors(store, nested);
  return (term, site) => {
    const taxonomy = taxonomies.get(term.taxonomy);
    if (taxonomy === undefined) return '';
    const home = site.home(term.language === '' ? undefined : toPathPart(term.language));
    const ancestors = taxonomy.hasAncestorsInPath ? listAncestors(term, known) : [];
    return `${home}/${[taxonomy.path, ...[...ancestors, term].map(({ slug }) => toPathPart(slug))].join('/')}/`;
  };
}

/** What addresses of posts are loaded from: the `store`, the `types` of the site by name, and its `settings`. */
export interface PostSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly settings: ReadSettings;
}

/** Address of one of the posts on the site; '' for a post whose type the site does not have. */
type AddressOf = (post: TypedAddress, site: Homes) => string;

/** Loads what the addresses of posts of any type depend on. */
export async function loadAddresses(
  { store, settings: readSettings, types }: PostSources,
  posts: readonly TypedAddress[],
): Promise<AddressOf> {
  const settings = await readSettings();
  const linkParts = await loadLinkParts({ store, types, settings }, posts);
  return (post, site) => {
    const type = types.get(post.type);
    return type === undefined ? '' : permalink(post, site, { type, linkParts, settings });
  };
}

/** Terms by id. */
export type Terms = Records;

/** The terms with these ids that exist. The map may contain others. */
export type ReadTerms = LoadRecords;

const NONE: Terms = new Map();

/** Opens the cached terms of a store, with the fields that posts and addresses show. */
const openTerms = perObject((store: Store) =>
  createRecordCache(store, {
    collection: 'terms',
    fields: ['name', 'taxonomy', 'slug', 'parent', 'language'],
  }),
);

/** Reads terms from the store and caches them until a term changes. */
export function createTerms(store: Store): ReadTerms {
  const open = openTerms(store);
  return (ids) => (ids.length === 0 ? NONE : thenMaybe(open(), (load) => load(ids)));
}

/** A term as the path of a term below it shows it. */
export type PathTerm = Pick<TermRecord, 'id' | 'slug' | 'parent'>;

/** The terms above these, by id. */
async function loadTermsAbove(
  store: Store,
  terms: readonly Pick<PathTerm, 'parent'>[],
): Promise<ReadonlyMap<number, TermRecord>> {
  return (await loadAncestors(openTerms(store), terms)) as ReadonlyMap<number, TermRecord>;
}

/** Terms by id: these and all their ancestors. */
export async function loadWithAncestors(
  store: Store,
  terms: readonly PathTerm[],
): Promise<ReadonlyMap<number, PathTerm>> {
  return new Map<number, PathTerm>([
    ...(await loadTermsAbove(store, terms)),
    ...terms.map((term) => [term.id, term] as const),
  ]);
}

/** What has a parent of its kind, and stands below it in addresses. */
type Nested = Pick<PathTerm, 'id' | 'parent'>;

/** The ancestors of a term or post, the top one first. */
export function listAncestors<T extends Nested>(item: Nested, known: ReadonlyMap<number, T>): readonly T[] {
  const seen = new Set([item.id]);
  const ancestors: T[] = [];
  for (
    let next = known.get(item.parent);
    next !== undefined && !seen.has(next.id);
    next = known.get(next.parent)
  ) {
    seen.add(next.id);
    ancestors.unshift(next);
  }
  return ancestors;
}

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

const NO_LINK_PARTS: LinkParts = { posts: new Map(), authors: new Map(), categories: new Map() };

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
  return (await loadAncestors(openPosts(store), posts)) as ReadonlyMap<number, PostRecord>;
}

async function loadAuthors(store: Store, posts: readonly Addressed[]): Promise<ReadonlyMap<number, string>> {
  const ids = posts.map(({ author }) => author);
  const authors = await findByIds(store, { collection: 'users', ids, fields: ['slug'] });
  return new Map([...authors].map(([id, { slug }]) => [id, String(slug)]));
}

function loadCategories(
  store: Store,
  posts: readonly Addressed[],
  { defaultCategory }: Pick<SiteSettings, 'defaultCategory'>,
): Promise<LinkParts['categories']> {
  const ids = posts.flatMap(({ categories, language }) => [
    ...categories,
    own(defaultCategory, language) ?? 0,
  ]);
  return loadTermsAbove(
    store,
    ids.map((parent) => ({ parent })),
  );
}

interface LinkSources extends Pick<PostSources, 'store' | 'types'> {
  readonly settings: Pick<SiteSettings, 'defaultCategory'>;
}

/** Loads what the addresses of these posts need. Reads nothing for posts whose addresses need nothing. */
export function loadLinkParts(
  { store, types, settings }: LinkSources,
  posts: readonly (Addressed & Pick<PostRecord, 'type'>)[],
): MaybePromise<LinkParts> {
  const nested = posts.filter(({ type, parent }) => parent !== 0 && types.get(type)?.hierarchical === true);
  const having = (tag: PermalinkTag) =>
    posts.filter(({ type: name }) => {
      const type = types.get(name);
      return type !== undefined && tagsOf(type).has(tag);
    });
  const [authored, filed] = [having('author'), having('category')];
  if (nested.length + authored.length + filed.length === 0) return NO_LINK_PARTS;
  return Promise.all([
    loadPostsAbove(store, nested),
    loadAuthors(store, authored),
    loadCategories(store, filed, settings),
  ]).then(([ancestors, authors, categories]) => ({ posts: ancestors, authors, categories }));
}

/** The addresses of the home pages. */
export type Homes = Pick<SiteView, 'home'>;

/** What the address of a post depends on besides the post. */
interface LinkPlace {
  readonly type: ContentType;
  readonly linkParts: LinkParts;
  readonly settings: Pick<SiteSettings, 'showOnFront' | 'pageOnFront' | 'defaultCategory'>;
}

const OUT: ReadonlySet<string> = new Set(['publish', 'private']);
/** As in WordPress, where the category of a post does not exist. */
const NO_CATEGORY = 'uncategorized';

/** The slugs of the ancestors of a post, the highest first, as a path with a trailing slash. */
const toAncestorPath = (post: Addressed, { posts }: LinkParts): string =>
  listAncestors(post, posts)
    .map(({ slug }) => `${toPathPart(slug)}/`)
    .join('');

type Fill = (post: Addressed, place: LinkPlace) => string;

const toSlugPath: Fill = (post, { type, linkParts }) =>
  `${type.hierarchical ? toAncestorPath(post, linkParts) : ''}${toPathPart(post.slug)}`;

/** The category with the lowest id, else the default one, below its ancestors. */
const toCategoryPath: Fill = ({ categories, language }, { linkParts: { categories: known }, settings }) => {
  const chosen = [...categories].sort((left, right) => left - right).find((id) => known.has(id));
  const category = known.get(chosen ?? own(settings.defaultCategory, language) ?? 0);
  return category === undefined
    ? NO_CATEGORY
    : [...listAncestors(category, known), category].map(({ slug }) => toPathPart(slug)).join('/');
};

const dateFrom =
  (start: number, end: number): Fill =>
  ({ date }) =>
    toPathPart(date.slice(start, end));

/** The value of each tag. Dates are those of the site. An author who does not exist is shown by the id. */
const FILLS: Readonly<Record<PermalinkTag, Fill>> = {
  postname: toSlugPath,
  pagename: toSlugPath,
  post_id: ({ id }) => String(id),
  category: toCategoryPath,
  author: ({ author }, { linkParts: { authors } }) => toPathPart(authors.get(author) || String(author)),
  year: dateFrom(0, 4),
  monthnum: dateFrom(5, 7),
  day: dateFrom(8, 10),
  hour: dateFrom(11, 13),
  minute: dateFrom(14, 16),
  second: dateFrom(17, 19),
};

/** Whether the address of a record without a slug has a hole. */
const hasSlug = perObject((type: ContentType): boolean =>
  [...tagsOf(type)].some((tag) => SLUG_TAGS.has(tag)),
);

/** Whether addresses of the type consist of fixed text and the slug alone. */
const isBySlug = perObject((type: ContentType): boolean =>
  [...tagsOf(type)].every((tag) => SLUG_TAGS.has(tag)),
);

/** The path of a published post below the home page. */
export function toPermalinkPath(post: Addressed, place: LinkPlace): string {
  let path = '';
  for (const piece of piecesOf(place.type))
    path += 'tag' in piece ? FILLS[piece.tag](post, place) : piece.text;
  return path;
}

/** Address of a post on the site: its permalink if it is published or private, otherwise by id. */
export function permalink(post: Addressed, site: Homes, place: LinkPlace): string {
  // Encoded, because it is also sent in a header and the store may contain anything.
  const home = site.home(toPathPart(post.language));
  if (!OUT.has(post.status) || (post.slug === '' && hasSlug(place.type)))
    return `${home}${place.type.draftLink.replace('%id%', String(post.id))}`;
  return place.type.hierarchical && isFrontPage(place.settings, post)
    ? `${home}/`
    : `${home}${toPermalinkPath(post, place)}`;
}

/** The permalink with a placeholder for the slug. */
export function toPermalinkTemplate(post: Addressed, site: SiteView, place: LinkPlace): string {
  const { type, linkParts } = place;
  const path = piecesOf(type).map((piece) => {
    if ('text' in piece) return piece.text;
    if (!SLUG_TAGS.has(piece.tag)) return FILLS[piece.tag](post, place);
    return `${type.hierarchical ? toAncestorPath(post, linkParts) : ''}%${piece.tag}%`;
  });
  return `${site.home(post.language)}${path.join('')}`;
}

/** Whether the address of posts of the type, loaded with these parts, can change without a change of the post. */
export const isLinkFixed = (type: ContentType, parts: LinkParts): boolean =>
  parts === NO_LINK_PARTS && isBySlug(type);
