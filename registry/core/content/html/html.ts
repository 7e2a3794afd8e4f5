// The only file that imports parse5. It uses the tokenizer only, which reads in one pass without recursion and without a stack, so that
// neither deep nesting nor unclosed elements cost more than their length. (The tree builder takes quadratic time for both.)
import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import type { Steps } from '../../../../lib/core/cooperative.ts';
import { wordSet } from '../../../../lib/core/text.ts';

type Space = 'html' | 'svg' | 'math';

/** `html`: children are parsed as HTML. `text`: the same, except for two MathML elements. */
interface Open {
  readonly name: string;
  readonly space: Space;
  readonly door: 'html' | 'text' | null;
}

/** Start tags that end all open SVG and MathML elements. */
const BREAKOUT = wordSet(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike ' +
    'sub sup table tt u ul var',
);
const FONT = wordSet('color face size');
const SVG_DOORS = wordSet('foreignobject desc title');
const MATH_DOORS = wordSet('mi mo mn ms mtext');
const MATH_ONLY = wordSet('mglyph malignmark');

function toDoor({ name, attributes }: HtmlTag, space: Space): Open['door'] {
  if (space === 'svg') return SVG_DOORS.has(name) ? 'html' : null;
  if (space !== 'math') return null;
  if (MATH_DOORS.has(name)) return 'text';
  const encoding = attributes.find((attribute) => attribute.name === 'encoding')?.value.toLowerCase();
  return name === 'annotation-xml' && (encoding === 'text/html' || encoding === 'application/xhtml+xml')
    ? 'html'
    : null;
}

function isBreakout({ name, attributes }: HtmlTag): boolean {
  return BREAKOUT.has(name) || (name === 'font' && attributes.some((attribute) => FONT.has(attribute.name)));
}

/** Tells whether a tag is in HTML or in SVG or MathML, where other parsing rules apply (HTML 13.2.6.5). Unclosed elements count as open; end tags are matched by name. */
export class PlaceTracker {
  readonly #open: Open[] = [];
  readonly #counts = new Map<string, number>();

  /** @returns whether this start tag begins an HTML element */
  start(tag: HtmlTag): boolean {
    const { name, selfClosing } = tag;
    if (!this.#isHtml(name) && isBreakout(tag)) this.#breakOut();
    const isHtml = this.#isHtml(name);
    const isDoorway = isHtml && (name === 'svg' || name === 'math');
    const space: Space = isDoorway ? name : isHtml ? 'html' : (this.#open.at(-1)?.space ?? 'html');
    const isClosed = space === 'html' ? VOID_ELEMENTS.has(name) : selfClosing;
    if (!isClosed) this.#push({ name, space, door: isHtml ? null : toDoor(tag, space) });
    return space === 'html';
  }

  end({ name }: HtmlTag): void {
    if (this.isForeign() && (name === 'p' || name === 'br')) this.#breakOut();
    if ((this.#counts.get(name) ?? 0) === 0) return;
    // All elements inside end with it.
    for (let last = this.#pop(); last !== undefined && last !== name;) last = this.#pop();
  }

  /** Whether the current parent is an SVG or MathML element, in which CDATA sections are allowed. */
  isForeign(): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && top.space !== 'html';
  }

  /** Whether a start tag of this name is parsed as HTML here. */
  #isHtml(name: string): boolean {
    const top = this.#open.at(-1);
    if (!this.isForeign() || top?.door === 'html' || (top?.door === 'text' && !MATH_ONLY.has(name)))
      return true;
    return name === 'svg' && top?.name === 'annotation-xml';
  }

  #breakOut(): void {
    while (this.isForeign() && this.#open.at(-1)?.door === null) this.#pop();
  }

  #push(entry: Open): void {
    this.#open.push(entry);
    this.#counts.set(entry.name, (this.#counts.get(entry.name) ?? 0) + 1);
  }

  #pop(): string | undefined {
    const last = this.#open.pop();
    if (last !== undefined) this.#counts.set(last.name, (this.#counts.get(last.name) ?? 1) - 1);
    return last?.name;
  }
}

/** An attribute of a tag. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** With decoded character references. */
  readonly value: string;
}

/** Offsets of a part in the text, `from` its first character `to` the one behind it; -1 unless `positions` was requested. */
export interface HtmlPlace {
  readonly from: number;
  readonly to: number;
}

/** A start or end tag. `selfClosing`: it ends with `/>`. */
export interface HtmlTag extends HtmlPlace {
  /** Lower case. */
  readonly name: string;
  /** Names are unique: the first attribute of a name counts. Empty for an end tag. */
  readonly attributes: readonly HtmlAttribute[];
  readonly selfClosing: boolean;
}

/** Elements without content and end tag, for parsers (HTML 13.1.2, and `param` by 13.2.6.4.7). */
export const VOID_ELEMENTS = wordSet('area base br col embed hr img input link meta param source track wbr');

/** Elements whose content is text as it stands: character references mean nothing in it (HTML 13.3). */
export const RAW_TEXT = wordSet('iframe noembed noframes plaintext script style xmp');

/** Elements whose content browsers do not parse as the HTML around them, or do not show. */
export const CLOSED_ELEMENTS: ReadonlySet<string> = new Set([
  ...RAW_TEXT,
  ...'math noscript svg template textarea title'.split(' '),
]);

/** Receives the parts of an HTML text in order: the `start` and `end` tags, `text` and `comment`. Text is decoded and may come in several pieces. */
export interface HtmlVisitor {
  readonly start?: (tag: HtmlTag) => void;
  readonly end?: (tag: HtmlTag) => void;
  readonly text?: (text: string, place: HtmlPlace) => void;
  readonly comment?: (text: string, place: HtmlPlace) => void;
}

/**
 * `raw`: true (default) if the content of script, style, title and similar elements is text; false to read tags in it as well; `'place'` to
 * decide as a browser with scripts does, by whether the element is in HTML or in SVG or MathML.
 * `positions`: report the offsets of each part, default false. The borders between adjacent pieces of text are approximate, because
 * character references are longer than the characters.
 */
export interface HtmlReading {
  readonly raw?: boolean | 'place';
  readonly positions?: boolean;
}

/** How the text inside an element is parsed (HTML 13.2.6). */
const RAW_MODES: ReadonlyMap<string, Tokenizer['state']> = new Map(
  Object.entries({
    title: TokenizerMode.RCDATA,
    textarea: TokenizerMode.RCDATA,
    script: TokenizerMode.SCRIPT_DATA,
    style: TokenizerMode.RAWTEXT,
    xmp: TokenizerMode.RAWTEXT,
    iframe: TokenizerMode.RAWTEXT,
    noembed: TokenizerMode.RAWTEXT,
    noframes: TokenizerMode.RAWTEXT,
    plaintext: TokenizerMode.PLAINTEXT,
  }),
);

const NOWHERE: HtmlPlace = { from: -1, to: -1 };

function toPlace({ location }: Token.CharacterToken | Token.CommentToken): HtmlPlace {
  return location === null ? NOWHERE : { from: location.startOffset, to: location.endOffset };
}

function toTag({ tagName, attrs, selfClosing, location }: Token.TagToken): HtmlTag {
  return {
    name: tagName,
    attributes: attrs,
    selfClosing,
    from: location?.startOffset ?? -1,
    to: location?.endOffset ?? -1,
  };
}

/** Reads HTML in parts, so that the reader of a long text can yield in between. */
interface HtmlReader {
  /** `last`: true for the last part. */
  write(part: string, last: boolean): void;
}

/** Creates a reader that calls the visitor for each part of the text as soon as it is complete. */
export function createHtmlReader(
  visitor: HtmlVisitor,
  { raw = true, positions = false }: HtmlReading = {},
): HtmlReader {
  const onText = (token: Token.CharacterToken): void => visitor.text?.(token.chars, toPlace(token));
  const ignore = (): void => {};
  const handler: TokenHandler = {
    onStartTag: (token) => {
      const tag = toTag(token);
      const isRaw = tracker === null ? raw !== false : tracker.start(tag);
      const mode = isRaw
        ? (RAW_MODES.get(tag.name) ??
          (tracker !== null && tag.name === 'noscript' ? TokenizerMode.RAWTEXT : undefined))
        : undefined;
      if (mode !== undefined) tokenizer.state = mode;
      tokenizer.inForeignNode = tracker?.isForeign() ?? false;
      visitor.start?.(tag);
    },
    onEndTag: (token) => {
      const tag = toTag(token);
      tracker?.end(tag);
      tokenizer.inForeignNode = tracker?.isForeign() ?? false;
      visitor.end?.(tag);
    },
    onComment: (token) => visitor.comment?.(token.data, toPlace(token)),
    onCharacter: onText,
    onWhitespaceCharacter: onText,
    onNullCharacter: ignore,
    onDoctype: ignore,
    onEof: ignore,
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: positions }, handler);
  const tracker = raw === 'place' ? new PlaceTracker() : null;
  return { write: (part, last) => tokenizer.write(part, last) };
}

/** Characters that are read between two places where the reading may be interrupted. */
const STEP = 8192;

/** Reads any text as HTML, as `readHtml`. */
export function* readHtmlSteps(html: string, visitor: HtmlVisitor, reading: HtmlReading = {}): Steps<void> {
  const reader = createHtmlReader(visitor, reading);
  for (let from = 0; from < html.length - STEP; from += STEP) {
    reader.write(html.slice(from, from + STEP), false);
    yield;
  }
  reader.write(html.slice(Math.max(0, Math.ceil(html.length / STEP) - 1) * STEP), true);
}

/** Reads any text as HTML and calls the visitor for each part. Never throws. NUL characters are dropped. */
export function readHtml(html: string, visitor: HtmlVisitor, reading: HtmlReading = {}): void {
  createHtmlReader(visitor, reading).write(html, true);
}
