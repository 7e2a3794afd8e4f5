import {
  TEXT_KINDS,
  XmlError,
  childElements,
  escapeAttribute,
  escapeOnce,
  escapeQuotesOnce,
  own,
  parseXml,
  textOf,
} from '../../plugin.ts';
import type { Oembed } from './embed.ts';
import { filterEmbedHtml } from './filter-html.ts';

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
