import cluster from 'node:cluster';
import type { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** A primary process passes connections on one by one, after the previous one was taken. Milliseconds. */
const HANDOVER_MS = 100;
/** Turns of the loop without a new connection that show that none is waiting. A turn accepts at least one. */
const QUIET_TURNS = 3;

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn += 1) await nextTurn();
  if (cluster.isWorker) await pause(HANDOVER_MS);
}

/**
 * Resolves when the server has accepted the connections that wait in the queue of the system, and has read what they sent.
 * The system resets those that are in the queue when the server closes. `mostMs`: under load new ones may come without end.
 */
export async function acceptQueue(server: Server, mostMs: number): Promise<void> {
  let accepted = 0;
  const note = (): void => {
    accepted += 1;
  };
  server.on('connection', note);
  const end = performance.now() + mostMs;
  for (let before = -1; before !== accepted && performance.now() < end;) {
    before = accepted;
    await passTurns();
  }
  server.off('connection', note);
}
