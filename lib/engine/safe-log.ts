import { catchMaybe, toMaybePromise } from '../core/maybe-promise.ts';
import type { LogEvent } from '../dispatch/runtime.ts';
import { logToConsole } from './console-log.ts';

function noteFailure(error: unknown): void {
  logToConsole({ level: 'error', message: 'the log failed', error });
}

/** A log of a host app that may throw or reject. Neither must turn a response into a failure, or end the program. */
export function toSafeLog(log: (event: LogEvent) => unknown): (event: LogEvent) => void {
  return (event) => {
    void catchMaybe(() => toMaybePromise(log(event)), noteFailure);
  };
}
