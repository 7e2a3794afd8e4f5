import { engineError } from './errors.ts';

/** Why a piece of work does not begin: too many wait, it has waited too long, or its caller has gone. */
type LimiterRefusal = 'full' | 'late' | 'cancelled';

interface LimiterOptions {
  /** How many pieces of work run at once. */
  readonly atOnce: number;
  /** How many more may wait. Default: no limit. */
  readonly waiting?: number;
  /** How long one may wait, in milliseconds, asked when it begins to wait. Default: no limit. */
  readonly patienceMs?: () => number;
  /** The error for work that does not begin. Default: RestError `rest_overloaded`. */
  readonly refuse?: (why: LimiterRefusal) => Error;
}

/** A longer wait shows that the work cannot keep up. Milliseconds. */
const LONG_MS = 50;

/** Lets a few pieces of work run at once. Others wait in the order of their arrival. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #waiting = new Set<() => void>();
  #running = 0;
  /** When work last had to wait for long. Milliseconds, on the clock of `performance.now()`. */
  waitedAt = -Infinity;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** `caller`: its signal is aborted when it has gone. @throws what `refuse` makes, before `work` is called; the errors of `work` */
  async run<T>(work: () => Promise<T>, caller?: { readonly signal: AbortSignal }): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#wait(caller?.signal);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waiting = Infinity, patienceMs, refuse = () => engineError('rest_overloaded') } = this.#options;
    if (this.#waiting.size >= waiting) throw refuse('full');
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const end = (tell: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiting.delete(begin);
        if (performance.now() - since > LONG_MS) this.waitedAt = performance.now();
        tell();
      };
      const leave = (): void => end(() => reject(refuse('cancelled')));
      const begin = (): void => end(resolve);
      const timer =
        patienceMs === undefined ? undefined : setTimeout(end, patienceMs(), () => reject(refuse('late')));
      signal?.addEventListener('abort', leave);
      this.#waiting.add(begin);
    });
  }

  /** The work that has waited longest takes the place of the one that has ended. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
