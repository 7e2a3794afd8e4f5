import { engineError } from '../core/errors.ts';
import { catchMaybe, toMaybePromise, type MaybePromise } from '../core/maybe-promise.ts';
import { nameFailure } from './failure.ts';
import { TimeLimit } from './time-limit.ts';

/** A function that the host app gave as an option, and how long its promise may take. `signal`: of the request. */
export interface OptionCall {
  readonly option: string;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws RestError `rest_handler_timeout`, `rest_client_gone`; whatever `work` rejects with */
function waitFor<T>(work: Promise<T>, { ms, signal }: OptionCall): Promise<T> {
  const limit = new TimeLimit(ms, {});
  if (signal === undefined) return Promise.resolve(limit.hold(() => work));
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(engineError('rest_client_gone'));
  });
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  // The signal may live as long as the connection.
  return Promise.resolve(limit.hold(() => Promise.race([work, left]))).finally(() =>
    signal.removeEventListener('abort', leave),
  );
}

/**
 * Runs a function of the host app that is called before the handler. A promise is waited for until the time has passed or the client has left.
 * @throws RestError `rest_handler_timeout`, `rest_client_gone`; whatever `run` throws, with the name of the option for the log
 */
export function callOption<T>(call: OptionCall, run: () => T | PromiseLike<T>): MaybePromise<T> {
  return catchMaybe<T>(
    () => {
      const value = toMaybePromise(run());
      return value instanceof Promise ? waitFor(value, call) : value;
    },
    (error) => {
      throw nameFailure(call.option, error);
    },
  );
}
