import { type Operation, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import { type PostSources, findByPaths, pause, readAddress, readPlace, toPathKey } from '../../../plugin.ts';
import { toNumber, toText } from '../values/json.ts';
import { toTermPath, type FoundLink } from './found-links.ts';
import { toWritten, type Indexable } from './indexable.ts';
import { countIncoming } from './save.ts';

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
