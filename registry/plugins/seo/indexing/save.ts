import {
  and,
  eq,
  findFirst,
  gt,
  oneOf,
  type Operation,
  type Predicate,
  type Store,
  StoreError,
} from '../../../../lib/index.ts';
import {
  type AddressSources,
  findByPaths,
  pause,
  readAddress,
  readPlace,
  retryRaces,
  toPathKey,
  toTerm,
  countRecords,
  toCreate,
  toRemove,
  toUpdate,
} from '../../../plugin.ts';
import type { SeoFields, SeoRecord } from '../values/collections.ts';
import {
  type FoundLink,
  type Indexable,
  type IndexableValues,
  type LinkPage,
  toIndexable,
  toLinkPath,
  toTermPath,
} from './indexable.ts';

const LINKS_AT_ONCE = 200;

/** Finds an indexable by its key. */
export async function findIndexable(store: Store, key: string): Promise<Indexable | null> {
  const record = await findFirst(store, { collection: 'seo_indexables', where: eq('key', key) });
  return record === undefined ? null : toIndexable(record);
}

/** When an indexable is written, and how links to its page are stored. `gmt`: the time to store. */
interface Writing extends Omit<LinkPage, 'path'> {
  readonly gmt: string;
}

async function write(store: Store, values: IndexableValues, gmt: string) {
  const found = await findIndexable(store, values.key);
  const isMoved = found !== null && found.path !== values.path;
  const [record] = await store.commit([
    found === null
      ? toCreate('seo_indexables', { ...values, created_gmt: gmt, updated_gmt: gmt })
      : // The relative links of a page that has moved lead elsewhere.
        toUpdate(
          'seo_indexables',
          { id: found.id },
          { ...values, ...(isMoved ? { links_version: 0 } : {}), updated_gmt: gmt },
        ),
  ]);
  return { saved: toIndexable(record), isNew: found === null, isMoved };
}

/** Creates or updates the indexable with this key. When two writers collide, the later one overwrites the earlier. */
export async function saveIndexable(
  store: Store,
  values: IndexableValues,
  writing: Writing,
): Promise<Indexable> {
  const { saved, isNew, isMoved } = await retryRaces(() => write(store, values, writing.gmt));
  if (isMoved) await renewLinks(store, saved.id);
  return isNew || isMoved ? adoptLinks(store, saved, writing) : saved;
}

/** Changes something for the links that match, some at a time. One of them may be removed at the same moment, with its page. @returns the number of the links */
async function changeForLinks(
  store: Store,
  where: Predicate,
  toOperations: (links: readonly SeoRecord<'seo_links'>[]) => readonly Operation[],
): Promise<number> {
  let count = 0;
  for (let last: number | undefined = 0; last !== undefined; await pause()) {
    const behind: number = last;
    const links = await retryRaces(async () => {
      const { records } = await store.find({
        collection: 'seo_links',
        where: and(where, gt('id', behind)),
        fields: ['indexable'],
        limit: LINKS_AT_ONCE,
      });
      if (records.length > 0) await store.commit(toOperations(records as readonly SeoRecord<'seo_links'>[]));
      return records;
    });
    count += links.length;
    last = links.at(-1)?.id;
  }
  return count;
}

/** Lets the links of all pages that link to an indexable be read again, because they may lead elsewhere now. */
async function renewLinks(store: Store, target: number): Promise<void> {
  await changeForLinks(store, eq('target', target), (links) =>
    [...new Set(links.map(({ indexable }) => indexable))].map((id) =>
      toUpdate('seo_indexables', { id }, { links_version: 0 }),
    ),
  );
}

/** Sets the target of all links that match; 0: they have none. @returns the number of the links */
export function setTarget(store: Store, where: Predicate, target: number): Promise<number> {
  return changeForLinks(store, where, (links) =>
    links.map(({ id }) => toUpdate('seo_links', { id }, { target })),
  );
}

/** Sets the target of links that were found before the indexable existed at this path. */
async function adoptLinks(
  store: Store,
  indexable: Indexable,
  place: Omit<LinkPage, 'path'>,
): Promise<Indexable> {
  if (indexable.path === '') return indexable;
  const path = toLinkPath(`${place.siteUrl}${indexable.path}`, place);
  const adopted = await setTarget(store, and(eq('path', path), eq('target', 0)), indexable.id);
  return adopted === 0 ? indexable : ((await countIncoming(store, indexable.id)) ?? indexable);
}

/** Recounts the pages that link to an indexable. null: it was removed meanwhile. */
async function countIncoming(store: Store, id: number): Promise<Indexable | null> {
  const incoming_link_count = await countRecords(store, {
    collection: 'seo_links',
    where: and(eq('target', id), eq('type', 'internal')),
  });
  try {
    const [record] = await store.commit([toUpdate('seo_indexables', { id }, { incoming_link_count })]);
    return toIndexable(record);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') return null;
    throw error;
  }
}

/** Recounts the links to each of these indexables. 0 is none. */
export async function recountLinks(store: Store, targets: Iterable<number>): Promise<void> {
  for (const target of new Set(targets)) {
    if (target !== 0) await countIncoming(store, target);
    await pause();
  }
}

const keyOf = ({ type, url }: Pick<SeoFields<'seo_links'>, 'type' | 'url'>): string => `${type} ${url}`;

/** Where links point to. `siteUrl`: address of the site. */
export interface LinkSources extends AddressSources {
  readonly siteUrl: string;
}

/** Posts in these statuses have their permalinks. */
const HAS_PERMALINK = oneOf('status', ['publish', 'private']);

/** The keys of the posts that links point to, by their permalinks or by `?p=id`. */
async function findPosts(
  sources: LinkSources,
  links: readonly FoundLink[],
): Promise<(link: FoundLink) => string | undefined> {
  const places = new Map(links.map(({ url }) => [url, readPlace(url, sources.siteUrl, sources.languages)]));
  const byPath = await findByPaths(
    sources,
    [...places.values()].filter((place) => place !== null),
    HAS_PERMALINK,
  );
  return ({ url, path }) => {
    const place = places.get(url) ?? null;
    // The address of a home page may ask for a record or for a search.
    const isPage = place !== null && (place.below !== '' || path === `/${place.language}/`);
    const id = (isPage ? byPath.get(toPathKey(place)) : undefined) ?? /\?p=(\d+)$/.exec(path)?.[1];
    return id === undefined ? undefined : `post:${id}`;
  };
}

/** The keys of the terms that links point to, whichever of the terms above them the links name. A term without a language is indexed in the first one. */
async function findTerms(
  { store, siteUrl, languages }: LinkSources,
  links: readonly FoundLink[],
): Promise<ReadonlyMap<string, string>> {
  const named = links
    .map(({ url }) => readAddress(url, siteUrl, languages))
    .filter((target) => target?.kind === 'term');
  if (named.length === 0) return new Map();
  const where = and(
    oneOf('taxonomy', [...new Set(named.map(({ taxonomy }) => taxonomy))]),
    oneOf('slug', [...new Set(named.map(({ slug }) => slug))]),
  );
  const { records } = await store.find({
    collection: 'terms',
    where,
    fields: ['taxonomy', 'slug', 'language'],
  });
  const [first = ''] = languages;
  return new Map(
    records
      .map(toTerm)
      .map((term) => [toTermPath({ ...term, language: term.language || first }), `term:${term.id}`]),
  );
}

/** Looks up the id of the indexable that each link points to: that of a post or a term, or the one of the path. */
async function findTargets(
  sources: LinkSources,
  found: readonly FoundLink[],
): Promise<(link: FoundLink) => number> {
  const links = found.filter(({ type }) => type === 'internal');
  if (links.length === 0) return () => 0;
  const [postOf, terms] = await Promise.all([findPosts(sources, links), findTerms(sources, links)]);
  const keyOf = (link: FoundLink): string => postOf(link) ?? terms.get(link.path) ?? '';
  const find = async (
    field: 'path' | 'key',
    values: readonly string[],
  ): Promise<ReadonlyMap<unknown, number>> => {
    const where = oneOf(field, [...new Set(values)]);
    const { records } = await sources.store.find({ collection: 'seo_indexables', where, fields: [field] });
    return new Map(records.map((record) => [record[field], record.id]));
  };
  const [byPath, byKey] = await Promise.all([
    find(
      'path',
      links.map(({ path }) => path),
    ),
    find('key', links.map(keyOf)),
  ]);
  return (link) => (link.type === 'internal' ? (byKey.get(keyOf(link)) ?? byPath.get(link.path) ?? 0) : 0);
}

/** The operations that make the stored links match the found ones. A stored link is also updated when its target changed. */
async function planLinks(sources: LinkSources, owner: Indexable, found: readonly FoundLink[]) {
  const [{ records }, targetOf] = await Promise.all([
    sources.store.find({ collection: 'seo_links', where: eq('indexable', owner.id) }),
    findTargets(sources, found),
  ]);
  const stored = records as readonly SeoRecord<'seo_links'>[];
  const wanted = new Map(
    found.map((link) => [keyOf(link), { ...link, indexable: owner.id, target: targetOf(link) }]),
  );
  const gone = stored.filter((link) => wanted.get(keyOf(link))?.target !== link.target);
  const kept = new Set(stored.filter((link) => !gone.includes(link)).map(keyOf));
  const added = [...wanted].filter(([key]) => !kept.has(key)).map(([, link]) => link);
  return {
    operations: [
      ...gone.map(({ id }) => toRemove('seo_links', { id })),
      ...added.map((values) => toCreate('seo_links', values)),
    ],
    targets: [...gone, ...added].map(({ target }) => target),
  };
}

/** Replaces the stored links of an indexable with those found in its text, and recounts every page that gained or lost one. */
export async function writeLinks(
  sources: LinkSources,
  owner: Indexable,
  { found, version }: { found: readonly FoundLink[]; version: number },
): Promise<Indexable> {
  const { store } = sources;
  const { operations, targets } = await planLinks(sources, owner, found);
  const link_count = found.filter(({ type }) => type === 'internal').length;
  const answers = await store.commit([
    ...operations,
    toUpdate('seo_indexables', { id: owner.id }, { link_count, links_version: version }),
  ]);
  await recountLinks(store, targets);
  return toIndexable(answers.at(-1));
}
