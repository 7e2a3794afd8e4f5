import type { Call } from './call.ts';
import { engineError, RestError } from './errors.ts';
import { RestResponse } from './response.ts';
import type { LogEvent, RuntimeOptions } from './runtime.ts';
import { StoreError, type StoreErrorCode } from './store.ts';
import type { CompiledEndpoint } from './table.ts';

const RETRY = { 'Retry-After': '5' };

const STORE_FAILURES: Readonly<Record<StoreErrorCode, (cause: StoreError) => RestError>> = {
  version: (cause) => engineError('rest_conflict', { cause }),
  unique: (cause) => engineError('rest_conflict', { cause }),
  missing: (cause) => engineError('rest_conflict', { cause }),
  full: (cause) => engineError('rest_storage_full', { cause }),
  unavailable: (cause) => engineError('rest_storage_unavailable', { cause, headers: RETRY }),
  closed: (cause) => engineError('rest_shutting_down', { cause, headers: RETRY }),
  invalid: (cause) => engineError('rest_internal_error', { cause }),
};

/** The answer that stands for whatever was thrown. Anything unknown becomes one fixed 500; the original goes to the log only. */
export function toRestError(thrown: unknown, log: (event: LogEvent) => void, what: string): RestError {
  if (thrown instanceof RestError) return thrown;
  const error = thrown instanceof StoreError ? STORE_FAILURES[thrown.code](thrown) : engineError('rest_internal_error', { cause: thrown });
  if (error.status === 500 || error.status === 503 || error.status === 507) log({ level: 'error', message: `${what} failed`, error: thrown });
  return error;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(engineError('rest_handler_timeout')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function toResponse(value: unknown): RestResponse {
  if (value instanceof RestResponse) return value;
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`a handler answered ${typeof value}, which is no JSON`);
  }
  return new RestResponse(value);
}

/** Permission, then handler. The only place with effects. @throws RestError, or whatever the handler throws. */
export async function executeCall(endpoint: CompiledEndpoint, call: Call, options: RuntimeOptions): Promise<RestResponse> {
  const subject: unknown = endpoint.permission === null ? null : await endpoint.permission(call.args, call);
  const value: unknown = endpoint.handler(call.args as never, { ...call, subject });
  return toResponse(isPromise(value) ? await withinTime(value, options.handlerTimeoutMs) : value);
}
