import { engineError } from '../../lib/core/errors.ts';

const RETRY = { headers: { 'Retry-After': '1' } };

/** How much goes on at once, and how much more may wait. */
export interface SemaphoreLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Bounds how much of a kind of work goes on at once. What comes beyond that waits its turn, in the order in which it came. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** @throws RestError `rest_overloaded` when too many wait already, or whatever the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.length >= this.#limits.waiting) throw engineError('rest_overloaded', RETRY);
    return new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  /** The place goes to the one who has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
