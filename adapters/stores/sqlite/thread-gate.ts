/** The state of a reading thread. `shut`: it must not start anything more. */
const STATE = { idle: 0, busy: 1, shut: 2 } as const;
/** Longest wait for a running statement at the end of the process. */
const PATIENCE_MS = 10_000;

function toShared(value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(value);
}

/**
 * Makes sure that a thread is not running a statement when the process ends. Otherwise the driver libsql would end the
 * process with an error. Shared by both threads.
 */
export class ReaderGate {
  readonly word: Int32Array;

  /** `word`: the word of the other thread. Default: a new one, for a thread that is being started. */
  constructor(word: Int32Array = toShared(STATE.busy)) {
    this.word = word;
  }

  /** Called in the thread before it uses the driver. @returns false when the process is ending */
  enter(): boolean {
    return Atomics.compareExchange(this.word, 0, STATE.idle, STATE.busy) === STATE.idle;
  }

  /** Called in the thread after it used the driver. */
  leave(): void {
    Atomics.compareExchange(this.word, 0, STATE.busy, STATE.idle);
    Atomics.notify(this.word, 0);
  }

  /** Called at the end of the process. Waits until the driver is not in use, and prevents further use. */
  shut(): void {
    const end = performance.now() + PATIENCE_MS;
    while (
      Atomics.compareExchange(this.word, 0, STATE.idle, STATE.shut) === STATE.busy &&
      performance.now() < end
    ) {
      Atomics.wait(this.word, 0, STATE.busy, end - performance.now());
    }
  }
}
