import { createServer } from '../../../adapters/node-http.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createPostgresStore } from '../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import type { Store } from '../../../lib/index.ts';
import { collections } from '../../../registry/index.ts';
import { fillStore, openSite, SITE_URL } from '../corpus.ts';
import { listen } from '../peers/peer.ts';

/** Where the content lies: in memory, in the folder of a file, in the database of an address. */
export type Place = { readonly store: 'memory' } | { readonly store: 'sqlite'; readonly directory: string } | { readonly store: 'postgres'; readonly url: string };

function openStore(place: Place): Store | Promise<Store> {
  if (place.store === 'sqlite') return createSqliteStore({ directory: place.directory, collections });
  return place.store === 'postgres' ? createPostgresStore({ url: place.url, collections }) : createMemoryStore(collections);
}

/** Idle sockets are kept for as long as the program runs, because the load comes from all of them in turn. */
const KEEP_ALIVE_MS = 600_000;

/** Serves a site with so many posts, with every limit as it is by default. Answers the port. It lives as long as the process. */
export async function serveSite({ place, posts }: { readonly place: Place; readonly posts: number }): Promise<number> {
  const store = await openStore(place);
  await fillStore(store, posts);
  const { engine } = await openSite(store, true);
  const { port } = await listen(createServer(engine, { siteUrl: SITE_URL, limits: { keepAliveTimeoutMs: KEEP_ALIVE_MS, requestsPerSocket: 1_000_000 } }));
  return port;
}
