import { closeServer, createServer } from '../../../adapters/node-http.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { collections } from '../../../registry/index.ts';
import { fillStore, openSite, SITE_URL } from '../corpus.ts';
import { listen, type StartPeer } from './peer.ts';
import { makeFolder, removeFolder } from '../../support/temporary.ts';

/** `cache` false: every answer is made anew. `sqlite`: durable, in a directory of its own that is gone afterwards. */
export function startRoutebook({ cache = true, sqlite = false }: { cache?: boolean; sqlite?: boolean } = {}): StartPeer {
  return async (corpus) => {
    const directory = sqlite ? makeFolder() : null;
    const store = directory === null ? createMemoryStore(collections) : await createSqliteStore({ directory, collections });
    await fillStore(store, corpus.posts.length);
    const site = await openSite(store, cache);
    // With every limit of its own but one: a busy processor turns nobody away here, for that is what is being measured.
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
