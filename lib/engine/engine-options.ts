import type { MaybePromise } from '../core/maybe-promise.ts';
import type { CacheLimits, CacheStore } from './response-cache.ts';
import { ANY_TEXT, checkDocument, mapOf, objectOf, withFunctions } from '../core/check-document.ts';
import { checkOptions, countUpTo, FLAG, FUNCTION, LIST, OBJECT, TEXT, type OptionRule } from '../core/check-options.ts';
import { ORIGINS } from '../http/cross-site.ts';
import type { Identity } from '../core/identity.ts';
import { LANGUAGES } from '../core/language-code.ts';
import { checkNames } from '../core/names.ts';
import type { RegisterOptions } from './registrations.ts';
import type { RestRequest } from '../http/request.ts';
import type { RuntimeOptions } from '../dispatch/runtime.ts';

/** Options of an engine. */
export interface EngineOptions extends RegisterOptions, Partial<Omit<RuntimeOptions, 'names'>> {
  /** Language prefixes of addresses. The first one is the default. */
  readonly prefixes: readonly string[];
  /** Returns the caller, or null for an anonymous caller. Default: all callers are anonymous. @throws RestError for invalid credentials. */
  readonly authenticate?: (request: RestRequest) => MaybePromise<Identity | null>;
  /**
   * `authenticate` treats every request without `Authorization`, `Cookie` or a header of the host's own as anonymous,
   * whatever its address. Cached responses are then sent without calling it. Default false; then cached responses are slower.
   */
  readonly anonymousWithoutCredentials?: boolean;
  /** Respond to `_jsonp` (always as to an anonymous caller). Default false. */
  readonly jsonp?: boolean;
  /**
   * Origins such as `https://app.example` whose pages may write with the credentials that a browser adds by itself, and read
   * the responses. Default: only the site's own origin.
   */
  readonly trustedOrigins?: readonly string[];
  /** Largest response body, in bytes. Default 8 MiB. */
  readonly answerLimit?: number;
  /** Whether the store is so busy that a new request should wait. Default: never. */
  readonly isBusy?: (kind: 'read' | 'write') => boolean;
  /** Caches responses to anonymous reads of endpoints that declare their collections. Default: nothing is cached. */
  readonly cache?: { readonly store: CacheStore; readonly now?: () => number } & Partial<CacheLimits>;
}

const WHAT = 'the options of createEngine';

function orNull({ wanted, fits }: OptionRule): OptionRule {
  return { wanted: `${wanted}, or null`, fits: (value) => value === null || fits(value) };
}

const WORDS: OptionRule = { wanted: 'a Set of texts', fits: (value) => value instanceof Set && [...value].every(TEXT.fits) };

const RULES: Readonly<Record<keyof EngineOptions, OptionRule>> = {
  names: { ...OBJECT, needed: true },
  prefixes: { ...LANGUAGES, needed: true },
  describeSite: { ...FUNCTION, needed: true },
  namespaces: LIST,
  capabilities: WORDS,
  commonArgs: OBJECT,
  authenticate: FUNCTION,
  anonymousWithoutCredentials: FLAG,
  jsonp: FLAG,
  trustedOrigins: ORIGINS,
  answerLimit: countUpTo(),
  cache: OBJECT,
  languageParam: orNull(TEXT),
  catalogues: OBJECT,
  log: FUNCTION,
  handlerTimeoutMs: countUpTo(),
  flush: orNull(FUNCTION),
  isBusy: FUNCTION,
};

/** Limits of the cache. */
export const CACHE_BOUNDS = { entries: countUpTo(), bytes: countUpTo() } as const;
const CACHE = objectOf({ store: { ...withFunctions('revision', 'versions'), needed: true }, now: FUNCTION, ...CACHE_BOUNDS });
const CATALOGUES = mapOf(mapOf(ANY_TEXT));

/** @throws TypeError naming the option, its value and what it must be */
export function checkEngineOptions(options: Partial<EngineOptions> = {}): void {
  const missing = (Object.keys(RULES) as (keyof EngineOptions)[]).find((name) => RULES[name].needed === true && options[name] === undefined);
  if (missing !== undefined) throw new TypeError(`createEngine needs ${missing}: ${RULES[missing].wanted}`);
  checkOptions(WHAT, options, RULES);
  checkNames(options.names as EngineOptions['names']);
  if (options.cache !== undefined) checkDocument('cache of createEngine', options.cache, CACHE);
  if (options.catalogues !== undefined) checkDocument('catalogues of createEngine', options.catalogues, CATALOGUES);
}
