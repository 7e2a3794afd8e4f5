/** A piece of work for the event loop. One of its functions is called, once. */
export interface Piece {
  /** How long it may wait. Milliseconds. */
  readonly patience: number;
  run(): void;
  /** Called when it has waited too long. */
  refuse(): void;
}

interface Waiting {
  readonly piece: Piece;
  readonly since: number;
}

/**
 * Pieces of one kind in order of arrival. A piece is late when it has waited longer than its patience, or longer than half
 * of it once the line has not been empty for that time (controlled delay, as in CoDel).
 */
export class WaitingLine {
  readonly #waiting: Waiting[] = [];
  readonly #hasRoom: () => boolean;
  #emptyAt = 0;

  /** @param hasRoom whether the resource that the pieces need besides the event loop can take another one. */
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

  /** When the first piece began to wait; Infinity for an empty line. */
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

  /** When the first piece will be late; Infinity for an empty line. */
  dueAt(now: number): number {
    const [first] = this.#waiting;
    if (first === undefined) return Infinity;
    const { patience } = first.piece;
    return first.since + (now - this.#emptyAt > patience ? patience / 2 : patience);
  }

  /** Removes and returns the first piece if it is late. */
  shiftLate(now: number): Piece | undefined {
    return this.dueAt(now) < now ? this.shift() : undefined;
  }
}
