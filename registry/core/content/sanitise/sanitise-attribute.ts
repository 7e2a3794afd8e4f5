import { escapeAttribute } from '../../../../lib/core/escape.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { readHtml } from '../html/html.ts';
import type { PlainAttribute } from '../html/plain-markup.ts';
import {
  type AllowList,
  IMAGE_DATA,
  STYLE_FUNCTIONS,
  STYLE_PROPERTIES,
  URL_ATTRIBUTES,
  URL_SCHEMES,
  URL_SETS,
} from './allowed.ts';

const MAX_STYLE = 10_000;
/** Properties that may show a picture. */
const PICTURES = wordSet('background background-image list-style list-style-image');
// Escapes, comments, at-rules, blocks and markup are not allowed in a declaration, because they hide the meaning of a value.
const HIDING = /[\\<>{}@\p{Cc}]|\/\*|\*\/|<!--/u;
const PICTURE = /url\(\s*(["']?)(?:https?:\/\/|\/(?!\/)|[\w.-]+(?:[/?#]|(?=["')\s])))[^\s"'()]*\1\s*\)/gi;

function isAllowedProperty(property: string): boolean {
  return STYLE_PROPERTIES.some((each) =>
    each.endsWith('*') ? property.startsWith(each.slice(0, -1)) : each === property,
  );
}

function isAllowedValue(property: string, value: string): boolean {
  if (value === '' || HIDING.test(value)) return false;
  const rest = PICTURES.has(property) ? value.replaceAll(PICTURE, '') : value;
  if (/url|expression|javascript|import|behavior|-moz-binding/i.test(rest)) return false;
  return [...rest.matchAll(/([\w-]+)\s*(\(?)/g)].every(
    ([, name = '', bracket]) => bracket === '' || STYLE_FUNCTIONS.has(name.toLowerCase()),
  );
}

/** Splits at semicolons outside of quotes and parentheses. */
function splitDeclarations(style: string): string[] {
  const declarations: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let index = 0; index < style.length; index += 1) {
    const character = style.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ';' && depth <= 0) {
      declarations.push(style.slice(start, index));
      start = index + 1;
    }
  }
  if (quote === '' && depth === 0) declarations.push(style.slice(start));
  return declarations;
}

function isAllowedDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  return (
    declaration.trim() === '' ||
    (isAllowedProperty(property) && isAllowedValue(property, declaration.slice(colon + 1).trim()))
  );
}

/** The allowed declarations of a style attribute, as written; empty if there are none. */
export function sanitiseStyle(style: string): string {
  if (style.length > MAX_STYLE) return '';
  const kept = splitDeclarations(style).filter(isAllowedDeclaration);
  return kept.every((each) => each.trim() === '') ? '' : kept.join(';');
}

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
