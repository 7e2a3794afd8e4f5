import { Worker } from 'node:worker_threads';
import { WAITS } from './waits.ts';

/** The state of a reading thread. `shut`: it must not start anything more. */
const STATE = { idle: 0, busy: 1, shut: 2 } as const;

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
    const end = performance.now() + WAITS.end;
    while (
      Atomics.compareExchange(this.word, 0, STATE.idle, STATE.shut) === STATE.busy &&
      performance.now() < end
    ) {
      Atomics.wait(this.word, 0, STATE.busy, end - performance.now());
    }
  }
}

const gates = new Set<ReaderGate>();

function shutGates(): void {
  for (const gate of gates) gate.shut();
}

function openGate(): ReaderGate {
  if (gates.size === 0) process.once('exit', shutGates);
  const gate = new ReaderGate();
  gates.add(gate);
  return gate;
}

function closeGate(gate: ReaderGate): void {
  gates.delete(gate);
  if (gates.size === 0) process.off('exit', shutGates);
}

/** A thread that uses the driver, and the gate between it and the end of the process. */
interface GatedWorker {
  readonly gate: ReaderGate;
  readonly worker: Worker;
}

/** Starts a thread of this folder. It gets `data` with the `word` of its gate. A gate without a thread would delay the end of the process, so it is closed when the thread ends. */
export function startGatedWorker(file: string, data: object): GatedWorker {
  const gate = openGate();
  try {
    // The thread must not inherit options of the program's start, such as --input-type, which are not valid for a file.
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: { ...data, word: gate.word },
      execArgv: [],
    });
    worker.once('exit', () => closeGate(gate));
    return { gate, worker };
  } catch (error) {
    closeGate(gate);
    throw error;
  }
}
