import { randomBytes } from 'node:crypto';
import { createChangeLog, type ChangeLog } from '../lib/changes/change-log.ts';
import { atPlace } from '../lib/core/check-options.ts';
import { defined } from '../lib/core/objects.ts';
import { logToConsole } from '../lib/engine/console-log.ts';
import { createEngine, type Engine, type EngineOptions } from '../lib/engine/engine.ts';
import { addRequestId } from '../lib/engine/request-id.ts';
import { toSafeLog } from '../lib/engine/safe-log.ts';
import type { CorsOptions } from '../lib/http/cors.ts';
import type { Uploads } from '../lib/ports/uploads.ts';
import type { ExtensionDescriptor, ExtensionHandlers } from '../lib/route/namespace.ts';
import { isLogged } from '../lib/store/change-rows.ts';
import { StoreError, type Store } from '../lib/store/store.ts';
import { createAuthenticate } from './core/accounts/authenticate.ts';
import { CAPABILITIES } from './core/accounts/roles.ts';
import { withMarkdown } from './core/agents/markdown-responses.ts';
import { toMcp } from './core/agents/resources.ts';
import { createCacheHeaders } from './core/changes/cache-tags.ts';
import { startReaction } from './core/changes/reactions.ts';
import { watchLog } from './core/changes/trim-log.ts';
import { createReadPictureSizes, type ReadPictureSizes } from './core/files/picture-sizes.ts';
import { createFindArchive, createFindRoute, type FindArchive, type FindRoute } from './core/find-archive.ts';
import { createBackground } from './core/host/background.ts';
import { notConnected, toCheckedClock, toCheckedRandom } from './core/host/host-functions.ts';
import { NEUTRAL_NAMES } from './core/host/names.ts';
import type { MediaStorage, Notify, Ports } from './core/host/ports.ts';
import { mediaError } from './core/media/permissions.ts';
import { capabilitiesOf, createContentModel, type ContentModel } from './core/model/content-model.ts';
import { createOpenDocument, createRewrite, type OpenDocument } from './core/plugin/documents.ts';
import { withPlannedWrites } from './core/plugin/fields.ts';
import { checkReads, withPluginContent } from './core/plugin/plugin-list.ts';
import type { Plugin } from './core/plugin/plugin.ts';
import { startTask } from './core/plugin/tasks.ts';
import { createKinds } from './core/records/kind.ts';
import { listIndexed } from './core/records/meta-values.ts';
import { watchSchedule } from './core/records/schedule.ts';
import { moveRenamedMeta, syncMetaIndex } from './core/records/sync-meta-index.ts';
import { createCommonArgs } from './core/schemas/common-args.ts';
import { servicesOf } from './core/services.ts';
import { DEFAULT_LANGUAGES, changeOption, SECRETS } from './core/settings/options.ts';
import { createDescribeSite } from './core/settings/site-settings.ts';
import { keepSiblings, syncSiblings } from './core/translations/keep-siblings.ts';
import { catalogues } from './messages/catalogues.ts';
import { checkSettings } from './plugin-settings.ts';
import { bindRegistry, collectionsOf, notBuilt, type BoundRegistry } from './registry.ts';
import { checkSiteOptions, SECRET_BYTES, type SiteOptions } from './site-options.ts';
import { SITE_WIRE, toSecuritySchemes } from './wire-options.ts';

/** The address to which a path of the site has moved. `siteUrl`: address of the site, without a trailing slash. null: no plugin knows one. */
export type FindRedirect = (path: string, siteUrl: string) => Promise<string | null>;

/** A whole site: its engine, and a way to stop it before the store is closed. `H`: type of `call.host`. */
export interface Site<H = unknown> {
  /** Answers requests to the site. */
  readonly engine: Engine<H>;
  /** Opens the document of a plugin at a path: with `config.seo.sitemaps`, `/robots.txt`, `/sitemap.xml` and the sitemaps that it names. */
  readonly openDocument: OpenDocument;
  /** Finds the new address of a path that nothing has, by the rewrites of plugins: with `config.seo.redirects`, that of a post whose slug has changed. */
  readonly findRedirect: FindRedirect;
  /** Finds the route of the record whose page has an address. */
  readonly findRoute: FindRoute;
  /** Finds the archive of a term or an author whose page has an address. */
  readonly findArchive: FindArchive;
  /** Sizes of pictures of the media library, for pages that show them. */
  readonly readPictureSizes: ReadPictureSizes;
  /** Reads the setting `posts_per_page`: the number of records on a page of the site, 1 to 100. */
  readonly readPageSize: () => Promise<number>;
  /** What has happened to records, from requests and anything else, for code of the same process. */
  readonly changes: ChangeLog;
  /** Stops background work. Does not close the store: the code that opened it must do that. */
  close(): Promise<void>;
}

/** Files of forms arrive where the media library stores its own. @throws RestError `rest_upload_unavailable` when a file is to be stored without a library */
function toUploads(storage: MediaStorage | undefined): Uploads {
  return (
    storage ?? {
      save: () => Promise.reject(mediaError('rest_upload_unavailable')),
      remove: () => Promise.resolve(),
    }
  );
}

async function loadSecret(store: Store): Promise<Uint8Array> {
  const kept = await changeOption(store, [SECRETS, 'site'], (value) =>
    typeof value === 'string' ? value : randomBytes(SECRET_BYTES).toString('base64'),
  );
  return Buffer.from(String(kept), 'base64');
}

/** @throws TypeError if the store was made for other collections */
async function checkCollections(
  store: Store,
  content: ContentModel,
  plugins: readonly Plugin[],
): Promise<void> {
  const indexed = [...createKinds(content).values()].flatMap((kind) =>
    listIndexed(kind).map(({ field }) => field),
  );
  try {
    if (indexed.length > 0) await store.find({ collection: 'posts', fields: indexed, limit: 1 });
    await store.versions(collectionsOf(content, plugins).map(({ name }) => [name, 1]));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid') throw error;
    throw new TypeError(
      `store of createSite: ${error.message} The store must be made for the collections of the site: createMemoryStore(collectionsOf(createContentModel(content), plugins))`,
      { cause: error },
    );
  }
}

/** The store with the commits of fields that plugins write. */
function toServedStore(store: Store, plugins: readonly Plugin[]): Store {
  const hasWrites = plugins.some(({ descriptor: { fields = [] } }) =>
    fields.some(({ write }) => write !== undefined),
  );
  return hasWrites ? withPlannedWrites(store) : store;
}

const listLogged = (content: ContentModel, plugins: readonly Plugin[]): readonly string[] =>
  collectionsOf(content, plugins)
    .filter(isLogged)
    .map(({ name }) => name);

async function toPorts(
  options: SiteOptions,
  content: ContentModel,
  plugins: readonly Plugin[],
): Promise<Ports> {
  const {
    store: given,
    upstream = notConnected,
    log: plainLog = logToConsole,
    requestIds = false,
    outbound,
    files,
    media,
    pictures,
    imports,
    webhook,
    handlerTimeoutMs,
    languages = DEFAULT_LANGUAGES,
    prefixes = options.languages ?? ['en', 'fr'],
    secret = await loadSecret(given),
    config: namespaces = {},
  } = options;
  const now = options.now === undefined ? Date.now : toCheckedClock(options.now);
  const random = options.random === undefined ? randomBytes : toCheckedRandom(options.random);
  const log = toSafeLog(requestIds ? addRequestId(plainLog) : plainLog);
  const store = toServedStore(keepSiblings(given, log), plugins);
  const notifyAll: Notify = async (notice, signal) => {
    for (const notify of servicesOf(ports).notices) await notify(notice, signal);
  };
  const ports: Ports = {
    store,
    now,
    random,
    upstream,
    log,
    outbound,
    files,
    media,
    pictures,
    imports,
    webhook,
    notify: options.notify ?? (webhook === undefined ? undefined : notifyAll),
    background: createBackground(log),
    changes: createChangeLog(store, listLogged(content, plugins)),
    cache: options.cache === false ? false : undefined,
    handlerTimeoutMs,
    content,
    config: { prefixes, languages, secret, namespaces },
  };
  return ports;
}

/** Names the plugin in the message of an error about one of its namespaces. */
function nameOwner<T>(plugins: readonly Plugin[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const owner = plugins.find(({ descriptor: { namespaces = [] } }) =>
      namespaces.some(({ namespace }) => error.message.startsWith(`${namespace}:`)),
    );
    throw owner === undefined
      ? error
      : new TypeError(`plugin "${owner.descriptor.name}": ${error.message}`, { cause: error });
  }
}

/** Creates the engine with the routes that plugins add below the namespaces of others. @throws TypeError that names the plugin */
function createWith(
  plugins: readonly Plugin[],
  options: EngineOptions,
  extensions: BoundRegistry['extensions'],
): Engine {
  const engine = nameOwner(plugins, () => createEngine(options));
  for (const { plugin, extension } of extensions) {
    const { descriptor, handlers, permissions, checks, embeds } = extension;
    const { namespace, routes, resources = {} } = descriptor;
    atPlace(`plugin "${plugin}": extends`, () =>
      engine.extend(namespace, { routes, resources }, handlers as ExtensionHandlers<ExtensionDescriptor>, {
        permissions,
        checks,
        embeds,
      }),
    );
  }
  return engine;
}

/** What pages of other origins may send and read. */
function toCors({ cors = {}, names = NEUTRAL_NAMES }: SiteOptions, plugins: readonly Plugin[]): CorsOptions {
  const own = plugins.flatMap(({ descriptor: { exposes = [] } }) =>
    exposes.map((name) => name.replace(/^X-CMS(?=-)/i, () => names.headerPrefix)),
  );
  return { ...cors, expose: [...own, ...(cors.expose ?? [])] };
}

/** Cached responses, and what caches in front are told of them. */
function toCache(
  { store, now, config }: Ports,
  { entries, bytes, ...told }: Exclude<SiteOptions['cache'], false> = {},
): NonNullable<EngineOptions['cache']> {
  const headers = createCacheHeaders(told, config.languages);
  return { store, now, ...defined({ entries, bytes, headers }) };
}

/** The options of the engine of a site. */
function toEngineOptions(
  options: SiteOptions,
  ports: Ports,
  { plugins, namespaces }: { readonly plugins: readonly Plugin[] } & Pick<BoundRegistry, 'namespaces'>,
): EngineOptions {
  const { names = NEUTRAL_NAMES, frontEnd, checkAnswers, around, handlerTimeoutMs, answerLimit } = options;
  const { store, now, log, config } = ports;
  const { settings, watchers } = servicesOf(ports);
  return {
    ...SITE_WIRE,
    headers: { ...SITE_WIRE.headers, cors: toCors(options, plugins) },
    securitySchemes: toSecuritySchemes(options),
    openapi: options.openapi ?? false,
    ...toMcp(options.mcp, { names, languages: config.languages, watch: watchers[0] }),
    names,
    prefixes: config.prefixes,
    languageParam: 'ml_language',
    commonArgs: createCommonArgs(config.languages),
    catalogues,
    capabilities: new Set([...CAPABILITIES, ...capabilitiesOf(ports.content)]),
    namespaces: [...namespaces, ...(options.namespaces ?? [])],
    describeSite: createDescribeSite(settings, { now, page: options.authorizePage }),
    authenticate: createAuthenticate(store, {
      now,
      log,
      bearer: options.bearer,
      authenticate: options.authenticate,
      names: options.names,
      handlerTimeoutMs,
    }),
    // The site itself identifies callers by `Authorization` alone. A host's own function may look at anything.
    anonymousWithoutCredentials: options.authenticate === undefined,
    trustedOrigins: options.trustedOrigins ?? [],
    jsonp: options.jsonp ?? false,
    requestIds: options.requestIds ?? false,
    log,
    uploads: toUploads(ports.media?.storage),
    flush: (since) => store.flush(since),
    inRequest: (since, run) => store.inRequest?.(since, run) ?? run(),
    isBusy: (kind) => store.isBusy?.(kind) ?? false,
    ...(options.cache === false ? {} : { cache: toCache(ports, options.cache) }),
    ...defined({ frontEnd, checkAnswers, around, handlerTimeoutMs, answerLimit }),
  };
}

/** Builds a site on a store. `defaultsOf`: the plugins of a site without the option. Rejects with a TypeError if the options are not valid. */
export async function buildSite(
  options: SiteOptions,
  defaultsOf: (content: ContentModel) => readonly Plugin[],
): Promise<Site> {
  checkSiteOptions(options);
  const { plugins = defaultsOf(createContentModel(options.content)), names = NEUTRAL_NAMES } = options;
  const content = createContentModel(withPluginContent(options.content, plugins), options.permalinks);
  checkSettings('config', options.config ?? {}, plugins);
  await checkCollections(options.store, content, plugins);
  await checkReads(plugins, options.store, collectionsOf(content, plugins));
  await moveRenamedMeta(options.store, content);
  await syncMetaIndex(options.store, content);
  await syncSiblings(options.store);
  const ports = await toPorts(options, content, plugins);
  const { settings, schedule, notices } = servicesOf(ports);
  const built: { engine?: Engine } = {};
  const bound = await bindRegistry(
    {
      ports,
      settings,
      frontEnd: options.frontEnd,
      names,
      dispatch: (request, identity) => (built.engine ?? notBuilt()).dispatch(request, identity),
    },
    plugins,
  );
  if (ports.webhook !== undefined && notices.length === 0)
    throw new TypeError(
      'webhook of createSite: no plugin of the site sends to it; add one that does, such as changes',
    );
  const engineOptions = toEngineOptions(options, ports, { plugins, namespaces: bound.namespaces });
  const engine = withMarkdown(createWith(plugins, engineOptions, bound.extensions));
  built.engine = engine;
  watchSchedule(ports, schedule);
  watchLog(ports, options.changeLog);
  for (const reaction of bound.reactions) startReaction(ports, reaction);
  for (const task of bound.tasks) startTask(ports, task);
  const rewrite = createRewrite(bound.rewrites, ports.log);
  return {
    engine,
    openDocument: createOpenDocument(bound.documents),
    findRedirect: (path, siteUrl) => rewrite(path, { siteUrl }),
    findRoute: createFindRoute(ports),
    findArchive: createFindArchive(ports),
    readPictureSizes: createReadPictureSizes(ports.store),
    readPageSize: async () => (await settings()).postsPerPage,
    changes: ports.changes,
    close: () => ports.background.stop(),
  };
}
