import { POST_MARKUP, TITLE_MARKUP, type AllowList } from './allowed.ts';
import { BLOCK_PREFIX, parseBlockComment, toBlockAttributes } from './blocks.ts';
import { VOID_ELEMENTS } from './html.ts';
import { OpenElements } from './open-elements.ts';
import { isPlainComment, rewriteAttributes, rewritePlain, type PlainRewriter, type PlainStart } from './plain-markup.ts';
import { sanitiseAttribute } from './sanitise-attribute.ts';
import { toPlain } from './to-plain.ts';

/** What could end a comment for one reader and not for another. */
const UNSAFE = /[<>]|--/;
const MARKUP = /<[a-z/!?]/i;

function escapeJson(text: string): string {
  return text.replaceAll('--', '\\u002d\\u002d').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/** Keeps what the list allows as it was typed and cuts out the rest. */
class Cleaner implements PlainRewriter {
  readonly #open = new OpenElements();
  readonly #allowed: AllowList;
  readonly #prefix: string;

  constructor(allowed: AllowList, prefix: string) {
    this.#allowed = allowed;
    this.#prefix = prefix;
  }

  readonly start = (tag: PlainStart): string => {
    const name = tag.name.toLowerCase();
    if (!this.#allowed.elements.has(name)) return '';
    if (!this.#open.start(name)) return '';
    const isVoid = VOID_ELEMENTS.has(name);
    const attributes = tag.attributes === '' ? '' : this.#cleanAttributes(name, tag.attributes);
    // A slash ends only elements without content; others that have one stay open for browsers.
    if (attributes === tag.attributes && (isVoid || !tag.selfClosing)) return tag.source;
    return `<${tag.name}${attributes}${isVoid && tag.selfClosing ? ' />' : '>'}`;
  };

  readonly end = (name: string, source: string): string => {
    const missing = this.#open.end(name.toLowerCase());
    return missing === null ? '' : missing + source;
  };

  readonly comment = (inside: string, source: string): string => {
    if (!this.#allowed.comments) return '';
    const block = parseBlockComment(inside, this.#prefix);
    if (block === undefined) return this.#cleanComment(inside, source);
    if (!UNSAFE.test(block.attributes)) return source;
    const attributes = escapeJson(JSON.stringify(toBlockAttributes(block.attributes)));
    return `<!-- ${this.#prefix}:${block.name} ${attributes} ${block.kind === 'void' ? '/' : ''}-->`;
  };

  finish(): string {
    return this.#open.finish();
  }

  #cleanAttributes(element: string, attributes: string): string {
    const seen = new Set<string>();
    return rewriteAttributes(attributes, (attribute) => {
      const name = attribute.name.toLowerCase();
      // Of several with one name the first counts.
      if (seen.has(name)) return '';
      seen.add(name);
      return sanitiseAttribute(this.#allowed, element, attribute);
    });
  }

  /** Markup in a comment is cleaned, too: another program may take it out of the comment. */
  #cleanComment(inside: string, source: string): string {
    const kept = MARKUP.test(inside) ? clean(inside, this.#allowed, this.#prefix) : inside;
    if (kept === inside) return source;
    return isPlainComment(kept) ? this.comment(kept, `<!--${kept}-->`) : '';
  }
}

function clean(html: string, allowed: AllowList, prefix: string): string {
  const text = html.includes('\0') ? html.replaceAll('\0', '') : html;
  if (!text.includes('<')) return text;
  const cleaner = new Cleaner(allowed, prefix);
  const first = rewritePlain(text, cleaner);
  if (first.rest === '') return first.text + cleaner.finish();
  const second = rewritePlain(toPlain(first.rest), cleaner);
  if (second.rest !== '') throw new TypeError('markup that was written anew is not plain');
  return first.text + second.text + cleaner.finish();
}

/**
 * Content or excerpt of a caller without `unfiltered_html`. Text, comments, and listed elements with listed attributes, addresses and styles
 * stay byte for byte; tags of all others are cut out and their text is kept (recorded case create-perm-050). End tags that are missing are
 * added, end tags that end nothing are cut out. Block comments of `prefix` stay. Twice is the same as once.
 */
export function sanitiseContent(html: string, prefix: string = BLOCK_PREFIX): string {
  return clean(html, POST_MARKUP, prefix);
}

/** Title of a caller without `unfiltered_html`: only inline elements stay. */
export function sanitiseTitle(html: string): string {
  return clean(html, TITLE_MARKUP, BLOCK_PREFIX);
}
