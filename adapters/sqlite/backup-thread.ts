// Runs in a separate thread: copies the first file to the second.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFailure } from './driver.ts';
import { loadNodeDriver, type BackupOutcome } from './node-driver.ts';

const [path, target] = workerData as readonly [path: string, target: string];
let outcome: BackupOutcome = {};
try {
  const connection = loadNodeDriver()?.open(path, 5000);
  connection?.prepare('VACUUM INTO ?').run([target]);
  connection?.close();
} catch (error) {
  outcome = { message: String(error), ...(error instanceof SqliteFailure ? { code: error.code } : {}) };
}
parentPort?.postMessage(outcome, []);
