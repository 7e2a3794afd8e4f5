import { logToConsole } from '../../../lib/index.ts';

/** How failed deliveries are repeated. */
export interface RepeatOptions {
  /** Milliseconds before each further attempt. Default: 5 s, 30 s, 2 min, 10 min, 30 min, 1 h. */
  readonly delays?: readonly number[];
  /** Deliveries that are repeated at the same time: those that wait, and those whose next attempt runs. Further ones are given up after the first attempt. Default 1000. */
  readonly most?: number;
  readonly log?: (event: {
    readonly level: 'warn' | 'error';
    readonly message: string;
    readonly error?: unknown;
  }) => void;
}

/** A failure that another attempt would repeat, such as a refused signature. */
export class FinalError extends Error {}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE];
/** Less than a site waits for a notice. */
const ATTEMPT_MS = 4 * SECOND;
/** For aborted attempts to end. */
const CLOSE_MS = SECOND;

interface Delivery {
  readonly what: string;
  readonly attempt: (signal: AbortSignal) => Promise<void>;
}

const STOPS = 'the server stops';

/** An attempt that runs. */
interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Resolves when all have ended, or after so many milliseconds. */
async function waitAtMost(promises: readonly Promise<void>[], ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.all(promises), late]);
  clearTimeout(timer);
}

/** Repeats deliveries that fail a few times, with growing pauses, in this process. What is not delivered when it ends is lost. */
export class Repeated {
  readonly #options: Required<RepeatOptions>;
  readonly #waiting = new Map<NodeJS.Timeout, Delivery>();
  readonly #running = new Map<Delivery, Running>();
  /** Those whose first attempt failed, whether they wait or run. */
  readonly #repeated = new Set<Delivery>();
  #closed = false;

  constructor({ delays = DELAYS, most = 1000, log = logToConsole }: RepeatOptions = {}) {
    this.#options = { delays, most, log };
  }

  /** Tries at once. Resolves after the first attempt, whether it succeeded or not. `what` names the delivery in the log. */
  async deliver(what: string, attempt: Delivery['attempt'], signal: AbortSignal): Promise<void> {
    const delivery = { what, attempt };
    if (this.#closed) this.#giveUp(delivery, STOPS);
    else await this.#run(delivery, 1, [signal]);
  }

  /** Gives up what waits, aborts the attempts that run, and says in the log what is lost. Resolves within a second. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [timer, delivery] of this.#waiting) {
      clearTimeout(timer);
      this.#giveUp(delivery, STOPS);
    }
    this.#waiting.clear();
    for (const { controller } of this.#running.values()) controller.abort();
    await waitAtMost(
      [...this.#running.values()].map(({ ended }) => ended),
      CLOSE_MS,
    );
    for (const delivery of this.#running.keys()) this.#giveUp(delivery, STOPS);
    this.#running.clear();
  }

  #giveUp(delivery: Delivery, why: string, error?: unknown): void {
    this.#repeated.delete(delivery);
    this.#options.log({
      level: 'error',
      message: `${delivery.what} was not delivered: ${why}`,
      ...(error === undefined ? {} : { error }),
    });
  }

  #repeatLater(delivery: Delivery, count: number, error: unknown): void {
    const { delays, most, log } = this.#options;
    const delay = delays[count - 1];
    if (error instanceof FinalError) return this.#giveUp(delivery, 'the receiver refused it', error);
    if (this.#closed) return this.#giveUp(delivery, STOPS, error);
    if (delay === undefined) return this.#giveUp(delivery, `${count} attempts failed`, error);
    if (!this.#repeated.has(delivery) && this.#repeated.size >= most)
      return this.#giveUp(delivery, `too many are repeated already (${most})`, error);
    this.#repeated.add(delivery);
    log({
      level: 'warn',
      message: `${delivery.what} could not be delivered. Next attempt in ${delay / SECOND} s`,
      error,
    });
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      void this.#run(delivery, count + 1, []);
    }, delay).unref();
    this.#waiting.set(timer, delivery);
  }

  #run(delivery: Delivery, count: number, signals: readonly AbortSignal[]): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(ATTEMPT_MS), ...signals]);
    // Later, so that it is in `#running` even if it fails at once.
    const ended = Promise.resolve().then(() => this.#tryOnce(delivery, count, signal));
    this.#running.set(delivery, { controller, ended });
    return ended;
  }

  async #tryOnce(delivery: Delivery, count: number, signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      await delivery.attempt(signal);
      this.#repeated.delete(delivery);
    } catch (error) {
      // Otherwise `close` has stopped waiting for it, and has said that it is lost.
      if (this.#running.has(delivery)) this.#repeatLater(delivery, count, error);
    }
    this.#running.delete(delivery);
  }
}
