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

/** What an engine can be given. */
export interface EngineOptions extends RegisterOptions, Partial<Omit<RuntimeOptions, 'names'>> {
  /** Language prefixes of addresses; the first is the default. */
  readonly prefixes: readonly string[];
  /** Who is calling; null: an anonymous caller. Default: everybody is. @throws RestError for credentials that are not right. */
  readonly authenticate?: (request: RestRequest) => MaybePromise<Identity | null>;
  /**
   * `authenticate` takes whoever sends neither `Authorization` nor `Cookie` nor a header of the host's own for nobody, wherever
   * the request comes from: cached responses are then given without asking it. Default false, which costs some of their speed.
   */
  readonly anonymousWithoutCredentials?: boolean;
  /** Answer `_jsonp` (always as for an anonymous caller). Default false. */
  readonly jsonp?: boolean;
  /**
   * Origins such as `https://app.example` whose pages may write with the credentials that a browser adds by itself, and read
   * the answers. Default: none but the site's own.
   */
  readonly trustedOrigins?: readonly string[];
  /** Largest answer. Bytes; default 8 MiB. */
  readonly answerLimit?: number;
  /** Whether so much waits for the store that a request had better wait before it is begun. Default: it never does. */
  readonly isBusy?: (kind: 'read' | 'write') => boolean;
  /** Keeps answers to anonymous reads of endpoints that name their collections. Default: none are cached. */
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

/** How much may be cached. */
export const CACHE_BOUNDS = { entries: countUpTo(), bytes: countUpTo() } as const;
const CACHE = objectOf({ store: { ...withFunctions('revision', 'versions'), needed: true }, now: FUNCTION, ...CACHE_BOUNDS });
const CATALOGUES = mapOf(mapOf(ANY_TEXT));

/** @throws TypeError naming the option, its fault and what would be right */
export function checkEngineOptions(options: Partial<EngineOptions> = {}): void {
  const missing = (Object.keys(RULES) as (keyof EngineOptions)[]).find((name) => RULES[name].needed === true && options[name] === undefined);
  if (missing !== undefined) throw new TypeError(`createEngine needs ${missing}: ${RULES[missing].wanted}`);
  checkOptions(WHAT, options, RULES);
  checkNames(options.names as EngineOptions['names']);
  if (options.cache !== undefined) checkDocument('cache of createEngine', options.cache, CACHE);
  if (options.catalogues !== undefined) checkDocument('catalogues of createEngine', options.catalogues, CATALOGUES);
}
