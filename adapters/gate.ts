import { engineError } from '../lib/errors.ts';
import type { HttpLimits } from './http-limits.ts';
import { readLoopDelay } from './loop-delay.ts';

const RETRY = { headers: { 'Retry-After': '1' } };

// Made once: under overload a refusal must cost next to nothing.
const OVERLOADED = engineError('rest_overloaded', RETRY);
const SHUTTING_DOWN = engineError('rest_shutting_down', RETRY);

/** Counts the requests being handled and turns away what would be too many. */
export class Gate {
  inFlight = 0;
  /** Set when the server stops: everything new is refused. */
  closing = false;
  readonly #limits: Pick<HttpLimits, 'inFlight' | 'loopDelayMs'>;
  readonly #readDelay: () => number;

  /** @param readDelay delay of the event loop in ms; default: the real one. */
  constructor(limits: Pick<HttpLimits, 'inFlight' | 'loopDelayMs'>, readDelay: () => number = readLoopDelay) {
    this.#limits = limits;
    this.#readDelay = readDelay;
  }

  /** Every call that returns is followed by one `leave`. @throws RestError `rest_shutting_down`, `rest_overloaded` */
  enter(): void {
    if (this.closing) throw SHUTTING_DOWN;
    if (this.inFlight >= this.#limits.inFlight || this.#readDelay() > this.#limits.loopDelayMs) throw OVERLOADED;
    this.inFlight++;
  }

  leave(): void {
    this.inFlight--;
  }
}
