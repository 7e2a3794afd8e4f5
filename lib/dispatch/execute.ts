import { RestError } from '../core/errors.ts';
import { RestResponse } from '../http/response.ts';
import type { OpenCall } from './open-call.ts';
import { askPermission } from './permission.ts';
import { toSendable } from './sendable.ts';
import type { CompiledEndpoint } from '../route/table.ts';
import type { TimeLimit } from './time-limit.ts';
import { isWebResponse, readWebResponse } from './web-response.ts';
import { thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';

/** What a call has at its disposal. */
export interface Bounds {
  readonly limit: TimeLimit;
  /** Largest answer. Bytes. */
  readonly answerLimit: number;
}

/** What a handler returned, as an answer. @throws the RestError that it returned, TypeError for what cannot be sent, or as `readWebResponse` */
function toResponse(value: unknown, { where, descriptor }: CompiledEndpoint, { limit, answerLimit }: Bounds): MaybePromise<RestResponse> {
  // A permission function refuses by a value; a handler that does so means the same.
  if (value instanceof RestError) throw value;
  const what = `${where}: the handler "${descriptor.handler}" returned`;
  if (isWebResponse(value)) return thenMaybe(limit.hold(() => readWebResponse(value, { answerLimit, signal: limit.signal })), (response) => toSendable(what, response));
  return toSendable(what, value instanceof RestResponse ? value : new RestResponse(value, descriptor.status === undefined ? {} : { status: descriptor.status }));
}

/** An answer, or why the caller may not have one. */
type Outcome = RestResponse | RestError;

/** Permission, then handler, within the time of the call. The only place with effects. @throws RestError, or whatever they throw. */
export function executeCall(endpoint: CompiledEndpoint, call: OpenCall, bounds: Bounds): MaybePromise<Outcome> {
  const { permission, where } = endpoint;
  const { limit } = bounds;
  const run = (judged: object | null): MaybePromise<Outcome> => {
    if (judged instanceof RestError) return judged;
    call.subject = judged;
    call.isPermitted = true;
    return thenMaybe(limit.hold(() => endpoint.handler(call.args as never, call)), (value) => toResponse(value, endpoint, bounds));
  };
  return permission === null ? run(null) : thenMaybe(askPermission({ where, permission }, call, limit), run);
}
