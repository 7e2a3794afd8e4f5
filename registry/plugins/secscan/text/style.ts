import { own } from '../../../plugin.ts';

const FAR_AWAY =
  /^-(?:[5-9]\d{2}|\d{4,})(?:\.\d+)?(?:px|pt)?$|^-(?:[3-9]\d|\d{3,})(?:\.\d+)?(?:em|rem|vw|vh)$|^-[1-9]\d{2,}(?:\.\d+)?%$/;
const NO_LENGTH = /^0+(?:\.0+)?(?:px|pt|em|rem|%)?$|^0*1?(?:\.\d+)?(?:px)?$/;
const NO_LETTERS = /^0+(?:\.0+)?(?:px|pt|em|rem|%)?$|^0*1?(?:\.\d+)?px$/;

const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  visibility: /^(?:hidden|collapse)$/,
  opacity: /^0*(?:\.0\d*)?%?$/,
  'font-size': NO_LETTERS,
  left: FAR_AWAY,
  right: FAR_AWAY,
  top: FAR_AWAY,
  bottom: FAR_AWAY,
  'text-indent': FAR_AWAY,
  'margin-left': FAR_AWAY,
  'margin-top': FAR_AWAY,
  clip: /^rect\([01](?:px)?(?:[\s,]+[01](?:px)?){3}\)$/,
  inset: FAR_AWAY,
  'clip-path': /^inset\((?:50|100)%\)$|^circle\(0/,
  transform:
    /^scale\(0(?:\.0+)?(?:,\s*0)?\)$|^translate(?:3d|[xy])?\(\s*(?:0(?:px|%)?,\s*)?-(?:[5-9]\d{2}|\d{4,}|[1-9]\d{2}(?=%|v))(?:px|%|vw|vh)/,
};
const SHRINKING: ReadonlySet<string> = new Set(['width', 'height', 'max-width', 'max-height']);
/** Maximum number of characters of a style that are read. */
const MAX_STYLE = 100_000;

function withoutComments(style: string): string {
  let kept = '';
  let from = 0;
  for (let start = style.indexOf('/*'); start !== -1; start = style.indexOf('/*', from)) {
    kept += style.slice(from, start);
    const end = style.indexOf('*/', start + 2);
    if (end === -1) return kept;
    from = end + 2;
  }
  return kept + style.slice(from);
}

function withoutEscapes(style: string): string {
  return style.replaceAll(/\\([0-9a-f]{1,6})[ \t\n]?/gi, (_escape, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** A style without comments and escapes (`\\64 isplay`), as a browser reads it. */
export function withoutDisguise(style: string): string {
  return withoutEscapes(withoutComments(style.slice(0, MAX_STYLE)));
}

/** Name and value of each declaration of a style attribute, in lower case. Comments and escapes (`\64 isplay`) are resolved as in a browser. */
export function readDeclarations(style: string): readonly (readonly [name: string, value: string])[] {
  return withoutDisguise(style)
    .toLowerCase()
    .split(';')
    .map((declaration) => {
      const colon = declaration.indexOf(':');
      return [
        declaration.slice(0, Math.max(colon, 0)).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      ] as const;
    });
}

/** Whether the style makes its element invisible: not displayed, transparent, with a font size of zero, or far outside the page. */
export function isHiding(style: string): boolean {
  return readDeclarations(style).some(
    ([name, value]) => value !== '' && own(HIDING, name)?.test(value) === true,
  );
}

/** Whether the style leaves at most one pixel in one direction. */
export function isShrinking(style: string): boolean {
  return readDeclarations(style).some(([name, value]) => SHRINKING.has(name) && isNoLength(value));
}

/** Whether a width or height is at most one pixel. */
export function isNoLength(value: string): boolean {
  const length = value.trim();
  return length !== '' && NO_LENGTH.test(length);
}

/** Scripts in comments, shortcodes and the attributes of blocks. */

/** `\u003c` in the JSON of a block, and character references, hide the characters of a script. */
function unescape(text: string): string {
  return text
    .replaceAll(/\\u00([0-9a-f]{2})|&#x0*([0-9a-f]{2});?/gi, (_all, json?: string, reference?: string) =>
      String.fromCharCode(Number.parseInt(json ?? reference ?? '', 16)),
    )
    .replaceAll(/&#0*(\d{2,3});?/g, (_all, digits: string) => String.fromCharCode(Number(digits)))
    .replaceAll(
      /&(lt|gt|quot);/g,
      (_all, name: 'lt' | 'gt' | 'quot') => ({ lt: '<', gt: '>', quot: '"' })[name],
    )
    .replaceAll('\\"', '"');
}

// An address that runs code does something: `javascript:void(0)` and a mere mention do not.
const CODE =
  /<script[\s/>]|(?:java|vb)script:(?!\s*void\b)\s*[\w$.(]*[\w$)]\s*[(=[]|<[a-z][^<>]{0,2000}[\s/"']on[a-z]{3,20}\s*=|data:text\/html/i;
const EVENT =
  /[\s"']on(?:error|load|click|focus|mouse\w{2,5}|toggle|begin|start|animation\w{3,9}|pointer\w{2,6})\s*=\s*["'\w]/i;
/** A member of a block that a program would write as an event attribute. */
const MEMBER = /"on(?:error|load|click|focus|mouse\w{2,5})"\s*:\s*"/i;
const WITHIN = /\[[a-z][\w-]*(?:\s[^[\]]{0,5000})?\][^[]{0,5000}<script[\s/>][^[]{0,300}/gi;
const SHORTCODE = /\[[a-z][\w-]*(?:\s[^[\]]{1,5000})\]/gi;

/** Whether the text of a comment holds a script: commented markup, or the attributes of a block. */
export function holdsScript(text: string): boolean {
  const plain = unescape(text);
  return CODE.test(plain) || MEMBER.test(plain);
}

/** The shortcodes of a text that hold a script, in their attributes or between their two halves. */
export function listScriptShortcodes(text: string): readonly string[] {
  const opening = (text.match(SHORTCODE) ?? []).filter((shortcode) => {
    const plain = unescape(shortcode);
    return CODE.test(plain) || EVENT.test(plain);
  });
  return [...opening, ...(text.match(WITHIN) ?? [])];
}
