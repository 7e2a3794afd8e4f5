import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { closeOnFailure } from '../site/with-store.ts';
import { onStop } from './listen.ts';
import type { ListeningServer } from './start-server.ts';

/** What a worker sends: first that it listens, then, when its site is open, the address of its index. */
type Message = 'listening' | { readonly ready: string };
/** The answer to the first one: the store is prepared. */
const OPEN = 'open';

const MINUTE_MS = 60_000;
/** A worker needs 10 s at most to finish the requests in flight. */
const STOP_MS = 15_000;

/** True in a process that was started by `runWorkers`. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

const send = (message: Message): void => {
  process.send?.(message);
};

/** Tells the primary process that this one listens, and waits until it has prepared the store. */
async function awaitStore(): Promise<void> {
  const prepared = once(process, 'message');
  send('listening');
  await prepared;
}

/** In a worker: listens, opens the site when the primary process has prepared the store, sends it the address, and stops when that process says so or is gone. @throws what `start` throws */
export async function serveAsWorker(start: () => Promise<ListeningServer>): Promise<void> {
  // The connection to the primary process would keep this one from ending. `process.disconnect` would end it at once, with success.
  const { indexUrl, stop } = await closeOnFailure(
    {
      close: async () => {
        cluster.worker?.disconnect();
      },
    },
    async () => {
      const server = await start();
      await awaitStore();
      return server.open();
    },
  );
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
  send({ ready: indexUrl });
}

/** The workers of this process. */
class Workers {
  readonly #most: number;
  readonly #running = new Set<Worker>();
  readonly #replaced: number[] = [];
  readonly #onLost: (error: Error) => void;
  readonly #prepare: () => Promise<void>;
  #prepared: Promise<void> | undefined;
  /** Number of workers that listen. */
  #listening = 0;
  /** How many workers in a row could not start. */
  #failures = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopping = false;

  /** `prepare`: called once, when the first worker listens. `onLost`: called when no worker listens and none could start for a minute. */
  constructor(
    most: number,
    { prepare, onLost }: { readonly prepare: () => Promise<void>; readonly onLost: (error: Error) => void },
  ) {
    this.#most = most;
    this.#prepare = prepare;
    this.#onLost = onLost;
  }

  /** Starts one worker. Resolves with its address; rejects if it ends before its site is open, or if the store cannot be prepared. */
  start(): Promise<string> {
    const worker = cluster.fork();
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.on('message', (message: Message) => {
        if (message === 'listening') {
          this.#prepared ??= this.#prepare();
          // A worker that has ended meanwhile is told by its exit.
          this.#prepared.then(() => {
            if (worker.isConnected()) worker.send(OPEN);
          }, reject);
          return;
        }
        isReady = true;
        this.#listening += 1;
        this.#failures = 0;
        resolve(message.ready);
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
    const wait =
      this.#replaced.length < this.#most ? 0 : (this.#replaced.at(-this.#most) ?? now) + MINUTE_MS - now;
    this.#replaced.push(now + wait);
    console.error(
      `note: ${reason}; another one starts ${wait === 0 ? 'now' : `in ${Math.ceil(wait / 1000)} s`}`,
    );
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.start().catch((error: Error) => {
        if (!this.#stopping) this.#retry(error);
      });
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
    await Promise.all(
      [...this.#running].map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            // A worker that is still starting has no handler yet and ends at once.
            worker.process.kill('SIGTERM');
          }),
      ),
    );
    clearTimeout(kill);
    return isClean;
  }
}

/**
 * Runs this program in `count` processes on one port, and replaces those that end. `prepare`: called when the port is taken by them, before they open the store.
 * Resolves with the address of the index when all of them are open. If none is left and no other can start, this process ends with exit code 1.
 * @throws Error if one of the first cannot start, and what `prepare` throws
 */
export async function runWorkers(count: number, prepare: () => Promise<void>): Promise<string> {
  const onLost = ({ message }: Error): void => {
    process.exitCode = 1;
    console.error(`error: no worker is left, and none could start for a minute: ${message} The server ends.`);
    void workers.stop();
  };
  const workers = new Workers(count, { prepare, onLost });
  onStop(async () => {
    if (!(await workers.stop())) process.exitCode = 1;
  });
  try {
    const [address = ''] = await Promise.all(Array.from({ length: count }, () => workers.start()));
    return address;
  } catch (error) {
    await workers.stop();
    throw error;
  }
}
