import { spawn, type ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { CALL_COLLECTIONS, type Store } from '../../../../lib/index.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { findPostgres, skipPostgres } from '../../../support/postgres.ts';
import { createRandom } from '../../../support/random.ts';
import { inFolder } from '../../../support/temporary.ts';

const SERVER = fileURLToPath(new URL('../../../support/keyed-server.js', import.meta.url));
const ORDERS = { name: 'orders', fields: { item: { type: 'text' } } } as const;
const [ON_SQLITE, ON_POSTGRES] = [countRuns(2500, 10_000), countRuns(500, 10_000)];
const AT_ONCE = 8;
// Must run before the suite: an await between suites would make them run concurrently.
const server = await findPostgres({ fsync: true, own: true });

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

function start(place: string): Promise<Running> {
  const child = spawn(process.execPath, ['--no-warnings', SERVER, place], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve({ child, url: chunk.toString().trim() }));
    child.once('exit', () => reject(new Error(`the server did not start: ${errors}`)));
  });
}

function kill({ child }: Running): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Orders that were confirmed, by their item, and what happened on the way. */
interface Confirmed {
  readonly ids: ReadonlyMap<string, number>;
  readonly repeated: number;
  readonly kills: number;
}

/** Sends orders to processes on one store, of which one is killed now and then. Some requests are cut, and some confirmed ones sent again, to any process. */
async function sendOrders(
  place: string,
  { orders, processes }: { readonly orders: number; readonly processes: number },
): Promise<Confirmed> {
  const random = createRandom(34);
  const servers = await Promise.all(Array.from({ length: processes }, () => start(place)));
  const restarting = new Map<number, Promise<void>>();
  const ids = new Map<string, number>();
  let [next, repeated, kills] = [0, 0, 0];
  const restart = async (at: number): Promise<void> => {
    await kill(servers[at] as Running);
    kills += 1;
    servers[at] = await start(place);
    restarting.delete(at);
  };
  /** One order, sent until it is confirmed; sometimes once more. */
  async function order(item: string): Promise<void> {
    for (;;) {
      const at = random.below(processes);
      if (processes === 1) await restarting.get(at);
      const cut = random.chance(0.2) ? AbortSignal.timeout(random.below(8)) : null;
      try {
        const response = await fetch(`${servers[at]?.url}/shop/orders`, {
          method: 'POST',
          body: JSON.stringify({ item }),
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `"${item}"` },
          signal: cut,
        });
        const { id } = (await response.json()) as { id: number };
        if (response.status !== 201) throw new Error(`status ${response.status}`);
        const first = ids.get(item);
        assert.is(first ?? id, id, item);
        ids.set(item, id);
        if (first !== undefined || !random.chance(0.2)) return;
      } catch (error) {
        if (error instanceof Error && error.name === 'Assertion') throw error;
        await setImmediate();
      }
      repeated += 1;
    }
  }
  async function work(): Promise<void> {
    while (next < orders) {
      next += 1;
      const at = random.below(processes);
      if (next % Math.ceil(orders / 10) === 0 && !restarting.has(at)) restarting.set(at, restart(at));
      await order(`order-${next}`);
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await Promise.all(restarting.values());
    await Promise.all(servers.map(kill));
  }
  return { ids, repeated, kills };
}

async function checkOrders(store: Store, orders: number, { ids, repeated, kills }: Confirmed): Promise<void> {
  const { records } = await store.find({ collection: 'orders' });
  await store.close();
  assert.is(ids.size, orders);
  assert.equal([records.length, new Set(records.map(({ item }) => item)).size], [orders, orders]);
  console.log(`${orders} orders, ${repeated} repeated, ${kills} processes killed, 0 twice`);
}

const crash = suite('keys of calls after kill -9');
const collections = [ORDERS, ...CALL_COLLECTIONS];

crash(`${ON_SQLITE} orders with cut connections and killed processes: each is there once`, () =>
  inFolder(async (directory) => {
    const confirmed = await sendOrders(directory, { orders: ON_SQLITE, processes: 1 });
    await checkOrders(await createSqliteStore({ directory, collections }), ON_SQLITE, confirmed);
  }),
);

if (server === null) skipPostgres('keys of calls of four processes');
else
  crash(`${ON_POSTGRES} orders to four processes on PostgreSQL: each is there once`, async () => {
    try {
      const confirmed = await sendOrders(server.url, { orders: ON_POSTGRES, processes: 4 });
      await checkOrders(await createPostgresStore({ url: server.url, collections }), ON_POSTGRES, confirmed);
    } finally {
      await server.control?.remove();
    }
  });

crash.run();
