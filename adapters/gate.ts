import { engineError, type RestError } from '../lib/errors.ts';
import type { HttpLimits } from './http-limits.ts';

export type GateLimits = Pick<HttpLimits, 'inFlight' | 'bufferedBytes'>;

const RETRY = { headers: { 'Retry-After': '1' } };

// Made once: under overload a refusal must cost next to nothing.
export const OVERLOADED = engineError('rest_overloaded', RETRY);
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

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.inFlight >= this.#limits.inFlight;
  }

  /** Why a request whose headers have come is turned away: `rest_shutting_down` or `rest_overloaded`. Null: it is not. */
  findRefusal(): RestError | null {
    if (this.closing) return SHUTTING_DOWN;
    return this.isFull ? OVERLOADED : null;
  }

  /** Asked as soon as the headers are there. @throws RestError `rest_shutting_down`, `rest_overloaded` */
  check(): void {
    const refusal = this.findRefusal();
    if (refusal !== null) throw refusal;
  }

  /** Asked when the body is there. Every call that returns is followed by one `leave`. @throws RestError `rest_overloaded` */
  enter(): void {
    if (this.isFull) throw OVERLOADED;
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
