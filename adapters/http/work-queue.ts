import type { Piece, WaitingLine } from './waiting-line.ts';
import { WorkClock } from './work-clock.ts';

/** Time for work, and again for refusals, in one turn of the loop. Between turns the loop reads input and accepts one connection. */
const SLICE_MS = 25;
/** Longest time spent only on reading and accepting. The loop accepts one connection per turn, and cannot see how long the others have waited. */
const ACCEPT_MS = 50;
/** While so few pieces wait for the loop alone, it is late because the machine is busy with other things, and not because of overload. The block editor begins with 15 requests. */
const FEW = 16;
/** Most pieces in a slice. */
const SLICE_PIECES = 100;

/**
 * Keeps requests waiting in lines of the program instead of in the sockets, where their waiting time is unknown. The loop reads
 * input, works for a short time on the pieces that have waited longest, refuses late ones for a short time, and reads again.
 */
export class WorkQueue {
  readonly #clock = new WorkClock();
  /** Lines that are not empty. */
  readonly #lines = new Set<WaitingLine>();
  readonly #late: Piece[] = [];
  /** True while a turn of the loop is followed to its end. An idle queue costs the loop no turns. */
  #isFollowing = false;
  #hasNew = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the first piece of this turn arrived; null before it. */
  #began: number | null = null;
  #workedAt = -Infinity;
  /** When the current slice ends; null before its first piece. */
  #sliceEnd: number | null = null;
  readonly #few: number;

  /** `few`: number of waiting pieces of which none is late. */
  constructor(few = FEW) {
    this.#few = few;
  }

  get #size(): number {
    let size = 0;
    for (const line of this.#lines) size += line.size;
    return size;
  }

  /** Must be called with the first request of each connection, however it is handled: there may be more connections to accept. */
  noteConnection(): void {
    this.#follow();
    this.#hasNew = true;
  }

  /** Runs the piece at once if there is time and room. Otherwise queues it. */
  add(line: WaitingLine, piece: Piece): void {
    if (this.hasTime(line)) piece.run();
    else this.push(line, piece);
  }

  /** Whether there is time and room for a piece of this line at once. Must be asked for every piece, before it is run or pushed. */
  hasTime(line: WaitingLine): boolean {
    const now = this.#follow();
    this.#began ??= now;
    return !this.#hasNew && line.isEmpty && now - this.#began < SLICE_MS && line.hasRoom;
  }

  /** Queues a piece for which there was no time or room. */
  push(line: WaitingLine, piece: Piece): void {
    line.push(piece, this.#clock.read());
    this.#lines.add(line);
  }

  /** Must be called when there may be room again. */
  wake(): void {
    if (this.#lines.size > 0) this.#follow();
  }

  #follow(): number {
    if (this.#isFollowing) return this.#clock.read();
    this.#isFollowing = true;
    clearTimeout(this.#timer);
    setImmediate(this.#endTurn);
    return this.#clock.resume();
  }

  readonly #endTurn = (): void => {
    const now = this.#clock.read();
    if (this.#sliceEnd !== null) this.#workedAt = now;
    this.#sliceEnd = null;
    this.#began = null;
    this.#giveUp(now);
    const isAccepting = this.#hasNew && now - this.#workedAt < ACCEPT_MS;
    if (!isAccepting) this.#refuseLate();
    const count = this.#countReady();
    this.#isFollowing = this.#hasNew || count + this.#late.length > 0;
    if (this.#isFollowing) this.#beginTurn(isAccepting ? 0 : count);
    else this.#sleep(now);
  };

  #beginTurn(count: number): void {
    this.#hasNew = false;
    // Each piece has its own callback, so that its immediate follow-up work runs before the next piece.
    for (let each = 0; each < count; each += 1) setImmediate(this.#work);
    setImmediate(this.#endTurn);
  }

  readonly #work = (): void => {
    const now = this.#clock.read();
    this.#sliceEnd ??= now + SLICE_MS;
    this.#giveUp(now);
    if (now < this.#sliceEnd) this.#findFirst()?.shift()?.run();
  };

  /** The line with room whose first piece has waited longest. */
  #findFirst(): WaitingLine | null {
    let first: WaitingLine | null = null;
    for (const line of this.#lines) if (line.since < (first?.since ?? Infinity) && line.hasRoom) first = line;
    return first;
  }

  #countReady(): number {
    let count = 0;
    for (const line of this.#lines) if (line.hasRoom) count += line.size;
    return Math.min(SLICE_PIECES, count);
  }

  /** Moves late pieces out of the lines, of those that wait for the loop alone until few are left, and removes empty lines. */
  #giveUp(now: number): void {
    let size = this.#size;
    for (const line of this.#lines) {
      for (; size > this.#few || !line.hasRoom; size -= 1) {
        const late = line.shiftLate(now);
        if (late === undefined) break;
        this.#late.push(late);
      }
      if (line.isEmpty) this.#lines.delete(line);
    }
  }

  #refuseLate(): void {
    const end = performance.now() + SLICE_MS;
    while (this.#late.length > 0 && performance.now() < end) this.#late.shift()?.refuse();
  }

  /** Sleeps until there is room or the first piece is late. */
  #sleep(now: number): void {
    let due = Infinity;
    for (const line of this.#lines) due = Math.min(due, line.dueAt(now));
    if (due < Infinity) this.#timer = setTimeout(() => this.wake(), due - now + 1);
  }
}

/** There is one event loop, so there is one queue. */
export const workQueue = new WorkQueue();
