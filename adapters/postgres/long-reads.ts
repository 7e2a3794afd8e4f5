import { StoreError, type Waiter } from '../../lib/store/store.ts';

/** Most searches that run at once. Other reads need connections too. */
const MOST = 2;
/** How long a search waits to begin. Milliseconds. */
const PATIENCE_MS = 2000;

/** Lets a few searches run at once. Others wait for a short time, and do not begin when their caller has gone. */
export class LongReads {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** @throws StoreError `unavailable`, `cancelled`, before `work` is called; the errors of `work` */
  async run<T>(work: () => Promise<T>, waiter: Waiter | undefined): Promise<T> {
    if (this.#running >= MOST) await this.#wait(waiter);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(waiter: Waiter | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (tell: () => void): void => {
        clearTimeout(timer);
        waiter?.signal.removeEventListener('abort', leave);
        this.#waiting = this.#waiting.filter((each) => each !== own);
        tell();
      };
      const leave = (): void => end(() => reject(new StoreError('cancelled', 'The read was cancelled.')));
      const own = (): void => end(resolve);
      timer = setTimeout(() => end(() => reject(new StoreError('unavailable', 'Too many searches are waiting for the database.'))), PATIENCE_MS);
      waiter?.signal.addEventListener('abort', leave);
      this.#waiting.push(own);
    });
  }

  /** The next search takes the place of the one that has ended. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
