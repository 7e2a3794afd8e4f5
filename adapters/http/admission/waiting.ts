import { clock } from '../../../lib/core/cooperative.ts';
import { isRead } from '../../../lib/http/request.ts';

/** Reads and writes wait apart, because a store that cannot take more changes may still be readable. */
export type Kind = 'read' | 'write';

export function toKind(method: string | undefined): Kind {
  return isRead(method ?? '') ? 'read' : 'write';
}

/** How long a request may wait before it is refused. Milliseconds. */
export function patienceOf({ loopDelayMs }: { readonly loopDelayMs: number }): number {
  return loopDelayMs;
}

/** A request before its work begins. One of its functions is called, once. */
export interface Waiter {
  /** What it is. */
  readonly kind: Kind;
  /** As `patienceOf` says. */
  readonly patience: number;
  /** Does the work. */
  readonly run: () => void;
  /** Called when it has waited too long. */
  readonly refuse: () => void;
}

/** Time for work, or for refusals, before the event loop reads input and accepts a connection again. */
const SLICE_MS = 25;
/** Most requests that begin in a slice. */
const SLICE_SIZE = 100;
/** Longest time without work while connections are accepted. The loop accepts one in a turn, and nobody knows how long the others have waited. */
const ACCEPT_MS = 50;
/** While so few wait for the loop alone, it is late because the machine is busy with other things, and not because of overload. The block editor begins with 15 requests. */
const FEW = 16;

type Line = (Waiter & { readonly since: number })[];

/**
 * Requests wait here and not in their sockets, where nobody knows how long. While some wait, each turn of the event loop reads
 * input, refuses those that have waited too long, and begins for a short time those that have waited longest.
 */
export class Waiting {
  readonly #lines: Readonly<Record<Kind, Line>> = { read: [], write: [] };
  /** Those that have waited too long and are not refused yet. */
  readonly #late: Waiter[] = [];
  /** When each line was last empty. */
  readonly #emptyAt: Record<Kind, number> = { read: 0, write: 0 };
  readonly #hasRoom: (kind: Kind) => boolean;
  readonly #few: number;
  /** When the first request of this turn came. */
  #began: number | null = null;
  #isFollowing = false;
  #hasNew = false;
  #workedAt = -Infinity;
  #sliceEnd = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param hasRoom whether one more request of the kind can be worked on. */
  constructor(hasRoom: (kind: Kind) => boolean, few = FEW) {
    this.#hasRoom = hasRoom;
    this.#few = few;
  }

  /** Called with the first request of each connection: there may be more to accept. */
  noteConnection(): void {
    this.#follow();
    this.#hasNew = true;
  }

  /** Whether a request may begin at once. Asked for every request, before it is run or pushed. */
  hasTime(kind: Kind): boolean {
    const now = clock.now();
    this.#began ??= now;
    this.#follow();
    return (
      !this.#hasNew && this.#lines[kind].length === 0 && now - this.#began < SLICE_MS && this.#hasRoom(kind)
    );
  }

  /** Adds one to the line. */
  push(waiter: Waiter): void {
    const { [waiter.kind]: line } = this.#lines;
    const since = clock.now();
    if (line.length === 0) this.#emptyAt[waiter.kind] = since;
    line.push({ ...waiter, since });
  }

  /** Runs it at once, or lets it wait. */
  add(waiter: Waiter): void {
    if (this.hasTime(waiter.kind)) waiter.run();
    else this.push(waiter);
  }

  /** Called when there may be room again. */
  wake(): void {
    if (this.#size > 0) this.#follow();
  }

  get #size(): number {
    return this.#lines.read.length + this.#lines.write.length;
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    clearTimeout(this.#timer);
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const isAccepting = this.#hasNew && clock.now() - this.#workedAt < ACCEPT_MS;
    this.#isFollowing = false;
    this.#hasNew = false;
    this.#began = null;
    if (isAccepting) {
      this.#follow();
      return;
    }
    this.#giveUp();
    this.#refuseLate();
    const ready = this.#findFirst() === null ? 0 : Math.min(SLICE_SIZE, this.#size);
    this.#sliceEnd = 0;
    // Each has a callback of its own, so that what follows from it at once comes before the next one.
    for (let each = 0; each < ready; each += 1) setImmediate(this.#work);
    if (ready + this.#late.length > 0) this.#follow();
    else if (this.#size > 0) this.#sleep();
  };

  readonly #work = (): void => {
    this.#workedAt = clock.now();
    if (this.#sliceEnd === 0) this.#sliceEnd = this.#workedAt + SLICE_MS;
    this.#giveUp();
    if (this.#workedAt < this.#sliceEnd) this.#take()?.run();
  };

  /** The line with room whose first request has waited longest. */
  #findFirst(): Kind | null {
    const [read, write] = [this.#sinceOf('read'), this.#sinceOf('write')];
    if (read === Infinity && write === Infinity) return null;
    return read <= write ? 'read' : 'write';
  }

  #sinceOf(kind: Kind): number {
    const [first] = this.#lines[kind];
    return first !== undefined && this.#hasRoom(kind) ? first.since : Infinity;
  }

  #take(): Waiter | undefined {
    const kind = this.#findFirst();
    return kind === null ? undefined : this.#lines[kind].shift();
  }

  /** Takes those that have waited too long out of the lines: of those that wait for the loop alone, until few are left. */
  #giveUp(): void {
    const now = clock.now();
    for (const kind of ['read', 'write'] as const)
      while (this.#dueAt(kind) < now && (this.#size > this.#few || !this.#hasRoom(kind)))
        this.#late.push(...this.#lines[kind].splice(0, 1));
  }

  #refuseLate(): void {
    const end = clock.now() + SLICE_MS;
    while (this.#late.length > 0 && clock.now() < end) this.#late.shift()?.refuse();
  }

  /** Until there is room, or the first request is late. */
  #sleep(): void {
    const due = Math.min(this.#dueAt('read'), this.#dueAt('write'));
    this.#timer = setTimeout(() => this.wake(), Math.max(1, due - clock.now() + 1));
  }

  /** When the first request has waited too long: half as long once the line has not been empty for that time (controlled delay, as in CoDel). Infinity: none waits. */
  #dueAt(kind: Kind): number {
    const [first] = this.#lines[kind];
    if (first === undefined) return Infinity;
    const isStanding = clock.now() - this.#emptyAt[kind] > first.patience;
    return first.since + (isStanding ? first.patience / 2 : first.patience);
  }
}
