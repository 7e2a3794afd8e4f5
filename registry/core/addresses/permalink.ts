import { own, perObject } from '../../../lib/core/objects.ts';
import type { SiteView } from '../../../lib/route/call.ts';
import { toPathPart } from '../content/slug.ts';
import type { ContentType } from '../model/content-type.ts';
import { piecesOf, SLUG_TAGS, tagsOf, type PermalinkTag } from '../model/permalink-tags.ts';
import { isFrontPage, type SiteSettings } from '../settings/site-settings.ts';
import { NO_LINK_PARTS, type Addressed, type LinkParts } from './link-parts.ts';
import { listAncestors } from './load-terms.ts';

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
function toAncestorPath({ id, parent }: Pick<Addressed, 'id' | 'parent'>, { posts }: LinkParts): string {
  let path = '';
  const seen = new Set([id]);
  for (let next = parent; next !== 0 && !seen.has(next);) {
    seen.add(next);
    const found = posts.get(next);
    if (found === undefined) break;
    path = `${toPathPart(found.slug)}/${path}`;
    next = found.parent;
  }
  return path;
}

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
