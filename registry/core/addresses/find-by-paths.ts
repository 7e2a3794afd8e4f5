import { own, perObject } from '../../../lib/core/objects.ts';
import { and, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import type { ContentType } from '../model/content-type.ts';
import { PERMALINK_TAGS, piecesOf, SLUG_TAGS } from '../model/permalink-tags.ts';
import { isFrontPage, type ReadSettings } from '../settings/site-settings.ts';
import { ADDRESSED, loadLinkParts, toAddressed } from './link-parts.ts';
import { encodeSlug, type SitePath } from './page-paths.ts';
import { toPermalinkPath } from './permalink.ts';

/** What is needed to find posts by their permalinks: the `store`, the `types` of the site by name, and its `settings`. */
export interface PostSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly settings: ReadSettings;
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
export interface PathMatch {
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
export function listPathMatches(types: PostSources['types'], below: string): readonly PathMatch[] {
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
