import type { MaybePromise } from '../core/maybe-promise.ts';
import { clearDeadline, setDeadline } from './deadline-timer.ts';
import { engineError } from '../core/errors.ts';
import type { RestRequest } from '../http/request.ts';

/** Share of the time left that an answer inside another one may take: the outer one must still have time to be made. */
const INNER_SHARE = 0.9;

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** The time that the functions of one call have together, and a signal for those that can stop before their end. */
export class TimeLimit {
  readonly #end: number;
  readonly #request: Pick<RestRequest, 'signal'>;
  // Both made when somebody asks for the signal, which few do.
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;

  /** `ms`: from now. `request`: its signal is aborted when the client has gone. */
  constructor(ms: number, request: Pick<RestRequest, 'signal'>) {
    this.#end = performance.now() + ms;
    this.#request = request;
  }

  /** Aborted when the client has gone or the time is over. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    this.#controller = new AbortController();
    if (this.#left <= 0) this.#controller.abort();
    const client = this.#request.signal;
    this.#signal = client === undefined ? this.#controller.signal : AbortSignal.any([client, this.#controller.signal]);
    return this.#signal;
  }

  /** Milliseconds for an answer inside this one. */
  get innerMs(): number {
    return this.#left * INNER_SHARE;
  }

  get #left(): number {
    return this.#end - performance.now();
  }

  /**
   * Runs, and waits for what is not there at once. What comes after the end is dropped, and nothing is begun any more.
   * @returns the value, or a promise of it. @throws RestError `rest_handler_timeout`, or whatever `run` throws
   */
  hold<T>(run: () => T | PromiseLike<T>): MaybePromise<T> {
    if (this.#left <= 0) throw engineError('rest_handler_timeout');
    const work = run();
    return isPromise(work) ? this.#wait(work) : work;
  }

  #wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = {
        at: this.#end,
        expire: (): void => {
          this.#controller?.abort();
          reject(engineError('rest_handler_timeout'));
        },
      };
      setDeadline(deadline);
      // A promise of the runtime's own, which settles once and for all.
      Promise.resolve(work).then((value) => { clearDeadline(deadline); resolve(value); }, (error: unknown) => { clearDeadline(deadline); reject(error); });
    });
  }
}
