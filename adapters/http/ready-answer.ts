import type { IncomingMessage } from 'node:http';
import { thenMaybe, type MaybePromise } from '../../lib/core/maybe-promise.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import { isRead } from '../../lib/http/request.ts';
import { toAsked } from '../../lib/http/respond.ts';

/** Headers that do not change the response to an anonymous GET without an Origin header. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    'accept',
    'accept-encoding',
    'accept-language',
    'cache-control',
    'connection',
    'dnt',
    'pragma',
    'priority',
    'referer',
    'sec-ch-ua',
    'sec-ch-ua-mobile',
    'sec-ch-ua-platform',
    'sec-fetch-dest',
    'sec-fetch-mode',
    'sec-fetch-site',
    'sec-fetch-user',
    'sec-gpc',
    'te',
    'traceparent',
    'tracestate',
    'upgrade-insecure-requests',
    'user-agent',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'x-request-id',
  ].flatMap((name) => [name, name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase())]),
);

/** A Host header that needs no further check. Stricter than the check in `node-request`. */
const PLAIN_HOST = /^[\w.-]+(?::\d*)?$/;

/** Reads the headers. Returns null when they need a full check. */
function readPlain(raw: readonly string[]): { readonly ifNoneMatch: string | undefined } | null {
  let hosts = 0;
  let ifNoneMatch: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (PLAIN.has(name)) continue;
    const lower = name.toLowerCase();
    const value = raw[index + 1] ?? '';
    if (lower === 'host') {
      hosts += 1;
      if (!PLAIN_HOST.test(value)) return null;
    } else if (lower === 'if-none-match' && ifNoneMatch === undefined) ifNoneMatch = value;
    else return null;
  }
  return hosts === 1 ? { ifNoneMatch } : null;
}

/** Full response -> its 304. All clients share one 304, so that its headers are written once. */
const unchanged = new WeakMap<WireResponse, WireResponse>();

function toUnchanged(wire: WireResponse, ifNoneMatch: string): WireResponse {
  const asked = toAsked(wire, { method: 'GET', headers: { 'if-none-match': ifNoneMatch } });
  if (asked === wire) return wire;
  const known = unchanged.get(wire) ?? asked;
  unchanged.set(wire, known);
  return known;
}

/**
 * Returns the cached response of the host for a request that depends on its address alone; a promise where the host
 * must ask its store. Null: the request must be read in full.
 */
export function findReady(
  host: Host,
  request: IncomingMessage,
  siteUrl: string,
): MaybePromise<WireResponse | null> {
  if (!isRead(request.method ?? '') || host.ready === undefined || request.httpVersionMinor !== 1)
    return null;
  const plain = readPlain(request.rawHeaders);
  if (plain === null) return null;
  // The adapter leaves the body out of a response to HEAD.
  return thenMaybe(host.ready(siteUrl, request.url ?? ''), (wire) =>
    wire === null || plain.ifNoneMatch === undefined ? wire : toUnchanged(wire, plain.ifNoneMatch),
  );
}
