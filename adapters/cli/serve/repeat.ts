import { logToConsole } from '../../../lib/index.ts';

/** How failed deliveries are repeated. */
export interface RepeatOptions {
  /** Milliseconds before each further attempt. Default: 5 s, 30 s, 2 min, 10 min, 30 min, 1 h. */
  readonly delays?: readonly number[];
  /** Deliveries that wait for another attempt at the same time. Further ones are given up at once. Default 1000. */
  readonly most?: number;
  readonly log?: (event: { readonly level: 'warn' | 'error'; readonly message: string; readonly error?: unknown }) => void;
}

/** Deliveries that are repeated in this process. What waits when it ends is lost. */
export interface Repeated {
  /** Tries at once. Resolves after the first attempt, whether it succeeded or not. `what` names the delivery in the log. */
  deliver(what: string, attempt: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Gives up what waits, and says so in the log. */
  close(): void;
}

/** A failure that another attempt would repeat, such as a refused signature. */
export class FinalError extends Error {}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE];
/** Less than a site waits for a notice. */
const ATTEMPT_MS = 4 * SECOND;

interface Delivery {
  readonly what: string;
  readonly attempt: (signal: AbortSignal) => Promise<void>;
}

/** Repeats what fails a few times, with growing pauses. */
export function createRepeated({ delays = DELAYS, most = 1000, log = logToConsole }: RepeatOptions = {}): Repeated {
  const waiting = new Map<NodeJS.Timeout, Delivery>();
  let closed = false;

  function giveUp({ what }: Delivery, why: string, error?: unknown): void {
    log({ level: 'error', message: `${what} was not delivered: ${why}`, ...(error === undefined ? {} : { error }) });
  }

  function repeatLater(delivery: Delivery, count: number, error: unknown): void {
    const delay = delays[count - 1];
    if (error instanceof FinalError) return giveUp(delivery, 'the receiver refused it', error);
    if (delay === undefined) return giveUp(delivery, `${count} attempts failed`, error);
    if (closed) return giveUp(delivery, 'the server stops', error);
    if (waiting.size >= most) return giveUp(delivery, `too many wait already (${most})`, error);
    log({ level: 'warn', message: `${delivery.what} could not be delivered. Next attempt in ${delay / SECOND} s`, error });
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void run(delivery, count + 1);
    }, delay).unref();
    waiting.set(timer, delivery);
  }

  async function run(delivery: Delivery, count: number, signal?: AbortSignal): Promise<void> {
    const limit = AbortSignal.timeout(ATTEMPT_MS);
    try {
      await delivery.attempt(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    } catch (error) {
      repeatLater(delivery, count, error);
    }
  }

  return {
    deliver: (what, attempt, signal) => run({ what, attempt }, 1, signal),
    close() {
      closed = true;
      for (const [timer, delivery] of waiting) {
        clearTimeout(timer);
        giveUp(delivery, 'the server stops');
      }
      waiting.clear();
    },
  };
}
