import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { closeServer, createServer, HTTP_LIMITS, LoadShedder } from '../../node-http.ts';
import { createWaitInLine } from '../../http/wait-in-line.ts';
import { logToConsole } from '../../../lib/index.ts';
import { closeOnFailure } from '../site/with-store.ts';
import { LineWriter, logAccess } from './access-log.ts';
import { createHealth } from './health.ts';
import { listen } from './listen.ts';
import { openServedSite } from './open-served-site.ts';
import { createPages } from '../../pages/pages.ts';
import type { ServeOptions } from './serve-options.ts';

export interface RunningServer {
  /** Address of the index in the first language, on this machine. */
  readonly indexUrl: string;
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

/** Opens the store, builds the site and listens. If one of these fails, nothing is left open. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const parts = await openServedSite(options);
  const { site: { engine, openCrawlerFile, findRedirect, findRoute, findArchive, readPageSize }, media, reset, store, languages } = parts;
  const { addressHeader } = options;
  let origin = '';
  const siteUrl = (): string => options.siteUrl ?? origin;
  const readAddress = addressHeader === undefined ? () => undefined : readHeader(addressHeader);
  const loadShedder = new LoadShedder(HTTP_LIMITS);
  const waitInLine = createWaitInLine(engine, loadShedder, HTTP_LIMITS.loopDelayMs);
  const pages = createPages(engine, { siteUrl, openCrawlerFile, findRedirect, findRoute, findArchive, readPageSize, reset, media, languages, isHealthy: createHealth(store, logToConsole), waitInLine });
  const server = createServer(engine, { siteUrl, otherwise: pages, address: readAddress, loadShedder });
  const lines = new LineWriter(process.stdout);
  if (options.accessLog !== undefined) logAccess(server, { format: options.accessLog, write: (line) => lines.write(line), address: readAddress });
  origin = await closeOnFailure(parts, () => listen(server, options));
  const [language] = engine.prefixes;
  return {
    indexUrl: `${origin}/${language}${engine.base}/`,
    async stop() {
      await closeServer(server);
      lines.flush();
      await parts.close();
    },
  };
}
