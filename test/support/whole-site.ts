import { createMemoryStore } from '../../adapters/memory-store.ts';
import type { Engine } from '../../lib/engine/engine.ts';
import type { WireResponse } from '../../lib/http/host.ts';
import type { RestRequest } from '../../lib/http/request.ts';
import type { Store } from '../../lib/store/store.ts';
import { capabilitiesOf } from '../../registry/core/accounts/roles.ts';
import type { LogEvent } from '../../registry/core/host/ports.ts';
import {
  collections,
  createSite,
  type FindArchive,
  type FindRedirect,
  type FindRoute,
  type OpenDocument,
  type ReadPictureSizes,
  seedPlugins,
} from '../../registry/index.ts';
import type { SiteOptions } from '../../registry/site-options.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { loadFixtureOnce } from './load-fixture.ts';
import { TEST_NOW } from './ports.ts';

export const SITE_URL = 'http://site.test';

let asked = 0;

/** A different client address for each request, so that throttling does not affect tests of other features. */
function nextAddress(): string {
  asked += 1;
  return `test-${asked}`;
}

/** One request to a complete site. `target`: path below the API base with its query; `as`: login, null or absent for an anonymous caller. */
export interface Asking {
  readonly method?: string;
  readonly target: string;
  readonly as?: string | null;
  readonly language?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly address?: string;
}

/** The response as it would be sent. `body`: that of a JSON response, otherwise null. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

/** A complete site in this process with its own store. Callers authenticate by token, so that no password is hashed per request. */
export interface WholeSite {
  readonly engine: Engine;
  readonly openDocument: OpenDocument;
  readonly findRedirect: FindRedirect;
  readonly findRoute: FindRoute;
  readonly findArchive: FindArchive;
  readonly readPageSize: () => Promise<number>;
  readonly readPictureSizes: ReadPictureSizes;
  readonly store: Store;
  readonly logged: readonly LogEvent[];
  ask(asking: Asking): Promise<Answer>;
  close(): Promise<void>;
}

export interface WholeSiteOptions extends Partial<SiteOptions> {
  readonly fixture: Fixture;
}

/** The request as an adapter would create it. */
export function toRequest({
  method = 'GET',
  target,
  as = null,
  language = 'en',
  headers = {},
  body,
  address = nextAddress(),
}: Asking): RestRequest {
  const mark = target.indexOf('?');
  return {
    method,
    language,
    siteUrl: SITE_URL,
    address,
    path: decodeURIComponent(mark === -1 ? target : target.slice(0, mark)),
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: { ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...headers },
    body: body === undefined ? { kind: 'none' } : { kind: 'json', value: body },
  };
}

/** Parses the sent response. */
export function toAnswer({ status, headers, body }: WireResponse): Answer {
  const text = body === null ? '' : Buffer.from(body).toString('utf8');
  return {
    status,
    headers,
    text,
    body: /json/.test(headers['Content-Type'] ?? '') && text !== '' ? JSON.parse(text) : null,
  };
}

/** Creates a complete site with this content. Its clock stands at `TEST_NOW` by default. */
export async function createWholeSite({ fixture, ...options }: WholeSiteOptions): Promise<WholeSite> {
  const logged: LogEvent[] = [];
  const store = options.store ?? createMemoryStore(collections);
  await loadFixtureOnce(store, fixture, options.content === undefined ? {} : { content: options.content });
  const roles = new Map(
    (fixture.users ?? []).map((user) => [
      String(user['login']),
      { id: Number(user['id']), role: String(user['role']) },
    ]),
  );
  const site = await createSite({
    plugins: seedPlugins,
    now: () => TEST_NOW,
    secret: new Uint8Array(32).fill(7),
    log: (event) => {
      logged.push(event);
    },
    bearer: (token) => {
      const user = roles.get(token);
      return user === undefined ? null : { ...user, capabilities: capabilitiesOf(user.role) };
    },
    ...options,
    store,
  });
  return {
    engine: site.engine,
    openDocument: site.openDocument,
    findRedirect: site.findRedirect,
    findRoute: site.findRoute,
    findArchive: site.findArchive,
    readPageSize: site.readPageSize,
    readPictureSizes: site.readPictureSizes,
    store,
    logged,
    ask: async (asking) => toAnswer(await site.engine.serve(toRequest(asking))),
    close: () => site.close(),
  };
}
