import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { CALL_COLLECTIONS } from '../../../../lib/index.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { createRandom } from '../../../support/random.ts';
import { inFolder } from '../../../support/temporary.ts';

const SERVER = fileURLToPath(new URL('../../../support/keyed-server.js', import.meta.url));
const ORDERS = { name: 'orders', fields: { item: { type: 'text' } } } as const;
const ORDERS_SENT = countRuns(2500, 10_000);
const AT_ONCE = 8;

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

const crash = suite('keys of calls after kill -9');

crash(`${ORDERS_SENT} orders with cut connections and killed processes: each is there once`, () =>
  inFolder(async (folder) => {
    const random = createRandom(34);
    let server = await start(folder);
    let restarting: Promise<void> | null = null;
    let kills = 0;
    const restart = async (): Promise<void> => {
      await kill(server);
      kills += 1;
      server = await start(folder);
      restarting = null;
    };
    const ids = new Map<string, number>();
    let next = 0;
    let repeated = 0;
    /** One order, sent until it is confirmed; sometimes once more. */
    async function order(item: string): Promise<void> {
      for (;;) {
        await restarting;
        const cut = random.chance(0.2) ? AbortSignal.timeout(random.below(8)) : null;
        try {
          const response = await fetch(`${server.url}/shop/orders`, {
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
        }
        repeated += 1;
      }
    }
    async function work(): Promise<void> {
      while (next < ORDERS_SENT) {
        next += 1;
        if (next % 250 === 0) restarting ??= restart();
        await order(`order-${next}`);
      }
    }
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      await restarting;
      await kill(server);
    }
    const store = await createSqliteStore({ directory: folder, collections: [ORDERS, ...CALL_COLLECTIONS] });
    const { records } = await store.find({ collection: 'orders' });
    await store.close();
    assert.is(ids.size, ORDERS_SENT);
    assert.equal([records.length, new Set(records.map(({ item }) => item)).size], [ORDERS_SENT, ORDERS_SENT]);
    console.log(`${ORDERS_SENT} orders, ${repeated} repeated, ${kills} processes killed, 0 twice`);
  }),
);

crash.run();
