import {
  type Excerpt,
  isExternal,
  isHostOf,
  isIpHost,
  normaliseAddress,
  schemeOf,
  toExcerpt,
  toUrl,
} from '../text/address.ts';
import type { ScannedElement } from '../text/post-text.ts';
import { isHiding, isNoLength, isShrinking } from '../text/style.ts';
import type { PostRule, Scope } from './rule.ts';

/** Types of scripts that a browser does not run. */
const DATA_TYPES: ReadonlySet<string> = new Set([
  'application/ld+json',
  'application/json',
  'text/template',
  'text/html',
  'text/x-template',
  'application/json+oembed',
]);

/** Where a script comes from: nothing to report, a file that a secure address names, or anything else. */
type ScriptOrigin = 'data' | 'known' | 'linked' | 'inline';

function readAddress({ attributes }: ScannedElement, { own }: Scope): URL | null {
  const src = attributes.get('src') ?? '';
  return src === '' ? null : toUrl(normaliseAddress(src), own);
}

/** Judges a script element. A script with an address and a text counts as inline, because one of the two is there to deceive. */
function judgeScript(element: ScannedElement, scope: Scope): ScriptOrigin {
  if (DATA_TYPES.has((element.attributes.get('type') ?? '').trim().toLowerCase())) return 'data';
  const url = readAddress(element, scope);
  if (url === null || url.protocol !== 'https:' || element.text.trim() !== '') return 'inline';
  if (isHostOf(url.hostname, scope.embeds)) return 'known';
  return isIpHost(url.hostname) || url.username !== '' ? 'inline' : 'linked';
}

const SCRIPT_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'livescript', 'mocha']);
const PICTURES: ReadonlySet<string> = new Set(['img', 'source', 'image', 'video', 'input']);

/** A tag with its attributes in order, and the content of a script. */
function toTagPart({ name, attributes, text }: ScannedElement): Excerpt {
  return toExcerpt(
    `<${name}${[...attributes].map(([attribute, value]) => ` ${attribute}="${value}"`).join('')}>${text}`,
  );
}

function isScriptAddress(address: string, element: string): boolean {
  // Browsers do not ignore all of these invisible characters, but all of them are there to deceive.
  const text = address.replaceAll(/[\p{C}\p{Z}]/gu, '');
  const scheme = schemeOf(text);
  if (SCRIPT_SCHEMES.has(scheme)) return true;
  if (scheme !== 'data') return false;
  // An SVG picture does not run scripts in an image, but does as a document.
  return !/^data:image\//i.test(text) || (/^data:image\/svg/i.test(text) && !PICTURES.has(element));
}

function isUnseenFrame({ name, attributes, hidden }: ScannedElement, { own, embeds }: Scope): boolean {
  if (name !== 'iframe') return false;
  const url = toUrl(normaliseAddress(attributes.get('src') ?? ''), own);
  if (url !== null && isHostOf(url.hostname, embeds)) return false;
  const style = attributes.get('style') ?? '';
  return (
    hidden ||
    attributes.has('hidden') ||
    ['width', 'height'].some((side) => isNoLength(attributes.get(side) ?? '')) ||
    isHiding(style) ||
    isShrinking(style)
  );
}

/** Whether an element sends what readers enter to a site that is neither this one nor known for forms. */
function sendsAway({ attributes }: ScannedElement, { own, embeds }: Scope): boolean {
  return ['action', 'formaction'].some((name) => {
    const value = attributes.get(name);
    const url = value === undefined ? null : toUrl(normaliseAddress(value), own);
    return url !== null && isExternal(url, own) && !isHostOf(url.hostname, embeds);
  });
}

const isScript =
  (origin: ScriptOrigin) =>
  (element: ScannedElement, scope: Scope): boolean =>
    element.name === 'script' && judgeScript(element, scope) === origin;

const UNSAFE = { type: 'postScriptInjection', severity: 100 } as const;

/** A rule about single elements. */
type ElementRule = Pick<PostRule, 'id' | 'message'> &
  Partial<Pick<PostRule, 'severity'>> & {
    readonly is: (element: ScannedElement, scope: Scope) => boolean;
  };

const ofElements = ({ is, ...rule }: ElementRule): PostRule => ({
  ...UNSAFE,
  ...rule,
  each: 'elements',
  check: ({ elements }, scope) => elements.filter((element) => is(element, scope)).map(toTagPart),
});

/** Rules for what a browser would run or send away. */
export const activeContentRules: readonly PostRule[] = [
  ofElements({ id: 'script-element', message: 'The text contains a script.', is: isScript('inline') }),
  ofElements({
    id: 'linked-script',
    severity: 50,
    message: 'The text loads a script from a host that is not listed.',
    is: isScript('linked'),
  }),
  ofElements({
    id: 'plugin-element',
    message: 'The text contains an object, embed or applet element.',
    is: ({ name }) => name === 'object' || name === 'embed' || name === 'applet',
  }),
  ofElements({
    id: 'event-attribute',
    message: 'The text contains an attribute that runs a script.',
    is: ({ attributes }) => [...attributes.keys()].some((name) => /^on[a-z]/.test(name)),
  }),
  {
    ...UNSAFE,
    id: 'script-address',
    each: 'addresses',
    message: 'The text contains an address that runs a script.',
    check: ({ addresses }) =>
      addresses
        .filter(({ text, element }) => isScriptAddress(text, element))
        .map(({ text }) => toExcerpt(text)),
  },
  ofElements({
    id: 'frame-document',
    message: 'The text contains a frame with an inline document.',
    is: ({ attributes }) => attributes.has('srcdoc'),
  }),
  ofElements({
    id: 'base-element',
    message: 'The text changes the base of all addresses.',
    is: ({ name }) => name === 'base',
  }),
  ofElements({
    id: 'meta-refresh',
    message: 'The text redirects its readers to another page.',
    is: ({ name, attributes }) =>
      name === 'meta' && attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh',
  }),
  ofElements({
    id: 'foreign-form',
    message: 'The text contains a form that sends to another site.',
    is: sendsAway,
  }),
  ofElements({
    id: 'foreign-drawing',
    message: 'The text contains a drawing that loads or contains foreign markup.',
    is: ({ name, attributes }) =>
      name === 'foreignobject' ||
      (name === 'use' &&
        ['href', 'xlink:href'].some(
          (attribute) => !['', '#'].includes((attributes.get(attribute) ?? '').trim().slice(0, 1)),
        )),
  }),
  ofElements({
    id: 'unseen-frame',
    message: 'The text contains an invisible frame.',
    is: isUnseenFrame,
  }),
];
