import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { engineError } from '../../../lib/core/errors.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { RequestHead } from '../../../lib/http/cross-site.ts';
import type { Host, HostTools, UnreadHead, WireResponse } from '../../../lib/http/host.ts';
import { createEngine, type RestError, type RestRequest } from '../../../lib/index.ts';
import { readOptions, toCount } from '../frame/options.ts';

const LAST_PORT = 65_535;
/** Connections that may wait to be accepted. The system drops further ones, and their clients retry a second later. */
const BACKLOG = 4096;

/** Starts to listen. Resolves with the address of the server: `http://127.0.0.1:8787`. With `port` 0 the system picks a free one. */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
  const { port: actual } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

/** The value of `--port`, or else the port in the header of the example. */
export function readPort(usual: number): number {
  const { port } = readOptions(
    { port: { value: 'N', default: String(usual), help: 'Port to listen on; 0 picks a free one.' } },
    process.argv.slice(2),
  );
  return toCount('port', port, { least: 0, most: LAST_PORT });
}

const PARENT_CHECK_MS = 250;
/** The parent process at the start. */
const PARENT = process.ppid;

/**
 * Calls `stop` once: at the first SIGTERM or SIGINT, or when the shell between npm and the program is gone
 * (signals to npm end the shell, which does not pass them on). A second signal ends the process at once. Call it before printing that the program listens.
 */
export function onStop(stop: () => Promise<void>): void {
  let watch: NodeJS.Timeout | undefined;
  let stopping = false;
  const stopOnce = (): void => {
    clearInterval(watch);
    if (!stopping) void stop();
    stopping = true;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stopOnce);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  watch = setInterval(() => {
    if (process.ppid !== PARENT) stopOnce();
  }, PARENT_CHECK_MS).unref();
}

/** The response to every request that comes before the site is open. */
export const STARTING = engineError('rest_starting');

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
