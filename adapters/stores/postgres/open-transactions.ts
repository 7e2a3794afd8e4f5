import type { StoreLog } from '../sql/store-log.ts';
import type { Connection, Connections } from './connections.ts';
import { withoutDeadline } from './deadline.ts';

/** After how many commits the size of the table is read, and how large it is only if old versions stay. */
const [EVERY, MOST_BYTES] = [100, 12 * 8192];

const FIND =
  'SELECT pid, usename, application_name, state, xact_start FROM pg_stat_activity WHERE backend_xmin IS NOT NULL ORDER BY age(backend_xmin) DESC';

/** Tells the operator, once, of a transaction of others that stays open: the server keeps all old versions of rows for it, and each request reads through more of them. */
export class OpenTransactions {
  readonly #connections: Connections;
  readonly #log: StoreLog;
  #commits = 0;
  #isTold = false;

  constructor(connections: Connections, log: StoreLog) {
    this.#connections = connections;
    this.#log = log;
  }

  /** Must be called after a commit. */
  note(): void {
    this.#commits += 1;
    if (this.#isTold || this.#commits % EVERY !== 0) return;
    // A failure is one of the connection, which commits and reads report. The next call reads again.
    withoutDeadline(() => this.#connections.use((connection) => this.#look(connection))).catch(
      () => undefined,
    );
  }

  async #look(connection: Connection): Promise<void> {
    const [table] = await connection.query(`SELECT pg_relation_size('"store:collections"') AS size`, []);
    if (Number(table?.['size']) <= MOST_BYTES || this.#isTold) return;
    const [holder] = await connection.query(`${FIND} LIMIT 1`, []);
    const { pid, usename: user, application_name: name, state, xact_start: since } = holder ?? {};
    const who =
      since instanceof Date
        ? ` (process ${String(pid)} of ${String(user)}, "${String(name)}", ${String(state)}, since ${since.toISOString()})`
        : '';
    this.#isTold = true;
    this.#log(
      `A transaction that stays open${who} keeps the database from removing old versions of rows, so that every request becomes slower. Find it with: ${FIND}. End it with pg_terminate_backend(pid), and set idle_in_transaction_session_timeout for its role. Prepared transactions (pg_prepared_xacts) and unused replication slots (pg_replication_slots) have the same effect.`,
    );
  }
}
