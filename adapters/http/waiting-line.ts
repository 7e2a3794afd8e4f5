/** Work for the event loop. One of its functions is called, once. */
export interface Piece {
  /** How long it may wait. Milliseconds. */
  readonly patience: number;
  run(): void;
  /** It has waited for too long. */
  refuse(): void;
}

interface Waiting {
  readonly piece: Piece;
  readonly since: number;
}

/**
 * Pieces of one kind in the order in which they came. One that has waited for longer than its patience is late; half of that
 * is too long once the line has not been empty for that time (controlled delay, as CoDel has it).
 */
export class WaitingLine {
  readonly #waiting: Waiting[] = [];
  readonly #hasRoom: () => boolean;
  #emptyAt = 0;

  /** @param hasRoom whether what the pieces need, beside the event loop, can take another one. */
  constructor(hasRoom: () => boolean = () => true) {
    this.#hasRoom = hasRoom;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get size(): number {
    return this.#waiting.length;
  }

  get hasRoom(): boolean {
    return this.#hasRoom();
  }

  /** Since when its first piece has waited; Infinity where there is none. */
  get since(): number {
    return this.#waiting[0]?.since ?? Infinity;
  }

  push(piece: Piece, now: number): void {
    if (this.isEmpty) this.#emptyAt = now;
    this.#waiting.push({ piece, since: now });
  }

  shift(): Piece | undefined {
    return this.#waiting.shift()?.piece;
  }

  /** When the first piece will be late; Infinity where there is none. */
  dueAt(now: number): number {
    const [first] = this.#waiting;
    if (first === undefined) return Infinity;
    const { patience } = first.piece;
    return first.since + (now - this.#emptyAt > patience ? patience / 2 : patience);
  }

  /** Takes the first piece out if it is late. */
  shiftLate(now: number): Piece | undefined {
    return this.dueAt(now) < now ? this.shift() : undefined;
  }
}
