import { ANY_TEXT, checkDocument, mapOf, objectOf, withFunctions, wordOf } from '../core/check-document.ts';
import {
  checkOptions,
  countUpTo,
  describe,
  FLAG,
  FUNCTION,
  HEADER_NAMES,
  inForm,
  LIST,
  OBJECT,
  type OptionRule,
  TEXT,
} from '../core/check-options.ts';
import type { Identity } from '../core/identity.ts';
import { LANGUAGES } from '../core/language-code.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import { checkNames } from '../core/names.ts';
import { toSendableHeaders } from '../dispatch/response/sendable.ts';
import type { RuntimeOptions } from '../dispatch/runtime.ts';
import { SITE_ADDRESS } from '../http/address.ts';
import type { CorsOptions } from '../http/cors.ts';
import { ORIGINS } from '../http/cross-site.ts';
import type { RestRequest } from '../http/request.ts';
import type { HeaderOptions } from '../http/response-headers.ts';
import { checkMcpOptions, MCP_PATH, type McpOptions } from './mcp-routes.ts';
import { type DocumentOptions, OPENAPI_PATHS, type OpenApiOptions } from './openapi-routes.ts';
import type { RegisterOptions } from './registrations.ts';
import type { CacheHeaders, CacheLimits, CacheStore } from './response-cache.ts';
import { ROOT_PATHS } from './root-routes.ts';

/** Options of an engine. `H`: type of `call.host`. */
export interface EngineOptions<H = unknown>
  extends
    RegisterOptions<H>,
    DocumentOptions,
    Partial<Omit<RuntimeOptions, 'names' | 'addresses' | 'frontEnd' | 'allow'>> {
  /** Language prefixes of addresses, such as `en` for `/en`; the first one is the default. Default: none. */
  readonly prefixes?: readonly string[];
  /** Path of the API: '' or a path such as `/api`. Links and the index name it. Default: '', or `apiSegment` of `names`. */
  readonly base?: string;
  /** Address of the front end, such as `https://www.example.org`, with which links to pages begin. Default: the address of the request. */
  readonly frontEnd?: string;
  /** Headers beside those that HTTP needs. Default: none. */
  readonly headers?: HeaderOptions;
  /** Returns the caller, or null for an anonymous one; may throw a `RestError`. Default: everybody is anonymous. */
  readonly authenticate?: (request: RestRequest<H>) => MaybePromise<Identity | null>;
  /** `authenticate` reads nothing but `Authorization`, `Cookie` or a header of the host's own: cached responses are sent without it. Default false. */
  readonly anonymousWithoutCredentials?: boolean;
  /** An id for each request: `call.request.id`, a header of the response, and `requestId` in the log. Default false. */
  readonly requestIds?: boolean;
  /** Support `_jsonp`, always as for an anonymous caller. Default false. */
  readonly jsonp?: boolean;
  /** Other origins, such as `https://app.example`, whose pages may use a login that the browser stores. Default: none. */
  readonly trustedOrigins?: readonly string[];
  /** `{ path: '/mcp', tools: 'find' }` serves the routes as tools of the Model Context Protocol. Default: none. */
  readonly mcp?: McpOptions;
  /** Largest response, in bytes. Default 8 MiB. */
  readonly answerLimit?: number;
  /** Whether new requests should wait, such as `(kind) => store.isBusy?.(kind) ?? false`. Default: never. */
  readonly isBusy?: (kind: 'read' | 'write') => boolean;
  /** `{ store, entries, bytes, headers }` caches responses to anonymous reads of endpoints that name their collections; at most 50,000 and 128 MiB. `headers` tells caches in front what a response depends on. Default: none. */
  readonly cache?: {
    readonly store: CacheStore;
    readonly now?: () => number;
    readonly headers?: CacheHeaders;
  } & Partial<CacheLimits>;
}

const WHAT = 'the options of createEngine';

/** Whether the value is `/`, or segments that an address can hold as they are. Clients resolve `.` and `..` before they send an address. */
function isPath(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/.test(value) &&
    !/\/\.\.?(?:\/|$)/.test(value)
  );
}

function orNull({ wanted, fits }: OptionRule): OptionRule {
  return { wanted: `${wanted}, or null`, fits: (value) => value === null || fits(value) };
}

const BASE: OptionRule = {
  wanted: `'' or a path such as "/api", without a trailing slash`,
  fits: (value) => value === '' || (value !== '/' && isPath(value)),
};
const PATH: OptionRule = {
  wanted: 'false, or a path such as "/about", without a trailing slash',
  fits: (value) => value === false || isPath(value),
};

const WORDS: OptionRule = {
  wanted: 'a Set of texts',
  fits: (value) => value instanceof Set && [...value].every(TEXT.fits),
};

/** For options that are switched on with their defaults, or described. */
export const FLAG_OR_OBJECT: OptionRule = {
  wanted: 'true, false or an object',
  fits: (value) => FLAG.fits(value) || OBJECT.fits(value),
};

const RULES: Readonly<Record<keyof EngineOptions, OptionRule>> = {
  names: OBJECT,
  prefixes: LANGUAGES,
  base: BASE,
  frontEnd: SITE_ADDRESS,
  index: PATH,
  namespaceIndex: PATH,
  batch: PATH,
  headers: OBJECT,
  openapi: FLAG_OR_OBJECT,
  securitySchemes: OBJECT,
  wrongMethod: { wanted: '404 or 405', fits: (value) => value === 404 || value === 405 },
  describeSite: FUNCTION,
  namespaces: { ...LIST, wanted: 'a list of namespaces, such as [notes]' },
  capabilities: WORDS,
  commonArgs: OBJECT,
  authenticate: FUNCTION,
  anonymousWithoutCredentials: FLAG,
  jsonp: FLAG,
  requestIds: FLAG,
  trustedOrigins: ORIGINS,
  mcp: OBJECT,
  answerLimit: countUpTo(),
  cache: OBJECT,
  languageParam: orNull(TEXT),
  catalogues: OBJECT,
  log: FUNCTION,
  handlerTimeoutMs: countUpTo(),
  streamTimeoutMs: countUpTo(2 ** 31 - 1),
  streamLimit: countUpTo(),
  flush: orNull(FUNCTION),
  inRequest: orNull(FUNCTION),
  uploads: orNull(OBJECT),
  calls: { ...OBJECT, wanted: 'a store, such as keepCalls(store)' },
  isBusy: FUNCTION,
  around: FUNCTION,
  checkAnswers: FLAG,
  sendUndeclared: FLAG,
};

/** Limits of the cache. */
export const CACHE_BOUNDS = { entries: countUpTo(), bytes: countUpTo() } as const;
const CACHE = objectOf({
  store: { ...withFunctions('revision', 'versions'), needed: true },
  now: FUNCTION,
  headers: FUNCTION,
  ...CACHE_BOUNDS,
});
const UPLOADS = withFunctions('save', 'remove');
const CATALOGUES = mapOf(mapOf(ANY_TEXT));

const CORS = { allow: HEADER_NAMES, expose: HEADER_NAMES } as const satisfies Readonly<
  Record<keyof CorsOptions, OptionRule>
>;

/** @throws TypeError for a member that is not known, or is not a list of names. `what`: the option */
export function checkCors(what: string, cors: boolean | CorsOptions): void {
  if (typeof cors === 'object') checkOptions(what, cors, CORS);
}

const HEADERS = {
  always: OBJECT,
  cors: FLAG_OR_OBJECT,
  apiLink: FLAG,
  allow: FLAG,
  etag: FLAG,
} as const satisfies Readonly<Record<keyof HeaderOptions, OptionRule>>;
/** Headers that describe one response, so they cannot be the same on all of them. */
const OF_ONE_RESPONSE: ReadonlySet<string> = new Set([
  'allow',
  'connection',
  'content-length',
  'content-type',
  'date',
  'etag',
  'set-cookie',
  'transfer-encoding',
]);

function checkHeaders(headers: HeaderOptions, { index }: EngineOptions): void {
  checkOptions('headers of createEngine', headers, HEADERS);
  const { always = {}, apiLink = false, cors = false } = headers;
  checkCors('cors in headers of createEngine', cors);
  toSendableHeaders('always in headers of createEngine has', { ...always });
  const wrong = Object.keys(always).find((name) => OF_ONE_RESPONSE.has(name.toLowerCase()));
  if (wrong !== undefined)
    throw new TypeError(
      `always in headers of createEngine has the header ${wrong}, which each response sets for itself`,
    );
  if (apiLink && index === false)
    throw new TypeError('apiLink in headers of createEngine links to the index, but index is false');
}

const BELOW: OptionRule = {
  wanted: 'a path below the API such as "/openapi.json", without a trailing slash',
  fits: (value) => value !== '/' && isPath(value),
};
const OPENAPI = {
  title: TEXT,
  version: TEXT,
  permission: TEXT,
  document: BELOW,
  page: { wanted: `false, or ${BELOW.wanted}`, fits: (value) => value === false || BELOW.fits(value) },
} as const satisfies Readonly<Record<keyof OpenApiOptions, OptionRule>>;
/** Names of components (OpenAPI 3.1, 4.8.7). */
const COMPONENT_NAME = inForm(/^[\w.-]+$/, 'a name of letters, digits, ".", "_" and "-"');
const SECURITY_SCHEME = {
  ...objectOf({
    type: { ...wordOf(['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect']), needed: true },
  }),
  isOpen: true,
} as const;

/** Two routes of the engine itself cannot have one path. */
function checkPaths({
  index = ROOT_PATHS.index,
  batch = ROOT_PATHS.batch,
  openapi = false,
  mcp,
}: EngineOptions): void {
  const { document = OPENAPI_PATHS.document, page = OPENAPI_PATHS.page } =
    typeof openapi === 'object' ? openapi : {};
  const paths = Object.entries({
    index,
    batch,
    ...(openapi === false ? {} : { document, page }),
    ...(mcp === undefined ? {} : { mcp: mcp.path ?? MCP_PATH }),
  }).filter(([, path]) => path !== false);
  for (const [name, path] of paths) {
    const other = paths.find((each) => each[0] !== name && each[1] === path);
    if (other !== undefined)
      throw new TypeError(
        `${name} and ${other[0]} of ${WHAT} are both ${JSON.stringify(path)}; they must be different paths`,
      );
  }
}

/** @throws TypeError naming the option, its value and what it must be */
export function checkEngineOptions(options: EngineOptions): void {
  if (!OBJECT.fits(options) || 'descriptor' in options)
    throw new TypeError(
      `${WHAT} are ${Array.isArray(options) ? 'a list' : OBJECT.fits(options) ? 'a namespace' : describe(options)}; they must be an object, such as { namespaces: [notes] }`,
    );
  checkOptions(WHAT, options, RULES);
  if (options.names !== undefined) checkNames(options.names);
  if (options.headers !== undefined) checkHeaders(options.headers, options);
  if (typeof options.openapi === 'object') checkOptions('openapi of createEngine', options.openapi, OPENAPI);
  if (options.mcp !== undefined) checkMcpOptions(options.mcp);
  checkPaths(options);
  if (options.securitySchemes !== undefined)
    checkDocument(
      'securitySchemes of createEngine',
      options.securitySchemes,
      mapOf(SECURITY_SCHEME, COMPONENT_NAME),
    );
  if (options.uploads !== undefined && options.uploads !== null)
    checkDocument('uploads of createEngine', options.uploads, UPLOADS);
  if (options.cache !== undefined) checkDocument('cache of createEngine', options.cache, CACHE);
  if (options.catalogues !== undefined)
    checkDocument('catalogues of createEngine', options.catalogues, CATALOGUES);
}
