import { StoreError } from '../../../../lib/store/store.ts';

/** Most operations that may wait for a flush. Fewer than the ids that are skipped after a crash, in all processes together. */
const MOST = 50;
/** How long a flush fails after a loss if its caller does not say when it began. No call that saw the lost items runs longer. */
const SEEN_MS = 5 * 60_000;

/**
 * The commits that the server may still lose in a crash, because they did not wait for its disk. Each belongs to a life of the
 * server. A flush confirms them only if the server has been alive since.
 */
export class LaterCommits {
  /** Waits until the disk has all that was committed so far. @returns the life of the server; null if it has just crashed */
  readonly #flush: () => Promise<number | null>;
  /** Operations so far, and how many of them are on the disk or lost. */
  #noted = 0;
  #settled = 0;
  #life: number | null = null;
  #loss: { readonly at: number; readonly error: StoreError } | null = null;

  constructor(flush: () => Promise<number | null>) {
    this.#flush = flush;
  }

  /** What a commit that begins now, and waits for the disk, takes with it. */
  get mark(): number {
    return this.#noted;
  }

  /** Whether so many operations more may wait. */
  hasRoomFor(operations: number): boolean {
    return this.#noted - this.#settled + operations <= MOST;
  }

  /** A commit that has not waited for the disk. */
  note(life: number, operations: number): void {
    if (this.#isPending && life !== this.#life) this.#lose();
    this.#life = life;
    this.#noted += operations;
  }

  /** Everything up to the mark is on the disk, if the server has been alive since. */
  cover(life: number | null, mark: number): void {
    if (this.#isPending && life !== this.#life) this.#lose();
    this.#settled = Math.max(this.#settled, mark);
  }

  /** Resolves when all commits are on the disk that were noted so far. `since`: losses before it do not concern the caller. @throws StoreError `unavailable`; the errors of the flush */
  async flush(since = performance.now() - SEEN_MS): Promise<void> {
    this.#checkLoss(since);
    const mark = this.#noted;
    if (this.#settled >= mark) return;
    this.cover(await this.#flush(), mark);
    this.#checkLoss(since);
  }

  get #isPending(): boolean {
    return this.#noted > this.#settled;
  }

  #checkLoss(since: number): void {
    if (this.#loss !== null && this.#loss.at >= since) throw this.#loss.error;
  }

  #lose(): void {
    this.#loss = {
      at: performance.now(),
      error: new StoreError(
        'unavailable',
        'The database server crashed before items of a batch were on its disk. Some of them may be lost.',
      ),
    };
    this.#settled = this.#noted;
  }
}
