import { escapeAttribute } from '../../../../lib/core/escape.ts';
import { readHtml } from '../html/html.ts';
import type { PlainAttribute } from '../html/plain-markup.ts';
import { IMAGE_DATA, URL_ATTRIBUTES, URL_SCHEMES, URL_SETS, type AllowList } from './allowed.ts';
import { sanitiseStyle } from './sanitise-style.ts';

/** What would start markup if the value were text. */
const MARKUP = /<(?=[a-z/!?])/gi;

/**
 * Whether an address is safe in a text: relative, or with an allowed scheme. Characters that browsers ignore before or inside a
 * scheme are ignored, too.
 */
export function isSafeUrl(url: string, images = false): boolean {
  const bare = url.replaceAll(/[\p{C}\p{Z}]/gu, '');
  const head = /^[^/?#]*/.exec(bare)?.[0] ?? '';
  const colon = head.indexOf(':');
  if (colon === -1) return true;
  if (URL_SCHEMES.has(head.slice(0, colon).toLowerCase())) return true;
  return images && IMAGE_DATA.test(url.trim());
}

function isSafeUrlSet(set: string): boolean {
  return set.split(/[\s,]+/).every((each) => isSafeUrl(each));
}

function isAllowedName({ elements, globals, prefixes }: AllowList, element: string, name: string): boolean {
  return (
    globals.has(name) ||
    elements.get(element)?.has(name) === true ||
    prefixes.some((each) => name.startsWith(each))
  );
}

/** `value`: as written, with its quotes. */
function decode(value: string): string {
  if (!value.includes('&')) return /^["']/.test(value) ? value.slice(1, -1) : value;
  let decoded = '';
  readHtml(`<a href=${value}>`, {
    start: ({ attributes }) => {
      decoded = attributes[0]?.value ?? '';
    },
  });
  return decoded;
}

/** `value`: as written. Everything behind the first slash, question mark or number sign does not affect the scheme and is not decoded. */
function isSafeTypedUrl(value: string, images: boolean): boolean {
  const start = /^["']?([^&/?#]*[/?#])/.exec(value)?.[1];
  return (start !== undefined && isSafeUrl(start)) || isSafeUrl(decode(value), images);
}

function isSafe(element: string, name: string, value: string): boolean {
  if (URL_ATTRIBUTES.has(name)) return isSafeTypedUrl(value, element === 'img' && name === 'src');
  return !URL_SETS.has(name) || isSafeUrlSet(decode(value));
}

function sanitiseStyleAttribute({ value, source }: PlainAttribute): string {
  const style = decode(value);
  const clean = sanitiseStyle(style);
  if (clean === style) return source;
  return clean === '' ? '' : ` style="${escapeAttribute(clean)}"`;
}

/** Returns an attribute unchanged or removes it. Of a style, the allowed declarations remain. */
export function sanitiseAttribute(allowed: AllowList, element: string, attribute: PlainAttribute): string {
  const name = attribute.name.toLowerCase();
  if (!isAllowedName(allowed, element, name) || !isSafe(element, name, attribute.value)) return '';
  const source = name === 'style' ? sanitiseStyleAttribute(attribute) : attribute.source;
  return source.includes('<') ? source.replaceAll(MARKUP, '&lt;') : source;
}
