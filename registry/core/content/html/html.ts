// The only file that imports parse5. It uses the tokenizer only, which reads in one pass without recursion and without a stack, so that
// neither deep nesting nor unclosed elements cost more than their length. (The tree builder takes quadratic time for both.)
import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from 'parse5';
import type { Steps } from '../../../../lib/core/cooperative.ts';
import { createPlaceTracker } from './html-place.ts';
import type { HtmlPlace, HtmlTag } from './html-tag.ts';

export type { HtmlAttribute, HtmlPlace, HtmlTag } from './html-tag.ts';

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
  const tracker = raw === 'place' ? createPlaceTracker() : null;
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
