import { perObject } from '../../lib/core/objects.ts';
import { and, eq, or, type Predicate } from '../../lib/store/query.ts';
import type { Store } from '../../lib/store/store.ts';
import { ADDRESSED, loadLinkParts, toAddressed } from '../cms/link-parts.ts';
import { toPermalinkPath } from '../cms/permalink.ts';
import type { ContentType } from '../model/content-type.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { PERMALINK_TAGS, piecesOf, SLUG_TAGS } from '../model/permalink-tags.ts';
import type { ReadSettings } from '../site/settings.ts';
import { encodeSlug, readAddress, readPlace, type Place, type Target } from './address.ts';

/** What is needed to find posts by their permalinks. */
export interface AddressSources {
  readonly store: Store;
  readonly types: ReadonlyMap<string, ContentType>;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
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

/** A type whose addresses have the form of a path, and what the path says of the post: its id, or its slug. */
export interface Candidate {
  readonly type: ContentType;
  readonly id: number | null;
  readonly slug: string;
}

const toKnownPath = (below: string): string => below.split('/').map(encodeSlug).join('/');

/** The types that may have a post at a path below the home page of a language. */
export function listCandidates(types: AddressSources['types'], below: string): readonly Candidate[] {
  const path = toKnownPath(below);
  return [...types.values()].flatMap((type): readonly Candidate[] => {
    const groups = type.storage === 'posts' ? formOf(type).exec(path)?.groups : undefined;
    return groups === undefined ? [] : [{ type, id: groups['id'] === undefined ? null : Number(groups['id']), slug: groups['slug'] ?? '' }];
  });
}

const toPredicate = ({ type, id, slug }: Candidate): Predicate => and(eq('type', type.name), id === null ? eq('slug', slug) : eq('id', id));

/** The id of the post whose permalink has this path below the home page of a language. Permalinks are compared as a whole, so that parents, dates and categories are right. */
async function findByPath({ store, types, settings: readSettings }: AddressSources, { language, below }: Pick<Place, 'language' | 'below'>, isPublic: Predicate): Promise<number | null> {
  const candidates = listCandidates(types, below);
  if (candidates.length === 0) return null;
  const { records } = await store.find({ collection: 'posts', where: and(isPublic, eq('language', language), or(...candidates.map(toPredicate))), fields: ADDRESSED, limit: MOST_CANDIDATES });
  const posts = records.map(toAddressed);
  const settings = await readSettings();
  const linkParts = await loadLinkParts({ store, types, settings }, posts);
  const found = posts.find((post) => {
    const type = types.get(post.type);
    return type !== undefined && withoutSlashes(toPermalinkPath(post, { type, linkParts, settings })).toLowerCase() === toKnownPath(below);
  });
  return found?.id ?? null;
}

const ARCHIVE = /^(?<path>[^/]+)\/(?:[^/]+\/)*?(?<slug>[^/]+)(?:\/page\/(?<page>[1-9]\d{0,5}))?$/;

/** The archive of a term that an address points to, of any taxonomy that the site serves. */
function readArchive({ taxonomies }: AddressSources, { language, below }: Place): Target | null {
  const { path, slug = '', page = '1' } = ARCHIVE.exec(below)?.groups ?? {};
  const taxonomy = [...taxonomies.values()].find((each) => each.served && each.path === path);
  return taxonomy === undefined ? null : { kind: 'term', language, taxonomy: taxonomy.name, slug: encodeSlug(slug), page: Number(page) };
}

/** The page of the site that an address points to: the post whose permalink it is, otherwise as `readAddress`, or the archive of a term. */
export async function findTarget(sources: AddressSources, { url, siteUrl, isPublic }: AddressQuery): Promise<Target | null> {
  const place = readPlace(url, siteUrl, sources.languages);
  if (place === null) return null;
  const id = place.below === '' ? null : await findByPath(sources, place, isPublic);
  if (id !== null) return { kind: 'post-id', language: place.language, id };
  return readAddress(url, siteUrl, sources.languages) ?? readArchive(sources, place);
}
