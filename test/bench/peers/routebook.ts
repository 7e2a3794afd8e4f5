import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { closeServer, createServer } from '../../../adapters/node-http.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { collections } from '../../../registry/index.ts';
import { makeFolder, removeFolder } from '../../support/temporary.ts';
import { fillStore, openSite, SITE_URL } from '../corpus.ts';
import { listen, type StartPeer } from './peer.ts';

/** With `cache` false every response is created anew. `sqlite`: durable, in a temporary directory that is removed afterwards. */
export function startRoutebook({
  cache = true,
  sqlite = false,
}: { cache?: boolean; sqlite?: boolean } = {}): StartPeer {
  return async (corpus) => {
    const directory = sqlite ? makeFolder() : null;
    const store =
      directory === null
        ? createMemoryStore(collections)
        : await createSqliteStore({ directory, collections });
    await fillStore(store, corpus.posts.length);
    const site = await openSite(store, cache);
    // All limits are the defaults except one: a busy processor must not refuse requests here, because it is what is measured.
    const server = createServer(site.engine, { siteUrl: SITE_URL, limits: { loopDelayMs: 2 ** 30 } });
    const { port } = await listen(server);
    return {
      port,
      async close() {
        await closeServer(server, { timeoutMs: 500 });
        await site.close();
        await store.close();
        if (directory !== null) removeFolder(directory);
      },
    };
  };
}
