import cluster, { type Worker } from 'node:cluster';
import { onStop } from './listen.ts';
import type { RunningServer } from './start-server.ts';

/** Sent by a worker when it listens. */
interface Message { readonly listening: string }

const MINUTE_MS = 60_000;
/** A worker needs 10 s at most to finish the requests in flight. */
const STOP_MS = 15_000;

/** True in a process that was started by `runWorkers`. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** In a worker: sends its address to the primary process, and stops when that process says so or is gone. */
export function serveAsWorker({ indexUrl, stop }: RunningServer): void {
  let stopping = false;
  const stopOnce = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop();
    if (process.connected) process.disconnect();
  };
  // Ctrl-C reaches every process of a terminal; the primary process decides.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => void stopOnce());
  process.once('disconnect', () => void stopOnce());
  process.send?.({ listening: indexUrl } satisfies Message);
}

/** The workers of this process. */
class Workers {
  readonly #most: number;
  readonly #running = new Set<Worker>();
  readonly #replaced: number[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopping = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Starts one worker. Resolves with its address; rejects if it ends before it listens. */
  start(): Promise<string> {
    const worker = cluster.fork();
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.once('message', ({ listening }: Message) => {
        isReady = true;
        resolve(listening);
      });
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker);
        if (!isReady) reject(new Error(`A worker could not start (it ended with ${signal ?? code}).`));
        else if (!this.#stopping) this.#replace(`a worker ended (${signal ?? code})`);
      });
    });
  }

  /** Replaces at most as many workers a minute as there are, so that a cause that ends them all does not overload the machine. */
  #replace(reason: string): void {
    const now = performance.now();
    while ((this.#replaced[0] ?? now) < now - MINUTE_MS) this.#replaced.shift();
    const wait = this.#replaced.length < this.#most ? 0 : (this.#replaced.at(-this.#most) ?? now) + MINUTE_MS - now;
    this.#replaced.push(now + wait);
    console.error(`note: ${reason}; another one starts ${wait === 0 ? 'now' : `in ${Math.ceil(wait / 1000)} s`}`);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.start().catch((error: Error) => { if (!this.#stopping) this.#replace(error.message); });
    }, wait);
    this.#timers.add(timer);
  }

  /** Stops all workers. Resolves with false if one had to be killed. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    let isClean = true;
    const kill = setTimeout(() => {
      isClean = false;
      for (const worker of this.#running) worker.process.kill('SIGKILL');
    }, STOP_MS);
    await Promise.all([...this.#running].map((worker) => new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
      // A worker that is still starting has no handler yet and ends at once.
      worker.process.kill('SIGTERM');
    })));
    clearTimeout(kill);
    return isClean;
  }
}

/** Runs this program in `count` processes on one port, and replaces those that end. Resolves with the address of the index when all of them listen. */
export async function runWorkers(count: number): Promise<string> {
  const workers = new Workers(count);
  onStop(async () => { if (!await workers.stop()) process.exitCode = 1; });
  try {
    const [address = ''] = await Promise.all(Array.from({ length: count }, () => workers.start()));
    return address;
  } catch (error) {
    await workers.stop();
    throw error;
  }
}
