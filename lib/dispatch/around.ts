import { RestError } from '../core/errors.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import { kindOf } from '../core/objects.ts';
import { RecordList } from '../http/record-list.ts';
import { RestResponse } from '../http/response.ts';
import { StreamBody } from '../http/stream-body.ts';
import type { Call, Next } from '../route/call.ts';
import type { NamedAround } from '../route/namespace.ts';
import { toSendable } from './response/sendable.ts';
import type { TimeLimit } from './time-limit.ts';

const MUST = 'it must return the response of next(), or throw a RestError to refuse the call';

/** Links, lists of records and streams were written before. */
function isUnwritten({ content, links }: RestResponse, answered: RestResponse): boolean {
  return (
    links !== null ||
    content instanceof RecordList ||
    (content instanceof StreamBody && content !== answered.content)
  );
}

/** One run of an `around` function. Only a call that `next` has answered can be answered, so that no mistake opens a route or runs a handler twice. */
class Passage {
  readonly #what: string;
  readonly #run: () => MaybePromise<RestResponse>;
  #calls = 0;
  #isOver = false;
  #answer: RestResponse | null = null;

  constructor(what: string, run: () => MaybePromise<RestResponse>) {
    this.#what = what;
    this.#run = run;
  }

  readonly next: Next = () => {
    const going = this.#continue();
    // If the function does not await it, the failure is reported by `check`, and must not end the program.
    going.catch(() => undefined);
    return going;
  };

  async #continue(): Promise<RestResponse> {
    this.#calls += 1;
    if (this.#isOver) throw new TypeError(`${this.#what} called next() after it had returned`);
    if (this.#calls > 1) throw new TypeError(`${this.#what} called next() more than once`);
    this.#answer = await this.#run();
    return this.#answer;
  }

  /** The function has returned or failed. From now on `next` does nothing. */
  close(): void {
    this.#isOver = true;
  }

  /** @throws the RestError that was returned, TypeError for anything but a response to a call that `next` has answered */
  check(value: unknown): RestResponse {
    if (value instanceof RestError) throw value;
    if (this.#calls > 1) throw new TypeError(`${this.#what} called next() more than once`);
    if (!(value instanceof RestResponse))
      throw new TypeError(`${this.#what} returned ${kindOf(value)}; ${MUST}`);
    if (this.#answer === null)
      throw new TypeError(
        `${this.#what} returned a response although next() ${this.#calls === 0 ? 'was not called' : 'has not answered'}; ${MUST}`,
      );
    if (value !== this.#answer && isUnwritten(value, this.#answer))
      throw new TypeError(
        `${this.#what} returned links or a RecordList or a stream, which only handlers may return`,
      );
    return value === this.#answer ? value : toSendable(`${this.#what} returned`, value);
  }
}

/** What an `around` function runs around. `where`: namespace, pattern and methods. */
interface Inner {
  readonly where: string;
  readonly call: Call;
  readonly limit: TimeLimit;
  readonly run: () => MaybePromise<RestResponse>;
}

async function pass(
  { what, around }: NamedAround,
  { where, call, limit, run }: Inner,
): Promise<RestResponse> {
  const passage = new Passage(`${where}: ${what}`, run);
  try {
    return passage.check(await limit.hold<unknown>(() => around(call, passage.next)));
  } finally {
    passage.close();
  }
}

/** Runs the rest of a call within its `around` functions, the innermost of which comes first in the list. @throws whatever they throw, TypeError for a function that breaks its rules */
export function runAround(arounds: readonly NamedAround[], inner: Inner): MaybePromise<RestResponse> {
  const run = arounds.reduce((next, named) => () => pass(named, { ...inner, run: next }), inner.run);
  return run();
}
