import { checkDocument, type DocumentRules, WEB_ADDRESS, withFunctions } from '../lib/core/check-document.ts';
import {
  ANY,
  checkOptions,
  countUpTo,
  FLAG,
  FUNCTION,
  inForm,
  LIST,
  OBJECT,
  type OptionRule,
} from '../lib/core/check-options.ts';
import { LANGUAGES } from '../lib/core/language-code.ts';
import { checkNames, type Names } from '../lib/core/names.ts';
import { own } from '../lib/core/objects.ts';
import type { SecuritySchemes } from '../lib/describe/openapi-schema.ts';
import { isFreeHeaderName } from '../lib/dispatch/response/sendable.ts';
import { CACHE_BOUNDS, checkCors, FLAG_OR_OBJECT } from '../lib/engine/engine-options.ts';
import type { McpOptions } from '../lib/engine/mcp-routes.ts';
import type { OpenApiOptions } from '../lib/engine/openapi-routes.ts';
import { SITE_ADDRESS } from '../lib/http/address.ts';
import type { CorsOptions } from '../lib/http/cors.ts';
import { ORIGINS } from '../lib/http/cross-site.ts';
import type { Around } from '../lib/route/call.ts';
import type { Namespace } from '../lib/route/namespace.ts';
import type { Store } from '../lib/store/store.ts';
import type { Authenticate, Bearer } from './core/accounts/authenticate.ts';
import type { CacheHeaderOptions } from './core/changes/cache-tags.ts';
import type { LogLimits } from './core/changes/trim-log.ts';
import type { Ports } from './core/host/ports.ts';
import type { ContentOption } from './core/model/content-model.ts';
import { checkPlugins } from './core/plugin/plugin-list.ts';
import type { Plugin } from './core/plugin/plugin.ts';

/** The options of a site. Only the store is required. `H`: type of `call.host`. */
export interface SiteOptions<H = unknown> extends Partial<
  Omit<Ports, 'store' | 'config' | 'content' | 'background' | 'changes' | 'cache'>
> {
  /** Required. Made for the `collections` of the registry, and those of further namespaces. */
  readonly store: Store;
  /** Wire names. Default: the neutral names. */
  readonly names?: Names;
  /** Address of the front end, such as `https://www.example.org`, with which links to pages begin. Default: the address of the request. */
  readonly frontEnd?: string | undefined;
  /** Path of a page where a person gives a program an application password, such as `/authorize-application`. The index names it over https. Default: none. */
  readonly authorizePage?: string;
  /** Language prefixes of addresses; the first one is the default. Default: `languages` if they are given, else `en`, `fr`. */
  readonly prefixes?: readonly string[];
  /** Values of `ml_language`. Default: `nl`, `en`, `fr`. */
  readonly languages?: readonly string[];
  /** Key for signatures, 32 bytes or more. Default: generated once, kept in the store. */
  readonly secret?: Uint8Array;
  /** `seed`: posts alone; `core`: with the other core controllers; an object adds types, taxonomies and meta keys. Default `seed`. */
  readonly content?: ContentOption;
  /** Addresses of posts below the home page, such as `/%year%/%monthnum%/%postname%/`. Default: `/%postname%/`. */
  readonly permalinks?: string | undefined;
  /** Settings by namespace. Default: none. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The plugins of the site. Default: `seedPlugins`; with the content `core`, `corePlugins`. */
  readonly plugins?: readonly Plugin[];
  /** Namespaces of your own. Default: none. */
  readonly namespaces?: readonly Namespace<H>[];
  /** `(call, next) => response` runs around every call, also of index and batch. Default: none. */
  readonly around?: Around<H>;
  /** `(token, request) => Identity | null`: the identity of a bearer token. Default: none. */
  readonly bearer?: Bearer<H>;
  /** `(request) => Identity | null`: identifies the caller before the site does; null leaves it to the site. Default: none. */
  readonly authenticate?: Authenticate<H>;
  /** Other origins, such as `https://app.example`, whose pages may use a login that the browser stores. Default: none. */
  readonly trustedOrigins?: readonly string[];
  /** `{ allow, expose }`: headers of your own that pages of other origins may send and read. Default: none. */
  readonly cors?: CorsOptions;
  /** Ways to log in that the document shows beside those of the site. Default: none. */
  readonly securitySchemes?: SecuritySchemes;
  /** Serves the OpenAPI document and a page that shows it. Default false. */
  readonly openapi?: boolean | OpenApiOptions;
  /** Serves the routes as tools, and published records as resources, of the Model Context Protocol (docs/agents.md). Default false. */
  readonly mcp?: boolean | Omit<McpOptions, 'resources'>;
  /** Compare each successful response with the schema of its endpoint; 500 for a violation. Default: where `answers` are declared, unless `NODE_ENV` is `production`. */
  readonly checkAnswers?: boolean;
  /** An id for each request: `call.request.id`, a header of the response, and `requestId` in the log. Default false. */
  readonly requestIds?: boolean;
  /** Support `_jsonp`, always as for an anonymous caller. Default false. */
  readonly jsonp?: boolean;
  /** Time of a call in milliseconds (permission, handler, embeds); 504 after that. Default 30,000. */
  readonly handlerTimeoutMs?: number;
  /** Largest response, in bytes. Default 8 MiB. */
  readonly answerLimit?: number;
  /** Cached responses, or false: at most `entries` (default 50,000) and `bytes` (128 MiB). For caches in front: `tags` names a header such as `xkey`, `sharedMaxAge` is in seconds (docs/changes.md). */
  readonly cache?: false | ({ readonly entries?: number; readonly bytes?: number } & CacheHeaderOptions);
  /** How much of the log of changes is kept: the last `days` (default 30), and about the last `bytes` (256 MiB). */
  readonly changeLog?: LogLimits;
}

const WHAT = 'the options of createSite';

const TAG_HEADER: OptionRule = {
  wanted: 'the name of a header that nothing else uses, such as "Cache-Tag", "Surrogate-Key" or "xkey"',
  fits: isFreeHeaderName,
};

/** Checks the limits of cached responses, and what caches in front are told. @throws TypeError naming `what` */
export const checkCache = (what: string, value: unknown): void =>
  checkOptions(what, value, { ...CACHE_BOUNDS, tags: TAG_HEADER, sharedMaxAge: countUpTo() });

/** Checks how long the log of changes is kept. @throws TypeError naming `what` */
export const checkChangeLog = (what: string, value: unknown): void =>
  checkOptions(what, value, { days: countUpTo(36_500), bytes: countUpTo() });

/** Minimum length in bytes of the key for signatures. */
export const SECRET_BYTES = 32;

const RULES: Readonly<Record<keyof SiteOptions, OptionRule>> = {
  store: { ...OBJECT, needed: true },
  names: OBJECT,
  frontEnd: SITE_ADDRESS,
  authorizePage: inForm(/^\/[^/]/, 'a path that begins with a slash'),
  prefixes: LANGUAGES,
  languages: LANGUAGES,
  // Messages must not repeat the secret, see `checkSecret`.
  secret: ANY,
  content: {
    wanted: "'seed', 'core' or an object",
    fits: (value) => value === 'seed' || value === 'core' || OBJECT.fits(value),
  },
  // Checked with the content.
  permalinks: ANY,
  config: OBJECT,
  plugins: LIST,
  namespaces: LIST,
  around: FUNCTION,
  bearer: FUNCTION,
  authenticate: FUNCTION,
  trustedOrigins: ORIGINS,
  cors: OBJECT,
  securitySchemes: OBJECT,
  openapi: FLAG_OR_OBJECT,
  mcp: FLAG_OR_OBJECT,
  jsonp: FLAG,
  requestIds: FLAG,
  checkAnswers: FLAG,
  handlerTimeoutMs: countUpTo(),
  answerLimit: countUpTo(),
  cache: { wanted: 'false or an object', fits: (value) => value === false || OBJECT.fits(value) },
  changeLog: OBJECT,
  now: FUNCTION,
  random: FUNCTION,
  outbound: FUNCTION,
  upstream: OBJECT,
  files: OBJECT,
  log: FUNCTION,
  media: OBJECT,
  pictures: OBJECT,
  imports: OBJECT,
  notify: FUNCTION,
  webhook: OBJECT,
};

/** Whether a value is a secret of Standard Webhooks: `whsec_`, and at least 16 bytes in base64. Node skips what is not base64, and the receiver would have another key. */
export function isWebhookSecret(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('whsec_')) return false;
  const text = value.slice('whsec_'.length);
  const key = Buffer.from(text, 'base64');
  return key.length >= 16 && key.toString('base64') === text;
}

/** The functions that the site calls. */
const PORTS: DocumentRules = {
  store: withFunctions('find', 'get', 'versions', 'commit', 'flush', 'revision', 'close'),
  upstream: withFunctions('origin', 'request'),
  files: withFunctions('list', 'read', 'write'),
  media: {
    ...withFunctions('size'),
    members: {
      ...withFunctions('size').members,
      storage: withFunctions('save', 'remove', 'read', 'publish', 'load', 'write', 'discard'),
    },
  },
  pictures: withFunctions('types', 'make'),
  imports: withFunctions('lines'),
  webhook: {
    ...OBJECT,
    members: {
      url: { ...WEB_ADDRESS, needed: true, secret: true },
      siteUrl: { ...WEB_ADDRESS, needed: true },
      secret: {
        wanted: 'whsec_ and at least 16 bytes in base64',
        fits: isWebhookSecret,
        needed: true,
        secret: true,
      },
      send: { ...FUNCTION, needed: true },
    },
  },
};

function checkPorts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, rule] of Object.entries(PORTS)) {
    const port = own(options, name);
    if (port !== undefined) checkDocument(`${name} of createSite`, port, rule);
  }
}

function checkSecret(secret: unknown): void {
  if (secret === undefined || (secret instanceof Uint8Array && secret.length >= SECRET_BYTES)) return;
  const fault =
    secret instanceof Uint8Array ? `has ${secret.length} bytes` : `is not a Uint8Array (${typeof secret})`;
  throw new TypeError(
    `secret of ${WHAT} ${fault}; it must be a Uint8Array of ${SECRET_BYTES} bytes or more, such as randomBytes(${SECRET_BYTES}) of node:crypto`,
  );
}

/** @throws TypeError naming the option, what is wrong and what it must be */
export function checkSiteOptions(options: Partial<SiteOptions> | undefined): void {
  if (typeof options?.store?.find !== 'function')
    throw new TypeError('createSite needs a store: createSite({ store: createMemoryStore(collections) })');
  checkOptions(WHAT, options, RULES);
  if (options.names !== undefined) checkNames(options.names);
  checkSecret(options.secret);
  checkPorts({ ...options });
  if (options.plugins !== undefined) checkPlugins('plugins of createSite', options.plugins);
  if (options.cors !== undefined) checkCors('cors of createSite', options.cors);
  if (typeof options.cache === 'object') checkCache('cache of createSite', options.cache);
  if (options.changeLog !== undefined) checkChangeLog('changeLog of createSite', options.changeLog);
}
