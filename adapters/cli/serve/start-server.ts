import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { engineError } from '../../../lib/core/errors.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { renamePath } from '../../../lib/core/names.ts';
import type { RequestHead } from '../../../lib/http/cross-site.ts';
import type { Host, HostTools, UnreadHead, WireResponse } from '../../../lib/http/host.ts';
import { createEngine, logToConsole, type RestError, type RestRequest } from '../../../lib/index.ts';
import { createMediaFiles } from '../../media-files.ts';
import { closeServer, createServer, HTTP_LIMITS, type Listener, LoadShedder } from '../../node-http.ts';
import { createPages } from '../../pages/pages.ts';
import { EDITOR, type ServedFolder, UPLOADS } from '../../pages/send-file.ts';
import { UsageError } from '../frame/options.ts';
import { type DemoLogin, findDemoLogins } from '../site/users.ts';
import { closeOnFailure } from '../site/with-store.ts';
import { LineWriter, logAccess } from './access-log.ts';
import { isPublic } from './initial-content.ts';
import { listen } from './listen.ts';
import { countRequests, createHealth } from './monitor.ts';
import { openServedSite, readInputs } from './open-served-site.ts';
import type { ServeOptions } from './serve-options.ts';

/** What is known of a server that has started. */
interface Started {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly language: string;
  /** Path of the API below the language, such as `/cms-json`. */
  readonly base: string;
  /** Path of the posts below the API, in the names of the site. */
  readonly posts: string;
  readonly hasReference: boolean;
  /** A login that everybody knows; undefined if there is none. */
  readonly demo: DemoLogin | undefined;
}

/** What to do next, as lines for the terminal. */
function describeStart({ origin, language, base, posts, hasReference, demo }: Started): readonly string[] {
  const api = `${origin}/${language}${base}`;
  return [
    `site        ${origin}/${language}/`,
    ...(hasReference ? [`reference   ${api}/reference`] : []),
    ...(demo === undefined
      ? [`try         curl "${api}${posts}?_fields=id,link"`]
      : [
          `login       ${demo.login}, password ${demo.password} (of the demo: everybody knows it)`,
          `try         curl -u ${demo.login}:${demo.password} "${api}${posts}?context=edit&_fields=id,title"`,
          'your own    routebook init my-site, then routebook serve in the directory my-site',
        ]),
  ];
}

export interface RunningServer {
  /** Address of the index in the first language, on this machine. */
  readonly indexUrl: string;
  /** What to do next, as lines for the terminal. */
  readonly hints: readonly string[];
  /** Stops accepting requests, finishes those in flight (10 s at most), closes the store. */
  stop(): Promise<void>;
}

/** The caller's address, if the proxy's header holds exactly one. The caller may have written a list, so it is ignored. */
function readHeader(name: string) {
  return ({ headers }: IncomingMessage): string | undefined => {
    const told = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof told === 'string' && isIP(told) !== 0 ? told : undefined;
  };
}

/** A server that listens, and whose site is not open yet: every request gets 503, apart from the one of a monitor. */
export interface ListeningServer {
  /** `http://127.0.0.1:8787` */
  readonly origin: string;
  /** Opens the store, builds the site and serves it. @throws what the store or the site throws; nothing is left open then */
  open(): Promise<RunningServer>;
}

/** The directory of a built editor, if there is one. @throws UsageError if its page is missing */
async function openEditor(directory: string | undefined): Promise<readonly ServedFolder[]> {
  if (directory === undefined) return [];
  const files = createMediaFiles(directory);
  if ((await files.find('index.html')) === null)
    throw new UsageError(
      `--editor: there is no index.html in "${directory}". Build the editor first (examples/editor)`,
    );
  return [{ folder: EDITOR, files }];
}

/** The response to every request that comes before the site is open. */
const STARTING = engineError('rest_starting');

/** An engine without a base would take every address, and leave none to the listener beside it. */
const NOWHERE = '/.starting';

/** A host whose engine comes later, so that a server can listen before its site is opened. Until then it refuses every request. */
class LateHost implements Host {
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

/** Tells a monitor that the process lives. */
function showStarting({ method, url }: IncomingMessage, response: ServerResponse): void {
  if ((method !== 'GET' && method !== 'HEAD') || url !== '/healthz') throw STARTING;
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' })
    .end('{"status":"starting"}');
}

/**
 * Reads the files that the options name, and listens. The store is opened afterwards: if the port is taken, nothing has been written.
 * @throws TypeError for an invalid file, and what the system says about the port
 */
export async function startListening(options: ServeOptions): Promise<ListeningServer> {
  const inputs = await readInputs(options);
  const { addressHeader } = options;
  const editor = await openEditor(options.editor);
  let origin = '';
  const siteUrl = (): string => options.siteUrl ?? origin;
  const address = addressHeader === undefined ? () => undefined : readHeader(addressHeader);
  const loadShedder = new LoadShedder(HTTP_LIMITS);
  const host = new LateHost(options);
  let otherwise: Listener = showStarting;
  const server = createServer(host, {
    siteUrl,
    address,
    loadShedder,
    otherwise: (request, response) => otherwise(request, response),
  });
  const metrics = options.metrics ? countRequests(server) : undefined;
  const lines = new LineWriter(process.stdout);
  if (options.accessLog !== undefined)
    logAccess(server, { format: options.accessLog, write: (line) => lines.write(line), address });
  const close = async (): Promise<void> => {
    await closeServer(server);
    lines.flush();
  };
  origin = await listen(server, options);
  const open = async (): Promise<RunningServer> => {
    const {
      site: { engine, ...site },
      media,
      reset,
      store,
      languages,
      close: closeSite,
    } = await openServedSite(options, { ...inputs, siteUrl: siteUrl() });
    otherwise = createPages(engine, {
      ...site,
      siteUrl,
      address,
      reset,
      folders: [{ folder: UPLOADS, files: media }, ...editor],
      languages,
      metrics,
      isHealthy: createHealth(store, logToConsole),
      loadShedder,
    });
    host.open(engine);
    const [language = ''] = engine.prefixes;
    const [demo] = isPublic(options) ? [] : await findDemoLogins(store, 1);
    return {
      hints: describeStart({
        origin,
        language,
        base: engine.base,
        posts: renamePath(inputs.names, '/cms/v2/posts'),
        hasReference: options.openapi,
        demo,
      }),
      indexUrl: `${origin}/${language}${engine.base}/`,
      async stop() {
        await close();
        await closeSite();
      },
    };
  };
  return { origin, open: () => closeOnFailure({ close }, open) };
}
