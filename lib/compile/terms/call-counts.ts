import { createHash } from 'node:crypto';
import type { MaybePromise } from '../../core/maybe-promise.ts';
import { toCallerNetwork } from '../../http/caller-network.ts';
import type { Call } from '../../route/call.ts';
import { eq } from '../../store/query.ts';
import { type Operation, type Store, type StoredRecord, StoreError } from '../../store/store.ts';
import { sweepCalls } from './call-store.ts';
import type { Rate } from './read-terms.ts';

/** Most counters of one process. */
const COUNTERS = 100_000;
/** Share of a rate that a process takes out of the store at once, so that few calls write. */
const SHARE = 0.1;
/** How often two processes may take at the same moment. */
const TURNS = 20;

/** Calls that this process may still admit in a window. */
interface Counter {
  /** End of the window. Epoch milliseconds. */
  until: number;
  /** Calls of the window that no process has taken, as far as this one knows. */
  left: number;
  /** Calls that this process has taken and not used. */
  own: number;
  taking: Promise<void> | null;
}

/** The state of a limit after a call. `reset`: seconds until the next window. */
export interface Taken extends Rate {
  readonly remaining: number;
  readonly reset: number;
  readonly isRefused: boolean;
}

/** Counts calls in windows of time: for one process alone, or in a store that several share. */
export class CallCounts {
  readonly #store: Store | null;
  readonly #now: () => number;
  readonly #counters = new Map<string, Counter>();

  constructor(store: Store | null, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Counts one call. */
  take(key: string, rate: Rate): MaybePromise<Taken> {
    const now = this.#now();
    const length = rate.seconds * 1000;
    const until = now - (now % length) + length;
    const counter = this.#counterOf(key, until, rate);
    if (counter.own === 0 && counter.left > 0 && this.#store !== null) {
      counter.taking ??= this.#fetch(this.#store, { key, rate, counter }).finally(() => {
        counter.taking = null;
      });
      // Others may have used what was taken.
      return counter.taking.then(() => this.take(key, rate));
    }
    const isRefused = counter.own === 0;
    if (!isRefused) counter.own -= 1;
    // Written out: to spread `rate` takes longer than all the rest.
    return {
      calls: rate.calls,
      seconds: rate.seconds,
      remaining: counter.left + counter.own,
      reset: Math.ceil((until - now) / 1000),
      isRefused,
    };
  }

  #counterOf(key: string, until: number, { calls }: Rate): Counter {
    const known = this.#counters.get(key);
    const own = this.#store === null ? calls : 0;
    if (known === undefined) {
      if (this.#counters.size >= COUNTERS) this.#forget();
      const counter = { until, left: calls - own, own, taking: null };
      this.#counters.set(key, counter);
      return counter;
    }
    if (known.until !== until) Object.assign(known, { until, left: calls - own, own });
    return known;
  }

  /** Makes room. The oldest counters go first. */
  #forget(): void {
    for (const key of [...this.#counters.keys()].slice(0, COUNTERS / 10)) this.#counters.delete(key);
  }

  /** Takes some calls of the window out of the store. No call is given to two processes. */
  async #fetch(
    store: Store,
    { key, rate, counter }: { readonly key: string; readonly rate: Rate; readonly counter: Counter },
  ): Promise<void> {
    const { until } = counter;
    const limitKey = createHash('sha256').update(key).digest('base64url');
    const where = eq('limit_key', limitKey);
    await sweepCalls(store);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const { records } = await store.find({ collection: 'call_counts', where, limit: 1 });
      const [row] = records;
      const used = row === undefined || Number(row['until']) < until ? 0 : Number(row['used']);
      const count = Math.min(Math.ceil(rate.calls * SHARE), rate.calls - used);
      try {
        if (count > 0)
          await store.commit([toOperation(row, { limit_key: limitKey, until, used: used + count })], 'later');
      } catch (error) {
        if (error instanceof StoreError && ['unique', 'version', 'missing'].includes(error.code)) continue;
        throw error;
      }
      // The window may have ended meanwhile.
      if (counter.until === until) Object.assign(counter, { own: count, left: rate.calls - used - count });
      return;
    }
    counter.left = 0;
  }
}

function toOperation(
  row: StoredRecord | undefined,
  values: Readonly<Record<string, string | number>>,
): Operation {
  return row === undefined
    ? { op: 'create', collection: 'call_counts', values }
    : { op: 'update', collection: 'call_counts', id: row.id, version: row.version, values };
}

/** Who calls, as counters and keys of calls tell callers apart. An anonymous caller has only an address, and a whole network of them with IPv6. */
export function toCallerKey({ identity, request }: Call, per: 'caller' | 'address' = 'caller'): string {
  return per === 'caller' && identity.id !== 0
    ? `caller ${JSON.stringify(identity.id)}`
    : `address ${toCallerNetwork(request.address)}`;
}
