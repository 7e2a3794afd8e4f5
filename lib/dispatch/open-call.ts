import type { MaybePromise } from '../core/maybe-promise.ts';
import { renamePath } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { toBaseUrl } from '../http/address.ts';
import type { WireStream } from '../http/host.ts';
import type { RestRequest } from '../http/request.ts';
import type { UploadedFiles } from '../ports/uploads.ts';
import type { Call, PreparedCall, SiteView } from '../route/call.ts';
import type { Matched, Resolved } from './resolve.ts';
import type { Runtime } from './runtime.ts';
import type { TimeLimit } from './time-limit.ts';

/** The engine as one request sees it. */
export class RequestSite implements SiteView {
  readonly names: SiteView['names'];
  readonly routes: SiteView['routes'];
  readonly namespaces: SiteView['namespaces'];
  readonly pagesUrl: string;
  readonly #runtime: Runtime;
  readonly #prepare: SiteView['prepare'];
  readonly #flush: SiteView['flush'];
  readonly mayCall: SiteView['mayCall'];
  #base: string | null = null;
  /** Whether this call made inner calls that are not flushed. */
  hasInner = false;

  constructor(
    runtime: Runtime,
    { prepare, flush, mayCall }: Pick<SiteView, 'prepare' | 'flush' | 'mayCall'>,
  ) {
    const {
      options: { names, frontEnd },
      table,
      request,
    } = runtime;
    this.names = names;
    this.pagesUrl = frontEnd ?? request.siteUrl;
    this.routes = table.routes;
    this.namespaces = table.namespaces;
    this.#runtime = runtime;
    this.#prepare = prepare;
    this.#flush = flush;
    this.mayCall = mayCall;
  }

  prepare(request: RestRequest): PreparedCall {
    this.hasInner = true;
    return this.#prepare(request);
  }

  async flush(): Promise<void> {
    if (!this.hasInner) return;
    this.hasInner = false;
    await this.#flush();
  }

  url(path: string): string {
    return this.wireUrl(renamePath(this.names, path));
  }

  wireUrl(path: string): string {
    const {
      options: { addresses },
      request,
    } = this.#runtime;
    this.#base ??= toBaseUrl(addresses, request);
    return this.#base + path;
  }

  home(language = this.#runtime.request.language): string {
    const { prefixes } = this.#runtime.options.addresses;
    return toBaseUrl({ prefixes, base: '' }, { siteUrl: this.pagesUrl, language });
  }

  translate(text: string): string {
    const { options, request } = this.#runtime;
    return own(own(options.catalogues, request.language) ?? {}, text) ?? text;
  }
}

const NO_FILES: UploadedFiles = Object.freeze(Object.create(null) as UploadedFiles);

/** What all calls of one request share: its own call, and those that only ask for permission. */
export interface CallScope {
  readonly limit: TimeLimit;
  readonly once: Call['once'];
  readonly site: RequestSite;
}

/** An endpoint and the resolved parameters of its call. */
type ResolvedEndpoint = Omit<Matched, 'path'> & { readonly resolved: Resolved };

/** A call while it runs. The permission function sets its subject. */
export class OpenCall implements Call {
  readonly request: Call['request'];
  readonly host: unknown;
  readonly identity: Call['identity'];
  readonly namespace: string;
  readonly route: Call['route'];
  readonly endpoint: Call['endpoint'];
  readonly args: Call['args'];
  readonly given: Call['given'];
  readonly sentQuery: Call['sentQuery'];
  readonly language: string;
  readonly durability: Call['durability'];
  readonly once: Call['once'];
  readonly site: Call['site'];
  subject: unknown = null;
  /** The stream that the handler returned, as its bytes. */
  streamed: WireStream | null = null;
  /** The permission function has admitted the call. */
  isPermitted = false;
  readonly #limit: TimeLimit;
  #draining: AbortSignal | undefined;

  constructor(
    { request, identity, options, outer }: Runtime,
    { route, endpoint, resolved }: ResolvedEndpoint,
    { limit, once, site }: CallScope,
  ) {
    const { args, given, sentQuery } = resolved;
    const language = options.languageParam === null ? undefined : own(args, options.languageParam);
    this.request = request;
    this.host = request.host;
    this.identity = identity;
    this.namespace = route.view.namespace;
    this.route = route.view.descriptor;
    this.endpoint = endpoint.descriptor;
    this.args = args;
    this.given = given;
    this.sentQuery = sentQuery;
    this.language = typeof language === 'string' ? language : request.language;
    this.durability = outer === undefined || options.flush === null ? 'now' : 'later';
    this.once = once;
    this.site = site;
    this.#limit = limit;
  }

  get bytes(): Uint8Array | null {
    return 'bytes' in this.request.body ? (this.request.body.bytes ?? null) : null;
  }

  get stream(): AsyncIterable<Uint8Array> | null {
    return this.request.body.kind === 'stream' ? this.request.body.stream : null;
  }

  get files(): UploadedFiles {
    return this.request.body.kind === 'form' ? (this.request.body.files ?? NO_FILES) : NO_FILES;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  get draining(): AbortSignal {
    // One of its own, so that listeners of a call end with it.
    return (this.#draining ??= this.request.draining ?? new AbortController().signal);
  }
}

/** Loads each key once. While a value is loading, callers get its promise, then the value itself. A failure is kept, and every caller gets it. */
export function createOnce(): Call['once'] {
  let loaded: Map<string, unknown> | null = null;
  return <T>(key: string, load: () => MaybePromise<T>): MaybePromise<T> => {
    // Made on the first use, because few calls use it.
    const values = (loaded ??= new Map<string, unknown>());
    // The value under a key has the type that its `load` returned.
    const known = values.get(key) as MaybePromise<T> | undefined;
    if (known !== undefined || values.has(key)) return known as MaybePromise<T>;
    const value = load();
    values.set(key, value);
    if (value instanceof Promise)
      value.then(
        (there) => values.set(key, there),
        () => undefined,
      );
    return value;
  };
}
