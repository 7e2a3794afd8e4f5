import { randomUUID } from 'node:crypto';
import type { LogEvent } from '../dispatch/runtime.ts';
import type { WireResponse } from '../http/host.ts';
import type { RestRequest } from '../http/request.ts';
import { currentSource, runWithSource } from '../store/change-source.ts';

const HEADER = 'X-Request-Id';
const EXPOSED = 'Access-Control-Expose-Headers';

/** An id of a client or proxy that is taken over. It is written into logs and headers, so it has few characters that it may hold. */
const ACCEPTED = /^[\w.:@/+=-]{1,128}$/;

/** The id that the request was sent with, or a new one. */
export function toRequestId({ headers }: Pick<RestRequest, 'headers'>): string {
  const sent = headers['x-request-id'];
  return sent !== undefined && ACCEPTED.test(sent) ? sent : randomUUID();
}

/** Runs a function, and everything that it starts, under an id. */
export function runWithId<T>(id: string, run: () => T): T {
  return runWithSource({ request: id }, run);
}

/** The same log, with `requestId` in each event of a request. */
export function addRequestId(log: (event: LogEvent) => void): (event: LogEvent) => void {
  return (event) => {
    // Code that logs in a call, such as a store, does not have the call at hand.
    const { request: requestId } = currentSource();
    log(requestId === '' ? event : { ...event, requestId });
  };
}

/** The same response with the header, which pages of other origins may read if they may read anything. */
export function withRequestId(wire: WireResponse, id: string): WireResponse {
  const exposed = wire.headers[EXPOSED];
  return {
    ...wire,
    headers: {
      ...wire.headers,
      ...(exposed === undefined ? {} : { [EXPOSED]: `${exposed}, ${HEADER}` }),
      [HEADER]: id,
    },
  };
}
