import { StoreError, type Waiter } from '../../../lib/store/store.ts';
import { limitToCall } from './deadline.ts';

/** `most`: how many pieces of work run at once. `patienceMs`: how long one waits to begin. `what`: what waits, for the error. */
export interface TurnOptions {
  readonly most: number;
  readonly patienceMs: number;
  readonly what: string;
}

/** A longer wait shows that the database cannot keep up. Milliseconds. */
const LONG_MS = 50;

/** Lets a few pieces of work run at once. Others wait for a short time, and do not begin when their caller has gone. */
export class Turns {
  readonly #options: TurnOptions;
  #running = 0;
  #waiting: (() => void)[] = [];
  /** When work last had to wait for long. Milliseconds, on the clock of `performance.now()`. */
  waitedAt = -Infinity;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** @throws StoreError `unavailable`, `cancelled`, before `work` is called; the errors of `work` */
  async run<T>(work: () => Promise<T>, waiter?: Waiter): Promise<T> {
    if (this.#running >= this.#options.most) await this.#wait(waiter);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(waiter: Waiter | undefined): Promise<void> {
    const { patienceMs, what } = this.#options;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (tell: () => void): void => {
        clearTimeout(timer);
        waiter?.signal.removeEventListener('abort', leave);
        this.#waiting = this.#waiting.filter((each) => each !== own);
        if (performance.now() - since > LONG_MS) this.waitedAt = performance.now();
        tell();
      };
      const leave = (): void => end(() => reject(new StoreError('cancelled', 'The read was cancelled.')));
      const own = (): void => end(resolve);
      timer = setTimeout(
        () =>
          end(() => reject(new StoreError('unavailable', `Too many ${what} are waiting for the database.`))),
        limitToCall(patienceMs),
      );
      waiter?.signal.addEventListener('abort', leave);
      this.#waiting.push(own);
    });
  }

  /** The next work takes the place of the one that has ended. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
