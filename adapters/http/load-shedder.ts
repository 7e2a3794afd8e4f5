import { engineError } from '../../lib/core/errors.ts';
import type { HttpLimits } from './http-limits.ts';
import { workQueue } from './work-queue.ts';

/** The limits that a load shedder holds. */
export type LoadLimits = Pick<HttpLimits, 'inFlight' | 'bufferedBytes'>;

const RETRY = { headers: { 'Retry-After': '1' } };

// Created once, because under overload a refusal must cost next to nothing.
export const OVERLOADED = engineError('rest_overloaded', RETRY);
export const SHUTTING_DOWN = engineError('rest_shutting_down', RETRY);

/**
 * Counts the requests in flight and the bytes of request bodies that are still arriving, and refuses what exceeds the limits.
 * A request counts once it has arrived completely, so that slow clients do not take places from others.
 */
export class LoadShedder {
  /** Requests in flight: those that read the store and those that write it. */
  readonly by: Record<'read' | 'write', number> = { read: 0, write: 0 };
  /** Lookups of cached responses that wait for the store. They have their own limit, separate from requests. */
  asking = 0;
  /** Bytes of request bodies that have not arrived completely. */
  buffered = 0;
  /** Set when the server begins to stop. Each response is then the last one of its connection. */
  ending = false;
  /** Set when the server has stopped accepting. Every new request is then refused. */
  closing = false;
  readonly #limits: LoadLimits;

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** Number of requests that are being answered. */
  get inFlight(): number {
    return this.by.read + this.by.write;
  }

  /** Whether the next request is refused. */
  get isFull(): boolean {
    return this.inFlight >= this.#limits.inFlight;
  }

  /** Whether one more lookup of a cached response may wait for the store. */
  get mayAsk(): boolean {
    return this.asking < this.#limits.inFlight;
  }

  /** Called as soon as the headers have arrived. @throws RestError `rest_shutting_down` */
  check(): void {
    if (this.closing) throw SHUTTING_DOWN;
  }

  /** Called when the body has arrived. Every call that returns is followed by one `leave` of the same kind. @throws RestError `rest_overloaded` */
  enter(kind: 'read' | 'write'): void {
    if (this.isFull) throw OVERLOADED;
    this.by[kind]++;
  }

  /** Ends a request that was admitted. */
  leave(kind: 'read' | 'write'): void {
    this.by[kind]--;
    workQueue.wake();
  }

  /** Every call is followed by one `release` of the same size, even if it throws. @throws RestError `rest_overloaded` */
  hold(bytes: number): void {
    this.buffered += bytes;
    if (this.buffered > this.#limits.bufferedBytes) throw OVERLOADED;
  }

  /** Gives back bytes that were reserved. */
  release(bytes: number): void {
    this.buffered -= bytes;
  }
}
