import { AsyncLocalStorage } from 'node:async_hooks';
import { finallyMaybe, type MaybePromise } from '../../../../lib/core/maybe-promise.ts';

/** A request that asks for revisions. `since`: when it began, on the clock of `performance.now()`; null: it has ended, and work that it left behind goes on. */
interface OpenRequest {
  since: number | null;
}

const requests = new AsyncLocalStorage<OpenRequest>();

/** Runs a part of a request that began at `since`. Within another one it belongs to that. */
export function runInRequest<T>(since: number, run: () => MaybePromise<T>): MaybePromise<T> {
  if (requestStart() !== null) return run();
  const request: OpenRequest = { since };
  return requests.run(request, () =>
    finallyMaybe(run, () => {
      request.since = null;
    }),
  );
}

/** When the present request began; null: there is none. */
export function requestStart(): number | null {
  return requests.getStore()?.since ?? null;
}
