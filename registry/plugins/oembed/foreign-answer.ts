import {
  childElements,
  CLOSED_ELEMENTS,
  escapeAttribute,
  escapeOnce,
  escapeQuotesOnce,
  type HtmlAttribute,
  type HtmlElement,
  type HtmlNode,
  own,
  parseFragment,
  parseXml,
  TEXT_KINDS,
  textOf,
  toMarkup,
  XmlError,
} from '../../plugin.ts';
import type { Oembed } from './embed.ts';

/** The value of an attribute; '' without it. */
export function attribute({ attributes }: Pick<HtmlElement, 'attributes'>, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? '';
}

function isWebAddress(text: string, schemes: RegExp): boolean {
  return schemes.test(text) && URL.canParse(text);
}

function toFrame(element: HtmlElement): readonly HtmlNode[] {
  const src = attribute(element, 'src');
  if (!isWebAddress(src, /^https:\/\//i)) return [];
  const sizes = ['width', 'height']
    .map((name): HtmlAttribute => ({ name, value: attribute(element, name) }))
    .filter(({ value }) => /^\d{1,4}$/.test(value));
  const title = { name: 'title', value: attribute(element, 'title') };
  const attributes = [
    { name: 'src', value: src },
    { name: 'sandbox', value: 'allow-scripts' },
    { name: 'security', value: 'restricted' },
    ...sizes,
    title,
  ];
  return [{ kind: 'element', name: 'iframe', attributes, children: [] }];
}

function toLink(element: HtmlElement): readonly HtmlNode[] {
  const href = attribute(element, 'href');
  const attributes = isWebAddress(href, /^https?:\/\//i) ? [{ name: 'href', value: href }] : [];
  return [{ kind: 'element', name: 'a', attributes, children: keepText(element.children) }];
}

function toQuotation(element: HtmlElement): readonly HtmlNode[] {
  return [{ kind: 'element', name: 'blockquote', attributes: [], children: keepText(element.children) }];
}

type Keep = (element: HtmlElement) => readonly HtmlNode[];

const KEPT_INSIDE: ReadonlyMap<string, Keep> = new Map([
  ['a', toLink],
  ['blockquote', toQuotation],
]);
const KEPT: ReadonlyMap<string, Keep> = new Map([...KEPT_INSIDE, ['iframe', toFrame]]);

/** Elements whose content is not text for readers. */
const DROPPED: ReadonlySet<string> = new Set([...CLOSED_ELEMENTS, 'object']);

function keepText(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (node.kind === 'text') return [node];
    if (node.kind !== 'element' || DROPPED.has(node.name)) return [];
    return KEPT_INSIDE.get(node.name)?.(node) ?? keepText(node.children);
  });
}

function keepParts(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (node.kind !== 'element') return [];
    return KEPT.get(node.name)?.(node) ?? (DROPPED.has(node.name) ? [] : keepParts(node.children));
  });
}

/**
 * Filters the HTML of an untrusted provider. Quotations and links keep their text, and frames of https pages are sandboxed.
 * Returns '' if nothing remains.
 */
export function filterEmbedHtml(html: string): string {
  return toMarkup(keepParts(parseFragment(html)));
}

type Members = Readonly<Record<string, unknown>>;

const MAX_TEXT = 2000;
const MAX_HTML = 64 * 1024;

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;
}

/** Providers send names as plain text or as HTML. */
function toName(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined ? undefined : TEXT_KINDS.typed.toStored(text);
}

function toWebAddress(value: unknown): string | undefined {
  const text = toText(value);
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The members of oembed.com 2.3.4 that are passed on if they are valid. `html` and `type` are handled separately. */
const MEMBERS: Readonly<Record<string, (value: unknown) => string | number | undefined>> = {
  title: toName,
  author_name: toName,
  author_url: toWebAddress,
  provider_name: toName,
  provider_url: toWebAddress,
  cache_age: toCount,
  thumbnail_url: toWebAddress,
  thumbnail_width: toCount,
  thumbnail_height: toCount,
  url: toWebAddress,
  width: toCount,
  height: toCount,
};

function pickMembers(members: Members): Oembed {
  return Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, read]) => {
      const value = read(own(members, name));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function readJson(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Members) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readXml(text: string): Members | null {
  try {
    return Object.fromEntries(childElements(parseXml(text)).map((child) => [child.name, textOf(child)]));
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

function toPhoto({ url, title = '', width, height }: Oembed, page: string): string {
  if (url === undefined) return '';
  const size = [
    ['width', width],
    ['height', height],
  ]
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]))
    .join('');
  return `<a href="${escapeAttribute(page)}"><img src="${escapeAttribute(String(url))}" alt="${escapeQuotesOnce(String(title))}"${size}></a>`;
}

function toProviderHtml(html: unknown, isTrusted: boolean): string {
  if (typeof html !== 'string' || html.length > MAX_HTML) return '';
  return isTrusted ? html : filterEmbedHtml(html);
}

/** Builds the HTML for each type of response; '' if a member that the type requires is missing. */
function toHtml(
  type: unknown,
  {
    members,
    picked,
    page,
    isTrusted,
  }: { members: Members; picked: Oembed; page: string; isTrusted: boolean },
): string {
  if (type === 'photo') return toPhoto(picked, page);
  if (type === 'link')
    return `<a href="${escapeAttribute(page)}">${escapeOnce(String(picked['title'] ?? page))}</a>`;
  return type === 'video' || type === 'rich' ? toProviderHtml(members['html'], isTrusted) : '';
}

/**
 * Parses the response of a provider. Only known members of the right type are kept.
 * `isTrusted`: the HTML is passed on unchanged; otherwise only links, quotations and sandboxed frames remain.
 * @returns null if it is not an oEmbed response
 */
export function readForeignAnswer(
  text: string,
  { page, isXml, isTrusted }: { readonly page: string; readonly isXml: boolean; readonly isTrusted: boolean },
): Oembed | null {
  const members = isXml ? readXml(text) : readJson(text);
  if (members === null) return null;
  const picked = pickMembers(members);
  const html = toHtml(members['type'], { members, picked, page, isTrusted });
  return html === '' ? null : { version: '1.0', type: String(members['type']), ...picked, html };
}
