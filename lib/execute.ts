import { engineError, RestError } from './errors.ts';
import { RestResponse } from './response.ts';
import type { OpenCall } from './open-call.ts';
import { askPermission } from './permission.ts';
import { own } from './own.ts';
import type { LogEvent } from './runtime.ts';
import { toSendable } from './sendable.ts';
import { StoreError, type StoreErrorCode } from './store.ts';
import type { CompiledEndpoint } from './table.ts';
import type { TimeLimit } from './time-limit.ts';
import { isWebResponse, readWebResponse } from './web-response.ts';
import { whenever } from './whenever.ts';

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

/** A store of another version of the package may know a code that is not known here. */
function toStoreFailure(error: StoreError): RestError {
  return (own(STORE_FAILURES, error.code) ?? STORE_FAILURES.invalid)(error);
}

/** The answer that stands for whatever was thrown. Anything unknown becomes one fixed 500; the original goes to the log only. */
export function toRestError(thrown: unknown, log: (event: LogEvent) => void, what: string): RestError {
  if (thrown instanceof RestError) {
    if (thrown.code === 'rest_handler_timeout') log({ level: 'error', message: `${what} took too long`, error: thrown });
    return thrown;
  }
  const error = thrown instanceof StoreError ? toStoreFailure(thrown) : engineError('rest_internal_error', { cause: thrown });
  if (error.status === 500 || error.status === 503 || error.status === 507) log({ level: 'error', message: `${what} failed`, error: thrown });
  return error;
}

/** What a call has at its disposal. */
export interface Bounds {
  readonly limit: TimeLimit;
  /** Largest answer. Bytes. */
  readonly answerLimit: number;
}

/** What a handler returned, as an answer. @throws the RestError that it returned, TypeError for what cannot be sent, or as `readWebResponse` */
function toResponse(value: unknown, { where, descriptor }: CompiledEndpoint, { limit, answerLimit }: Bounds): RestResponse | Promise<RestResponse> {
  // A permission function refuses by a value; a handler that does so means the same.
  if (value instanceof RestError) throw value;
  const what = `${where}: the handler "${descriptor.handler}" returned`;
  if (isWebResponse(value)) return whenever(limit.hold(() => readWebResponse(value, { answerLimit, signal: limit.signal })), (response) => toSendable(what, response));
  return toSendable(what, value instanceof RestResponse ? value : new RestResponse(value, descriptor.status === undefined ? {} : { status: descriptor.status }));
}

/** An answer, or why the caller may not have one. */
type Outcome = RestResponse | RestError;

/** Permission, then handler, within the time of the call. The only place with effects. @throws RestError, or whatever they throw. */
export function executeCall(endpoint: CompiledEndpoint, call: OpenCall, bounds: Bounds): Outcome | Promise<Outcome> {
  const { permission, where } = endpoint;
  const { limit } = bounds;
  const run = (judged: object | null): Outcome | Promise<Outcome> => {
    if (judged instanceof RestError) return judged;
    call.subject = judged;
    call.isPermitted = true;
    return whenever(limit.hold(() => endpoint.handler(call.args as never, call)), (value) => toResponse(value, endpoint, bounds));
  };
  return permission === null ? run(null) : whenever(askPermission({ where, permission }, call, limit), run);
}
