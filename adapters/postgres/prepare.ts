import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { toTable } from '../sql/tables.ts';
import { checkServer } from './check-server.ts';
import { NO_LIMITS, openConnections, type Connection, type Connections } from './connections.ts';
import { guard } from './failures.ts';
import { migrate } from './migrate.ts';
import { prepareTextIndexes } from './text-index.ts';

/** Where the tables are, and what they hold. */
export interface Place {
  readonly url: string;
  readonly schema: string;
  readonly durability: 'full' | 'relaxed';
  readonly collections: readonly CollectionDescriptor[];
  readonly log: (message: string, error?: unknown) => void;
}

/** Work that goes on after the start. `stop` ends it. */
export interface Background {
  stop(): Promise<void>;
}

type Work = (connection: Connection) => Promise<void>;

const NOTHING: Background = { stop: async () => undefined };

/** Runs work on a connection of its own. */
function start(connections: Connections, work: Work, log: Place['log']): Background {
  let isStopped = false;
  let pid = 0;
  const running = connections.use(async (connection) => {
    pid = Number((await connection.query('SELECT pg_backend_pid() AS pid', []))[0]?.['pid']);
    if (!isStopped) await work(connection);
  }).catch((error: unknown) => {
    if (!isStopped) log('An index for searches was not built. It is tried again at the next start.', error);
  });
  const ended = running.finally(() => connections.close());
  return {
    stop: async () => {
      isStopped = true;
      // The server would go on building, and the connection would keep the process alive.
      if (pid > 0) await connections.use((connection) => connection.query('SELECT pg_cancel_backend($1)', [pid])).catch(() => undefined);
      await ended;
    },
  };
}

/** Checks the server and brings its tables up to date, on separate connections. Indexes that take long are built afterwards. */
export async function prepare({ url, schema, durability, collections, log }: Place): Promise<Background> {
  // The second connection ends the work of the first one.
  const connections = await openConnections({ url, schema, most: 2, limits: NO_LIMITS, onLost: () => undefined });
  let work: Work | null = null;
  try {
    work = await guard(() => connections.use(async (connection) => {
      const version = await checkServer(connection, durability);
      log(`Store in the schema ${schema}: PostgreSQL ${version}`);
      const tables = collections.map(toTable);
      await migrate(connection, schema, tables);
      return prepareTextIndexes(connection, tables, log);
    }));
  } finally {
    if (work === null) await connections.close();
  }
  return work === null ? NOTHING : start(connections, work, log);
}
