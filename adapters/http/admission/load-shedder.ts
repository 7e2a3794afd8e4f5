import { setMaxListeners } from 'node:events';
import { engineError } from '../../../lib/core/errors.ts';
import type { Host } from '../../../lib/http/host.ts';
import { type Kind, type Waiter, Waiting } from './waiting.ts';

/** The limits that a load shedder holds: those of `HttpLimits` with the same names. */
interface LoadLimits {
  /** Most requests at once. */
  readonly inFlight: number;
  /** Most bytes of bodies that have not arrived completely. */
  readonly bufferedBytes: number;
  /** Default: no limit. */
  readonly streams?: number;
}

// Created once, because under overload a refusal must cost next to nothing.
export const OVERLOADED = engineError('rest_overloaded');
const SHUTTING_DOWN = engineError('rest_shutting_down');

/** How many requests may be in flight while the store is busy: enough to keep it busy, few enough to be answered soon. */
const ROOM: Readonly<Record<Kind, number>> = { read: 16, write: 8 };

/** Work for a request that a listener beside the engine answers. */
interface BesideWork<T> extends Pick<Waiter, 'patience'> {
  /** Whether nobody waits for the response any more. Asked when its turn comes: the work is then not begun. */
  readonly isOver: () => boolean;
  /** Does the work. */
  readonly run: () => Promise<T>;
}

const STOPPING = new DOMException('The server is stopping.', 'AbortError');

/** Every open stream listens to it, and Node would warn of the eleventh. */
function createDraining(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Counts the requests in flight and the bytes of request bodies that are still arriving, and refuses what exceeds the limits.
 * A request counts once it has arrived completely, so that slow clients do not take places from others.
 */
export class LoadShedder {
  /** Requests in flight: those that read the store and those that write it. */
  readonly by: Record<Kind, number> = { read: 0, write: 0 };
  /** Lookups of cached responses that wait for the store. They have their own limit, separate from requests. */
  asking = 0;
  /** Bytes of request bodies that have not arrived completely. */
  buffered = 0;
  /** Responses that are sent while they are made. They are no longer in flight. */
  streams = 0;
  /** Set when the server begins to stop. Each response is then the last one of its connection. */
  ending = false;
  readonly #draining = createDraining();
  /** Set when the server has stopped accepting. Every new request is then refused. */
  closing = false;
  readonly #limits: LoadLimits;
  readonly #hosts = new Set<Pick<Host, 'isBusy'>>();
  /** Requests that are not begun yet. */
  readonly waiting = new Waiting((kind) => this.#hasRoom(kind));

  constructor(limits: LoadLimits) {
    this.#limits = limits;
  }

  /** Begins few requests while the store of this host is busy. */
  watch(host: Pick<Host, 'isBusy'>): void {
    this.#hosts.add(host);
  }

  #hasRoom(kind: Kind): boolean {
    if (this.isFull) return false;
    if (this.by[kind] < ROOM[kind]) return true;
    for (const host of this.#hosts) if (host.isBusy?.(kind) === true) return false;
    return true;
  }

  /**
   * Does the work of a listener beside the engine when its turn has come, as a read of the engine. null: nobody waits for it any more.
   * @throws RestError `rest_overloaded` if it has waited too long
   */
  take<T>({ isOver, run, patience }: BesideWork<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const begin = async (): Promise<T | null> => {
        if (isOver()) return null;
        this.enter('read');
        return run().finally(() => this.leave('read'));
      };
      this.waiting.add({
        kind: 'read',
        patience,
        run: () => void begin().then(resolve, reject),
        refuse: () => reject(OVERLOADED),
      });
    });
  }

  /** Aborted when the server begins to stop. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** The server begins to stop: streams end soon. Called by `closeServer`; a fetch handler with this load shedder needs it as well. */
  end(): void {
    this.ending = true;
    this.#draining.abort(STOPPING);
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
  enter(kind: Kind): void {
    if (this.isFull) throw OVERLOADED;
    this.by[kind]++;
  }

  /** Ends a request that was admitted. */
  leave(kind: Kind): void {
    this.by[kind]--;
    this.waiting.wake();
  }

  /** Every call that returns is followed by one `closeStream`. @throws RestError `rest_overloaded` */
  openStream(): void {
    if (this.streams >= (this.#limits.streams ?? Infinity)) throw OVERLOADED;
    this.streams++;
  }

  /** Ends a stream that was admitted. */
  closeStream(): void {
    this.streams--;
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
