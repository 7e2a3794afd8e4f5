import { engineError, RestError, toStatus } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { own } from '../core/objects.ts';
import type { LogEvent } from './runtime.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';

const RETRY = { 'Retry-After': '5' };

const STORE_FAILURES: Readonly<Record<StoreErrorCode, (cause: StoreError) => RestError>> = {
  version: (cause) => engineError('rest_conflict', { cause }),
  unique: (cause) => engineError('rest_conflict', { cause }),
  missing: (cause) => engineError('rest_conflict', { cause }),
  full: (cause) => engineError('rest_storage_full', { cause }),
  unavailable: (cause) => engineError('rest_storage_unavailable', { cause, headers: RETRY }),
  cancelled: (cause) => engineError('rest_client_gone', { cause }),
  closed: (cause) => engineError('rest_shutting_down', { cause, headers: RETRY }),
  invalid: (cause) => engineError('rest_internal_error', { cause }),
};

/** A store of another version of the package may use a code that is not known here. */
function toStoreFailure(error: StoreError): RestError {
  return (own(STORE_FAILURES, error.code) ?? STORE_FAILURES.invalid)(error);
}

/** The error to send for anything that was thrown. Unknown errors become one fixed 500; their cause is not sent. */
export function toRestError(thrown: unknown): RestError {
  if (thrown instanceof RestError) return thrown;
  return thrown instanceof StoreError ? toStoreFailure(thrown) : engineError('rest_internal_error', { cause: thrown });
}

/** The status of the response to anything that is thrown in a call. */
export function statusOf(thrown: unknown, { identity }: { readonly identity: Identity }): number {
  return toStatus(toRestError(thrown), identity);
}

/** The error to send for anything that was thrown. Logs what callers must not see. `what`: the operation that failed. */
export function logFailure(thrown: unknown, log: (event: LogEvent) => void, what: string): RestError {
  const error = toRestError(thrown);
  if (error === thrown) {
    if (error.code === 'rest_handler_timeout') log({ level: 'error', message: `${what} took too long`, error });
  } else if (error.status === 500 || error.status === 503 || error.status === 507) log({ level: 'error', message: `${what} failed`, error: thrown });
  return error;
}
