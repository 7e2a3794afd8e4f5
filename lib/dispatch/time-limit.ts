import { clock } from '../core/clock.ts';
import { engineError } from '../core/errors.ts';
import { toMaybePromise, type MaybePromise } from '../core/maybe-promise.ts';
import type { RestRequest } from '../http/request.ts';
import { clearDeadline, setDeadline } from './deadline-timer.ts';

/** Share of the remaining time that an inner call may use. The rest is for building the outer response. */
export const INNER_SHARE = 0.9;

/** Default of the time limit of a call, in milliseconds. */
export const HANDLER_TIMEOUT_MS = 30_000;

/** The time limit that all functions of one call share, and a signal for functions that can stop early. */
export class TimeLimit {
  /** When the call began, on the clock of `performance.now()`. */
  readonly began = clock.now();
  #end: number;
  readonly #request: Pick<RestRequest, 'signal'>;
  // Created on the first use of the signal, because few calls use it.
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;

  /** `ms`: from now. `request`: its signal is aborted when the client disconnects. */
  constructor(ms: number, request: Pick<RestRequest, 'signal'>) {
    this.#end = this.began + ms;
    this.#request = request;
  }

  /** Aborted when the client disconnects or the time has passed. */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    this.#controller = new AbortController();
    if (this.#left <= 0) this.#controller.abort();
    const client = this.#request.signal;
    this.#signal =
      client === undefined ? this.#controller.signal : AbortSignal.any([client, this.#controller.signal]);
    return this.#signal;
  }

  /** Ends so many milliseconds from now instead. */
  extend(ms: number): void {
    this.#end = clock.now() + ms;
  }

  /** Aborts the signal before its time. */
  abort(reason: unknown): void {
    if (!this.signal.aborted) this.#controller?.abort(reason);
  }

  /** Milliseconds for an inner call. */
  get innerMs(): number {
    return this.#left * INNER_SHARE;
  }

  get #left(): number {
    return this.#end - clock.now();
  }

  /**
   * Runs a function and waits for its promise. After the time has passed, results are dropped and no function is started.
   * @returns the value, or a promise of it. @throws RestError `rest_handler_timeout`, or whatever `run` throws
   */
  hold<T>(run: () => T | PromiseLike<T>): MaybePromise<T> {
    if (this.#left <= 0) throw engineError('rest_handler_timeout');
    const work = toMaybePromise(run());
    return work instanceof Promise ? this.#wait(work) : work;
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = {
        at: this.#end,
        expire: (): void => {
          this.#controller?.abort();
          reject(engineError('rest_handler_timeout'));
        },
      };
      setDeadline(deadline);
      work.then(
        (value) => {
          clearDeadline(deadline);
          resolve(value);
        },
        (error: unknown) => {
          clearDeadline(deadline);
          reject(error);
        },
      );
    });
  }
}
