import { type Call, RestError } from '../../../lib/index.ts';
import {
  type HtmlTag,
  type Outbound,
  type OutboundAnswer,
  OutboundRefused,
  type OutboundRequest,
  type Ports,
  readHtml,
  toSitePath,
  upstreamError,
} from '../../plugin.ts';
import { describeOwn, type Oembed, oembedError, type Size, toOfferedSize } from './embed.ts';
import { attribute, readForeignAnswer } from './foreign-answer.ts';
import { findEndpoint, type Provider } from './providers.ts';

interface DiscoveredLink {
  readonly url: string;
  readonly isXml: boolean;
}

/** In order of preference. */
const TYPES = [
  ['application/json+oembed', false],
  ['text/xml+oembed', true],
  ['application/xml+oembed', true],
] as const;
/** Maximum number of oEmbed links to read; a page has one or two. */
const MAX_LINKS = 50;

function typeOf(tag: HtmlTag): string {
  return attribute(tag, 'type').trim().toLowerCase();
}

function isAlternate(tag: HtmlTag): boolean {
  return (
    tag.name === 'link' &&
    attribute(tag, 'rel').toLowerCase().split(/\s+/).includes('alternate') &&
    TYPES.some(([type]) => type === typeOf(tag))
  );
}

/** The oEmbed address in the head of a page, JSON before XML; null if there is none. `page`: the address of the page. */
export function discoverLink(html: string, page: string): DiscoveredLink | null {
  const links: HtmlTag[] = [];
  let inHead = true;
  readHtml(html, {
    // Links in the body do not count: someone who can write into the body must not speak for the page.
    start: (tag) => {
      if (tag.name === 'body') inHead = false;
      else if (inHead && links.length < MAX_LINKS && isAlternate(tag)) links.push(tag);
    },
    end: ({ name }) => {
      if (name === 'head') inHead = false;
    },
  });
  for (const [type, isXml] of TYPES) {
    const hrefs = links.filter((link) => typeOf(link) === type).map((link) => attribute(link, 'href').trim());
    const href = hrefs.find((each) => each !== '' && URL.canParse(each, page));
    if (href !== undefined) return { url: new URL(href, page).href, isXml };
  }
  return null;
}

/** Cached responses by key. `undefined`: not cached; `null`: the page is known to have no oEmbed response. */
interface ResponseCache {
  get(key: string): string | null | undefined;
  set(key: string, answer: string | null): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIVE_MINUTES_MS = 5 * 60 * 1000;

interface Entry {
  readonly answer: string | null;
  readonly size: number;
  readonly until: number;
}

/** Caches a response for one day, and the absence of one for five minutes. The least recently used entries are evicted. `bytes`: size of keys and responses. */
export function createResponseCache(
  now: () => number,
  { entries = 500, bytes = 2 * 1024 * 1024 } = {},
): ResponseCache {
  const kept = new Map<string, Entry>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  const add = (key: string, entry: Entry): void => {
    drop(key);
    kept.set(key, entry);
    total += entry.size;
  };
  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      if (entry.until <= now()) {
        drop(key);
        return undefined;
      }
      add(key, entry);
      return entry.answer;
    },
    set(key, answer) {
      add(key, {
        answer,
        size: Buffer.byteLength(key) + Buffer.byteLength(answer ?? ''),
        until: now() + (answer === null ? FIVE_MINUTES_MS : DAY_MS),
      });
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && total <= bytes) break;
        drop(oldest);
      }
    },
  };
}

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
      if (error.cause instanceof RestError) throw error.cause;
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
 * @throws RestError `oembed_invalid_url`, `service_not_connected`, `rest_overloaded`
 */
export async function describeAny(args: ProxyArgs, call: Call, parts: ProxyParts): Promise<Oembed> {
  if (toSitePath(args.url, call.site.pagesUrl) !== null)
    return describeOwn(parts.ports, call, { url: args.url, maxwidth: args.maxwidth });
  const found = await describeForeign(args, call, parts);
  if (found === null) throw oembedError('oembed_invalid_url');
  return found;
}
