import type { Predicate } from '../../lib/store/query.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { encodeSlug, readAddress, readPlace, type Place, type Target } from './address.ts';
import { findByPaths, toPathKey, type PostSources } from './find-by-paths.ts';

/** What is needed to find pages by their addresses. */
export interface AddressSources extends PostSources {
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  /** Languages of the site, with the default one first. */
  readonly languages: readonly string[];
}

/** An address to look up. `siteUrl`: address of the site. `isPublic`: the posts that may be found. */
export interface AddressQuery {
  readonly url: string;
  readonly siteUrl: string;
  readonly isPublic: Predicate;
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
  const id = (await findByPaths(sources, [place], isPublic)).get(toPathKey(place));
  if (id !== undefined) return { kind: 'post-id', language: place.language, id };
  return readAddress(url, siteUrl, sources.languages) ?? readArchive(sources, place);
}
