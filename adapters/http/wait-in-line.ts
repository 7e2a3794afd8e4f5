import type { Host } from '../../lib/http/host.ts';
import { OVERLOADED, type LoadShedder } from './load-shedder.ts';
import { createLines } from './waiting-lines.ts';
import { workQueue } from './work-queue.ts';

/** Work for a request that a listener beside the engine answers. */
export interface LinedWork<T> {
  /** Whether nobody waits for the response any more. Asked when its turn comes: the work is then not begun. */
  readonly isOver: () => boolean;
  readonly run: () => Promise<T>;
}

/** Does the work when its turn has come. null: nobody waits for it any more. @throws RestError `rest_overloaded` if it has waited too long */
export type WaitInLine = <T>(work: LinedWork<T>) => Promise<T | null>;

/**
 * Lets a listener beside the engine wait as reads of the engine do: in a line of its own, with the same budget of requests in flight.
 * `patience`: `limits.loopDelayMs` of the server.
 */
export function createWaitInLine(host: Host, loadShedder: LoadShedder, patience: number): WaitInLine {
  const { read: line } = createLines(loadShedder, host);
  return (work) =>
    new Promise((resolve, reject) => {
      const run = (): void => {
        if (work.isOver()) {
          resolve(null);
          return;
        }
        loadShedder.enter('read');
        work
          .run()
          .then(resolve, reject)
          .finally(() => loadShedder.leave('read'));
      };
      workQueue.add(line, { patience, run, refuse: () => reject(OVERLOADED) });
    });
}
