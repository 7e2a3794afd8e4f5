import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createMediaFiles } from '../adapters/media-files.ts';
import { closeServer, createServer } from '../adapters/node-http.ts';
import { createOutbound } from '../adapters/outbound.ts';
import { StoreError, type Names, type Store } from '../lib/index.ts';
import {
  checkFixture, clearSite, collectionsOf, createContentModel, createSite, DEFAULT_LANGUAGES, isEmptySite, joinContent, loadFixture, readContent, type ContentDefinition, type Fixture, type Site,
  type SiteOptions,
} from '../registry/index.ts';
import { listen } from './listen.ts';
import { openStore } from './open-store.ts';
import { createPages } from './pages.ts';
import { inFile, readJson } from './read-json.ts';
import { readNames } from './read-names.ts';
import { readSiteConfig } from './site-config.ts';
import type { ServerOptions } from './server-options.ts';
import { DEMO_UPLOADS } from './uploads.ts';

const DEMO = new URL('../../examples/demo-site.json', import.meta.url);
/** The site uses the default languages. */
const LANGUAGES = { languages: DEFAULT_LANGUAGES };

export interface RunningServer {
  /** Address of the index in the first language, on this machine. */
  readonly indexUrl: string;
  /** Stops accepting requests, finishes those in flight (10 s at most), closes the store. */
  stop(): Promise<void>;
}

interface Parts {
  readonly site: Site;
  readonly reset: (() => Promise<void>) | null;
  /** Ends background work, then closes the store. */
  close(): Promise<void>;
}

/** The files named by the options. They are read before the store is opened, so that nothing is written if one is invalid. */
interface Inputs {
  readonly names: Names;
  readonly config: Omit<SiteOptions, 'store' | 'content'>;
  /** What the server's options, the configuration and the fixture declare together. */
  readonly content: ContentDefinition;
  readonly fixture: Fixture;
}

/** The content of the options and the configuration. With the names of WordPress, its clients expect the core controllers. */
function toContent({ content, names }: ServerOptions, configured: SiteOptions['content']): ContentDefinition {
  const definition = joinContent(configured, {});
  const core = content === undefined ? definition.core ?? names === 'wordpress' : content === 'core';
  return { ...definition, core };
}

async function readInputs(options: ServerOptions): Promise<Inputs> {
  const names = await readNames(options.names);
  const { content: configured, ...config } = await readSiteConfig(options.config);
  const own = toContent(options, configured);
  const file = options.fixtures ?? DEMO;
  const document = await readJson(file);
  const fixture = inFile(file, () => {
    checkFixture(document, { ...LANGUAGES, content: own });
    return document;
  });
  return { names, config, content: joinContent(own, readContent('registered', fixture.registered ?? {})), fixture };
}

/** Fills an empty store. If several processes try at once, one succeeds and the others find it filled. */
async function fill(store: Store, { fixture, content }: Pick<Inputs, 'fixture' | 'content'>, options: ServerOptions): Promise<void> {
  if (!await isEmptySite(store)) return;
  try {
    await loadFixture(store, fixture, { ...LANGUAGES, content });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique' || await isEmptySite(store)) throw error;
    return;
  }
  if (options.fixtures === undefined && options.store !== 'memory') {
    console.error('note: the store was empty and now holds the demo site, whose passwords are published (docs/users.md). For your own site, use an empty store and --fixtures FILE.');
  }
}

/** Opens the store before the workers do, checks that they can share it, and fills it. @throws TypeError */
export async function prepareStore(options: ServerOptions): Promise<void> {
  const inputs = await readInputs(options);
  const { store, shared } = await openStore(options.store, collectionsOf(createContentModel(inputs.content)));
  try {
    if (!shared) throw new TypeError(`--workers ${options.workers}: the processes cannot share the store "${options.store}". Use postgres://…, or a file store where node -p process.versions.sqlite is 3.51.3 or newer (docs/stores.md)`);
    await fill(store, inputs, options);
  } finally {
    await store.close();
  }
}

/** Runs a function that uses an open resource. Closes the resource if the function fails. */
async function closeOnFailure<T>(opened: { close(): Promise<void> }, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openSite(options: ServerOptions): Promise<Parts> {
  const inputs = await readInputs(options);
  const { names, config, content, fixture } = inputs;
  const collections = collectionsOf(createContentModel(content));
  const { store } = await openStore(options.store, collections);
  const site = await closeOnFailure(store, async () => {
    await fill(store, inputs, options);
    return createSite({
      store, content, outbound: createOutbound(), media: createMediaFiles(DEMO_UPLOADS), ...config, names, openapi: options.openapi, jsonp: options.jsonp, requestIds: options.requestIds, ...(options.frontEnd === undefined ? {} : { frontEnd: options.frontEnd }),
      checkAnswers: options.checkAnswers,
      trustedOrigins: options.trustedOrigins,
    });
  });
  const reset = async (): Promise<void> => {
    await clearSite(store, collections);
    await loadFixture(store, fixture, { ...LANGUAGES, content });
  };
  const close = async (): Promise<void> => {
    await site.close();
    await store.close();
  };
  return { site, reset: options.testReset ? reset : null, close };
}

/** The caller's address, if the proxy's header holds exactly one. The caller may have written a list, so it is ignored. */
function readHeader(name: string) {
  return ({ headers }: IncomingMessage): string | undefined => {
    const told = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof told === 'string' && isIP(told) !== 0 ? told : undefined;
  };
}

/** Opens the store, builds the site and listens. If one of these fails, nothing is left open. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const parts = await openSite(options);
  const { site: { engine }, reset } = parts;
  const { addressHeader } = options;
  let origin = '';
  const siteUrl = (): string => options.siteUrl ?? origin;
  const server = createServer(engine, {
    siteUrl, otherwise: createPages(engine, { siteUrl, reset }), ...(addressHeader === undefined ? {} : { address: readHeader(addressHeader) }),
  });
  origin = await closeOnFailure(parts, () => listen(server, options));
  const [language] = engine.prefixes;
  return {
    indexUrl: `${origin}/${language}${engine.base}/`,
    async stop() {
      await closeServer(server);
      await parts.close();
    },
  };
}
