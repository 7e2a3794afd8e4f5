import type { Pool, PoolClient, PoolConfig, QueryConfig } from 'pg';
import { quoteName, type SqlValue } from '../sql/dialect.ts';
import { limitToCall, withoutDeadline } from './deadline.ts';
import { PostgresFailure } from './errors.ts';

/** A call that has not waited for longer than this keeps the usual limits. Milliseconds. */
const SLACK_MS = 500;

/** Milliseconds. `query_timeout` is enforced by the client, for a server that does not respond. */
export type ServerLimits = Pick<
  PoolConfig,
  'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'query_timeout'
>;

/** Statements that set the limits, or what is left of the present call where that is less. */
function listLimits(
  { query_timeout: _client, ...limits }: ServerLimits,
  scope: '' | 'LOCAL ',
): readonly string[] {
  return Object.entries(limits).map(([name, value]) => `SET ${scope}${name} = ${limitToCall(Number(value))}`);
}

/** Lends a client of the pool, unless that takes longer than the limit or the present call may. */
function takeClient(pool: Pool, connectMs: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error('timeout exceeded when trying to connect'));
    }, limitToCall(connectMs));
    pool
      .connect()
      .then((client) => {
        if (isLate) client.release();
        else resolve(client);
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Keeps the limits of clients within what is left of each call. */
class CallLimits {
  readonly #limits: ServerLimits;
  readonly #shortened = new WeakSet<PoolClient>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Costs a round trip only if the call has waited for long, and for the next user of that client. */
  async apply(client: PoolClient): Promise<void> {
    const full = Number(this.#limits.statement_timeout ?? 0);
    const isShort = limitToCall(full) < full - SLACK_MS;
    if (!isShort && !this.#shortened.has(client)) return;
    await client.query(listLimits(this.#limits, '').join('; '));
    if (isShort) this.#shortened.add(client);
    else this.#shortened.delete(client);
  }
}

/** A longer wait for a connection shows that the database cannot keep up. Milliseconds. */
const LONG_MS = 50;

/** A row as the driver returns it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A statement with parameters. `name`: prepares it under this name, once per connection. */
interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly name?: string | undefined;
}

export interface Connection {
  /** `name`: as in `Statement`. @throws PostgresFailure */
  query(text: string, values: readonly SqlValue[], name?: string): Promise<readonly SqlRow[]>;
  /** Runs statements without parameters in one round trip. @returns the tag (`COMMIT`) and the rows of the last one, and the rows of each. @throws PostgresFailure */
  script(text: string): Promise<{
    readonly tag: string;
    readonly rows: readonly SqlRow[];
    readonly all: readonly (readonly SqlRow[])[];
  }>;
}

export interface Connections {
  /** Lends a connection for the duration of `run`, which must end its transaction unless it throws. @throws PostgresFailure */
  use<T>(run: (connection: Connection) => Promise<T>): Promise<T>;
  /** Like `use`, without limits, and without a schema where the pooling is by transaction: for a statement that cannot run inside a transaction. */
  useBare<T>(run: (connection: Connection) => Promise<T>): Promise<T>;
  /** When a caller last had to wait long for a connection. Milliseconds, on the clock of `performance.now()`. */
  readonly waitedAt: number;
  close(): Promise<void>;
}

interface ConnectionOptions {
  readonly url: string;
  readonly schema: string;
  /** Most connections at once. */
  readonly most: number;
  /** Timeouts that the server enforces. */
  readonly limits: ServerLimits;
  /** `transaction`: a connection pooler may give each transaction another connection to the server. Default `session`. */
  readonly pooling?: Pooling;
  /** How long to wait for a free or new connection. Milliseconds, default 5,000. */
  readonly connectMs?: number;
  /** Called when the role cannot use the tables. */
  readonly onDenied?: (error: Error) => void;
  /** Called when an idle connection is lost. */
  readonly onLost: (error: Error) => void;
}

/** How long a connection to the server stays the same one. */
export type Pooling = 'session' | 'transaction';

/** The limits for one statement, and for waiting for a lock. The client waits a little longer than the server. */
export function toLimits(statementMs: number, lockMs: number): ServerLimits {
  return {
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    query_timeout: statementMs + 2000,
    lock_timeout: lockMs,
  };
}

/** Statements and locks may take as long as they need. For migrations at the start. */
export const NO_LIMITS: ServerLimits = {};
const CONNECT_MS = 5000;
/** How long an idle connection stays open. */
const KEPT_MS = 30_000;
const CLOSE_MS = 3000;

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new PostgresFailure(error);
  }
}

/** `isNamed`: prepared statements stay on the connection. */
function connect(client: PoolClient, { isNamed }: { readonly isNamed: boolean }): Connection {
  const toConfig = ({ text, values, name }: Statement): QueryConfig => ({
    text,
    values: [...values],
    ...(name === undefined || !isNamed ? {} : { name }),
  });
  return {
    query: (text, values, name) =>
      attempt(async () => (await client.query<SqlRow>(toConfig({ text, values, name }))).rows),
    script: (text) =>
      attempt(async () => {
        // The driver returns a list for several statements.
        const results = [await client.query<SqlRow>(text)].flat();
        const last = results.at(-1);
        return { tag: last?.command ?? '', rows: last?.rows ?? [], all: results.map(({ rows }) => rows) };
      }),
  };
}

/** Rolls back what `run` left open. If that fails, the connection is not used again. */
async function release(client: PoolClient, error: unknown): Promise<void> {
  if (error instanceof PostgresFailure && error.isLost) {
    client.release(true);
    return;
  }
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

async function openPool(config: PoolConfig): Promise<Pool> {
  const {
    default: { Pool: DriverPool },
  } = await import('pg').catch((error: unknown) => {
    throw new TypeError('--store postgres://… needs the package pg: npm install pg', { cause: error });
  });
  return new DriverPool(config);
}

async function settle(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // `pool.end` may never settle when the server is gone.
  await Promise.race([
    pool.end(),
    new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    }),
  ]);
  clearTimeout(timer);
}

/** Statements that set the schema and the limits. They are not sent as parameters of the connection: a pooler refuses those, and an address can replace them. */
function describeSettings({ schema, limits }: ConnectionOptions, scope: '' | 'LOCAL '): string {
  return [`SET ${scope}search_path = ${quoteName(schema)}`, ...listLimits(limits, scope)].join('; ');
}

/** Runs the work with the settings of the pool, in a transaction of its own where they would not stay. */
async function runSet<T>(
  connection: Connection,
  settings: string | null,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  if (settings === null) return run(connection);
  await connection.script(`BEGIN; ${settings}`);
  const result = await run(connection);
  // Work that has ended the transaction itself gets a warning of the server.
  await connection.script('COMMIT');
  return result;
}

/** A pool of connections, opened on demand. @throws TypeError when the package pg is not installed. */
export async function openConnections(options: ConnectionOptions): Promise<Connections> {
  const { url, most, onLost, limits, pooling = 'session', connectMs = CONNECT_MS } = options;
  const pool = await openPool({
    connectionString: url,
    max: most,
    application_name: 'routebook',
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: KEPT_MS,
    query_timeout: limits.query_timeout,
  });
  const ready = new WeakMap<PoolClient, Promise<unknown>>();
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    // The query reports a connection that breaks while it is in use. Without a listener the error would also end the process.
    client.on('error', () => undefined);
    if (pooling === 'transaction') return;
    const set = client.query(withoutDeadline(() => describeSettings(options, '')));
    set.catch(() => undefined);
    ready.set(client, set);
  });
  const callLimits = new CallLimits(limits);
  let waitedAt = -Infinity;
  const lend = async <T>(
    settings: string | null,
    run: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    const since = performance.now();
    const client = await attempt(() => takeClient(pool, connectMs)).finally(() => {
      if (performance.now() - since > LONG_MS) waitedAt = performance.now();
    });
    let result;
    try {
      await attempt(async () => ready.get(client));
      if (pooling === 'session') await attempt(() => callLimits.apply(client));
      result = await runSet(connect(client, { isNamed: pooling === 'session' }), settings, run);
    } catch (error) {
      if (error instanceof PostgresFailure && error.isDenied) options.onDenied?.(error);
      await release(client, error);
      throw error;
    }
    client.release();
    return result;
  };
  return {
    use: (run) => lend(pooling === 'transaction' ? describeSettings(options, 'LOCAL ') : null, run),
    useBare: (run) => lend(null, run),
    get waitedAt() {
      return waitedAt;
    },
    close: () => settle(pool),
  };
}

/** Runs work in a transaction without limits, for migrations. It is rolled back if the work fails. @throws PostgresFailure */
export function transact<T>(
  connections: Connections,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return connections.use(async (connection) => {
    await connection.script(
      'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    const result = await work(connection);
    await connection.script('COMMIT');
    return result;
  });
}
