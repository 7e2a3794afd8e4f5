import { setImmediate as turn } from 'node:timers/promises';
import { createRandom } from '../../support/random.ts';
import { stayAwake } from '../load/run-load.ts';
import type { Answer, KeptSocket } from './kept-socket.ts';

/** Outcome of a request. `ok`: 2xx; `refused`: 503 with `Retry-After`; `broken`: the connection was cut. */
export type Outcome = 'ok' | 'refused' | 'other' | 'broken';

/** A request to send, and data that the sender needs later. */
export interface Message<T> {
  readonly text: string;
  readonly about: T;
}

/** Result of one request, measured from its intended start. Milliseconds. */
export interface Sample<T> {
  readonly about: T;
  readonly outcome: Outcome;
  readonly status: number;
  /** Intended start, relative to the start of the load. */
  readonly at: number;
  /** Time from then to the end of the response. */
  readonly took: number;
  /** Delay of the actual start, because the sender was busy or had no free socket. */
  readonly lag: number;
}

/** Requests per second, and the number of seconds. */
export interface Stage {
  readonly rate: number;
  readonly seconds: number;
}

/** Stages without pauses between them. */
export interface Pace {
  readonly stages: readonly Stage[];
  readonly seed: number;
}

/** Requests without a response after this time count as lost. */
const PATIENCE_MS = 60_000;

export function toOutcome(answer: Answer | null): Outcome {
  if (answer === null) return 'broken';
  if (answer.status >= 200 && answer.status < 300) return 'ok';
  return answer.status === 503 && answer.retryAfter !== null ? 'refused' : 'other';
}

/** Random arrival times of independent requests. */
function* arrivals({ stages, seed }: Pace): Generator<number> {
  const random = createRandom(seed);
  let end = 0;
  for (const { rate, seconds } of stages) {
    let at = end;
    end += seconds * 1000;
    for (;;) {
      at -= (Math.log(1 - random.below(2 ** 30) / 2 ** 30) * 1000) / rate;
      if (at > end) break;
      yield at;
    }
  }
}

class OpenLoop<T> {
  readonly samples: Sample<T>[] = [];
  readonly #free: KeptSocket[];
  readonly #next: () => Message<T>;
  readonly #started = performance.now();
  readonly #late: number[] = [];
  #open = 0;

  constructor(free: KeptSocket[], next: () => Message<T>) {
    this.#free = free;
    this.#next = next;
  }

  get elapsed(): number {
    return performance.now() - this.#started;
  }

  get isOver(): boolean {
    return this.#open === 0 && this.#late.length === 0;
  }

  /** Sends the request that is due at this time, as soon as a socket is free. */
  take(at: number): void {
    const socket = this.#free.shift();
    if (socket === undefined) this.#late.push(at);
    else void this.#send(socket, at);
  }

  async #send(socket: KeptSocket, at: number): Promise<void> {
    const { text, about } = this.#next();
    const lag = this.elapsed - at;
    this.#open += 1;
    const answer = await socket.send(text);
    this.#open -= 1;
    this.samples.push({
      about,
      outcome: toOutcome(answer),
      status: answer?.status ?? 0,
      at,
      took: this.elapsed - at,
      lag,
    });
    this.#free.push(socket);
    const late = this.#late.shift();
    if (late !== undefined) this.take(late);
  }
}

/** Sends at the given pace, however long the responses take, and waits for the last response. Each request uses the socket that has been free for the longest time. */
export async function runOpenLoop<T>(
  free: KeptSocket[],
  pace: Pace,
  next: () => Message<T>,
): Promise<readonly Sample<T>[]> {
  const loop = new OpenLoop(free, next);
  const rest = stayAwake();
  try {
    for (const at of arrivals(pace)) {
      while (loop.elapsed < at) await turn();
      loop.take(at);
    }
    const patience = loop.elapsed + PATIENCE_MS;
    while (!loop.isOver && loop.elapsed < patience) await turn();
    return loop.samples;
  } finally {
    rest();
  }
}

/** Opens the sockets and sends a request on each, because the server soon closes a connection without one. */
export async function openAll(sockets: readonly KeptSocket[], text: string): Promise<void> {
  // In groups, because the queue of a listening socket is short.
  for (let from = 0; from < sockets.length; from += 100)
    await Promise.all(sockets.slice(from, from + 100).map((socket) => socket.send(text)));
}

/** Keeps a fixed number of requests in flight, each on the socket that has been free for the longest time. Returns responses per second, by outcome. */
export async function runClosedLoop(
  free: KeptSocket[],
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
  next: () => string,
): Promise<Readonly<Record<Outcome, number>>> {
  const answers: Record<Outcome, number> = { ok: 0, refused: 0, other: 0, broken: 0 };
  const end = performance.now() + seconds * 1000;
  const rest = stayAwake();
  try {
    await Promise.all(
      free.splice(0, inFlight).map(async (first) => {
        let socket = first;
        while (performance.now() < end) {
          answers[toOutcome(await socket.send(next()))] += 1 / seconds;
          free.push(socket);
          socket = free.shift() ?? socket;
        }
        free.push(socket);
      }),
    );
    return answers;
  } finally {
    rest();
  }
}
