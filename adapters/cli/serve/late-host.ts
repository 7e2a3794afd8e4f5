import { engineError } from '../../../lib/core/errors.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { RequestHead } from '../../../lib/http/cross-site.ts';
import type { Host, HostTools, UnreadHead, WireResponse } from '../../../lib/http/host.ts';
import { createEngine, type RestError, type RestRequest } from '../../../lib/index.ts';

/** The response to every request that comes before the site is open. */
export const STARTING = engineError('rest_starting', { headers: { 'Retry-After': '1' } });

/** An engine without a base would take every address, and leave none to the listener beside it. */
const NOWHERE = '/.starting';

/** A host whose engine comes later, so that a server can listen before its site is opened. Until then it refuses every request. */
export class LateHost implements Host {
  readonly requestIds: boolean;
  #host: Host;
  #isOpen = false;
  #tools: HostTools | undefined;

  constructor({ requestIds }: { readonly requestIds: boolean }) {
    this.requestIds = requestIds;
    this.#host = createEngine({ namespaces: [], base: NOWHERE, requestIds });
  }

  /** From now on the host answers. */
  open(host: Host): void {
    if (this.#tools !== undefined) host.attach?.(this.#tools);
    this.#host = host;
    this.#isOpen = true;
  }

  get prefixes(): readonly string[] {
    return this.#host.prefixes;
  }

  get base(): string {
    return this.#host.base;
  }

  get languageParam(): string | null {
    return this.#host.languageParam ?? null;
  }

  attach(tools: HostTools): void {
    this.#tools = tools;
  }

  serve(request: RestRequest): MaybePromise<WireResponse> {
    return this.#isOpen ? this.#host.serve(request) : this.refuse(STARTING, request);
  }

  checkHead(head: RequestHead): void {
    this.#host.checkHead?.(head);
  }

  takesUnread(head: UnreadHead): boolean {
    return this.#host.takesUnread?.(head) === true;
  }

  ready(siteUrl: string, target: string): MaybePromise<WireResponse | null> {
    return this.#host.ready?.(siteUrl, target) ?? null;
  }

  isBusy(kind: 'read' | 'write'): boolean {
    return this.#host.isBusy?.(kind) === true;
  }

  refuse(error: RestError, request: Parameters<Host['refuse']>[1]): WireResponse {
    return this.#host.refuse(error, request);
  }
}
