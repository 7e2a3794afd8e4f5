import { Worker } from 'node:worker_threads';
import { SqliteFailure } from './driver.ts';
import type { FarRead, FarRows } from './far-read.ts';
import { ReaderGate } from './reader-gate.ts';
import type { ReaderAnswer, ReaderStart } from './reader-thread.ts';

/** A thread that reads. It keeps the process alive only while it is asked something. */
export interface ReadingThread {
  /** It has failed and takes no more reads. */
  readonly isOver: boolean;
  /** One at a time. @throws SqliteFailure, or whatever ended the thread */
  read(read: FarRead): Promise<FarRows>;
  /** Not while it reads. */
  end(): Promise<void>;
}

interface Asked {
  readonly resolve: (rows: FarRows) => void;
  readonly reject: (error: unknown) => void;
}

const gates = new Set<ReaderGate>();

function shutGates(): void {
  for (const loadShedder of gates) loadShedder.shut();
}

function openGate(): ReaderGate {
  if (gates.size === 0) process.once('exit', shutGates);
  const loadShedder = new ReaderGate();
  gates.add(loadShedder);
  return loadShedder;
}

function closeGate(loadShedder: ReaderGate): void {
  gates.delete(loadShedder);
  if (gates.size === 0) process.off('exit', shutGates);
}

/** Options of the program's own start, such as --input-type, are not for a file. */
function startWorker(workerData: ReaderStart): Worker {
  return new Worker(new URL('reader-thread.js', import.meta.url), { workerData, execArgv: [] });
}

/** Asks the thread to end, and waits until it has. */
function endWorker(worker: Worker): Promise<void> {
  return new Promise((ended) => {
    worker.once('exit', () => ended());
    worker.ref();
    worker.postMessage(null, []);
  });
}

/** Starts a thread for a file that the process has open. Rejects when that cannot be done. */
export function startReading(start: Omit<ReaderStart, 'word'>): Promise<ReadingThread> {
  return new Promise((resolve, reject) => {
    const loadShedder = openGate();
    const worker = startWorker({ ...start, word: loadShedder.word });
    let asked: Asked | null = null;
    let isOver = false;
    const settle = (tell: (by: Asked) => void): void => {
      const by = asked;
      asked = null;
      worker.unref();
      if (by !== null) tell(by);
    };
    const fail = (error: unknown): void => {
      isOver = true;
      reject(error);
      settle((by) => by.reject(error));
    };
    const thread: ReadingThread = {
      get isOver() { return isOver; },
      read: (read) => new Promise((found, failed) => {
        asked = { resolve: found, reject: failed };
        worker.ref();
        worker.postMessage(read, []);
      }),
      end: async () => { if (!isOver) await endWorker(worker); },
    };
    worker.on('message', (answer: ReaderAnswer) => {
      if ('ready' in answer) resolve(thread);
      else if ('found' in answer) settle((by) => by.resolve(answer.found));
      else settle((by) => by.reject(answer.code === null ? new Error(answer.message) : new SqliteFailure(answer.code, answer.message)));
    });
    worker.on('error', fail);
    worker.on('exit', () => {
      closeGate(loadShedder);
      fail(new Error('The reading thread has ended.'));
    });
  });
}
