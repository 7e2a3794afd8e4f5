import { WorkClock } from './work-clock.ts';

/** Work for the event loop. One of its functions is called, once. */
export interface Piece {
  /** How long it may wait. Milliseconds. */
  readonly patience: number;
  /** It came on a new connection: there may be more connections to accept. */
  readonly isNew: boolean;
  run(): void;
  /** It has waited for too long. */
  refuse(): void;
}

interface Waiting {
  readonly piece: Piece;
  readonly since: number;
}

/** Time for work, and time for refusals, in one turn of the loop. In between it reads what came, and accepts one connection. */
const SLICE_MS = 25;
/** Most pieces of a slice. */
const SLICE_PIECES = 100;

/**
 * Lets requests wait in a queue of its own and not in the sockets, where nobody sees for how long. The loop reads what comes,
 * works for a short time on what has waited longest, and reads again. What has waited for longer than its patience is
 * refused; half of that is too long once the queue has not been empty for that time (controlled delay, as CoDel has it).
 */
export class WorkQueue {
  readonly #clock = new WorkClock();
  readonly #waiting: Waiting[] = [];
  readonly #late: Piece[] = [];
  /** Looks at every turn of the loop until one brings nothing. */
  #isFollowing = false;
  #wasAsked = false;
  #hasNew = false;
  /** When this turn brought its first piece; null: it has not. */
  #began: number | null = null;
  #emptyAt = 0;
  #workedAt = -Infinity;
  /** Null: there has been no work in this slice. */
  #sliceEnd: number | null = null;

  /** Runs it at once where there is time, else in its turn. */
  add(piece: Piece): void {
    const now = this.#follow();
    this.#began ??= now;
    this.#hasNew ||= piece.isNew;
    if (!piece.isNew && this.#waiting.length === 0 && now - this.#began < SLICE_MS) {
      this.#emptyAt = now;
      piece.run();
    } else this.#waiting.push({ piece, since: now });
  }

  #follow(): number {
    this.#wasAsked = true;
    if (this.#isFollowing) return this.#clock.read();
    this.#isFollowing = true;
    setImmediate(this.#endTurn);
    this.#emptyAt = this.#clock.resume();
    return this.#emptyAt;
  }

  readonly #endTurn = (): void => {
    const now = this.#clock.read();
    this.#endSlice(now);
    this.#isFollowing = this.#wasAsked || this.#waiting.length + this.#late.length > 0;
    if (!this.#isFollowing) return;
    // While every turn brings a new connection, others wait to be accepted, one in a turn.
    const isAccepting = this.#hasNew && now - this.#workedAt < SLICE_MS;
    this.#wasAsked = false;
    this.#hasNew = false;
    this.#began = null;
    // Each in a callback of its own, so that what follows from a piece at once is done before the next.
    const count = isAccepting ? 0 : Math.min(SLICE_PIECES, this.#waiting.length);
    for (let each = 0; each < count; each += 1) setImmediate(this.#work);
    setImmediate(this.#endTurn);
  };

  readonly #work = (): void => {
    const now = this.#clock.read();
    this.#sliceEnd ??= now + SLICE_MS;
    this.#giveUp(now);
    if (now < this.#sliceEnd) this.#waiting.shift()?.piece.run();
  };

  /** Takes out what has waited for too long. */
  #giveUp(now: number): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const { patience } = first.piece;
      const limit = now - this.#emptyAt > patience ? patience / 2 : patience;
      if (now - first.since <= limit) return;
      this.#waiting.shift();
      this.#late.push(first.piece);
    }
  }

  #endSlice(now: number): void {
    if (this.#sliceEnd !== null) this.#workedAt = now;
    this.#sliceEnd = null;
    if (this.#waiting.length === 0) this.#emptyAt = now;
    const end = performance.now() + SLICE_MS;
    while (this.#late.length > 0 && performance.now() < end) this.#late.shift()?.refuse();
  }
}

/** There is one event loop, so there is one queue. */
export const workQueue = new WorkQueue();
