import { clock } from '../../lib/core/clock.ts';

/** A longer step counts as a pause: a slow request, a garbage collection, or a machine that is busy with other things. */
const PAUSE_MS = 100;
const FORGIVEN_EVERY_MS = 1000;

/** A clock that skips one pause per second: work that waited through it did not wait because of overload. Milliseconds. */
export class WorkClock {
  #last = 0;
  #skipped = 0;
  #forgiven = -Infinity;

  /** Resumes the clock after idle time. */
  resume(): number {
    this.#last = clock.now();
    return this.#last - this.#skipped;
  }

  /** Must be called at every step of the work. */
  read(): number {
    const now = clock.now();
    const step = now - this.#last;
    this.#last = now;
    if (step > PAUSE_MS && now - this.#forgiven > FORGIVEN_EVERY_MS) {
      this.#forgiven = now;
      this.#skipped += step;
    }
    return now - this.#skipped;
  }
}
