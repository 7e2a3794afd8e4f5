import { randomBytes } from 'node:crypto';
import { checkMembers } from '../lib/check-members.ts';
import { createEngine, type Engine } from '../lib/engine.ts';
import type { Namespace } from '../lib/namespace.ts';
import type { Names } from '../lib/names.ts';
import type { Store } from '../lib/store.ts';
import { createBackground } from './background.ts';
import { catalogues } from './catalogue/catalogues.ts';
import { createCommonArgs } from './common-args.ts';
import { NEUTRAL_NAMES } from './names.ts';
import type { LogEvent, Ports } from './ports.ts';
import { createRegistry } from './registry.ts';
import { createAuthenticate, type Bearer } from './site/authenticate.ts';
import { createDescribeSite } from './site/describe-site.ts';
import { notConnected } from './site/not-connected.ts';
import { changeOption } from './site/options.ts';
import { CAPABILITIES } from './site/roles.ts';
import { createSettings } from './site/settings.ts';

/** What a site can be given. Only the store is needed. */
export interface SiteOptions extends Partial<Omit<Ports, 'store' | 'config' | 'background' | 'cache'>> {
  /** Made for the `collections` of this registry (and those of further namespaces). */
  readonly store: Store;
  /** Words on the wire. Default: the neutral ones. */
  readonly names?: Names;
  /** Language prefixes of addresses, the default first. Default: `en`, `fr`. */
  readonly prefixes?: readonly string[];
  /** Values of `ml_language`. Default: `nl`, `en`, `fr`. */
  readonly languages?: readonly string[];
  /** Key for signatures, at least 32 bytes. Default: made once and kept in the store. */
  readonly secret?: Uint8Array;
  /** Members by namespace; see the documentation of each. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Namespaces of the host, after those of the registry. */
  readonly namespaces?: readonly Namespace[];
  /** Who a bearer token stands for. Default: nobody. */
  readonly bearer?: Bearer;
  /** Answer `_jsonp`, always anonymously. Default false. */
  readonly jsonp?: boolean;
  /** Bounds of the kept answers; false keeps none, nor finished parts of them. */
  readonly cache?: false | { readonly entries?: number; readonly bytes?: number };
}

/** A whole site: its engine, and what has to be stopped before the store is closed. */
export interface Site {
  readonly engine: Engine;
  /** Stops background work. The store is closed by whoever opened it. */
  close(): Promise<void>;
}

const MEMBERS: Readonly<Record<keyof SiteOptions, true>> = {
  store: true, names: true, prefixes: true, languages: true, secret: true, config: true, namespaces: true, bearer: true, jsonp: true, cache: true,
  now: true, random: true, outbound: true, upstream: true, files: true, log: true, media: true, imports: true,
};

function checkOptions(options: Partial<SiteOptions> | undefined): void {
  if (typeof options?.store?.find !== 'function') throw new TypeError('createSite needs a store: createSite({ store: createMemoryStore(collections) })');
  checkMembers('the options of createSite', options, Object.keys(MEMBERS));
}

const SECRET_BYTES = 32;

async function loadSecret(store: Store): Promise<Uint8Array> {
  const kept = await changeOption(store, ['secret', 'site'], (value) => (typeof value === 'string' ? value : randomBytes(SECRET_BYTES).toString('base64')));
  return Buffer.from(String(kept), 'base64');
}

function logToConsole(event: LogEvent): void {
  console.error(`${event.level}: ${event.message}`, event.error ?? '');
}

async function toPorts(options: SiteOptions): Promise<Ports> {
  const { names: _names, namespaces: _namespaces, bearer: _bearer, jsonp: _jsonp, cache, prefixes, languages, secret, config, ...ports } = options;
  const log = options.log ?? logToConsole;
  return {
    now: Date.now, random: randomBytes, upstream: notConnected, ...ports, log, background: createBackground(log), ...(cache === false ? { cache } : {}),
    config: {
      prefixes: prefixes ?? ['en', 'fr'], languages: languages ?? ['nl', 'en', 'fr'],
      secret: secret ?? await loadSecret(options.store), namespaces: config ?? {},
    },
  };
}

/** Builds the site of this registry on a store. Rejects with a TypeError what can not be served. */
export async function createSite(options: SiteOptions): Promise<Site> {
  checkOptions(options);
  const ports = await toPorts(options);
  const { store, now, log, config } = ports;
  const engine = createEngine({
    names: options.names ?? NEUTRAL_NAMES, prefixes: config.prefixes, languageParam: 'ml_language', commonArgs: createCommonArgs(config.languages),
    catalogues, capabilities: CAPABILITIES, namespaces: [...createRegistry(ports), ...options.namespaces ?? []],
    describeSite: createDescribeSite(createSettings(store, config.languages), now),
    authenticate: createAuthenticate(store, { now, ...(options.bearer === undefined ? {} : { bearer: options.bearer }) }), anonymousWithoutCredentials: true,
    jsonp: options.jsonp ?? false, log, flush: () => store.flush(), ...(options.cache === false ? {} : { cache: { store, now, ...options.cache } }),
  });
  return { engine, close: () => ports.background.stop() };
}
