import { StoreError } from '../../../lib/store/store.ts';

/** The calls of a store that have not ended. */
export class RunningWork {
  readonly #toStoreError: (error: unknown) => StoreError;
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(toStoreError: (error: unknown) => StoreError) {
    this.#toStoreError = toStoreError;
  }

  /** @throws StoreError `closed`, or that of the work */
  async run<T>(begin: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new StoreError('closed', 'The store is closed.');
    const work = begin();
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      throw error instanceof StoreError ? error : this.#toStoreError(error);
    } finally {
      this.#running.delete(work);
    }
  }

  /** Runs the work after that of earlier calls of this method, so that commits happen in the order in which they were asked for. */
  runInTurn<T>(begin: () => Promise<T>): Promise<T> {
    return this.run(() => {
      const mine = this.#last.then(begin);
      this.#last = mine.catch(() => undefined);
      return mine;
    });
  }

  /** Refuses further calls and waits for those that run. @returns false if this was done before */
  async end(): Promise<boolean> {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    await Promise.allSettled(this.#running);
    return true;
  }
}
