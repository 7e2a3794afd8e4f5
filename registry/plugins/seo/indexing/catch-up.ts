import { setTimeout as wait } from 'node:timers/promises';
import { type SiteView, StoreError, oneOf } from '../../../../lib/index.ts';
import { type ContentType, type Ports, pause, runLocked, servicesOf } from '../../../plugin.ts';
import type { SeoDeps } from '../routes/deps.ts';
import { countObjects, kindsOf } from './known.ts';
import { createSources, type IndexSource } from './sources.ts';
import { PHASES, readState } from './state.ts';
import { sweepIndex } from './sweep.ts';
import { takeBatch } from './walk.ts';

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
  for (let cursor = 0, left = true; left && !signal.aborted;) {
    const batch = await takeBatch(source, cursor);
    for (const candidate of batch.stale) {
      if (signal.aborted) return;
      try {
        await source.index(candidate);
      } catch (error) {
        // It, or what it links to, was removed meanwhile.
        if (error instanceof StoreError && error.code === 'missing') continue;
        log({
          level: 'error',
          message: `${candidate.object_type} ${candidate.object_id} could not be indexed`,
          error,
        });
      }
      await pause();
    }
    ({ cursor, left } = batch);
  }
}

/** Whether somebody else indexes the site: a run of the routes is in progress, or one has to come, because too much is new. */
async function isLeftToRoutes({ ports: { store, now }, config }: SeoDeps): Promise<boolean> {
  const { running, started_gmt: started } = await readState(store);
  if (running && now() - Date.parse(`${started}Z`) < RUN_MS) return true;
  const { posts, terms } = kindsOf(config);
  const [written, described, { total }] = await Promise.all([
    countObjects(store, posts),
    countObjects(store, terms),
    store.find({
      collection: 'seo_indexables',
      where: oneOf('object_type', ['post', 'term']),
      fields: [],
      limit: 1,
      total: true,
    }),
  ]);
  return written + described - total > MOST_NEW;
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
