import cluster from 'node:cluster';
import { createRequire } from 'node:module';
import type { Store } from '../../../lib/index.ts';
import {
  clearSite,
  collectionsOf,
  createContentModel,
  createSite,
  joinContent,
  loadFixture,
  readContent,
  type Site,
} from '../../../registry/site.ts';
import type { MediaFiles } from '../../media-files.ts';
import { createOutbound } from '../../outbound.ts';
import { AUTHORIZE_PAGE } from '../../pages/authorize-page.ts';
import { createPictures } from '../../pictures.ts';
import { UsageError } from '../frame/options.ts';
import { note } from '../frame/output.ts';
import { checkStoredLanguages, toLanguageOptions } from '../site/languages.ts';
import { logAll, nameStore, openStore } from '../site/open-store.ts';
import { readSite, type SiteDescription } from '../site/read-site.ts';
import { closeOnFailure } from '../site/with-store.ts';
import { fillStore, readInitialContent, warnOfDemo, type InitialContent } from './initial-content.ts';
import type { ServeOptions } from './serve-options.ts';
import { openUploads } from './uploads.ts';
import { warnOfRights } from './warn-of-rights.ts';
import { warnOfUndeclared } from './warn-of-undeclared.ts';

/** Whether the optional package that makes smaller copies of pictures is installed. */
function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp');
    return true;
  } catch {
    return false; // MODULE_NOT_FOUND
  }
}

/** A site that can be served, and its store. */
interface ServedSite {
  readonly store: Store;
  readonly media: MediaFiles;
  readonly languages: readonly string[];
  readonly site: Site;
  readonly reset: (() => Promise<void>) | null;
  /** Ends background work, then closes the store. */
  close(): Promise<void>;
}

/** The files named by the options. They are read before the store is opened, so that nothing is written if one is invalid. */
interface Inputs extends SiteDescription {
  readonly initial: InitialContent;
}

/** @throws TypeError with the file, the place and the error */
export async function readInputs(options: ServeOptions): Promise<Inputs> {
  const site = await readSite(options);
  const initial = await readInitialContent(options, site);
  return {
    ...site,
    content: joinContent(site.content, readContent('registered', initial.fixture.registered ?? {})),
    initial,
  };
}

async function fill(
  store: Store,
  { initial, languages, content }: Inputs,
  options: ServeOptions,
): Promise<void> {
  await fillStore(store, initial, { languages, content, address: options.store });
  await warnOfDemo(store, options);
  const model = createContentModel(content);
  warnOfRights(model);
  if (content.core === true && !cluster.isWorker && !hasSharp())
    note(
      'note: the package sharp is not installed: uploaded pictures get no smaller copies, and cannot be edited. npm install sharp, and start again.',
    );
  await warnOfUndeclared(store, model);
}

const notShared = (options: ServeOptions): UsageError =>
  new UsageError(
    `--workers ${options.workers}: the processes cannot share the store "${options.store}". Use postgres://…, or a file store where node -p process.versions.sqlite is 3.51.3 or newer (docs/stores.md)`,
  );

/** What can be refused before a worker is started. @throws UsageError */
export function checkWorkers(options: ServeOptions): void {
  if (options.store === 'memory') throw notShared(options);
}

/** Opens the store before the workers do, checks that they can share it, and fills it. @throws TypeError, UsageError */
export async function prepareStore(options: ServeOptions, inputs: Inputs): Promise<void> {
  const { store, shared } = await openStore(options.store, {
    collections: collectionsOf(createContentModel(inputs.content), inputs.plugins),
    log: logAll,
  });
  try {
    if (!shared) throw notShared(options);
    await fill(store, inputs, options);
  } catch (error) {
    throw nameStore(options.store, error);
  } finally {
    await store.close();
  }
}

/** Opens the store, fills it if it is empty, and builds the site. @throws TypeError, UsageError, StoreError; nothing is left open then */
export async function openServedSite(
  options: ServeOptions,
  { siteUrl, ...inputs }: Inputs & { readonly siteUrl: string },
): Promise<ServedSite> {
  const {
    names,
    namespaces,
    plugins,
    config,
    content,
    languages,
    initial: { fixture },
  } = inputs;
  const collections = collectionsOf(createContentModel(content), plugins);
  const { store } = await openStore(options.store, { collections, log: logAll });
  const uploads = await closeOnFailure(store, () => openUploads(options));
  const media = options.uploads === undefined ? (config.media ?? uploads.media) : uploads.media;
  const closeBoth = async (): Promise<void> => {
    await store.close();
    await uploads.close();
  };
  const site = await closeOnFailure({ close: closeBoth }, async () => {
    await checkStoredLanguages(store, inputs);
    await fill(store, inputs, options);
    return createSite({
      ...toLanguageOptions(inputs),
      store,
      content,
      outbound: createOutbound(),
      pictures: createPictures(),
      ...config,
      media,
      names,
      namespaces,
      plugins,
      openapi: options.openapi,
      ...(content.core === true ? { authorizePage: AUTHORIZE_PAGE } : {}),
      ...(options.mcp === undefined ? {} : { mcp: { tools: options.mcp } }),
      jsonp: options.jsonp,
      requestIds: options.requestIds,
      ...(options.frontEnd === undefined ? {} : { frontEnd: options.frontEnd }),
      ...(options.permalinks === undefined ? {} : { permalinks: options.permalinks }),
      ...(options.notify === undefined ? {} : { webhook: { ...options.notify, siteUrl } }),
      checkAnswers: options.checkAnswers,
      trustedOrigins: options.trustedOrigins,
    });
  }).catch((error: unknown) => {
    throw nameStore(options.store, error);
  });
  const reset = async (): Promise<void> => {
    await clearSite(store, collections);
    await uploads.clear();
    await loadFixture(store, fixture, { languages, content });
  };
  const close = async (): Promise<void> => {
    await site.close();
    await closeBoth();
  };
  return { site, store, media, languages, reset: options.testReset ? reset : null, close };
}
