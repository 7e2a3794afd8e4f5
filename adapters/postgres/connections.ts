import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { SqlValue } from '../sql/dialect.ts';

/** A row as the driver hands it out. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** An error of the server or of the way to it. */
export class PostgresFailure extends Error {
  /** The SQLSTATE of an answer of the server (`23505`); '' where none came. */
  readonly state: string;
  /** The constraint or unique index that refused the row; '' otherwise. */
  readonly constraint: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PostgresFailure';
    const { severity, code, constraint } = cause as { severity?: unknown; code?: unknown; constraint?: unknown };
    this.state = severity !== undefined && typeof code === 'string' ? code : '';
    this.constraint = typeof constraint === 'string' ? constraint : '';
  }

  /** The connection is gone, or nothing that comes over it can be trusted any more. */
  get isLost(): boolean {
    return this.state === '' || /^(08|25P|57P)/.test(this.state);
  }
}

export interface Connection {
  /** `name`: the statement is prepared under this name, once for each connection. @throws PostgresFailure */
  query(text: string, values: readonly SqlValue[], name?: string): Promise<readonly SqlRow[]>;
  /** Runs statements without parameters in one go; answers the tag of the last one (`COMMIT`) and its rows. @throws PostgresFailure */
  script(text: string): Promise<{ readonly tag: string; readonly rows: readonly SqlRow[] }>;
}

export interface Connections {
  /** A connection for the time of `run`, which leaves no transaction open unless it throws. @throws PostgresFailure */
  use<T>(run: (connection: Connection) => Promise<T>): Promise<T>;
  /** When one had last to wait for a connection. Milliseconds, on the clock of `performance.now()`. */
  readonly waitedAt: number;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly schema: string;
  /** Most connections at once. */
  readonly most: number;
  /** What the server cuts short. */
  readonly limits: ServerLimits;
  /** A connection was lost while nobody used it. */
  readonly onLost: (error: Error) => void;
}

/** Milliseconds. `query_timeout`: where the server does not even say that time is up. */
export type ServerLimits = Pick<PoolConfig, 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'query_timeout'>;

const LIMITS = { statement_timeout: 5000, idle_in_transaction_session_timeout: 5000, query_timeout: 7000 } satisfies ServerLimits;
/** Writers wait for each other; what a reader waits for is a change of the tables. */
export const WRITER_LIMITS: ServerLimits = { ...LIMITS, lock_timeout: 2000 };
export const READER_LIMITS: ServerLimits = { ...LIMITS, lock_timeout: 500 };
/** Statements and locks may take as long as they need: for the changes at a start. */
export const NO_LIMITS: ServerLimits = {};
/** For a free connection, or a new one. */
const CONNECT_MS = 5000;
/** How long a connection that nobody uses stays open. */
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
      // Of several statements the driver answers a list.
      const [result] = [await client.query<SqlRow>(text)].flat().slice(-1);
      return { tag: result?.command ?? '', rows: result?.rows ?? [] };
    }),
  };
}

/** Rolls back whatever `run` left open; a connection where that fails is not used again. */
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
  // A server that is gone does not say goodbye.
  await Promise.race([pool.end(), new Promise((resolve) => { timer = setTimeout(resolve, CLOSE_MS); })]);
  clearTimeout(timer);
}

/** Connections to the server, opened when they are needed. @throws TypeError when the package pg is not installed. */
export async function openConnections({ url, schema, most, onLost, limits }: ConnectionOptions): Promise<Connections> {
  const pool = new (await loadPool())({
    connectionString: url, max: most, application_name: 'routebook', options: `-c search_path=${schema}`, keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS, idleTimeoutMillis: KEPT_MS, ...limits,
  });
  pool.on('error', onLost);
  // What breaks while a connection is in use is told by the query; without a listener it would also end the process.
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
