import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { toTable } from '../../sql/tables.ts';
import { checkServer } from '../check-server.ts';
import {
  NO_LIMITS,
  openConnections,
  type Connection,
  type Connections,
  type Pooling,
} from '../connections.ts';
import { postgresDialect } from '../dialect.ts';
import { guard } from '../errors.ts';
import { migrate } from './migrate.ts';
import { keepRoom } from './old-rows.ts';
import { cancelIndexes, prepareTextIndexes } from './text-index.ts';

/** Where the tables are, and what they hold. */
export interface SchemaOptions {
  readonly url: string;
  readonly schema: string;
  readonly durability: 'full' | 'relaxed';
  readonly pooling: Pooling;
  readonly collections: readonly CollectionDescriptor[];
  readonly log: (message: string, error?: unknown) => void;
}

/** Work that goes on after the start. `stop` ends it. */
export interface Background {
  /** Rejects if the work failed. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

type Work = (connection: Connection) => Promise<void>;

const NOTHING: Background = { done: Promise.resolve(), stop: async () => undefined };

/** Runs work on a connection of its own. `cancel`: ends it on the server. */
function start(
  connections: Connections,
  { work, cancel }: { readonly work: Work; readonly cancel: Work },
  log: SchemaOptions['log'],
): Background {
  let isStopped = false;
  const done = guard(() => connections.useBare(work));
  const running = done.catch((error: unknown) => {
    if (!isStopped) log('An index for searches was not built. It is tried again at the next start.', error);
  });
  let isRunning = true;
  const ended = running.finally(() => {
    isRunning = false;
    return connections.close();
  });
  return {
    done,
    stop: async () => {
      isStopped = true;
      // The server would go on building, and the connection would keep the process alive.
      if (isRunning) await connections.useBare(cancel).catch(() => undefined);
      await ended;
    },
  };
}

/** Checks the server and brings its tables up to date, on separate connections. Indexes that take long are built afterwards. */
export async function prepare({
  url,
  schema,
  durability,
  pooling,
  collections,
  log,
}: SchemaOptions): Promise<Background> {
  // The second connection holds locks for the first one, or ends its work.
  const connections = await openConnections({
    url,
    schema,
    most: 2,
    limits: NO_LIMITS,
    pooling,
    onLost: () => undefined,
  });
  let work: Work | null = null;
  try {
    const tables = collections.map((collection) => toTable(collection, postgresDialect));
    work = await guard(async () => {
      const version = await connections.use((connection) => checkServer(connection, durability));
      log(`Store in the schema ${schema}: PostgreSQL ${version}`);
      await migrate(connections, schema, tables);
      await connections.use((connection) => keepRoom(connection, log));
      return connections.use((connection) => prepareTextIndexes(connection, tables, { schema, log }));
    });
  } finally {
    if (work === null) await connections.close();
  }
  return work === null
    ? NOTHING
    : start(connections, { work, cancel: (connection) => cancelIndexes(connection, schema) }, log);
}
