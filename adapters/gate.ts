import { engineError } from '../lib/errors.ts';
import type { HttpLimits } from './http-limits.ts';
import { readLoopDelay } from './loop-delay.ts';

export type GateLimits = Pick<HttpLimits, 'inFlight' | 'loopDelayMs' | 'bufferedBytes'>;

const RETRY = { headers: { 'Retry-After': '1' } };

// Made once: under overload a refusal must cost next to nothing.
const OVERLOADED = engineError('rest_overloaded', RETRY);
const SHUTTING_DOWN = engineError('rest_shutting_down', RETRY);

/**
 * Counts the requests being handled and the bytes of bodies that are still coming, and turns away what would be too much.
 * A request counts from the moment when it is whole, so that clients who send slowly take no place from others.
 */
export class Gate {
  inFlight = 0;
  /** Bytes of bodies that are not complete. */
  buffered = 0;
  /** Set when the server stops: everything new is refused. */
  closing = false;
  readonly #limits: GateLimits;
  readonly #readDelay: () => number;

  /** @param readDelay delay of the event loop in ms; default: the real one. */
  constructor(limits: GateLimits, readDelay: () => number = readLoopDelay) {
    this.#limits = limits;
    this.#readDelay = readDelay;
  }

  /** Asked as soon as the headers are there. @throws RestError `rest_shutting_down`, `rest_overloaded` */
  check(): void {
    if (this.closing) throw SHUTTING_DOWN;
    if (this.inFlight >= this.#limits.inFlight || this.#readDelay() > this.#limits.loopDelayMs) throw OVERLOADED;
  }

  /** Asked when the body is there. Every call that returns is followed by one `leave`. @throws RestError `rest_overloaded` */
  enter(): void {
    if (this.inFlight >= this.#limits.inFlight) throw OVERLOADED;
    this.inFlight++;
  }

  leave(): void {
    this.inFlight--;
  }

  /** Every call is followed by one `release` of the same size, also when it throws. @throws RestError `rest_overloaded` */
  hold(bytes: number): void {
    this.buffered += bytes;
    if (this.buffered > this.#limits.bufferedBytes) throw OVERLOADED;
  }

  release(bytes: number): void {
    this.buffered -= bytes;
  }
}
