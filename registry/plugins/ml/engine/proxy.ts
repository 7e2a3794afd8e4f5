import { type Call, RawBody, RestResponse } from '../../../../lib/index.ts';
import { type Upstream, type UpstreamRequest, trimEnd, upstreamError } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import type { ProxyArgs } from '../routes/routes.ts';

const SERVICES = ['ate', 'ams'] as const;
type Service = (typeof SERVICES)[number];

/** Headers that identify the caller or control the connection. The port sets them; a caller cannot. */
const KEPT_BACK =
  /^(?:authorization|cookie|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|forwarded|via|content-length|content-encoding|accept-encoding|content-type|x-forwarded-.*|x-real-ip|proxy-.*|sec-.*)$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*((?:[!-~][\t -~]{0,3999})?)$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:;\s*[\w-]+=(?:[\w.-]+|"[\w .-]*"))*$/;

/** Media types that are harmless in a browser. Any other type is sent as binary data. */
const PASSED_TYPES =
  /^(?:application\/(?:json|problem\+json|xml|x-xliff\+xml|xliff\+xml)|text\/(?:plain|csv|xml))(?:;|$)/i;

function checkParameters(args: ProxyArgs, method: string): void {
  if (args.url === undefined && args.method === undefined) throw mlError('endpoint_without_parameters');
  if (args.url === undefined || args.url === '' || args.method === undefined || args.method === '')
    throw mlError('missing_required_parameters');
  if (args.method.toUpperCase() !== method) throw mlError('invalid_method');
}

/** The URL below the base, both parsed as a browser would; null for a URL outside the base. */
function toUrl(base: string, text: string): URL | null {
  const root = `${trimEnd(base, '/')}/`;
  const address = text.startsWith('/') ? root + text.slice(1) : text;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isBelow = url.origin === new URL(root).origin && url.href.startsWith(root);
  return isBelow && url.username === '' && url.password === '' ? url : null;
}

function findTarget(
  upstream: Upstream,
  text: string,
): { readonly service: Service; readonly base: string; readonly url: URL } {
  const connected = SERVICES.flatMap((service) => {
    const base = upstream.origin(service);
    return base === null ? [] : [{ service, base }];
  });
  if (connected.length === 0) throw upstreamError('service_not_connected', { data: { service: 'ate' } });
  for (const { service, base } of connected) {
    const url = toUrl(base, text);
    if (url !== null) return { service, base: trimEnd(new URL(base).pathname, '/'), url };
  }
  throw mlError('invalid_url');
}

function toQuery(url: URL, query: ProxyArgs['query']): Record<string, string> {
  const added =
    typeof query === 'string'
      ? [...new URLSearchParams(query)]
      : Object.entries(query ?? {}).map(
          ([name, value]) =>
            [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const,
        );
  return Object.fromEntries([...url.searchParams, ...added]);
}

function toHeaders({ headers, content_type: type }: ProxyArgs): Record<string, string> {
  const lines = (headers ?? []).flatMap((line) => {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    return name === '' || KEPT_BACK.test(name.toLowerCase()) ? [] : [[name.toLowerCase(), value] as const];
  });
  const isType = type !== undefined && MEDIA_TYPE.test(type);
  return { ...Object.fromEntries(lines), 'content-type': isType ? type : 'application/json' };
}

function toBody({ body }: ProxyArgs, method: string): { body?: unknown } {
  if (body === undefined || method === 'GET') return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/**
 * Passes a request on to the connected translation service and returns its response, including the status. No other host can
 * be reached: the URL must be below the configured one, and only the port sets credentials.
 * @throws RestError `endpoint_without_parameters`, `missing_required_parameters`, `invalid_method`, `invalid_url`, `service_*`
 */
export async function passOn(upstream: Upstream, args: ProxyArgs, call: Call): Promise<RestResponse> {
  const method = call.request.method === 'HEAD' ? 'GET' : call.request.method;
  checkParameters(args, method);
  const { service, base, url } = findTarget(upstream, args.url ?? '');
  const request: UpstreamRequest = {
    method,
    path: url.pathname.slice(base.length),
    query: toQuery(url, args.query),
    headers: toHeaders(args),
    signal: call.signal,
    ...toBody(args, method),
  };
  const answer = await upstream.request(service, request);
  const type = answer.headers['content-type'] ?? '';
  const body = new RawBody(PASSED_TYPES.test(type) ? type : 'application/octet-stream', answer.body);
  return new RestResponse(body, { status: answer.status, headers: { 'Cache-Control': 'no-store' } });
}
