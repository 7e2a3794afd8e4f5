import { eq, oneOf } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import { pause } from '../../../lib/core/pause.ts';
import { toIndexable, type Indexable } from '../indexing/indexable.ts';
import { countIncoming } from '../indexing/save.ts';
import { toNumber, toText } from '../json.ts';
import type { FoundLink } from './found-links.ts';

const keyOf = (link: StoredRecord | FoundLink): string => `${toText(link['type'])} ${toText(link['url'])}`;

/** Looks up the id of the indexable that each link points to. */
async function findTargets(store: Store, links: readonly FoundLink[]): Promise<(link: FoundLink) => number> {
  const paths = [...new Set(links.map(({ path }) => path).filter((path) => path !== ''))];
  if (paths.length === 0) return () => 0;
  // A link by post id does not match the path of the post, so the post is looked up by its key.
  const keys = paths.flatMap((path) => /\?p=(\d+)$/.exec(path)?.slice(1).map((id) => `post:${id}`) ?? []);
  const [byPath, byKey] = await Promise.all([
    store.find({ collection: 'seo_indexables', where: oneOf('path', paths), fields: ['path'] }),
    keys.length === 0 ? { records: [] } : store.find({ collection: 'seo_indexables', where: oneOf('key', keys), fields: ['key'] }),
  ]);
  const ids = new Map([
    ...byKey.records.map(({ id, key }) => [`?p=${toText(key).slice('post:'.length)}`, id] as const),
    ...byPath.records.map(({ id, path }) => [toText(path), id] as const),
  ]);
  return ({ path }) => ids.get(path) ?? ids.get(path.slice(path.indexOf('?'))) ?? 0;
}

/** The operations that make the stored links match the found ones. A stored link is also updated when its target changed. */
async function planLinks(store: Store, owner: Indexable, found: readonly FoundLink[]): Promise<{ operations: readonly Operation[]; targets: ReadonlySet<number> }> {
  const [{ records: stored }, targetOf] = await Promise.all([
    store.find({ collection: 'seo_links', where: eq('indexable', owner.id) }), findTargets(store, found),
  ]);
  const wanted = new Map(found.map((link) => [keyOf(link), { ...link, indexable: owner.id, target: targetOf(link) }]));
  const gone = stored.filter((record) => wanted.get(keyOf(record))?.target !== record['target']);
  const kept = new Set(stored.filter((record) => !gone.includes(record)).map(keyOf));
  const added = [...wanted].filter(([key]) => !kept.has(key)).map(([, link]) => link);
  return {
    operations: [
      ...gone.map(({ id }): Operation => ({ op: 'remove', collection: 'seo_links', id })),
      ...added.map((values): Operation => ({ op: 'create', collection: 'seo_links', values })),
    ],
    targets: new Set([...gone.map((record) => toNumber(record['target'])), ...added.map(({ target }) => target)].filter((id) => id !== 0)),
  };
}

/** Replaces the stored links of an indexable with those found in its text, and recounts every page that gained or lost one. */
export async function writeLinks(store: Store, owner: Indexable, { found, version }: { found: readonly FoundLink[]; version: number }): Promise<Indexable> {
  const { operations, targets } = await planLinks(store, owner, found);
  const link_count = found.filter(({ type }) => type === 'internal').length;
  const answers = await store.commit([
    ...operations, { op: 'update', collection: 'seo_indexables', id: owner.id, values: { link_count, links_version: version } },
  ]);
  for (const target of targets) {
    await countIncoming(store, target);
    await pause();
  }
  const record = answers.at(-1);
  if (record === null || record === undefined) throw new TypeError('the store did not return the updated record');
  return toIndexable(record);
}
