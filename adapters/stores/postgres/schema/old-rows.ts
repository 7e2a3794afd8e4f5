import type { StoreLog } from '../../sql/store-log.ts';
import { type Connection, type Connections } from '../connections.ts';
import { withoutDeadline } from '../deadline.ts';
import { PostgresFailure } from '../errors.ts';

/** Every commit updates this table. With room in its pages, new versions of a row are beside the old ones, which the server then removes by itself. */
const ROOM = 'fillfactor=20';

/** After how many commits the size of the table is read, and how large it is only if old versions stay. */
const [EVERY, MOST_BYTES] = [100, 12 * 8192];

/** Gives the table of the revisions room in its pages. A store works without. */
export async function keepRoom(connection: Connection, log: StoreLog): Promise<void> {
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

const FIND =
  'SELECT pid, usename, application_name, state, xact_start FROM pg_stat_activity WHERE backend_xmin IS NOT NULL ORDER BY age(backend_xmin) DESC';

/** Tells the operator, once, of a transaction of others that stays open: the server keeps all old versions of rows for it, and each request reads through more of them. */
export class OldRows {
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
