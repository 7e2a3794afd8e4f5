import { checkDocument, withFunctions, type DocumentRules } from '../../lib/core/check-document.ts';
import { ANY, checkOptions, countUpTo, FLAG, FUNCTION, LIST, OBJECT, type OptionRule } from '../../lib/core/check-options.ts';
import { ORIGINS } from '../../lib/http/cross-site.ts';
import { CACHE_BOUNDS } from '../../lib/engine/engine-options.ts';
import { LANGUAGES } from '../../lib/core/language-code.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { checkNames, type Names } from '../../lib/core/names.ts';
import { own } from '../../lib/core/objects.ts';
import type { Store } from '../../lib/store/store.ts';
import type { Ports } from '../ports.ts';
import { checkSettings } from '../settings.ts';
import type { Authenticate, Bearer } from './authenticate.ts';

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
  /**
   * Who calls, by a login of the host's own; asked first, for every request. Default: nobody, so that cached responses are
   * given without asking.
   */
  readonly authenticate?: Authenticate;
  /**
   * Origins such as `https://app.example` whose pages may write with the credentials that a browser adds by itself, and read
   * the answers. Default: none but the site's own.
   */
  readonly trustedOrigins?: readonly string[];
  /** Answer `_jsonp`, always anonymously. Default false. */
  readonly jsonp?: boolean;
  /** Time for one call, in milliseconds: 504 after. Default: 30 s. */
  readonly handlerTimeoutMs?: number;
  /** Largest answer, in bytes: 413 above. Default: 8 MiB. */
  readonly answerLimit?: number;
  /** Bounds of the cached responses; false keeps none, nor finished parts of them. */
  readonly cache?: false | { readonly entries?: number; readonly bytes?: number };
}

const WHAT = 'the options of createSite';
/** Least length of the key for signatures. */
export const SECRET_BYTES = 32;

const RULES: Readonly<Record<keyof SiteOptions, OptionRule>> = {
  store: { ...OBJECT, needed: true },
  names: OBJECT,
  prefixes: LANGUAGES,
  languages: LANGUAGES,
  // What was given is not repeated, see `checkSecret`.
  secret: ANY,
  config: OBJECT,
  namespaces: LIST,
  bearer: FUNCTION,
  authenticate: FUNCTION,
  trustedOrigins: ORIGINS,
  jsonp: FLAG,
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
  imports: OBJECT,
};

/** What the site calls. */
const PORTS: DocumentRules = {
  store: withFunctions('find', 'get', 'versions', 'commit', 'flush', 'revision', 'close'), upstream: withFunctions('origin', 'request'),
  files: withFunctions('list', 'read', 'write'), media: withFunctions('size'), imports: withFunctions('lines'),
};

function checkPorts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, rule] of Object.entries(PORTS)) {
    const port = own(options, name);
    if (port !== undefined) checkDocument(`${name} of createSite`, port, rule);
  }
}

function checkSecret(secret: unknown): void {
  if (secret === undefined || (secret instanceof Uint8Array && secret.length >= SECRET_BYTES)) return;
  const fault = secret instanceof Uint8Array ? `has ${secret.length} bytes` : `is no bytes (${typeof secret})`;
  throw new TypeError(`secret of ${WHAT} ${fault} and has to be a Uint8Array of ${SECRET_BYTES} bytes or more, such as randomBytes(${SECRET_BYTES}) of node:crypto`);
}

/** @throws TypeError naming the option, its fault and what would be right */
export function checkSiteOptions(options: Partial<SiteOptions> | undefined): void {
  if (typeof options?.store?.find !== 'function') throw new TypeError('createSite needs a store: createSite({ store: createMemoryStore(collections) })');
  checkOptions(WHAT, options, RULES);
  if (options.names !== undefined) checkNames(options.names);
  checkSecret(options.secret);
  checkPorts({ ...options });
  checkSettings('config', options.config ?? {});
  if (typeof options.cache === 'object') checkOptions('the bounds in cache of createSite', options.cache, CACHE_BOUNDS);
}
