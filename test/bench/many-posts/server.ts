// The server of the scale program: a site on a store, in a process of its own. Its parent tells it what to open, and ends it.
import type { AddressInfo } from 'node:net';
import { closeServer, createServer } from '../../../adapters/node-http.ts';
import { createPostgresStore } from '../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import type { Store } from '../../../lib/index.ts';
import { collections } from '../../../registry/index.ts';
import { openSite, SITE_URL } from '../corpus.ts';
import { fillScaleSite } from './posts.ts';

/** What to open. `url`: the address of a PostgreSQL database; null: a file in `place`. `place`: a directory, or a schema. */
export interface ScaleOrder {
  readonly url: string | null;
  readonly place: string;
  /** Posts to write first; 0: the store has them. */
  readonly fill: number;
}

async function openStore({ url, place, fill }: ScaleOrder): Promise<Store> {
  const durability = fill > 0 ? 'relaxed' : 'full';
  return url === null
    ? createSqliteStore({ directory: place, collections, durability })
    : createPostgresStore({ url, schema: place, collections, durability });
}

async function serve(order: ScaleOrder): Promise<number> {
  const store = await openStore(order);
  if (order.fill > 0) {
    await fillScaleSite(store, order.fill);
    await store.close();
    return 0;
  }
  const site = await openSite(store, true);
  const server = createServer(site.engine, { siteUrl: SITE_URL });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  process.once('disconnect', () => {
    void closeServer(server, { timeoutMs: 500 })
      .then(() => site.close())
      .then(() => store.close())
      .then(() => process.exit());
  });
  return (server.address() as AddressInfo).port;
}

process.once('message', (order: ScaleOrder) => {
  serve(order).then(
    (port) => process.send?.({ port }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
