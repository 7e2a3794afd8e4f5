import { setTimeout as pause } from 'node:timers/promises';
import { engineError } from '../../../lib/core/errors.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';

/** Work that runs outside of requests, such as scans and batch syncs. There is one instance for the whole site. */
export interface Background {
  /**
   * Starts the task. The promise settles when the task ends and never rejects; the error of a task goes to the log.
   * A task must yield to the event loop at least every 50 ms and must return soon after its signal is aborted.
   * @throws RestError `rest_shutting_down` after `stop`.
   */
  run(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Aborts every task and waits until all of them have ended. */
  stop(): Promise<void>;
}

/** Creates the background work of a site. `log` receives the errors of the tasks. */
export function createBackground(log: (event: LogEvent) => void): Background {
  const controller = new AbortController();
  const running = new Set<Promise<void>>();

  async function runLogged(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await task(controller.signal);
    } catch (error) {
      log({ level: 'error', message: `background task "${name}" failed`, error });
    }
  }

  return {
    run(name, task) {
      if (controller.signal.aborted) throw engineError('rest_shutting_down');
      const over = runLogged(name, task).finally(() => running.delete(over));
      running.add(over);
      return over;
    },
    async stop() {
      controller.abort();
      await Promise.all(running);
    },
  };
}

/** Waits for some time, or until the signal is aborted. It does not keep the process alive. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

/** Repeats work until the signal is aborted. What it throws goes to the log with the message, and the work is tried again after `restMs` milliseconds. */
export async function repeat(
  log: (event: LogEvent) => void,
  {
    signal,
    restMs,
    message,
  }: { readonly signal: AbortSignal; readonly restMs: number; readonly message: string },
  run: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted)
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      log({ level: 'warn', message, error });
      await rest(restMs, signal);
    }
}

/** Starts a task that nobody waits for. A task that can no longer start goes to the log, because what it follows has happened already. */
export function runLater(
  { background, log }: { readonly background: Background; readonly log: (event: LogEvent) => void },
  name: string,
  task: (signal: AbortSignal) => Promise<void>,
): void {
  try {
    void background.run(name, task);
  } catch (error) {
    log({ level: 'warn', message: `background task "${name}" was not started`, error });
  }
}
