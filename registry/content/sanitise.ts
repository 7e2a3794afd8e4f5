import { COMMENT_MARKUP, POST_MARKUP, TITLE_MARKUP, type AllowList } from './allowed.ts';
import { BLOCK_PREFIX, parseBlockComment, toBlockAttributes } from './blocks.ts';
import { VOID_ELEMENTS } from './html.ts';
import { OpenElements } from './open-elements.ts';
import { isPlainComment, rewriteAttributes, rewritePlain, type PlainRewriter, type PlainStart } from './plain-markup.ts';
import { sanitiseAttribute } from './sanitise-attribute.ts';
import { toPlain } from './to-plain.ts';

/** What may end a comment for some parsers but not for others. */
const UNSAFE = /[<>]|--/;
const MARKUP = /<[a-z/!?]/i;

function escapeJson(text: string): string {
  return text.replaceAll('--', '\\u002d\\u002d').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/** Keeps everything that the list allows as written, and removes the rest. */
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
    // A slash closes only void elements. In browsers, other elements with a slash stay open.
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
      // Of several attributes with the same name, the first one counts.
      if (seen.has(name)) return '';
      seen.add(name);
      return sanitiseAttribute(this.#allowed, element, attribute);
    });
  }

  /** Markup in a comment is sanitised as well, because another program may remove the comment marks around it. */
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
  if (second.rest !== '') throw new TypeError('rewritten markup must be plain');
  return first.text + second.text + cleaner.finish();
}

/**
 * Sanitises the content or excerpt of a caller without `unfiltered_html`. Text, comments, and allowed elements with allowed attributes,
 * addresses and styles stay byte for byte. Other tags are removed, and their text is kept (recorded case create-perm-050). Missing end
 * tags are added, and stray end tags are removed. Block comments of `prefix` are kept. Idempotent.
 */
export function sanitiseContent(html: string, prefix: string = BLOCK_PREFIX): string {
  return clean(html, POST_MARKUP, prefix);
}

/** Sanitises the title of a caller without `unfiltered_html`: only inline elements are kept. */
export function sanitiseTitle(html: string): string {
  return clean(html, TITLE_MARKUP, BLOCK_PREFIX);
}

/** Sanitises a comment or the description of a term: only the few elements that everybody may write are kept. */
export function sanitiseComment(html: string): string {
  return clean(html, COMMENT_MARKUP, BLOCK_PREFIX);
}
