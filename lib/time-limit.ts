import { engineError } from './errors.ts';

/** Share of the time left that an answer inside another one may take: the outer one must still have time to be made. */
const INNER_SHARE = 0.9;

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** The time that the functions of one call have together, and a signal for those that can stop before their end. */
export class TimeLimit {
  readonly #end: number;
  readonly #client: () => AbortSignal | undefined;
  readonly #controller = new AbortController();
  #signal: AbortSignal | undefined;

  /** `ms`: from now. `client`: aborted when the client has gone; asked only when somebody wants the signal. */
  constructor(ms: number, client: () => AbortSignal | undefined) {
    this.#end = performance.now() + ms;
    this.#client = client;
  }

  /** Aborted when the client has gone or the time is over. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const client = this.#client();
    this.#signal = client === undefined ? this.#controller.signal : AbortSignal.any([client, this.#controller.signal]);
    return this.#signal;
  }

  /** Milliseconds for an answer inside this one. */
  get innerMs(): number {
    return (this.#end - performance.now()) * INNER_SHARE;
  }

  /** Runs and waits. @throws RestError `rest_handler_timeout`: what comes later is dropped, and nothing is begun any more. */
  async hold(run: () => unknown): Promise<unknown> {
    const left = this.#end - performance.now();
    if (left <= 0) throw engineError('rest_handler_timeout');
    const work = run();
    return isPromise(work) ? await this.#wait(work, left) : work;
  }

  async #wait(work: PromiseLike<unknown>, ms: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#controller.abort();
        reject(engineError('rest_handler_timeout'));
      }, ms);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
