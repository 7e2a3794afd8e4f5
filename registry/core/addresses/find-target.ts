import type { Predicate } from '../../../lib/store/query.ts';
import { hasPages } from '../model/content-type.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { isPostsPage } from '../settings/site-settings.ts';
import { findByPaths, toPathKey, type PostSources } from './find-by-paths.ts';
import { encodeSlug, readAddress, readPaged, readPlace, type SitePath, type Target } from './page-paths.ts';

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
