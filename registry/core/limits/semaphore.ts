import { engineError } from '../../../lib/core/errors.ts';

const RETRY = { headers: { 'Retry-After': '1' } };

/** How many tasks may run at once, and how many more may wait. */
export interface SemaphoreLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Limits the number of concurrent tasks. Further tasks wait in the order of their arrival. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** @throws RestError `rest_overloaded` if too many tasks wait already, or any error of the work */
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
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Hands the free place to the task that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
