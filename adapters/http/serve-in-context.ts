import { catchMaybe, thenMaybe, type MaybePromise } from '../../lib/core/maybe-promise.ts';
import { callOption } from '../../lib/dispatch/call-option.ts';
import { toRestError } from '../../lib/dispatch/failure.ts';
import { HANDLER_TIMEOUT_MS } from '../../lib/dispatch/time-limit.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import type { RestRequest } from '../../lib/http/request.ts';

/** Passes a request to the host, with what the option `context` returns for it. null: the server has no such option. Never throws or rejects. */
export function serveInContext(
  host: Host,
  request: RestRequest,
  toContext: (() => unknown) | null,
): MaybePromise<WireResponse> {
  if (toContext === null) return host.serve(request);
  const call = { option: 'context', ms: host.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS, signal: request.signal };
  return catchMaybe(
    () => thenMaybe(callOption(call, toContext), (context) => host.serve({ ...request, host: context })),
    (error) => host.refuse(toRestError(error), request),
  );
}
