import { IMAGE_DATA, IMPLIED_ENDS, POST_MARKUP, TITLE_MARKUP, URL_ATTRIBUTES, URL_SCHEMES, URL_SETS, type AllowList } from './allowed.ts';
import { BLOCK_PREFIX, parseBlockComment, toBlockAttributes } from './blocks.ts';
import { MAX_DEPTH, toStartTag } from './html-tree.ts';
import { escapeText, readHtml, VOID_ELEMENTS, type HtmlAttribute, type HtmlTag } from './html.ts';
import { sanitiseStyle } from './sanitise-style.ts';

/** Comments beside those of blocks that mean something. */
const MARKS = /^(?:more(?: [^<>-]*)?|nextpage|noteaser)$/;
/** What could end a comment for one reader and not for another. */
const UNSAFE = /[<>]|--/;

/**
 * Whether an address may stand in a text: relative, or of a known scheme. Whatever a browser ignores in front of or inside a
 * scheme is ignored here, too.
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

function isAllowedName({ elements, globals }: AllowList, element: string, name: string): boolean {
  if (elements.get(element)?.has(name) === true) return true;
  // Only names that need no second look: a quote or an angle bracket in a name is a trap for other readers.
  if (!/^[a-z][a-z0-9_:-]*$/.test(name)) return false;
  return globals.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));
}

function toAttribute(element: string, { name, value }: HtmlAttribute): HtmlAttribute | undefined {
  if (URL_ATTRIBUTES.has(name)) return isSafeUrl(value, element === 'img' && name === 'src') ? { name, value } : undefined;
  if (URL_SETS.has(name)) return isSafeUrlSet(value) ? { name, value } : undefined;
  if (name !== 'style') return { name, value };
  const style = sanitiseStyle(value);
  return style === '' ? undefined : { name, value: style };
}

function escapeJson(text: string): string {
  return text.replaceAll('--', '\\u002d\\u002d').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

function toComment(inside: string, prefix: string): string {
  const block = parseBlockComment(inside, prefix);
  if (block === undefined) return MARKS.test(inside) ? `<!--${inside}-->` : '';
  if (!UNSAFE.test(block.attributes)) return block.text;
  const attributes = escapeJson(JSON.stringify(toBlockAttributes(block.attributes)));
  return `<!-- ${prefix}:${block.name} ${attributes} ${block.kind === 'void' ? '/' : ''}-->`;
}

/** Writes allowed parts to `output`; every start tag gets its end tag, deeper than 256 elements tags are left out. */
class Writer {
  #output: string[] = [];
  #open: string[] = [];
  readonly #allowed: AllowList;
  readonly #prefix: string;

  constructor(allowed: AllowList, prefix: string) {
    this.#allowed = allowed;
    this.#prefix = prefix;
  }

  start({ name, attributes, selfClosing }: HtmlTag): void {
    if (!this.#allowed.elements.has(name)) return;
    while (IMPLIED_ENDS.get(this.#open.at(-1) ?? '')?.includes(name) === true) this.#close(this.#open.length - 1);
    const isVoid = VOID_ELEMENTS.has(name);
    if (!isVoid && this.#open.length >= MAX_DEPTH) return;
    const kept = attributes.filter((each) => isAllowedName(this.#allowed, name, each.name))
      .map((each) => toAttribute(name, each)).filter((each) => each !== undefined);
    this.#output.push(toStartTag(name, kept, isVoid && selfClosing));
    if (!isVoid) this.#open.push(name);
  }

  end({ name }: HtmlTag): void {
    const index = this.#open.lastIndexOf(name);
    if (index !== -1) this.#close(index);
  }

  text(text: string): void {
    this.#output.push(escapeText(text));
  }

  comment(inside: string): void {
    if (this.#allowed.comments) this.#output.push(toComment(inside, this.#prefix));
  }

  finish(): string {
    this.#close(0);
    return this.#output.join('');
  }

  #close(from: number): void {
    for (const name of this.#open.splice(from).toReversed()) this.#output.push(`</${name}>`);
  }
}

function sanitise(html: string, allowed: AllowList, prefix: string): string {
  if (!/[<&\0\r]/.test(html)) return escapeText(html);
  const writer = new Writer(allowed, prefix);
  readHtml(html, {
    start: (tag) => writer.start(tag), end: (tag) => writer.end(tag), text: (text) => writer.text(text), comment: (text) => writer.comment(text),
  }, { raw: false });
  return writer.finish();
}

/**
 * Content or excerpt of a caller without `unfiltered_html`: listed elements, attributes, addresses and styles stay, tags of all others
 * are removed and their text is kept (recorded case create-perm-050). Block comments of `prefix` stay. Twice is the same as once.
 */
export function sanitiseContent(html: string, prefix: string = BLOCK_PREFIX): string {
  return sanitise(html, POST_MARKUP, prefix);
}

/** Title of a caller without `unfiltered_html`: only inline elements stay. */
export function sanitiseTitle(html: string): string {
  return sanitise(html, TITLE_MARKUP, BLOCK_PREFIX);
}
