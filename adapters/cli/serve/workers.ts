import cluster, { type Worker } from 'node:cluster';
import { closeOnFailure } from '../site/with-store.ts';
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

/** In a worker: starts a server, sends its address to the primary process, and stops when that process says so or is gone. @throws what `start` throws */
export async function serveAsWorker(start: () => Promise<RunningServer>): Promise<void> {
  // The connection to the primary process would keep this one from ending. `process.disconnect` would end it at once, with success.
  const { indexUrl, stop } = await closeOnFailure({ close: async () => { cluster.worker?.disconnect(); } }, start);
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
  readonly #onLost: (error: Error) => void;
  /** Number of workers that listen. */
  #listening = 0;
  /** How many workers in a row could not start. */
  #failures = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopping = false;

  /** `onLost`: called when no worker listens and none could start for a minute. */
  constructor(most: number, onLost: (error: Error) => void) {
    this.#most = most;
    this.#onLost = onLost;
  }

  /** Starts one worker. Resolves with its address; rejects if it ends before it listens. */
  start(): Promise<string> {
    const worker = cluster.fork();
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.once('message', ({ listening }: Message) => {
        isReady = true;
        this.#listening += 1;
        this.#failures = 0;
        resolve(listening);
      });
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker);
        if (!isReady) {
          reject(new Error(`A worker could not start (it ended with ${signal ?? code}).`));
          return;
        }
        this.#listening -= 1;
        if (!this.#stopping) this.#replace(`a worker ended (${signal ?? code})`);
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
      this.start().catch((error: Error) => { if (!this.#stopping) this.#retry(error); });
    }, wait);
    this.#timers.add(timer);
  }

  /** Ends the server when nothing is left of it. More failures than `most` take a minute, so that one that passes, such as a restart of the database, ends nothing. */
  #retry(error: Error): void {
    this.#failures += 1;
    if (this.#listening === 0 && this.#failures > this.#most) this.#onLost(error);
    else this.#replace(error.message);
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

/**
 * Runs this program in `count` processes on one port, and replaces those that end. Resolves with the address of the index when all of them listen.
 * If none is left and no other can start, this process ends with exit code 1. @throws Error if one of the first cannot start
 */
export async function runWorkers(count: number): Promise<string> {
  const workers = new Workers(count, ({ message }) => {
    process.exitCode = 1;
    console.error(`error: no worker is left, and none could start for a minute: ${message} The server ends.`);
    void workers.stop();
  });
  onStop(async () => { if (!await workers.stop()) process.exitCode = 1; });
  try {
    const [address = ''] = await Promise.all(Array.from({ length: count }, () => workers.start()));
    return address;
  } catch (error) {
    await workers.stop();
    throw error;
  }
}
