import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { findByOldSlug } from '../records/old-slugs.ts';
import { listPathMatches, type PathMatch } from './find-by-paths.ts';
import type { AddressQuery, AddressSources } from './find-target.ts';
import { ADDRESSED, loadLinkParts, toAddressed, type Addressed } from './link-parts.ts';
import { encodeSlug, readAddress, readPlace } from './page-paths.ts';
import { toPermalinkPath } from './permalink.ts';

const MOST_CHILDREN = 20;

/** A post and its ancestors, the nearest first. */
function toLine(post: Addressed, posts: ReadonlyMap<number, Addressed>): readonly Addressed[] {
  const line = new Set<Addressed>();
  for (
    let next: Addressed | undefined = post;
    next !== undefined && !line.has(next);
    next = posts.get(next.parent)
  )
    line.add(next);
  return [...line];
}

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
      const owners = toOwners(now, toLine(post, linkParts.posts));
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
