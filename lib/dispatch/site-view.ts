import { renamePath } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { toBaseUrl } from '../http/address.ts';
import type { RestRequest } from '../http/request.ts';
import type { PreparedCall, SiteView } from '../route/call.ts';
import type { Runtime } from './runtime.ts';

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
