import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  at: number;
  /** The period of an interval; null for a timeout. */
  readonly every: number | null;
  readonly run: () => void;
}

/** The time of this process. It stands still until it is moved, so that no test depends on the speed of the machine. */
export interface MovedClock {
  /** Moves the time and runs no timer, as a busy processor does. */
  block(ms: number): void;
  /** Moves the time. Each timer runs at its time, and what follows from it before the next one. */
  move(ms: number): Promise<void>;
}

/** Turns of the event loop after which nothing more follows from a timer. */
const TURNS = 10;

/** Ends the work that needs no timer. */
export async function finishTurns(): Promise<void> {
  for (let count = 0; count < TURNS; count += 1) await turn();
}

class Clock implements MovedClock {
  readonly timers = new Set<Timer>();
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  block(ms: number): void {
    this.now += ms;
  }

  async move(ms: number): Promise<void> {
    await finishTurns();
    const end = this.now + ms;
    for (let next = this.#findDue(end); next !== undefined; next = this.#findDue(end)) {
      this.now = Math.max(this.now, next.at);
      if (next.every === null) this.timers.delete(next);
      else next.at += next.every;
      next.run();
      await finishTurns();
    }
    this.now = end;
  }

  set(run: () => void, ms: number, every: number | null): object {
    const timer: Timer = { at: this.now + Math.max(1, ms), every, run };
    this.timers.add(timer);
    return Object.assign(timer, { ref: () => timer, unref: () => timer, hasRef: () => false });
  }

  #findDue(end: number): Timer | undefined {
    return [...this.timers].filter(({ at }) => at <= end).toSorted((left, right) => left.at - right.at)[0];
  }
}

/** Runs a test whose `performance.now()`, timeouts and intervals follow a clock that it moves. */
export async function withMovedClock<T>(use: (clock: MovedClock) => Promise<T>): Promise<T> {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const { now } = performance;
  const clock = new Clock(now.call(performance));
  const clear =
    (own: (timer: never) => void) =>
    (timer: unknown): void => {
      if (!clock.timers.delete(timer as Timer)) own(timer as never);
    };
  const replaced = {
    setTimeout: Object.assign(
      (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        clock.set(() => run(...args), ms, null),
      setTimeout,
    ),
    setInterval: Object.assign(
      (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        clock.set(() => run(...args), ms, ms),
      setInterval,
    ),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
  };
  Object.assign(globalThis, replaced);
  performance.now = () => clock.now;
  try {
    return await use(clock);
  } finally {
    performance.now = now;
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
  }
}
