import { Worker } from 'node:worker_threads';
import { ReaderGate } from './thread-gate.ts';

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
export interface GatedWorker {
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
