import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import type { StoreLog } from '../../sql/store-log.ts';
import { toTable } from '../../sql/tables.ts';
import {
  type Connection,
  type Connections,
  NO_LIMITS,
  openConnections,
  type Pooling,
} from '../connections.ts';
import { postgresDialect } from '../dialect.ts';
import { PostgresFailure, guard } from '../errors.ts';
import { migrate } from './migrate.ts';
import { cancelIndexes, prepareTextIndexes } from './text-index.ts';

/** Settings that may lose an acknowledged commit, and what to do about each of them. */
const UNSAFE: Readonly<Record<string, string>> = {
  fsync: 'fsync is off: a power failure damages the database. Switch it on',
  full_page_writes: 'full_page_writes is off: a power failure can damage the database. Switch it on',
  synchronous_commit:
    'synchronous_commit is off: a crash loses commits that were acknowledged. Switch it on, for this role or for the server',
};

async function readSettings(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.query(
    "SELECT name, setting FROM pg_settings WHERE name = ANY($1) UNION ALL SELECT 'standby', pg_is_in_recovery()::text",
    [['server_encoding', 'server_version', ...Object.keys(UNSAFE)]],
  );
  return new Map(rows.map((row) => [String(row['name']), String(row['setting'])]));
}

/** Checks that acknowledged commits are safe on the server. @returns its version. @throws StoreError `unavailable` */
async function checkServer(connection: Connection, durability: 'full' | 'relaxed'): Promise<string> {
  const settings = await readSettings(connection);
  const refuse = (fault: string): never => {
    throw new StoreError('unavailable', `The PostgreSQL server cannot be used: ${fault}.`);
  };
  if (settings.get('server_encoding') !== 'UTF8')
    refuse(`the database has the encoding ${String(settings.get('server_encoding'))}. Create one with UTF8`);
  if (settings.get('standby') === 'true') refuse('it is a standby that takes no writes. Name the primary');
  const [, fault] = Object.entries(UNSAFE).find(([name]) => settings.get(name) === 'off') ?? [];
  if (fault !== undefined && durability === 'full') refuse(`${fault}, or ask for relaxed durability`);
  return settings.get('server_version') ?? '';
}

/** Where the tables are, and what they hold. */
interface SchemaOptions {
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

/** Every commit updates this table. With room in its pages, new versions of a row are beside the old ones, which the server then removes by itself. */
const ROOM = 'fillfactor=20';

/** Gives the table of the revisions room in its pages. A store works without. */
async function keepRoom(connection: Connection, log: StoreLog): Promise<void> {
  const [found] = await connection.query(
    `SELECT 1 FROM pg_class WHERE oid = '"store:collections"'::regclass AND $1 = ANY(reloptions)`,
    [ROOM],
  );
  if (found !== undefined) return;
  try {
    await connection.script(`ALTER TABLE "store:collections" SET (${ROOM})`);
  } catch (error) {
    if (!(error instanceof PostgresFailure) || error.isLost) throw error;
    log('The table of the revisions got no room for new versions of its rows. Commits work without.', error);
  }
}
