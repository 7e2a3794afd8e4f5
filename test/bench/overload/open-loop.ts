import { setImmediate as turn } from 'node:timers/promises';
import { createRandom } from '../../support/random.ts';
import { stayAwake } from '../load/run-load.ts';
import type { Answer, KeptSocket } from './kept-socket.ts';

/** What became of a request. `ok`: 2xx; `refused`: 503 with `Retry-After`; `broken`: the connection was cut. */
export type Outcome = 'ok' | 'refused' | 'other' | 'broken';

/** A request ready to be sent, and what the sender wants to know of it later. */
export interface Message<T> {
  readonly text: string;
  readonly about: T;
}

/** One request, measured from the time at which it was to be sent. Milliseconds. */
export interface Sample<T> {
  readonly about: T;
  readonly outcome: Outcome;
  readonly status: number;
  /** When it was to be sent, from the start of the load. */
  readonly at: number;
  /** From then to the end of the answer. */
  readonly took: number;
  /** How much later than that it was sent: the sender was busy, or had no free socket. */
  readonly lag: number;
}

/** Requests a second, for so many seconds. */
export interface Stage {
  readonly rate: number;
  readonly seconds: number;
}

/** Stages that follow each other without a pause. */
export interface Pace {
  readonly stages: readonly Stage[];
  readonly seed: number;
}

/** After so long without an answer the rest counts as lost. */
const PATIENCE_MS = 60_000;

export function toOutcome(answer: Answer | null): Outcome {
  if (answer === null) return 'broken';
  if (answer.status >= 200 && answer.status < 300) return 'ok';
  return answer.status === 503 && answer.retryAfter !== null ? 'refused' : 'other';
}

/** Times at which requests come that do not know of each other. */
function* arrivals({ stages, seed }: Pace): Generator<number> {
  const random = createRandom(seed);
  let end = 0;
  for (const { rate, seconds } of stages) {
    let at = end;
    end += seconds * 1000;
    for (;;) {
      at -= Math.log(1 - random.below(2 ** 30) / 2 ** 30) * 1000 / rate;
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

  /** Sends what is to be sent at this time, or as soon as there is a free socket. */
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
    this.samples.push({ about, outcome: toOutcome(answer), status: answer?.status ?? 0, at, took: this.elapsed - at, lag });
    this.#free.push(socket);
    const late = this.#late.shift();
    if (late !== undefined) this.take(late);
  }
}

/** Sends at its pace, however long the answers take, each request on the socket that has been free for the longest. Waits for the last answer. */
export async function runOpenLoop<T>(free: KeptSocket[], pace: Pace, next: () => Message<T>): Promise<readonly Sample<T>[]> {
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

/** Opens the sockets, each with a request: a connection on which nothing comes is soon ended. */
export async function openAll(sockets: readonly KeptSocket[], text: string): Promise<void> {
  // Some at a time: the queue of a listening socket is short.
  for (let from = 0; from < sockets.length; from += 100) await Promise.all(sockets.slice(from, from + 100).map((socket) => socket.send(text)));
}

/** Keeps so many requests in flight, each on the socket that has been free for the longest. Answers a second, by outcome. */
export async function runClosedLoop(free: KeptSocket[], { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number }, next: () => string): Promise<Readonly<Record<Outcome, number>>> {
  const answers: Record<Outcome, number> = { ok: 0, refused: 0, other: 0, broken: 0 };
  const end = performance.now() + seconds * 1000;
  const rest = stayAwake();
  try {
    await Promise.all(free.splice(0, inFlight).map(async (first) => {
      let socket = first;
      while (performance.now() < end) {
        answers[toOutcome(await socket.send(next()))] += 1 / seconds;
        free.push(socket);
        socket = free.shift() ?? socket;
      }
      free.push(socket);
    }));
    return answers;
  } finally {
    rest();
  }
}
