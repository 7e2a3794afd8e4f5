import { setTimeout as wait } from 'node:timers/promises';
import {
  eq,
  findInBatches,
  oneOf,
  type SiteView,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../../lib/index.ts';
import {
  type ContentType,
  pause,
  type Ports,
  runLocked,
  servicesOf,
  countRecords,
  findByIds,
  toRemove,
  toRemoveAll,
} from '../../../plugin.ts';
import type { SeoDeps } from '../routes/routes.ts';
import { COLLECTIONS, type ObjectType } from '../values/head-facts.ts';
import { type Indexable, toIndexable } from './indexable.ts';
import { recountLinks, setTarget } from './save.ts';
import { createSources, indexBatch, type IndexSource, kindsOf, type SourceCandidate } from './sources.ts';
import { PHASES, readState } from './state.ts';

const PAGE = 200;

/** Indexables of one page whose object was removed or is in the trash. */
async function listGone(
  store: Store,
  type: ObjectType,
  indexables: readonly Indexable[],
): Promise<readonly number[]> {
  const objects = await findByIds(store, {
    collection: COLLECTIONS[type],
    ids: indexables.map(({ object_id }) => object_id),
    fields: type === 'post' ? ['status'] : [],
  });
  const isGone = (object: StoredRecord | undefined): boolean =>
    object === undefined || object['status'] === 'trash';
  return indexables.filter(({ object_id }) => isGone(objects.get(object_id))).map(({ id }) => id);
}

/** Removes an indexable and its own links. Links to it stay without a target until another object has its path. */
async function forget(store: Store, id: number): Promise<void> {
  const { records: outward } = await store.find({
    collection: 'seo_links',
    where: eq('indexable', id),
    fields: ['target'],
  });
  await setTarget(store, eq('target', id), 0);
  await store.commit([toRemoveAll('seo_links', eq('indexable', id)), toRemove('seo_indexables', { id })]);
  await recountLinks(
    store,
    outward.map(({ target }) => Number(target)),
  );
}

/** Removes the index data of posts and terms that no longer exist. */
export async function sweepIndex(store: Store): Promise<void> {
  for (const type of ['post', 'term'] as const) {
    const query = {
      collection: 'seo_indexables',
      where: eq('object_type', type),
      fields: ['object_id'],
      limit: PAGE,
    };
    for await (const records of findInBatches(store, query)) {
      for (const id of await listGone(store, type, records.map(toIndexable))) await forget(store, id);
      await pause();
    }
  }
}

/** Objects that a read indexes without being asked. A site with more new ones is indexed by the indexing routes, which show their progress. */
const MOST_NEW = 1000;
/** How long a read waits for the index. */
const WAIT_MS = 1000;
/** A run of the indexing routes that began longer ago was abandoned. */
const RUN_MS = 3_600_000;
const LOCK = { name: 'seo.catch-up', ttlMs: 30_000 } as const;
/** What the index is made from. */
const READ = ['posts', 'terms', 'seo_meta'];

/** The collections that the index is made from. Paths may name authors. */
const listRead = (types: Iterable<ContentType>): readonly string[] =>
  [...types].some(({ permalink }) => permalink.includes('%author%')) ? [...READ, 'users'] : READ;

/** Brings the index up to date before it is read. Returns whether it is. */
export type CatchUp = (site: SiteView) => Promise<boolean>;

/** Indexes the stale objects of one source. An object that fails is left out, as in a run of the routes. */
async function indexSource(
  source: IndexSource,
  { log, signal }: { readonly log: Ports['log']; readonly signal: AbortSignal },
): Promise<void> {
  const fail = ({ object_type, object_id }: SourceCandidate, error: unknown): void => {
    // It, or what it links to, was removed meanwhile.
    if (error instanceof StoreError && error.code === 'missing') return;
    log({ level: 'error', message: `${object_type} ${object_id} could not be indexed`, error });
  };
  for (let cursor = 0, left = true; left && !signal.aborted;)
    ({ cursor, left } = await indexBatch(source, cursor, { fail, signal }));
}

/** Whether somebody else indexes the site: a run of the routes is in progress, or one has to come, because too much is new. */
async function isLeftToRoutes({ ports: { store, now }, config }: SeoDeps): Promise<boolean> {
  const { running, started_gmt: started } = await readState(store);
  if (running && now() - Date.parse(`${started}Z`) < RUN_MS) return true;
  const { posts, terms } = kindsOf(config);
  const indexed = { collection: 'seo_indexables', where: oneOf('object_type', Object.keys(COLLECTIONS)) };
  const [written, described, known] = await Promise.all([
    countRecords(store, posts),
    countRecords(store, terms),
    countRecords(store, indexed),
  ]);
  return written + described - known > MOST_NEW;
}

/** Indexes whatever changed. Waits at most a second: what takes longer continues in the background. */
export function createCatchUp(parts: SeoDeps): CatchUp {
  const { ports } = parts;
  const { store, log, background, content } = ports;
  const { settings } = servicesOf(ports);
  const read = listRead(content.types.values());
  let caught: string | null = null;
  let running: Promise<void> | null = null;

  /** Another text whenever something that the index is made from has changed. */
  async function readMark(): Promise<string> {
    const revision = await store.revision(read);
    const { name, showOnFront, pageOnFront, defaultCategory } = await settings();
    return JSON.stringify([revision, name, showOnFront, pageOnFront, defaultCategory]);
  }

  async function indexChanges(site: SiteView, mark: string, signal: AbortSignal): Promise<void> {
    await runLocked(ports, { ...LOCK, signal }, async (held) => {
      const sources = createSources(parts, site.pagesUrl);
      for (const phase of PHASES) await indexSource(sources[phase], { log, signal: held });
      if (held.aborted) return;
      await sweepIndex(store);
      caught = mark;
    });
  }

  return async (site) => {
    const mark = await readMark();
    if (caught === mark) return true;
    if (running === null && (await isLeftToRoutes(parts))) return false;
    running ??= background
      .run('indexing what changed', (signal) => indexChanges(site, mark, signal))
      .finally(() => {
        running = null;
      });
    await Promise.race([running, wait(WAIT_MS, undefined, { ref: false })]);
    return caught === mark;
  };
}
