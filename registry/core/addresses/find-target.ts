import { own, perObject } from '../../../lib/core/objects.ts';
import { and, eq, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { type ContentType, hasPages, type Taxonomy } from '../model/content-type.ts';
import { PERMALINK_TAGS, piecesOf, SLUG_TAGS } from '../model/permalink-tags.ts';
import { findByOldSlug } from '../records/history.ts';
import { isFrontPage, isPostsPage } from '../settings/site-settings.ts';
import { encodeSlug, readAddress, readPaged, readPlace, type SitePath, type Target } from './page-paths.ts';
import {
  ADDRESSED,
  type Addressed,
  listAncestors,
  loadLinkParts,
  type PostSources,
  toAddressed,
  toPermalinkPath,
} from './permalink.ts';

const MOST_CHILDREN = 20;

/** For each segment of a permalink: the id of the post of the line whose slug it is, or 0. Two posts of a line may have the same slug. */
function toOwners(segments: readonly string[], line: readonly Addressed[]): readonly number[] {
  let next = 0;
  return segments
    .toReversed()
    .map((segment) => (line[next]?.slug === segment ? (line[next++]?.id ?? 0) : 0))
    .toReversed();
}

const toSegments = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/** A post of a type with parents whose permalink differs from a path only where ancestors of the post had another slug before. */
async function findBelowMoved(
  { store, types, settings: readSettings }: AddressSources,
  { type, slug, language, path }: PathMatch & { readonly language: string; readonly path: string },
  isPublic: Predicate,
): Promise<StoredRecord | null> {
  const wanted = toSegments(path).map(encodeSlug);
  if (!type.hierarchical || wanted.length < 2) return null;
  const { records } = await store.find({
    collection: 'posts',
    where: and(isPublic, eq('language', language), eq('type', type.name), eq('slug', slug)),
    fields: ADDRESSED,
    limit: MOST_CHILDREN,
  });
  if (records.length === 0) return null;
  const settings = await readSettings();
  const linkParts = await loadLinkParts({ store, types, settings }, records.map(toAddressed));
  const { records: old } = await store.find({
    collection: 'old_slugs',
    where: and(eq('language', language), oneOf('slug', [...new Set(wanted)])),
    fields: ['post', 'slug'],
  });
  const had = new Set(old.map(({ post, slug: before }) => `${Number(post)} ${String(before)}`));
  return (
    records.find((record) => {
      const post = toAddressed(record);
      const now = toSegments(toPermalinkPath(post, { type, linkParts, settings }));
      const line = [...listAncestors(post, linkParts.posts), post].toReversed();
      const owners = toOwners(now, line);
      return (
        now.length === wanted.length &&
        now.every((segment, at) => segment === wanted[at] || had.has(`${owners[at]} ${wanted[at]}`))
      );
    }) ?? null
  );
}

/**
 * The post that had an address before its slug, or that of a post above it, changed. The address must not be that of a post now.
 * null: there was none, or the address is that of an archive.
 */
export async function findMoved(
  sources: AddressSources,
  { url, siteUrl, isPublic }: AddressQuery,
): Promise<StoredRecord | null> {
  const place = readPlace(url, siteUrl, sources.languages);
  const target = readAddress(url, siteUrl, sources.languages);
  if (place === null || place.below === '' || (target !== null && target.kind !== 'post')) return null;
  for (const candidate of listPathMatches(sources.types, place.below).filter(({ slug }) => slug !== '')) {
    const ofType = and(isPublic, eq('type', candidate.type.name));
    const found =
      (await findByOldSlug(sources.store, { slug: candidate.slug, language: place.language }, ofType)) ??
      (await findBelowMoved(
        sources,
        { ...candidate, language: place.language, path: place.below },
        isPublic,
      ));
    if (found !== null) return found;
  }
  // The slug alone was the address before the site got another structure.
  return target === null ? null : findByOldSlug(sources.store, target, isPublic);
}

/** Most posts that are compared for one path: those with the slug in all languages and types, and below all parents. */
const MOST_CANDIDATES = 50;

function toExpression({ hierarchical }: ContentType, piece: ReturnType<typeof piecesOf>[number]): string {
  if ('text' in piece) return piece.text.replaceAll('.', '\\.');
  if (piece.tag === 'post_id') return `(?<id>${PERMALINK_TAGS.post_id})`;
  if (!SLUG_TAGS.has(piece.tag)) return PERMALINK_TAGS[piece.tag];
  return `${hierarchical ? '(?:[^/]+/)*' : ''}(?<slug>${PERMALINK_TAGS.postname})`;
}

const withoutSlashes = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '');

/** The form of the addresses of a type, without the outer slashes. Paths are compared in lower case. */
const formOf = perObject(
  (type: ContentType): RegExp =>
    new RegExp(
      `^${withoutSlashes(
        piecesOf(type)
          .map((piece) => toExpression(type, piece))
          .join(''),
      )}$`,
      'i',
    ),
);

/** A type whose addresses have the form of a path, and what the path says of the post: its id, or its slug. */
interface PathMatch {
  readonly type: ContentType;
  readonly id: number | null;
  readonly slug: string;
}

/** The page of a language, below its home page. */
type PagePath = Pick<SitePath, 'language' | 'below'>;

/** A decoded path in the form in which permalinks are compared: encoded, in lower case. */
const toKnownPath = (below: string): string => below.split('/').map(encodeSlug).join('/');

/** The text by which two addresses of one page are equal. */
export const toPathKey = ({ language, below }: PagePath): string => `/${language}/${toKnownPath(below)}/`;

/** The types that may have a post at a path below the home page of a language. */
function listPathMatches(types: PostSources['types'], below: string): readonly PathMatch[] {
  const path = toKnownPath(below);
  return [...types.values()].flatMap((type): readonly PathMatch[] => {
    const groups = type.storage === 'posts' ? formOf(type).exec(path)?.groups : undefined;
    return groups === undefined
      ? []
      : [{ type, id: groups['id'] === undefined ? null : Number(groups['id']), slug: groups['slug'] ?? '' }];
  });
}

/** The posts of these types by id or slug, and the front pages of the languages whose home pages are asked for. */
function toPredicate(candidates: readonly PathMatch[], fronts: readonly number[]): Predicate {
  if (candidates.length === 0) return oneOf('id', fronts);
  const ids = candidates.flatMap(({ id }) => (id === null ? [] : [id]));
  const slugs = candidates.flatMap(({ id, slug }) => (id === null ? [slug] : []));
  const parts = [
    ...(ids.length === 0 ? [] : [oneOf('id', [...new Set(ids)])]),
    ...(slugs.length === 0 ? [] : [oneOf('slug', [...new Set(slugs)])]),
  ];
  const ofTypes = and(
    oneOf('type', [...new Set(candidates.map(({ type }) => type.name))]),
    parts.length === 1 ? (parts[0] as Predicate) : or(...parts),
  );
  return fronts.length === 0 ? ofTypes : or(oneOf('id', fronts), ofTypes);
}

/**
 * The ids of the posts whose permalinks have these paths, by `toPathKey`. Permalinks are compared as a whole, so that parents, dates and
 * categories are right. A front page has the path of the home page too. `where`: the posts that may be found.
 */
export async function findByPaths(
  { store, types, settings: readSettings }: PostSources,
  pages: readonly PagePath[],
  where: Predicate,
): Promise<ReadonlyMap<string, number>> {
  const candidates = pages.flatMap(({ below }) => (below === '' ? [] : listPathMatches(types, below)));
  const settings = await readSettings();
  const homes = settings.showOnFront === 'page' ? pages.filter(({ below }) => below === '') : [];
  const fronts = homes
    .map(({ language }) => own(settings.pageOnFront, language) ?? 0)
    .filter((id) => id !== 0);
  if (candidates.length + fronts.length === 0) return new Map();
  const languages = [...new Set(pages.map(({ language }) => language))];
  const { records } = await store.find({
    collection: 'posts',
    where: and(where, oneOf('language', languages), toPredicate(candidates, fronts)),
    fields: ADDRESSED,
    limit: MOST_CANDIDATES * pages.length,
  });
  const posts = records.map(toAddressed);
  const linkParts = await loadLinkParts({ store, types, settings }, posts);
  const wanted = new Set(pages.map(toPathKey));
  return new Map(
    posts.flatMap((post): readonly (readonly [string, number])[] => {
      const type = types.get(post.type);
      const path =
        type === undefined
          ? ''
          : withoutSlashes(toPermalinkPath(post, { type, linkParts, settings })).toLowerCase();
      const keys = [
        `/${post.language}/${path}/`,
        ...(type?.hierarchical === true && isFrontPage(settings, post)
          ? [toPathKey({ language: post.language, below: '' })]
          : []),
      ];
      return keys.filter((key) => wanted.has(key)).map((key) => [key, post.id] as const);
    }),
  );
}

/** The languages of these whose home pages list posts: no published page is there. */
export async function listPostHomes(
  sources: PostSources,
  languages: readonly string[],
  isPublic: Predicate,
): Promise<readonly string[]> {
  const homes = languages.map((language) => ({ language, below: '' }));
  const fronts = await findByPaths(sources, homes, isPublic);
  return homes.filter((home) => !fronts.has(toPathKey(home))).map(({ language }) => language);
}

/** What is needed to find pages by their addresses. `taxonomies`: those of the site by name. */
export interface AddressSources extends PostSources {
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  /** Languages of the site, with the default one first. */
  readonly languages: readonly string[];
}

/** An address to look up. `url`: as it was asked for. `siteUrl`: address of the site. `isPublic`: the posts that may be found. */
export interface AddressQuery {
  readonly url: string;
  readonly siteUrl: string;
  readonly isPublic: Predicate;
}

const ARCHIVE = /^(?<path>[^/]+)\/(?:[^/]+\/)*?(?<slug>[^/]+)(?:\/page\/(?<page>[1-9]\d{0,5}))?$/;

/** The archive of a term that an address points to, of any taxonomy that the site serves. */
function readArchive({ taxonomies }: AddressSources, { language, below }: SitePath): Target | null {
  const { path, slug = '', page = '1' } = ARCHIVE.exec(below)?.groups ?? {};
  const taxonomy = [...taxonomies.values()].find((each) => hasPages(each) && each.path === path);
  return taxonomy === undefined
    ? null
    : { kind: 'term', language, taxonomy: taxonomy.name, slug: encodeSlug(slug), page: Number(page) };
}

/** The page of the site that an address points to. `posts-page`: the page with this id, which lists the posts. */
export type FoundTarget =
  | Target
  | { readonly kind: 'posts-page'; readonly language: string; readonly id: number; readonly page: number };

/** The page of the site that an address points to: the post whose permalink it is, otherwise as `readAddress`, or the archive of a term. A page on front is a post and not paged. */
export async function findTarget(
  sources: AddressSources,
  { url, siteUrl, isPublic }: AddressQuery,
): Promise<FoundTarget | null> {
  const place = readPlace(url, siteUrl, sources.languages);
  if (place === null) return null;
  const { language } = place;
  const target = readAddress(url, siteUrl, sources.languages);
  // The address of a home page may ask for a record or for a search.
  if (place.below === '' && target?.kind !== 'front') return target;
  const { path, page, isNamed } = readPaged(place);
  const list = { language, below: path };
  const found = await findByPaths(sources, isNamed ? [place, list] : [place], isPublic);
  const [id, listId] = [found.get(toPathKey(place)), found.get(toPathKey(list))];
  if (listId !== undefined && isPostsPage(await sources.settings(), { id: listId, language }))
    return { kind: 'posts-page', language, id: listId, page };
  if (id !== undefined && !(target?.kind === 'front' && page > 1)) return { kind: 'post-id', language, id };
  if (target?.kind === 'front' && listId !== undefined) return null;
  return target ?? readArchive(sources, place);
}
