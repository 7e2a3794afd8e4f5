import type { Connections } from '../../../adapters/stores/postgres/connections.ts';
import { openAdmin, startCluster } from '../../support/postgres.ts';
import { makeFolder, removeFolder } from '../../support/temporary.ts';
import type { StoreName } from './options.ts';

/** Location of the site of a run. */
export interface Place {
  /** Value of `--store` for the server. */
  readonly store: string;
  /** Locks the posts for the given time; null when the store cannot lock them. */
  readonly lock: ((ms: number) => Promise<void>) | null;
  remove(): Promise<void>;
}

async function holdLock(admin: Connections, ms: number): Promise<void> {
  await admin.use(async (connection) => {
    await connection.script('BEGIN; LOCK TABLE "routebook"."posts" IN ACCESS EXCLUSIVE MODE');
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
    await connection.script('COMMIT');
  });
}

const PLACES: Readonly<Record<StoreName, () => Promise<Place>>> = {
  memory: async () => ({ store: 'memory', lock: null, remove: async () => undefined }),
  sqlite: async () => {
    const folder = makeFolder();
    return { store: `file:${folder}/data`, lock: null, remove: async () => removeFolder(folder) };
  },
  postgres: async () => {
    const { url, control } = await startCluster({ fsync: true });
    const admin = await openAdmin(url);
    return {
      store: url,
      lock: (ms) => holdLock(admin, ms),
      async remove() {
        await admin.close();
        await control.remove();
      },
    };
  },
};

export function openPlace(store: StoreName): Promise<Place> {
  return PLACES[store]();
}
