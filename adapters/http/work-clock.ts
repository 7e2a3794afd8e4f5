/** A step that takes longer is a pause: one slow request, a collection of garbage, a machine that does other things. */
const PAUSE_MS = 100;
const FORGIVEN_EVERY_MS = 1000;

/** A clock that one pause in a second does not move: what waited for it has not waited because there was too much to do. Milliseconds. */
export class WorkClock {
  #last = 0;
  #skipped = 0;
  #forgiven = -Infinity;

  /** Goes on after a time in which there was nothing to do. */
  resume(): number {
    this.#last = performance.now();
    return this.#last - this.#skipped;
  }

  /** To be read with every step of the work. */
  read(): number {
    const now = performance.now();
    const step = now - this.#last;
    this.#last = now;
    if (step > PAUSE_MS && now - this.#forgiven > FORGIVEN_EVERY_MS) {
      this.#forgiven = now;
      this.#skipped += step;
    }
    return now - this.#skipped;
  }
}
