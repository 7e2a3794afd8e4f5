import type { Pool, PoolClient, PoolConfig } from 'pg';
import { limitToCall } from './deadline.ts';

/** A call that has not waited for longer than this keeps the usual limits. Milliseconds. */
const SLACK_MS = 500;

/** Milliseconds. `query_timeout` is enforced by the client, for a server that does not respond. */
export type ServerLimits = Pick<
  PoolConfig,
  'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout' | 'query_timeout'
>;

/** Statements that set the limits, or what is left of the present call where that is less. */
export function listLimits(
  { query_timeout: _client, ...limits }: ServerLimits,
  scope: '' | 'LOCAL ',
): readonly string[] {
  return Object.entries(limits).map(([name, value]) => `SET ${scope}${name} = ${limitToCall(Number(value))}`);
}

/** Lends a client of the pool, unless that takes longer than the limit or the present call may. */
export function takeClient(pool: Pool, connectMs: number): Promise<PoolClient> {
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
export class CallLimits {
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
