import { type Call, createErrors, type ErrorTable, RestError } from '../../../lib/index.ts';
import {
  callInner,
  type HtmlTag,
  type OutboundAnswer,
  OutboundRefused,
  type Ports,
  readHtml,
  toPlainText,
  toSitePath,
  upstreamError,
} from '../../plugin.ts';

/** Errors of the route. */
export const URL_ERRORS = {
  rest_invalid_url: [404, 'Invalid URL'],
  no_response: [404, 'URL not found. Response returned a non-200 status code for this URL.'],
} as const satisfies ErrorTable;

const urlError = createErrors(URL_ERRORS);
type Details = Record<'title' | 'icon' | 'description' | 'image', string>;

/** What elements `meta` say, by their name or property. */
const META: ReadonlyMap<string, 'description' | 'image'> = new Map([
  ['description', 'description'],
  ['og:description', 'description'],
  ['og:image', 'image'],
  ['og:image:url', 'image'],
]);

const attributeOf = ({ attributes }: HtmlTag, wanted: string): string =>
  attributes.find(({ name }) => name === wanted)?.value.trim() ?? '';

/** A web address in a page; '' for any other. */
function toAddress(href: string, page: string): string {
  const url = URL.canParse(href, page) ? new URL(href, page) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : '';
}

/** What the head of a page says: the first of each. */
function readDetails(html: string, page: string): Details {
  const details: Details = { title: '', icon: '', description: '', image: '' };
  let [isHead, isTitle, isDrawing] = [true, false, false];
  readHtml(html, {
    start: (tag) => {
      if (tag.name === 'body') isHead = false;
      if (tag.name === 'svg') isDrawing = !tag.selfClosing;
      if (!isHead || isDrawing) return;
      if (tag.name === 'title') isTitle = details.title === '';
      if (tag.name === 'link' && /(?:^|\s)icon(?:\s|$)/i.test(attributeOf(tag, 'rel')))
        details.icon ||= toAddress(attributeOf(tag, 'href'), page);
      const said = (attributeOf(tag, 'property') || attributeOf(tag, 'name')).toLowerCase();
      const field = tag.name === 'meta' ? META.get(said) : undefined;
      const value = attributeOf(tag, 'content');
      if (field !== undefined) details[field] ||= field === 'image' ? toAddress(value, page) : value;
    },
    end: ({ name }) => {
      if (name === 'title') isTitle = false;
      if (name === 'svg') isDrawing = false;
      if (name === 'head') isHead = false;
    },
    text: (text) => {
      if (isTitle) details.title += text;
    },
  });
  return { ...details, title: details.title.replaceAll(/\s+/g, ' ').trim() };
}

/** Where a page itself declares its charset (HTML, "prescan a byte stream"). */
const PRESCAN = 1024;

/** The text of a page, by the charset of its header or of its head, else as UTF-8. */
function toText({ headers, body }: OutboundAnswer): string {
  const start = Buffer.from(body.subarray(0, PRESCAN)).toString('latin1');
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*["']?([\w-]+)/i.exec(headers['content-type'] ?? '') ??
    /<meta\s[^<>]*charset\s*=\s*["']?([\w-]+)/i.exec(start) ??
    [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // Nobody knows this charset.
    return new TextDecoder().decode(body);
  }
}

function isHome(url: string, { site }: Call): boolean {
  const { origin, pathname } = new URL(url);
  return [site.home(), site.pagesUrl].includes(`${origin}${pathname}`.replace(/\/$/, ''));
}

async function describeHome(call: Call): Promise<Details> {
  const { body } = await callInner(call, { method: 'GET', path: '/', query: '_fields=name,description' });
  const { name: title, description } = body as Record<'name' | 'description', string>;
  return { title, icon: '', description, image: '' };
}

/** A page of the site as everybody sees it. @throws RestError `no_response` where there is none that everybody sees */
async function describeOwn(url: string, call: Call): Promise<Details> {
  const query = `url=${encodeURIComponent(url)}`;
  const { status, body } = await callInner(call, { method: 'GET', path: '/oembed/1.0/embed', query });
  if (status !== 200 && isHome(url, call)) return describeHome(call);
  if (status !== 200) throw urlError('no_response');
  const { title = '', thumbnail_url: image = '' } = body as Record<string, string>;
  return { title: toPlainText(title), icon: '', description: '', image };
}

/** Handler of the route. @throws RestError `rest_invalid_url`, `no_response`, `service_not_connected`, `rest_overloaded` */
export const createUrlDetails =
  ({ outbound, log }: Ports) =>
  async ({ url }: { readonly url: string }, call: Call): Promise<Details> => {
    if (!/^https?:\/\//i.test(url)) throw urlError('rest_invalid_url');
    if (toSitePath(url, call.site.pagesUrl) !== null) return describeOwn(url, call);
    if (outbound === undefined)
      throw upstreamError('service_not_connected', { data: { service: 'url-details' } });
    const accept = ['text/html', 'application/xhtml+xml'];
    const answer = await outbound({ url, accept, cut: true, signal: call.signal }).catch((error: unknown) => {
      if (!(error instanceof OutboundRefused)) throw error;
      if (error.cause instanceof RestError) throw error.cause;
      log({ level: 'warn', message: 'a linked page could not be read', error: error.cause });
      return null;
    });
    if (answer?.status !== 200) throw urlError('no_response');
    return readDetails(toText(answer), answer.url);
  };
