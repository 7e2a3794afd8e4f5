import { tracingChannel } from 'node:diagnostics_channel';
import type { RestRequest } from '../http/request.ts';
import type { RouteView } from '../route/call.ts';

/** The message of the tracing channel `routebook:call`: one request, or one item of a batch. */
export interface CallTrace {
  /** The request, or the item of a batch. */
  readonly request: RestRequest;
  /** The call that this one is a part of, such as its batch. null: none. */
  readonly outer: CallTrace | null;
  /** The route that the request matches, as its descriptor writes it. null: not known yet, or there is none. */
  namespace: string | null;
  /** As `namespace`: null as long as it is not known. */
  pattern: string | null;
  /** The response comes from the cache. */
  cached: boolean;
  /** Status of the response. null until the call has ended. */
  status: number | null;
}

const channel = tracingChannel<unknown, CallTrace>('routebook:call');

/** Whether somebody listens. Without a subscriber, calls are not traced and nothing is allocated for it. */
export function isTraced(): boolean {
  return channel.hasSubscribers;
}

/** Notes the route of a call, once it is known. */
export function noteRoute(
  trace: CallTrace | undefined,
  route: Pick<RouteView, 'namespace' | 'descriptor'> | null,
): void {
  if (trace === undefined || route === null) return;
  trace.namespace = route.namespace;
  trace.pattern = route.descriptor.pattern;
}

/** Runs a call and publishes its start and its end. The stores that are bound to the channel hold within it. */
export function traceCall<T extends { readonly status: number }>(
  { request, outer = null }: Pick<CallTrace, 'request'> & Partial<CallTrace>,
  run: (trace: CallTrace) => T | Promise<T>,
): Promise<T> {
  const trace: CallTrace = { request, outer, namespace: null, pattern: null, cached: false, status: null };
  return channel.tracePromise(async () => {
    const response = await run(trace);
    trace.status = response.status;
    return response;
  }, trace);
}
