import { perObject } from '../../lib/core/objects.ts';
import { and, eq, or, type Predicate } from '../../lib/store/query.ts';
import type { Store } from '../../lib/store/store.ts';
import { ADDRESSED, loadLinkParts, toAddressed } from '../cms/link-parts.ts';
import { toPermalinkPath } from '../cms/permalink.ts';
import type { ContentType } from '../model/content-type.ts';
import { PERMALINK_TAGS, piecesOf, SLUG_TAGS } from '../model/permalink-tags.ts';
import type { ReadSettings } from '../site/settings.ts';
import { encodeSlug, readAddress, readPlace, type Target } from './address.ts';

/** What is needed to find posts by their permalinks. */
export interface AddressSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly settings: ReadSettings;
  /** Languages of the site, with the default one first. */
  readonly languages: readonly string[];
}

/** An address to look up. `siteUrl`: address of the site. `isPublic`: the posts that may be found. */
export interface AddressQuery {
  readonly url: string;
  readonly siteUrl: string;
  readonly isPublic: Predicate;
}

const MOST_CANDIDATES = 50;

function toExpression({ hierarchical }: ContentType, piece: ReturnType<typeof piecesOf>[number]): string {
  if ('text' in piece) return piece.text.replaceAll('.', '\\.');
  if (piece.tag === 'post_id') return `(?<id>${PERMALINK_TAGS.post_id})`;
  if (!SLUG_TAGS.has(piece.tag)) return PERMALINK_TAGS[piece.tag];
  return `${hierarchical ? '(?:[^/]+/)*' : ''}(?<slug>${PERMALINK_TAGS.postname})`;
}

const withoutSlashes = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '');

/** The form of the addresses of a type, without the outer slashes. */
const formOf = perObject((type: ContentType): RegExp => new RegExp(`^${withoutSlashes(piecesOf(type).map((piece) => toExpression(type, piece)).join(''))}$`));

/** The posts of a type that may have a path. null: the path does not have the form of the type. */
function toCandidates(type: ContentType, path: string): Predicate | null {
  const groups = formOf(type).exec(path)?.groups;
  if (groups === undefined || type.storage !== 'posts') return null;
  const { id, slug = '' } = groups;
  return and(eq('type', type.name), id === undefined ? eq('slug', slug) : eq('id', Number(id)));
}

/** The id of the post whose permalink has this path below the home page of a language. Permalinks are compared as a whole, so that parents, dates and categories are right. */
async function findByPath({ store, types, settings: readSettings }: AddressSources, { language, below }: { readonly language: string; readonly below: string }, isPublic: Predicate): Promise<number | null> {
  const path = below.split('/').map(encodeSlug).join('/');
  const candidates = [...types.values()].flatMap((type) => toCandidates(type, path) ?? []);
  if (candidates.length === 0) return null;
  const { records } = await store.find({ collection: 'posts', where: and(isPublic, eq('language', language), or(...candidates)), fields: ADDRESSED, limit: MOST_CANDIDATES });
  const posts = records.map(toAddressed);
  const settings = await readSettings();
  const linkParts = await loadLinkParts({ store, types, settings }, posts);
  const found = posts.find((post) => {
    const type = types.get(post.type);
    return type !== undefined && withoutSlashes(toPermalinkPath(post, { type, linkParts, settings })).toLowerCase() === path;
  });
  return found?.id ?? null;
}

/** The page of the site that an address points to: the post whose permalink it is, otherwise as `readAddress`. */
export async function findTarget(sources: AddressSources, { url, siteUrl, isPublic }: AddressQuery): Promise<Target | null> {
  const place = readPlace(url, siteUrl, sources.languages);
  if (place === null) return null;
  const id = place.below === '' ? null : await findByPath(sources, place, isPublic);
  return id === null ? readAddress(url, siteUrl, sources.languages) : { kind: 'post-id', language: place.language, id };
}
