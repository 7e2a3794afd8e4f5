import { StoreError } from '../../../lib/store/store.ts';
import { PostgresFailure } from './errors.ts';

/** How long a locked collection is left alone before the next try. Milliseconds. */
const REST_MS = 100;

/**
 * The collections that somebody else has locked, such as a migration or a maintenance command. Requests for them are refused
 * at once instead of waiting one after the other and keeping the connections from other collections. One of them tries again
 * from time to time, and those that arrive meanwhile share its outcome.
 */
export class Locks {
  /** By collection: when it may be tried again. Milliseconds, on the clock of `performance.now()`. */
  readonly #untilOf = new Map<string, number>();
  /** By collection: the try that is running. */
  readonly #tries = new Map<string, Promise<unknown>>();

  /** @throws StoreError `unavailable` when one of the collections, or another table, is to be left alone */
  check(names: readonly string[]): void {
    const locked = names.find((name) => performance.now() < (this.#untilOf.get(name) ?? -Infinity));
    if (locked !== undefined)
      throw new StoreError('unavailable', `Another program has locked ${locked}. It is tried again soon.`);
  }

  /** Whether one of the collections was locked when it was last tried. */
  areSuspect(names: readonly string[]): boolean {
    return names.some((name) => this.#untilOf.has(name));
  }

  /** Runs work on collections. @throws StoreError `unavailable` instead, when one of them is to be left alone; the errors of `work` */
  async run<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    this.check(names);
    if (!this.areSuspect(names)) return this.#try(names, work);
    const running = names.flatMap((name) => this.#tries.get(name) ?? []);
    if (running.length > 0) {
      await Promise.allSettled(running);
      return this.run(names, work);
    }
    const tried = this.#try(names, work);
    for (const name of names) if (this.#untilOf.has(name)) this.#tries.set(name, tried);
    try {
      return await tried;
    } finally {
      for (const name of names) if (this.#tries.get(name) === tried) this.#tries.delete(name);
    }
  }

  async #try<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const result = await work();
      // Work that began before a lock was noticed does not tell that the lock has ended.
      for (const name of names)
        if ((this.#untilOf.get(name) ?? Infinity) <= began) this.#untilOf.delete(name);
      return result;
    } catch (error) {
      const locked = error instanceof PostgresFailure && error.isLocked ? (error.collections ?? names) : [];
      for (const name of locked) this.#untilOf.set(name, performance.now() + REST_MS);
      throw error;
    }
  }
}
