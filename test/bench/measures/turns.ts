import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createServer } from '../../../adapters/node-http.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { collections } from '../../../registry/index.ts';
import { watchTurns, type TurnWatch } from '../../support/turns.ts';
import { openSite, SITE_URL } from '../corpus.ts';
import { listen } from '../peers/peer.ts';
import { fillTurnSite } from '../turns/site.ts';

interface FileOrder {
  readonly directory: string;
  readonly posts: number;
}

/** Writes the site into a file. */
export async function fillTurnFile({ directory, posts }: FileOrder): Promise<null> {
  const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
  await fillTurnSite(store, posts);
  await store.close();
  return null;
}

/** Serves the site without cached responses, from a file that `fillTurnFile` wrote or, without a directory, from memory. Answers the port. It lives as long as the process. */
export async function serveTurns({
  directory,
  posts,
}: Omit<FileOrder, 'directory'> & { readonly directory: string | null }): Promise<number> {
  const store =
    directory === null ? createMemoryStore(collections) : await createSqliteStore({ directory, collections });
  if (directory === null) await fillTurnSite(store, posts);
  const { engine } = await openSite(store, false);
  const { port } = await listen(createServer(engine, { siteUrl: SITE_URL }));
  return port;
}

let watch: TurnWatch | null = null;

/** Starts measuring the event loop of the process. */
export async function startTurns(_argument: null): Promise<null> {
  watch = watchTurns();
  return null;
}

/** The longest turn since `startTurns`, in milliseconds. */
export async function stopTurns(_argument: null): Promise<number> {
  return watch?.stop() ?? 0;
}
