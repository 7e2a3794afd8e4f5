import { checkDocument, type DocumentRule, mapOf, objectOf } from '../lib/core/check-document.ts';
import {
  type Upstream,
  type UpstreamAnswer,
  upstreamError,
  type UpstreamRequest,
} from '../lib/ports/upstream.ts';
import { exchange, isTimeout, withDeadline } from './outbound/http-client.ts';

/** A service that the host connects. `headers` are sent with every request, override those of the request, and may hold credentials. */
export interface Service {
  /** http or https URL, optionally with a path. All paths of the service are below it. */
  readonly origin: string;
  /** Headers of every request, such as a key. */
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Headers of one connection (RFC 9110 7.6.1) and headers that this client sets itself. They are not passed on in either direction. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
  'cookie',
  'set-cookie',
]);

function isBase(value: unknown): boolean {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  );
}

/** RFC 9110, 5.1 and 5.5. */
const HEADER_NAME: DocumentRule = {
  wanted: 'a header name',
  fits: (value) => /^[\w!#$%&'*+.^`|~-]+$/.test(String(value)),
};
const HEADER_VALUE: DocumentRule = {
  wanted: 'one line of text in Latin-1',
  fits: (value) => typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  secret: true,
};

const SERVICES = mapOf(
  objectOf({
    origin: {
      wanted: 'an http or https URL without a user name, query or fragment',
      fits: isBase,
      needed: true,
    },
    headers: { ...mapOf(HEADER_VALUE, HEADER_NAME), secret: true },
  }),
);

/** Handlers must never let callers choose a path that leaves the base. @throws TypeError when the path leaves it. */
function toUrl(base: string, { path, query }: UpstreamRequest): URL {
  const url = new URL(base + path.replaceAll('?', '%3F').replaceAll('#', '%23'));
  if (!path.startsWith('/') || !url.href.startsWith(`${base}/`))
    throw new TypeError(`upstream: the path "${path}" leaves ${base}`);
  url.search = new URLSearchParams(query).toString();
  return url;
}

function keepHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(kept.filter(([name]) => !CONNECTION_HEADERS.has(name)));
}

function toBody(body: unknown): {
  readonly bytes?: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (body === undefined) return { headers: {} };
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: body, headers: {} };
  return { bytes: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function requestOne(base: string, service: Service, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const url = toUrl(base, request);
  const { bytes, headers } = toBody(request.body);
  const sent = { ...headers, ...keepHeaders(request.headers ?? {}), ...keepHeaders(service.headers ?? {}) };
  const answer = await withDeadline(request.timeoutMs ?? TIMEOUT_MS, request.signal, (signal) =>
    exchange({
      url,
      method: request.method,
      headers: sent,
      maxBytes: MAX_BYTES,
      signal,
      ...(bytes === undefined ? {} : { body: bytes }),
    }),
  );
  return { ...answer, headers: keepHeaders(answer.headers) };
}

/**
 * Sends requests to the services that the host connected, and to nothing else. Handlers name a service and a path, never an
 * address. Redirects are not followed.
 * @throws TypeError that names the place: `services.kwtool.origin is missing; …`
 */
export function createUpstream(services: Readonly<Record<string, Service>>): Upstream {
  checkDocument('services', services, SERVICES);
  const bases = new Map(
    Object.entries(services).map(
      ([name, service]) =>
        [name, { base: new URL(service.origin).href.replace(/\/$/, ''), service }] as const,
    ),
  );
  return {
    origin: (name) => bases.get(name)?.base ?? null,
    async request(name, request) {
      const found = bases.get(name);
      if (found === undefined) throw upstreamError('service_not_connected', { data: { service: name } });
      try {
        return await requestOne(found.base, found.service, request);
      } catch (error) {
        if (error instanceof TypeError) throw error;
        throw upstreamError(isTimeout(error) ? 'service_timeout' : 'service_bad_response', {
          data: { service: name },
          cause: error,
        });
      }
    },
  };
}
