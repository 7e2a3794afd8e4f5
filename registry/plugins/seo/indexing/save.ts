import {
  findFirst,
  and,
  eq,
  gt,
  oneOf,
  type Operation,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  findByPaths,
  pause,
  type PostSources,
  readAddress,
  readPlace,
  retryRaces,
  toPathKey,
} from '../../../plugin.ts';
import { toNumber, toText } from '../values/scalars.ts';
import {
  type FoundLink,
  type Indexable,
  type IndexableValues,
  type LinkPage,
  toIndexable,
  toLinkPath,
  toTermPath,
  toWritten,
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

interface Written {
  readonly saved: Indexable;
  readonly isNew: boolean;
  readonly isMoved: boolean;
}

async function write(store: Store, values: IndexableValues, gmt: string): Promise<Written> {
  const found = await findIndexable(store, values.key);
  const isMoved = found !== null && found.path !== values.path;
  const [record] = await store.commit([
    found === null
      ? {
          op: 'create',
          collection: 'seo_indexables',
          values: { ...values, created_gmt: gmt, updated_gmt: gmt },
        }
      : // The relative links of a page that has moved lead elsewhere.
        {
          op: 'update',
          collection: 'seo_indexables',
          id: found.id,
          values: { ...values, ...(isMoved ? { links_version: 0 } : {}), updated_gmt: gmt },
        },
  ]);
  return { saved: toWritten(record), isNew: found === null, isMoved };
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

/** Renews the pages of the next links behind one. @returns the last of these links; null: there are no more */
async function renewSome(store: Store, target: number, behind: number): Promise<number | null> {
  const { records } = await store.find({
    collection: 'seo_links',
    where: and(eq('target', target), gt('id', behind)),
    fields: ['indexable'],
    limit: LINKS_AT_ONCE,
  });
  const owners = new Set(records.map(({ indexable }) => Number(indexable)));
  if (owners.size > 0)
    await store.commit(
      [...owners].map((id) => ({
        op: 'update',
        collection: 'seo_indexables',
        id,
        values: { links_version: 0 },
      })),
    );
  return records.at(-1)?.id ?? null;
}

/** Lets the links of all pages that link to an indexable be read again, because they may lead elsewhere now. */
async function renewLinks(store: Store, target: number): Promise<void> {
  for (let behind: number | null = 0; behind !== null; await pause()) {
    const from: number = behind;
    // One of the pages may be removed at the same moment, with its links.
    behind = await retryRaces(() => renewSome(store, target, from));
  }
}

/** Sets the target of the next links to a path that have none. @returns the number of these links */
async function adoptSome(store: Store, path: string, target: number): Promise<number> {
  const { records } = await store.find({
    collection: 'seo_links',
    where: and(eq('path', path), eq('target', 0)),
    fields: [],
    limit: LINKS_AT_ONCE,
  });
  if (records.length > 0)
    await store.commit(
      records.map(({ id }) => ({ op: 'update', collection: 'seo_links', id, values: { target } })),
    );
  return records.length;
}

/** Sets the target of links that were found before the indexable existed at this path. */
async function adoptLinks(
  store: Store,
  indexable: Indexable,
  place: Omit<LinkPage, 'path'>,
): Promise<Indexable> {
  if (indexable.path === '') return indexable;
  const path = toLinkPath(`${place.siteUrl}${indexable.path}`, place);
  let adopted = 0;
  for (let count = LINKS_AT_ONCE; count > 0; adopted += count) {
    // One of the links may be removed at the same moment, with its page.
    count = await retryRaces(() => adoptSome(store, path, indexable.id));
    await pause();
  }
  return adopted === 0 ? indexable : retryRaces(() => countIncoming(store, indexable.id));
}

/** Recounts the pages that link to an indexable. */
export async function countIncoming(store: Store, id: number): Promise<Indexable> {
  const { total } = await store.find({
    collection: 'seo_links',
    where: and(eq('target', id), eq('type', 'internal')),
    fields: [],
    limit: 1,
    total: true,
  });
  const [record] = await store.commit([
    { op: 'update', collection: 'seo_indexables', id, values: { incoming_link_count: total } },
  ]);
  return toWritten(record);
}

const keyOf = (link: StoredRecord | FoundLink): string => `${toText(link['type'])} ${toText(link['url'])}`;

/** Where links point to. `siteUrl`: address of the site. */
export interface LinkSources extends PostSources {
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** Posts in these statuses have their permalinks. */
const HAS_PERMALINK = oneOf('status', ['publish', 'private']);

/** The ids of the posts that links point to, by their permalinks or by `?p=id`. */
async function findPosts(
  sources: LinkSources,
  links: readonly FoundLink[],
): Promise<(link: FoundLink) => number> {
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
    return (isPage ? byPath.get(toPathKey(place)) : undefined) ?? Number(/\?p=(\d+)$/.exec(path)?.[1] ?? 0);
  };
}

/** The ids of the terms that links point to, whichever of the terms above them the links name. A term without a language is indexed in the first one. */
async function findTerms(
  { store, siteUrl, languages }: LinkSources,
  links: readonly FoundLink[],
): Promise<(link: FoundLink) => number> {
  const named = links
    .map(({ url }) => readAddress(url, siteUrl, languages))
    .filter((target) => target?.kind === 'term');
  if (named.length === 0) return () => 0;
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
  const ids = new Map(
    records.map(({ id, taxonomy, slug, language }) => [
      toTermPath({ taxonomy: toText(taxonomy), slug: toText(slug), language: toText(language) || first }),
      id,
    ]),
  );
  return ({ path }) => ids.get(path) ?? 0;
}

/** Looks up the id of the indexable that each link points to: that of a post or a term, or the one of the path. */
async function findTargets(
  sources: LinkSources,
  found: readonly FoundLink[],
): Promise<(link: FoundLink) => number> {
  const { store } = sources;
  const links = found.filter(({ type }) => type === 'internal');
  if (links.length === 0) return () => 0;
  const [postOf, termOf] = await Promise.all([findPosts(sources, links), findTerms(sources, links)]);
  const keyOf = (link: FoundLink): string =>
    postOf(link) === 0 && termOf(link) !== 0 ? `term:${termOf(link)}` : `post:${postOf(link)}`;
  const [byPath, byKey] = await Promise.all([
    store.find({
      collection: 'seo_indexables',
      where: oneOf('path', [...new Set(links.map(({ path }) => path))]),
      fields: ['path'],
    }),
    store.find({
      collection: 'seo_indexables',
      where: oneOf('key', [...new Set(links.map(keyOf))]),
      fields: ['key'],
    }),
  ]);
  const paths = new Map(byPath.records.map(({ id, path }) => [path, id]));
  const keys = new Map(byKey.records.map(({ id, key }) => [key, id]));
  return (link) => (link.type === 'internal' ? (keys.get(keyOf(link)) ?? paths.get(link.path) ?? 0) : 0);
}

/** The operations that make the stored links match the found ones. A stored link is also updated when its target changed. */
async function planLinks(
  sources: LinkSources,
  owner: Indexable,
  found: readonly FoundLink[],
): Promise<{ operations: readonly Operation[]; targets: ReadonlySet<number> }> {
  const [{ records: stored }, targetOf] = await Promise.all([
    sources.store.find({ collection: 'seo_links', where: eq('indexable', owner.id) }),
    findTargets(sources, found),
  ]);
  const wanted = new Map(
    found.map((link) => [keyOf(link), { ...link, indexable: owner.id, target: targetOf(link) }]),
  );
  const gone = stored.filter((record) => wanted.get(keyOf(record))?.target !== record['target']);
  const kept = new Set(stored.filter((record) => !gone.includes(record)).map(keyOf));
  const added = [...wanted].filter(([key]) => !kept.has(key)).map(([, link]) => link);
  return {
    operations: [
      ...gone.map(({ id }): Operation => ({ op: 'remove', collection: 'seo_links', id })),
      ...added.map((values): Operation => ({ op: 'create', collection: 'seo_links', values })),
    ],
    targets: new Set(
      [...gone.map((record) => toNumber(record['target'])), ...added.map(({ target }) => target)].filter(
        (id) => id !== 0,
      ),
    ),
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
    {
      op: 'update',
      collection: 'seo_indexables',
      id: owner.id,
      values: { link_count, links_version: version },
    },
  ]);
  for (const target of targets) {
    await countIncoming(store, target);
    await pause();
  }
  return toWritten(answers.at(-1));
}
