import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { SqlValue } from '../sql/dialect.ts';

/** A row as the driver returns it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** An error of the server or of the connection to it. */
export class PostgresFailure extends Error {
  /** The SQLSTATE that the server sent (`23505`); '' when the error did not come from the server. */
  readonly state: string;
  /** The constraint or unique index that rejected the row; '' otherwise. */
  readonly constraint: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PostgresFailure';
    const { severity, code, constraint } = cause as { severity?: unknown; code?: unknown; constraint?: unknown };
    this.state = severity !== undefined && typeof code === 'string' ? code : '';
    this.constraint = typeof constraint === 'string' ? constraint : '';
  }

  /** The connection is lost or can no longer be trusted. */
  get isLost(): boolean {
    return this.state === '' || /^(08|25P|57P)/.test(this.state);
  }
}

export interface Connection {
  /** `name`: prepares the statement under this name, once per connection. @throws PostgresFailure */
  query(text: string, values: readonly SqlValue[], name?: string): Promise<readonly SqlRow[]>;
  /** Runs statements without parameters in one round trip. @returns the tag (`COMMIT`) and the rows of the last one. @throws PostgresFailure */
  script(text: string): Promise<{ readonly tag: string; readonly rows: readonly SqlRow[] }>;
}

export interface Connections {
  /** Lends a connection for the duration of `run`, which must end its transaction unless it throws. @throws PostgresFailure */
  use<T>(run: (connection: Connection) => Promise<T>): Promise<T>;
  /** When a caller last had to wait for a connection. Milliseconds, on the clock of `performance.now()`. */
  readonly waitedAt: number;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly schema: string;
  /** Most connections at once. */
  readonly most: number;
  /** Timeouts that the server enforces. */
  readonly limits: ServerLimits;
  /** Called when an idle connection is lost. */
  readonly onLost: (error: Error) => void;
}

/** Milliseconds. `query_timeout` is enforced by the client, for a server that does not respond. */
export type ServerLimits = Pick<PoolConfig, 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'query_timeout'>;

const LIMITS = { statement_timeout: 5000, idle_in_transaction_session_timeout: 5000, query_timeout: 7000 } satisfies ServerLimits;
/** Writers wait for each other. A reader only waits for a migration. */
export const WRITER_LIMITS: ServerLimits = { ...LIMITS, lock_timeout: 2000 };
export const READER_LIMITS: ServerLimits = { ...LIMITS, lock_timeout: 500 };
/** Statements and locks may take as long as they need. For migrations at the start. */
export const NO_LIMITS: ServerLimits = {};
/** How long to wait for a free or new connection. */
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

function connect(client: PoolClient): Connection {
  return {
    query: (text, values, name) => attempt(async () => (await client.query<SqlRow>({ text, values: [...values], ...(name === undefined ? {} : { name }) })).rows),
    script: (text) => attempt(async () => {
      // The driver returns a list for several statements.
      const [result] = [await client.query<SqlRow>(text)].flat().slice(-1);
      return { tag: result?.command ?? '', rows: result?.rows ?? [] };
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

async function loadPool(): Promise<new (config: PoolConfig) => Pool> {
  try {
    return (await import('pg')).default.Pool;
  } catch (error) {
    throw new TypeError('--store postgres://… needs the package pg: npm install pg', { cause: error });
  }
}

async function settle(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // `pool.end` may never settle when the server is gone.
  await Promise.race([pool.end(), new Promise((resolve) => { timer = setTimeout(resolve, CLOSE_MS); })]);
  clearTimeout(timer);
}

/** A pool of connections, opened on demand. @throws TypeError when the package pg is not installed. */
export async function openConnections({ url, schema, most, onLost, limits }: ConnectionOptions): Promise<Connections> {
  const pool = new (await loadPool())({
    connectionString: url, max: most, application_name: 'routebook', options: `-c search_path=${schema}`, keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS, idleTimeoutMillis: KEPT_MS, ...limits,
  });
  pool.on('error', onLost);
  // The query reports a connection that breaks while it is in use. Without a listener the error would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  let waitedAt = -Infinity;
  return {
    use: async (run) => {
      const connecting = attempt(() => pool.connect());
      if (pool.waitingCount > 0) waitedAt = performance.now();
      const client = await connecting;
      let result;
      try {
        result = await run(connect(client));
      } catch (error) {
        await release(client, error);
        throw error;
      }
      client.release();
      return result;
    },
    get waitedAt() { return waitedAt; },
    close: () => settle(pool),
  };
}
