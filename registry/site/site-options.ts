import { checkDocument, withFunctions, type DocumentRules } from '../../lib/core/check-document.ts';
import { ANY, checkOptions, countUpTo, FLAG, FUNCTION, LIST, OBJECT, type OptionRule } from '../../lib/core/check-options.ts';
import type { SecuritySchemes } from '../../lib/describe/openapi-schema.ts';
import { ORIGINS } from '../../lib/http/cross-site.ts';
import type { CorsOptions } from '../../lib/http/head.ts';
import { CACHE_BOUNDS, checkCors, FLAG_OR_OBJECT } from '../../lib/engine/engine-options.ts';
import type { OpenApiOptions } from '../../lib/engine/openapi-routes.ts';
import { LANGUAGES } from '../../lib/core/language-code.ts';
import type { Around } from '../../lib/route/call.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { checkNames, type Names } from '../../lib/core/names.ts';
import { own } from '../../lib/core/objects.ts';
import { SITE_ADDRESS } from '../../lib/http/site-url.ts';
import type { Store } from '../../lib/store/store.ts';
import type { ContentOption } from '../model/content-model.ts';
import type { Ports } from '../ports.ts';
import { checkSettings } from '../settings.ts';
import type { Authenticate, Bearer } from './authenticate.ts';

/** The options of a site. Only the store is required. `H`: type of `call.host`. */
export interface SiteOptions<H = unknown> extends Partial<Omit<Ports, 'store' | 'config' | 'content' | 'background' | 'cache'>> {
  /** Must be made for the `collections` of this registry (and those of further namespaces). */
  readonly store: Store;
  /** Wire names. Default: the neutral names. */
  readonly names?: Names;
  /** Address of the front end that shows the pages, such as `https://www.example.org`. Links to pages begin with it. Default: the site's own address. */
  readonly frontEnd?: string;
  /** Language prefixes of addresses, the default language first. Default: `languages` if they are given, else `en`, `fr`. */
  readonly prefixes?: readonly string[];
  /** Values of `ml_language`. Default: `nl`, `en`, `fr`. */
  readonly languages?: readonly string[];
  /** Key for signatures, at least 32 bytes. Default: created once and kept in the store. */
  readonly secret?: Uint8Array;
  /**
   * `seed`: posts, without the other core controllers. `core`: with them. An object adds types, taxonomies and meta keys, and the core
   * controllers if its `core` is true. Default `seed`.
   */
  readonly content?: ContentOption;
  /** Addresses of posts below the home page, such as `/%year%/%monthnum%/%postname%/`. Default: `/%postname%/`. */
  readonly permalinks?: string;
  /** Settings by namespace; see the documentation of each. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Namespaces of the host, which follow those of the registry. */
  readonly namespaces?: readonly Namespace<H>[];
  /** Runs around every call, also of index and batch. Default: none. */
  readonly around?: Around<H>;
  /** Returns the identity of a bearer token. Default: no tokens are accepted. */
  readonly bearer?: Bearer<H>;
  /**
   * Identifies the caller by the host's own login. Called first, for every request. Default: none, so that cached responses
   * are sent without calling it.
   */
  readonly authenticate?: Authenticate<H>;
  /**
   * Origins such as `https://app.example` whose pages may write with the credentials that a browser adds automatically, and
   * may read the responses. Default: only the origin of the site.
   */
  readonly trustedOrigins?: readonly string[];
  /** Headers of the host's own that pages of other origins may send and read. Default: those of the site alone. */
  readonly cors?: CorsOptions;
  /** Ways to log in that the OpenAPI document shows beside those of the site, such as one of `authenticate`. */
  readonly securitySchemes?: SecuritySchemes;
  /** Serves the OpenAPI document and a page that shows it. Default false. */
  readonly openapi?: boolean | OpenApiOptions;
  /** Whether to compare each successful response with the schema of its endpoint; 500 for a violation. Default: only where an endpoint declares `answers`, and not at all if `NODE_ENV` is `production`. */
  readonly checkAnswers?: boolean;
  /** Whether each request has an id, in its response and in the log. Default false. */
  readonly requestIds?: boolean;
  /** Whether to support `_jsonp`, always as an anonymous caller. Default false. */
  readonly jsonp?: boolean;
  /** Time limit of one call in milliseconds; 504 after that. Default: 30 s. */
  readonly handlerTimeoutMs?: number;
  /** Maximum size of a response in bytes; 413 above that. Default: 8 MiB. */
  readonly answerLimit?: number;
  /** Bounds of the response cache. False disables it and the cache of finished parts. */
  readonly cache?: false | { readonly entries?: number; readonly bytes?: number };
}

const WHAT = 'the options of createSite';
/** Minimum length in bytes of the key for signatures. */
export const SECRET_BYTES = 32;

const RULES: Readonly<Record<keyof SiteOptions, OptionRule>> = {
  store: { ...OBJECT, needed: true },
  names: OBJECT,
  frontEnd: SITE_ADDRESS,
  prefixes: LANGUAGES,
  languages: LANGUAGES,
  // Messages must not repeat the secret, see `checkSecret`.
  secret: ANY,
  content: { wanted: "'seed', 'core' or an object", fits: (value) => value === 'seed' || value === 'core' || OBJECT.fits(value) },
  // Checked with the content.
  permalinks: ANY,
  config: OBJECT,
  namespaces: LIST,
  around: FUNCTION,
  bearer: FUNCTION,
  authenticate: FUNCTION,
  trustedOrigins: ORIGINS,
  cors: OBJECT,
  securitySchemes: OBJECT,
  openapi: FLAG_OR_OBJECT,
  jsonp: FLAG,
  requestIds: FLAG,
  checkAnswers: FLAG,
  handlerTimeoutMs: countUpTo(),
  answerLimit: countUpTo(),
  cache: { wanted: 'false or an object', fits: (value) => value === false || OBJECT.fits(value) },
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
};

/** The functions that the site calls. */
const PORTS: DocumentRules = {
  store: withFunctions('find', 'get', 'versions', 'commit', 'flush', 'revision', 'close'), upstream: withFunctions('origin', 'request'),
  files: withFunctions('list', 'read', 'write'), media: { ...withFunctions('size'), members: { ...withFunctions('size').members, storage: withFunctions('save', 'remove', 'read', 'publish', 'load', 'write', 'discard') } },
  pictures: withFunctions('types', 'make'), imports: withFunctions('lines'),
};

function checkPorts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, rule] of Object.entries(PORTS)) {
    const port = own(options, name);
    if (port !== undefined) checkDocument(`${name} of createSite`, port, rule);
  }
}

function checkSecret(secret: unknown): void {
  if (secret === undefined || (secret instanceof Uint8Array && secret.length >= SECRET_BYTES)) return;
  const fault = secret instanceof Uint8Array ? `has ${secret.length} bytes` : `is not a Uint8Array (${typeof secret})`;
  throw new TypeError(`secret of ${WHAT} ${fault}; it must be a Uint8Array of ${SECRET_BYTES} bytes or more, such as randomBytes(${SECRET_BYTES}) of node:crypto`);
}

/** @throws TypeError naming the option, what is wrong and what it must be */
export function checkSiteOptions(options: Partial<SiteOptions> | undefined): void {
  if (typeof options?.store?.find !== 'function') throw new TypeError('createSite needs a store: createSite({ store: createMemoryStore(collections) })');
  checkOptions(WHAT, options, RULES);
  if (options.names !== undefined) checkNames(options.names);
  checkSecret(options.secret);
  checkPorts({ ...options });
  checkSettings('config', options.config ?? {});
  if (options.cors !== undefined) checkCors('cors of createSite', options.cors);
  if (typeof options.cache === 'object') checkOptions('the bounds in cache of createSite', options.cache, CACHE_BOUNDS);
}
