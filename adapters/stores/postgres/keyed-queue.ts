/** The end of the work that was queued last, and the number of entries that have not ended. */
interface Lane {
  readonly last: Promise<void>;
  readonly count: number;
}

const EMPTY: Lane = { last: Promise.resolve(), count: 0 };

/** A longer wait shows that the database cannot keep up: more than one group of commits is ahead. Milliseconds. */
const LONG_MS = 150;

/** Runs work with a common name in order of arrival, one at a time. Other work runs concurrently. */
export class KeyedQueue {
  readonly #queues = new Map<string, Lane>();
  /** When work last had to wait long. Milliseconds, on the clock of `performance.now()`. */
  waitedAt = -Infinity;

  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const queues = names.map((name) => this.#queues.get(name) ?? EMPTY);
    const since = performance.now();
    const result = Promise.all(queues.map(({ last }) => last)).then(() => {
      if (performance.now() - since > LONG_MS) this.waitedAt = performance.now();
      return work();
    });
    const settled = result
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        for (const name of names) this.#count(name, -1);
      });
    for (const name of names) this.#count(name, 1, settled);
    return result;
  }

  /** Resolves when all queued work has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ last }) => last));
  }

  #count(name: string, change: 1 | -1, settled?: Promise<void>): void {
    const { last, count } = this.#queues.get(name) ?? EMPTY;
    this.#queues.set(name, { last: settled ?? last, count: count + change });
  }
}
