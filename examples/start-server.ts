import { existsSync } from 'node:fs';
import { createMediaFiles } from '../adapters/media-files.ts';
import { closeServer, createServer } from '../adapters/node-http.ts';
import { createOutbound } from '../adapters/outbound.ts';
import { StoreError, type Names, type Store } from '../lib/index.ts';
import { clearSite, collections, createSite, isEmptySite, loadFixture, NEUTRAL_NAMES, WORDPRESS_NAMES, type Fixture, type Site } from '../registry/index.ts';
import { listen } from './listen.ts';
import { openStore } from './open-store.ts';
import { createPages } from './pages.ts';
import { readJson, readSiteConfig } from './site-config.ts';
import type { ServerOptions } from './server-options.ts';
import { DEMO_UPLOADS } from './uploads.ts';

const DEMO = new URL('../../examples/demo-site.json', import.meta.url);
const PRESETS: Readonly<Record<string, Names>> = { neutral: NEUTRAL_NAMES, wordpress: WORDPRESS_NAMES };

export interface RunningServer {
  /** Address of the index in the first language. */
  readonly indexUrl: string;
  /** Stops accepting, finishes what is in flight (10 s at most), closes the store. */
  stop(): Promise<void>;
}

async function readNames(names: string): Promise<Names> {
  const preset = PRESETS[names];
  if (preset !== undefined) return preset;
  if (!existsSync(names)) throw new TypeError(`--names "${names}": not neutral, wordpress, or a file that is there`);
  return { ...NEUTRAL_NAMES, ...await readJson(names) as Partial<Names> };
}

interface Parts {
  readonly store: Store;
  readonly site: Site;
  readonly reset: (() => Promise<void>) | null;
}

/** Fills a store that is empty. Of several processes that do so at once, one does it and the others find it done. */
async function fill(store: Store, fixture: Fixture): Promise<void> {
  if (!await isEmptySite(store)) return;
  try {
    await loadFixture(store, fixture);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique' || await isEmptySite(store)) throw error;
  }
}

/** Opens the store before the workers do: checks that they may share it, and fills it. @throws TypeError */
export async function prepareStore(options: ServerOptions): Promise<void> {
  const { store, shared } = await openStore(options.store, collections);
  try {
    if (!shared) throw new TypeError(`--workers ${options.workers}: the processes can not share the store "${options.store}". Use postgres://…, or a file store with Node 24 or newer`);
    await fill(store, await readJson(options.fixtures ?? DEMO) as Fixture);
  } finally {
    await store.close();
  }
}

async function openSite(options: ServerOptions): Promise<Parts> {
  const names = await readNames(options.names);
  const config = await readSiteConfig(options.config);
  const fixture = await readJson(options.fixtures ?? DEMO) as Fixture;
  const { store } = await openStore(options.store, collections);
  await fill(store, fixture);
  const site = await createSite({
    store, outbound: createOutbound(), media: createMediaFiles(DEMO_UPLOADS), ...config, names, jsonp: options.jsonp,
  });
  const all = collections.map((collection) => collection.name);
  const reset = async (): Promise<void> => {
    await clearSite(store, all);
    await loadFixture(store, fixture);
  };
  return { store, site, reset: options.testReset ? reset : null };
}

/** Opens the store, builds the site and listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, site, reset } = await openSite(options);
  let siteUrl = '';
  const server = createServer(site.engine, { siteUrl: () => siteUrl, otherwise: createPages(site.engine, { siteUrl: () => siteUrl, reset }) });
  siteUrl = await listen(server, options);
  const [language] = site.engine.prefixes;
  return {
    indexUrl: `${siteUrl}/${language}/${site.engine.apiSegment}/`,
    async stop() {
      await closeServer(server);
      await site.close();
      await store.close();
    },
  };
}
