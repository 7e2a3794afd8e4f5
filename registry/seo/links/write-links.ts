import { eq, oneOf } from '../../../lib/store/query.ts';
import type { Operation, Store, StoredRecord } from '../../../lib/store/store.ts';
import { pause } from '../../../lib/core/pause.ts';
import { toIndexable, type Indexable } from '../indexing/indexable.ts';
import { countIncoming } from '../indexing/save.ts';
import { toNumber, toText } from '../json.ts';
import type { FoundLink } from './found-links.ts';

const keyOf = (link: StoredRecord | FoundLink): string => `${toText(link['type'])} ${toText(link['url'])}`;

/** Path -> id of the indexable that stands there. */
async function findTargets(store: Store, links: readonly FoundLink[]): Promise<(link: FoundLink) => number> {
  const paths = [...new Set(links.map(({ path }) => path).filter((path) => path !== ''))];
  if (paths.length === 0) return () => 0;
  // A post that is linked by its id stands at its own path, so it is looked for by its key.
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

/** What has to be written so that the stored links are the found ones. A stored link also changes when its target does. */
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

/** Makes the stored links of an indexable those that were found in its text, and counts anew whoever gained or lost one. */
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
  if (record === null || record === undefined) throw new TypeError('the store answered an update without the record');
  return toIndexable(record);
}
