import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { BLOCK_PREFIX, parseBlockComment, toBlockAttributes } from '../html/blocks.ts';
import { toStartTag } from '../html/html-tree.ts';
import { type HtmlPlace, type HtmlTag, readHtmlSteps, VOID_ELEMENTS } from '../html/html.ts';
import {
  isOwnTag,
  listWholes,
  NO_MARKUP,
  type OwnMarkup,
  readOwnMarkup,
  toOwnWhole,
} from '../html/own-markup.ts';
import {
  isPlainComment,
  isPlainPart,
  type PlainRewriter,
  type PlainStart,
  rewriteAttributes,
  rewritePlain,
} from '../html/plain-markup.ts';
import { type AllowList, COMMENT_MARKUP, POST_MARKUP, TITLE_MARKUP } from './allowed.ts';
import { OpenElements } from './open-elements.ts';
import { sanitiseAttribute } from './sanitise-attribute.ts';
import { type Balance, joinParts, readBalance, type TranslatedPart } from './translated-parts.ts';

const ELEMENT = /^[a-z][a-z0-9:-]*$/;
const ATTRIBUTE = /^[a-z_:][a-z0-9_:.-]*$/;

function toPlainStart({ name, attributes, selfClosing }: HtmlTag): string {
  return ELEMENT.test(name)
    ? toStartTag(
        name,
        attributes.filter((each) => ATTRIBUTE.test(each.name)),
        selfClosing,
      )
    : '';
}

/**
 * Converts any text to plain markup. It is parsed as in a browser: plain parts stay unchanged, other tags are written again. Comments of
 * another form, declarations, and anything that is unfinished at the end of the text are removed; a stray `<` is escaped.
 */
export function* toPlain(html: string): Steps<string> {
  const parts: string[] = [];
  const keep = ({ from, to }: HtmlPlace, instead: string): void => {
    const source = html.slice(from, to);
    parts.push(isPlainPart(source) ? source : instead);
  };
  yield* readHtmlSteps(
    html,
    {
      start: (tag) => keep(tag, toPlainStart(tag)),
      end: (tag) => keep(tag, ELEMENT.test(tag.name) ? `</${tag.name}>` : ''),
      comment: (_inside, place) => keep(place, ''),
      text: (_decoded, { from, to }) => {
        parts.push(html.slice(from, to).replaceAll('<', '&lt;'));
      },
    },
    { raw: false, positions: true },
  );
  return parts.join('');
}

/** What may end a comment for some parsers but not for others. */
const UNSAFE = /[<>]|--/;
const MARKUP = /<[a-z/!?]/i;

/** JSON that can stand in a comment, as WordPress writes the attributes of blocks. */
export function escapeJson(text: string): string {
  return text
    .replaceAll('--', '\\u002d\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}

const BALANCED: Balance = { ended: [], missing: '' };

/** Keeps everything that the list allows as written, and the markup that the source of a translation has. Removes the rest. */
class Cleaner implements PlainRewriter {
  readonly #open = new OpenElements();
  readonly #allowed: AllowList;
  readonly #own: OwnMarkup;
  /** End tags that may close an element around the text, by name. */
  readonly #ended = new Map<string, number>();
  readonly #missing: string;

  constructor(
    allowed: AllowList,
    { own = NO_MARKUP, balance = BALANCED }: { readonly own?: OwnMarkup; readonly balance?: Balance } = {},
  ) {
    this.#allowed = allowed;
    this.#own = own;
    this.#missing = balance.missing;
    for (const name of balance.ended) this.#ended.set(name, (this.#ended.get(name) ?? 0) + 1);
  }

  readonly start = (tag: PlainStart): string => {
    const name = tag.name.toLowerCase();
    const isOwn = this.#own !== NO_MARKUP && isOwnTag(this.#own, tag);
    if (!isOwn && !this.#allowed.elements.has(name)) return '';
    if (!this.#open.start(name)) return '';
    if (isOwn) return tag.source;
    const isVoid = VOID_ELEMENTS.has(name);
    const attributes = tag.attributes === '' ? '' : this.#cleanAttributes(name, tag.attributes);
    // A slash closes only void elements. In browsers, other elements with a slash stay open.
    if (attributes === tag.attributes && (isVoid || !tag.selfClosing)) return tag.source;
    return `<${tag.name}${attributes}${isVoid && tag.selfClosing ? ' />' : '>'}`;
  };

  readonly end = (name: string, source: string): string => {
    const missing = this.#open.end(name.toLowerCase());
    if (missing !== null) return missing + source;
    const left = this.#ended.get(name.toLowerCase()) ?? 0;
    this.#ended.set(name.toLowerCase(), left - 1);
    return left > 0 ? source : '';
  };

  readonly comment = (inside: string, source: string): string => {
    if (this.#own.comments.has(source)) return source;
    if (!this.#allowed.comments) return '';
    const block = parseBlockComment(inside);
    if (block === undefined) return this.#cleanComment(inside, source);
    if (!UNSAFE.test(block.attributes)) return source;
    const attributes = escapeJson(JSON.stringify(toBlockAttributes(block.attributes)));
    return `<!-- ${BLOCK_PREFIX}:${block.name} ${attributes} ${block.kind === 'void' ? '/' : ''}-->`;
  };

  finish(): string {
    const missing = this.#open.finish();
    return missing === this.#missing ? '' : missing;
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
    const kept = MARKUP.test(inside) ? clean(inside, this.#allowed) : inside;
    if (kept === inside) return source;
    return isPlainComment(kept) ? this.comment(kept, `<!--${kept}-->`) : '';
  }
}

/** Cleans a part of a text. It begins and ends outside of tags. */
function* cleanPart(html: string, cleaner: Cleaner): Steps<string> {
  if (!html.includes('<')) return html;
  const first = yield* rewritePlain(html, cleaner);
  if (first.rest === '') return first.text;
  const second = yield* rewritePlain(yield* toPlain(first.rest), cleaner);
  if (second.rest !== '') throw new TypeError('rewritten markup must be plain');
  return first.text + second.text;
}

const withoutNul = (html: string): string => (html.includes('\0') ? html.replaceAll('\0', '') : html);

function* cleanInSteps(html: string, allowed: AllowList): Steps<string> {
  const cleaner = new Cleaner(allowed);
  return (yield* cleanPart(withoutNul(html), cleaner)) + cleaner.finish();
}

const clean = (html: string, allowed: AllowList): string => runSteps(cleanInSteps(html, allowed));

/**
 * Sanitises the content or excerpt of a caller without `unfiltered_html`. Text, comments, and allowed elements with allowed attributes,
 * addresses and styles stay byte for byte. Other tags are removed, and their text is kept (recorded case create-perm-050). Missing end
 * tags are added, and stray end tags are removed. Block comments are kept. Idempotent.
 */
export function sanitiseContent(html: string): string {
  return clean(html, POST_MARKUP);
}

/** Sanitises the title of a caller without `unfiltered_html`: only inline elements are kept. */
export function sanitiseTitle(html: string): string {
  return clean(html, TITLE_MARKUP);
}

/** Sanitises a comment or the description of a term: only the few elements that everybody may write are kept. */
export function sanitiseComment(html: string): string {
  return clean(html, COMMENT_MARKUP);
}

/** What may be written in the places where a translation is stored. */
const PLACES = { content: POST_MARKUP, title: TITLE_MARKUP } as const;

/** Sanitises as `sanitiseContent` or `sanitiseTitle`. */
export const sanitiseInSteps = (html: string, place: keyof typeof PLACES): Steps<string> =>
  cleanInSteps(html, PLACES[place]);

function* cleanTranslation(target: string, cleaner: Cleaner, own: OwnMarkup): Steps<string> {
  const html = withoutNul(target);
  const parts: string[] = [];
  let done = 0;
  for (const whole of own.wholes.size === 0 ? [] : yield* listWholes(html)) {
    const kept = toOwnWhole(own, whole);
    if (kept === null) continue;
    parts.push(yield* cleanPart(html.slice(done, whole.from), cleaner), kept);
    done = whole.to;
  }
  const rest = yield* cleanPart(html.slice(done), cleaner);
  return parts.join('') + rest + cleaner.finish();
}

/**
 * Sanitises the translation of a caller without `unfiltered_html`: only what it adds to its source is cleaned. Tags and comments that the
 * source has stay byte for byte, apart from texts in attributes such as `alt`; elements whose content is not HTML, such as script, iframe
 * and svg, stay only as a whole.
 */
export function* sanitiseTranslation(
  target: string,
  source: string,
  place: keyof typeof PLACES = 'content',
): Steps<string> {
  if (target === source) return target;
  const own = yield* readOwnMarkup(source);
  return yield* cleanTranslation(target, new Cleaner(PLACES[place], { own }), own);
}

const isSame = (one: Balance, other: Balance): boolean =>
  one.missing === other.missing && one.ended.join(' ') === other.ended.join(' ');

/** A text that closes and leaves open nothing, with the tags that make its balance that of its source. Only elements that everybody may write are closed or opened. */
function restoreBalance(text: string, { ended, missing }: Balance): string {
  const isAllowed = (name: string): boolean => POST_MARKUP.elements.has(name);
  const opened = [...missing.matchAll(/<\/([^<>]+)>/g)].map(([, name = '']) => name).toReversed();
  return `${ended
    .filter(isAllowed)
    .map((name) => `</${name}>`)
    .join('')}${text}${opened
    .filter(isAllowed)
    .map((name) => `<${name}>`)
    .join('')}`;
}

function* cleanTranslatedPart({ source, target }: TranslatedPart, own: OwnMarkup): Steps<string> {
  const balance = yield* readBalance(source);
  const text = yield* cleanTranslation(target, new Cleaner(POST_MARKUP, { own, balance }), own);
  if (isSame(yield* readBalance(text), balance)) return text;
  return restoreBalance(yield* cleanTranslation(target, new Cleaner(POST_MARKUP, { own }), own), balance);
}

/** Sanitises content of which some parts are translated, as `sanitiseTranslation`. Each of the others stays byte for byte, unless it begins or ends inside of a tag, a comment or an element such as script. */
export function* sanitiseParts(parts: readonly TranslatedPart[]): Steps<string> {
  const own = yield* readOwnMarkup(parts.map(({ source }) => source).join(''));
  const cleaned: string[] = [];
  for (const part of yield* joinParts(parts))
    cleaned.push(part.source === part.target ? part.source : yield* cleanTranslatedPart(part, own));
  return cleaned.join('');
}
