import { duplicateError, engineError, RestError, toStatus } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { type Names, renameParam } from '../core/names.ts';
import { brand, own } from '../core/objects.ts';
import type { RestRequest } from '../http/request.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { StoreError, type StoreErrorCode } from '../store/store.ts';
import type { LogEvent } from './runtime.ts';

const STORE_FAILURES: Readonly<Record<StoreErrorCode, (cause: StoreError) => RestError>> = {
  version: (cause) => engineError('rest_conflict', { cause }),
  unique: (cause) => duplicateError([], cause),
  missing: (cause) => engineError('rest_conflict', { cause }),
  full: (cause) => engineError('rest_storage_full', { cause }),
  unavailable: (cause) => engineError('rest_storage_unavailable', { cause }),
  unknown: (cause) => engineError('rest_outcome_unknown', { cause }),
  cancelled: (cause) => engineError('rest_client_gone', { cause }),
  expired: (cause) => engineError('rest_internal_error', { cause }),
  closed: (cause) => engineError('rest_shutting_down', { cause }),
  invalid: (cause) => engineError('rest_internal_error', { cause }),
};

/** A store of another version of the package may use a code that is not known here. */
function toStoreFailure(error: StoreError): RestError {
  return (own(STORE_FAILURES, error.code) ?? STORE_FAILURES.invalid)(error);
}

/** The error to send for anything that was thrown. Unknown errors become one fixed 500; their cause is not sent. */
export function toRestError(thrown: unknown): RestError {
  if (thrown instanceof RestError) return thrown;
  // An error has no cause that is undefined, so the log would not say what was thrown.
  return thrown instanceof StoreError
    ? toStoreFailure(thrown)
    : engineError('rest_internal_error', {
        cause: thrown === undefined ? new Error('undefined was thrown, which is not an Error') : thrown,
      });
}

/** Names of parameters, and how they are sent. */
interface SentNames extends Pick<EndpointDescriptor, 'args' | 'body'> {
  readonly names: Names;
}

/** A unique key that is taken, as the error of an endpoint: it names the fields that are its parameters, because others mean nothing to clients. Anything else that was thrown is returned. */
export function nameDuplicate(thrown: unknown, { args, body = {}, names }: SentNames): unknown {
  if (!(thrown instanceof StoreError) || thrown.code !== 'unique') return thrown;
  const sent = thrown.fields.filter((field) => Object.hasOwn(args, field) || Object.hasOwn(body, field));
  return duplicateError(
    sent.map((field) => renameParam(names, field)),
    thrown,
  );
}

/** Whether the error says that work was stopped by an `AbortSignal`. */
function isAbort(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    (thrown.name === 'AbortError' || (thrown as { code?: unknown }).code === 'ABORT_ERR')
  );
}

/** The error of a call whose client has gone, if it was stopped for that reason: by a `fetch` or another function that was given `call.signal`. Else what was thrown. */
export function nameDeparture(thrown: unknown, { signal }: Pick<RestRequest, 'signal'>): unknown {
  return signal?.aborted === true && (thrown === signal.reason || isAbort(thrown))
    ? engineError('rest_client_gone', { cause: thrown })
    : thrown;
}

/** What a function of the host app threw, as its `cause`. It is the cause of a RestError, so that the log can name the option. */
class OptionFailure extends Error {
  readonly option: string;

  constructor(option: string, cause: unknown) {
    super(`${option} failed`, { cause });
    this.option = option;
  }
}

brand(OptionFailure, 'OptionFailure');

/** The error to throw for a failure of a function that the host app gave as an option. Errors that are not logged stay as they are. */
export function nameFailure(option: string, thrown: unknown): unknown {
  const error = toRestError(thrown);
  const { code, cause } = error;
  const isLogged = code === 'rest_handler_timeout' || (error !== thrown && code === 'rest_internal_error');
  return isLogged && !(cause instanceof OptionFailure)
    ? engineError(code, { cause: new OptionFailure(option, thrown) })
    : thrown;
}

/** The event of the log for an error whose cause is not sent. `what`: the operation that failed. */
export function toFailureEvent(error: RestError, what: string): LogEvent {
  const { cause = error } = error;
  const message = `${what} ${error.code === 'rest_handler_timeout' ? 'took too long' : 'failed'}`;
  return cause instanceof OptionFailure
    ? { level: 'error', message: `${message} in ${cause.option}`, error: cause.cause }
    : { level: 'error', message, error: cause };
}

/** The status of the response to anything that is thrown in a call. */
export function statusOf(
  thrown: unknown,
  { identity, request }: { readonly identity: Identity; readonly request: Pick<RestRequest, 'signal'> },
): number {
  return toStatus(toRestError(nameDeparture(thrown, request)), identity);
}

/** A call in the log: its request, and what serves it. */
export function describeCall(
  { method, path }: Pick<RestRequest, 'method' | 'path'>,
  endpoint: { readonly where: string; readonly descriptor: EndpointDescriptor } | null,
): string {
  return endpoint === null
    ? `${method} ${path}`
    : `${method} ${path} (${endpoint.where}, handler "${endpoint.descriptor.handler}")`;
}

/** The error to send for anything that was thrown. Logs what callers must not see. `what`: the operation that failed. */
export function logFailure(thrown: unknown, log: (event: LogEvent) => void, what: string): RestError {
  const error = toRestError(thrown);
  const isUnexpected =
    error !== thrown && (error.status === 500 || error.status === 503 || error.status === 507);
  const named = error.cause instanceof OptionFailure ? error.cause : null;
  if (isUnexpected || named !== null || error.code === 'rest_handler_timeout')
    log(toFailureEvent(error, what));
  // Without the name, so that a RestError that was logged is not logged again.
  return named === null ? error : toRestError(named.cause);
}
