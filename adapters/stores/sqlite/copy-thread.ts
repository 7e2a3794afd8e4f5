import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFailure } from './driver.ts';
import { type CopyOutcome, type CopyStart, loadDriver } from './drivers.ts';
import { ReaderGate } from './gated-worker.ts';
import { WAITS } from './waits.ts';

// Runs in a separate thread: copies one file to another, on a connection that neither writes to the file nor makes checkpoints.
const { driver, path, target, word } = workerData as CopyStart & { readonly word: Int32Array };
const gate = new ReaderGate(word);
let outcome: CopyOutcome = {};
// The gate was handed over busy.
try {
  const connection = (await loadDriver(driver)).open(path, WAITS.lock);
  connection.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0');
  connection.prepare('VACUUM INTO ?').run([target]);
  connection.close();
} catch (error) {
  outcome = { message: String(error), ...(error instanceof SqliteFailure ? { code: error.code } : {}) };
} finally {
  gate.leave();
}
parentPort?.postMessage(outcome, []);
