import { engineError } from '../../lib/core/errors.ts';
import type { HttpLimits } from './http-limits.ts';
import { workQueue } from './work-queue.ts';

export type LoadLimits = Pick<HttpLimits, 'inFlight' | 'bufferedBytes'>;

const RETRY = { headers: { 'Retry-After': '1' } };

// Made once: under overload a refusal must cost next to nothing.
export const OVERLOADED = engineError('rest_overloaded', RETRY);
export const SHUTTING_DOWN = engineError('rest_shutting_down', RETRY);

/**
 * CountCache the requests being handled and the bytes of bodies that are still coming, and turns away what would be too much.
 * A request counts from the moment when it is whole, so that clients who send slowly take no place from others.
 */
export class LoadShedder {
  /** Requests in flight, by what they do to a store. */
  readonly by: Record<'read' | 'write', number> = { read: 0, write: 0 };
  /** Questions whether an answer is at hand. They take no place from requests, nor requests from them. */
  asking = 0;
  /** Bytes of bodies that are not complete. */
  buffered = 0;
  /** Set when the server stops: everything new is refused. */
  closing = false;
  readonly #limits: LoadLimits;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.by.read + this.by.write;
  }

  get isFull(): boolean {
    return this.inFlight >= this.#limits.inFlight;
  }

  /** Whether one more question may be asked of the store that decides whether an answer is at hand. */
  get mayAsk(): boolean {
    return this.asking < this.#limits.inFlight;
  }

  /** Asked as soon as the headers are there. @throws RestError `rest_shutting_down` */
  check(): void {
    if (this.closing) throw SHUTTING_DOWN;
  }

  /** Asked when the body is there. Every call that returns is followed by one `leave` of the same kind. @throws RestError `rest_overloaded` */
  enter(kind: 'read' | 'write'): void {
    if (this.isFull) throw OVERLOADED;
    this.by[kind]++;
  }

  leave(kind: 'read' | 'write'): void {
    this.by[kind]--;
    workQueue.wake();
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
