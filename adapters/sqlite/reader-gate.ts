/** What a reading thread is at. `shut`: it must not begin anything more. */
const STATE = { idle: 0, busy: 1, shut: 2 } as const;
/** Longest wait for a statement at the end of the process. */
const PATIENCE_MS = 10_000;

/**
 * Keeps a thread from being in the middle of a statement when the process ends: the driver libsql ends the whole process with
 * an error when its thread is taken away from under it. Shared by both threads.
 */
export class ReaderGate {
  readonly word: Int32Array;

  /** `word`: that of the other thread; default: a new one, of a thread that is being started. */
  constructor(word: Int32Array = new Int32Array(new SharedArrayBuffer(4)).fill(STATE.busy)) {
    this.word = word;
  }

  /** In the thread, before the driver is used. @returns false when the process is ending */
  enter(): boolean {
    return Atomics.compareExchange(this.word, 0, STATE.idle, STATE.busy) === STATE.idle;
  }

  /** In the thread, after the driver was used. */
  leave(): void {
    Atomics.compareExchange(this.word, 0, STATE.busy, STATE.idle);
    Atomics.notify(this.word, 0);
  }

  /** At the end of the process: waits until the driver is not used, and never will be again. */
  shut(): void {
    const end = performance.now() + PATIENCE_MS;
    while (Atomics.compareExchange(this.word, 0, STATE.idle, STATE.shut) === STATE.busy && performance.now() < end) {
      Atomics.wait(this.word, 0, STATE.busy, end - performance.now());
    }
  }
}
