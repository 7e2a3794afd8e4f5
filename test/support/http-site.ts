import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '../../adapters/cli/verify/client.ts';
import { closeServer, createServer } from '../../adapters/node-http.ts';
import type { LogEvent } from '../../lib/dispatch/runtime.ts';
import { type Outbound, OutboundRefused } from '../../lib/ports/outbound.ts';
import type { Store } from '../../lib/store/store.ts';
import { collections, createSite } from '../../registry/index.ts';
import type { SiteOptions } from '../../registry/site-options.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { loadFixtureOnce, remember } from './load-fixture.ts';
import { PATIENT } from './patient.ts';

/** Rejects all outbound requests. */
const nowhere: Outbound = () =>
  Promise.reject(new OutboundRefused(new Error('tests must not send outbound requests')));

/** Says why a request failed, so that a test that sees a 500 tells its reason. */
const printError = ({ level, message, error }: LogEvent): void => {
  if (level === 'error') console.error(message, error);
};

/** A complete site on a loopback port. */
export interface HttpSite extends Target {
  readonly store: Store;
  /** Without a trailing slash. */
  readonly origin: string;
  /** Restores the content of the fixture. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Passwords of a fixture's users by login. */
export function passwordsOf(fixture: Fixture): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (fixture.users ?? []).map((user) => [String(user['login']), String(user['password'])]),
  );
}

/** Serves a fixture on a port that the system chooses. No request leaves the machine. */
export async function openHttpSite(
  fixture: Fixture,
  options: Partial<SiteOptions> & Pick<SiteOptions, 'store'>,
): Promise<HttpSite> {
  const { store } = options;
  await loadFixtureOnce(store, fixture);
  const restore = await remember(store);
  const site = await createSite({ jsonp: true, outbound: nowhere, log: printError, ...options });
  const server = createServer(site.engine, { limits: PATIENT });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const readRevision = (): ReturnType<Store['revision']> =>
    store.revision(collections.map(({ name }) => name));
  let loaded: number | null = null;
  return {
    store,
    agent,
    passwords: passwordsOf(fixture),
    origin,
    base: `${origin}/en/cms-json`,
    async reset() {
      if (loaded === (await readRevision())) return;
      await restore();
      loaded = await readRevision();
    },
    async close() {
      agent.destroy();
      await closeServer(server);
      await site.close();
    },
  };
}
