import { clock } from '../core/cooperative.ts';
import { engineError } from '../core/errors.ts';
import { type MaybePromise, toMaybePromise } from '../core/maybe-promise.ts';
import type { RestRequest } from '../http/request.ts';

/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Work with a time limit. */
export interface Deadline {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  expire(): void;
  /** Set by the timer: its place among the deadlines. Absent or -1: it is not set. */
  place?: number;
}

// One timer serves all deadlines of the process. Most deadlines are cleared long before they expire, and a timer that is set and
// cleared for each would cost more than the call that it guards. The timer is set for the earliest deadline; then the others are checked.
// They stand in an array, because V8 makes a Set that is often filled and emptied smaller and larger each time.
const deadlines: Deadline[] = [];
let timer: NodeJS.Timeout | null = null;
let due = Infinity;

/** Expires a deadline at its time, unless it is cleared first. The process stays alive while a deadline is set. */
export function setDeadline(deadline: Deadline): void {
  if ((deadline.place ?? -1) === -1) deadline.place = deadlines.push(deadline) - 1;
  if (deadline.at < due) setTimer(deadline.at);
  else if (deadlines.length === 1) timer?.ref();
}

/** Removes a deadline. */
export function clearDeadline(deadline: Deadline): void {
  if (remove(deadline) && deadlines.length === 0) timer?.unref();
}

/** Puts the last deadline in the place of this one. Returns false if it was not set. */
function remove(deadline: Deadline): boolean {
  const { place = -1 } = deadline;
  if (place === -1) return false;
  const last = deadlines.pop() as Deadline;
  if (last !== deadline) deadlines[place] = last;
  last.place = place;
  deadline.place = -1;
  return true;
}

function setTimer(at: number): void {
  if (timer !== null) clearTimeout(timer);
  due = at;
  timer = setTimeout(expireAll, Math.min(LONGEST_MS, Math.ceil(at - performance.now())));
}

function expireAll(): void {
  timer = null;
  due = Infinity;
  const now = performance.now();
  let next = Infinity;
  const late: Deadline[] = [];
  for (const deadline of deadlines) {
    if (deadline.at > now) next = Math.min(next, deadline.at);
    else late.push(deadline);
  }
  expireInTurns(
    late.sort((left, right) => left.at - right.at),
    0,
  );
  if (next < due) setTimer(next);
}

/**
 * Expires the earliest deadlines first, those of each millisecond in a separate turn of the event loop. A call that contains an
 * expired call has a longer deadline, and can still respond within it.
 */
function expireInTurns(late: readonly Deadline[], from: number): void {
  const first = late[from];
  if (first === undefined) return;
  let index = from;
  for (
    let deadline: Deadline | undefined = first;
    deadline !== undefined && deadline.at < first.at + 1;
    deadline = late[++index]
  ) {
    if (remove(deadline)) deadline.expire();
  }
  setImmediate(expireInTurns, late, index);
}

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
