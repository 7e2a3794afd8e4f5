import type { Call } from '../../../lib/index.ts';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundRefused,
  type OutboundRequest,
  type Ports,
  toSitePath,
  upstreamError,
} from '../../plugin.ts';
import { discoverLink } from './discover.ts';
import { describeOwn, type Oembed } from './embed.ts';
import { oembedError } from './errors.ts';
import { readForeignAnswer } from './foreign-answer.ts';
import { findEndpoint, type Provider } from './providers.ts';
import type { ResponseCache } from './response-cache.ts';
import { toOfferedSize, type Size } from './size.ts';

interface ProxyArgs {
  readonly url: string;
  readonly maxwidth?: unknown;
  readonly maxheight?: unknown;
  readonly discover: boolean;
}

interface ProxyParts {
  readonly ports: Ports;
  readonly providers: readonly Provider[];
  readonly cache: ResponseCache;
}

const ANSWER_TYPES: Readonly<Record<'json' | 'xml', readonly string[]>> = {
  json: ['application/json', 'application/json+oembed', 'text/javascript', 'text/json'],
  xml: ['text/xml', 'application/xml', 'text/xml+oembed'],
};
const PAGE_TYPES = ['text/html', 'application/xhtml+xml'];

/** The state of describing one foreign page. */
interface Asking {
  readonly page: URL;
  readonly size: Size;
  /** Resolves to null if the request was rejected or failed, or if the status is not 200. */
  readonly fetch: (request: OutboundRequest) => Promise<OutboundAnswer | null>;
}

function createFetch(outbound: Outbound, { log }: Ports, { signal }: Call): Asking['fetch'] {
  return async (request) => {
    try {
      const answer = await outbound({ ...request, signal });
      return answer.status === 200 ? answer : null;
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      log({
        level: 'warn',
        message: 'an oEmbed request to another site was rejected or failed',
        error: error.cause,
      });
      return null;
    }
  };
}

const toText = ({ body }: OutboundAnswer): string => new TextDecoder().decode(body);

async function askTable(endpoint: string, { page, size, fetch }: Asking): Promise<Oembed | null> {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries({
    url: page.href,
    format: 'json',
    maxwidth: size.width,
    maxheight: size.height,
  }))
    url.searchParams.set(name, String(value));
  const answer = await fetch({ url: url.href, accept: ANSWER_TYPES.json });
  return answer === null
    ? null
    : readForeignAnswer(toText(answer), { page: page.href, isXml: false, isTrusted: true });
}

async function askPage({ page, size, fetch }: Asking): Promise<Oembed | null> {
  const answer = await fetch({ url: page.href, accept: PAGE_TYPES, cut: true });
  const link = answer === null ? null : discoverLink(toText(answer), answer.url);
  if (link === null) return null;
  const url = new URL(link.url);
  url.searchParams.set('maxwidth', String(size.width));
  url.searchParams.set('maxheight', String(size.height));
  const described = await fetch({ url: url.href, accept: ANSWER_TYPES[link.isXml ? 'xml' : 'json'] });
  return described === null
    ? null
    : readForeignAnswer(toText(described), { page: page.href, isXml: link.isXml, isTrusted: false });
}

function toPage(url: string): URL | null {
  const page = URL.canParse(url) ? new URL(url) : null;
  return page !== null && (page.protocol === 'http:' || page.protocol === 'https:') ? page : null;
}

/** @throws RestError `service_not_connected` if a request is needed and outbound requests are switched off */
async function describeForeign(
  args: ProxyArgs,
  call: Call,
  { ports, providers, cache }: ProxyParts,
): Promise<Oembed | null> {
  const page = toPage(args.url);
  const endpoint = page === null ? null : findEndpoint(providers, page);
  if (page === null || (endpoint === null && !args.discover)) return null;
  if (ports.outbound === undefined)
    throw upstreamError('service_not_connected', { data: { service: 'oembed-outbound' } });
  const size = toOfferedSize(args.maxwidth, args.maxheight);
  const key = JSON.stringify([page.href, size, endpoint]);
  const known = cache.get(key);
  if (known !== undefined) return known === null ? null : (JSON.parse(known) as Oembed);
  const asking = { page, size, fetch: createFetch(ports.outbound, ports, call) };
  const found = endpoint === null ? await askPage(asking) : await askTable(endpoint, asking);
  // An aborted call says nothing about the page, so it is not cached.
  if (found !== null || !call.signal.aborted) cache.set(key, found === null ? null : JSON.stringify(found));
  return found;
}

/**
 * Describes any page. A page of this site is read from the store; a known provider is asked; for any other page, its head decides.
 * @throws RestError `oembed_invalid_url`, `service_not_connected`
 */
export async function describeAny(args: ProxyArgs, call: Call, parts: ProxyParts): Promise<Oembed> {
  if (toSitePath(args.url, call.site.pagesUrl) !== null)
    return describeOwn(parts.ports, call, { url: args.url, maxwidth: args.maxwidth });
  const found = await describeForeign(args, call, parts);
  if (found === null) throw oembedError('oembed_invalid_url');
  return found;
}
