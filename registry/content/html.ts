// The only file that imports parse5. It uses the tokenizer alone: reading takes one pass without recursion and without a stack, so that
// neither deep nesting nor unclosed elements cost more than their length. (The tree builder needs quadratic time for both.)
import { Tokenizer, TokenizerMode, type Token, type TokenHandler } from 'parse5';
import { own } from '../../lib/core/objects.ts';
import { createPlaceTracker } from './html-place.ts';
import type { HtmlPlace, HtmlTag } from './html-tag.ts';

export type { HtmlAttribute, HtmlPlace, HtmlTag } from './html-tag.ts';

/** What to do with the parts of an HTML text, in their order. Text is decoded and may come in several pieces. */
export interface HtmlVisitor {
  readonly start?: (tag: HtmlTag) => void;
  readonly end?: (tag: HtmlTag) => void;
  readonly text?: (text: string, place: HtmlPlace) => void;
  readonly comment?: (text: string, place: HtmlPlace) => void;
}

/**
 * `raw`: the content of script, style, title and their like is text (default); false: tags are read in there, too; `'place'`: as a
 * browser with scripts reads it, by whether the element stands in HTML or in a drawing or formula.
 * `positions`: tell where each part stands, default false. Adjacent pieces of text share their borders only roughly, as references are longer than what they mean.
 */
export interface HtmlReading {
  readonly raw?: boolean | 'place';
  readonly positions?: boolean;
}

/** Elements without content and end tag (HTML 13.1.2). */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set([
  'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr',
]);

/** How the text inside an element is read (HTML 13.2.6). */
const RAW_MODES: ReadonlyMap<string, Tokenizer['state']> = new Map(Object.entries({
  title: TokenizerMode.RCDATA, textarea: TokenizerMode.RCDATA, script: TokenizerMode.SCRIPT_DATA, style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT, iframe: TokenizerMode.RAWTEXT, noembed: TokenizerMode.RAWTEXT, noframes: TokenizerMode.RAWTEXT,
  plaintext: TokenizerMode.PLAINTEXT,
}));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00A0': '&nbsp;' };

/** Text as it stands in markup. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>\u00A0]/g, (character) => own(ESCAPES, character) ?? character);
}

/** Text as it stands in an attribute between double quotes. */
export function escapeAttribute(text: string): string {
  return text.replaceAll(/[&<>"\u00A0]/g, (character) => own(ESCAPES, character) ?? character);
}

const NOWHERE: HtmlPlace = { from: -1, to: -1 };

function toPlace({ location }: Token.CharacterToken | Token.CommentToken): HtmlPlace {
  return location === null ? NOWHERE : { from: location.startOffset, to: location.endOffset };
}

function toTag({ tagName, attrs, selfClosing, location }: Token.TagToken): HtmlTag {
  return { name: tagName, attributes: attrs, selfClosing, from: location?.startOffset ?? -1, to: location?.endOffset ?? -1 };
}

/** Reads HTML that comes in parts, so that the reader of a long text can let others have their turn in between. */
export interface HtmlReader {
  /** `last`: nothing comes after this part. */
  write(part: string, last: boolean): void;
}

/** Makes a reader that calls the visitor for each part of the text as soon as it is complete. */
export function createHtmlReader(visitor: HtmlVisitor, { raw = true, positions = false }: HtmlReading = {}): HtmlReader {
  const onText = (token: Token.CharacterToken): void => visitor.text?.(token.chars, toPlace(token));
  const ignore = (): void => {};
  const handler: TokenHandler = {
    onStartTag: (token) => {
      const tag = toTag(token);
      const isRaw = tracker === null ? raw !== false : tracker.start(tag);
      const mode = isRaw ? RAW_MODES.get(tag.name) ?? (tracker !== null && tag.name === 'noscript' ? TokenizerMode.RAWTEXT : undefined) : undefined;
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

/** Reads any text as HTML and calls the visitor for each part; never throws, NUL characters are dropped. */
export function readHtml(html: string, visitor: HtmlVisitor, reading: HtmlReading = {}): void {
  createHtmlReader(visitor, reading).write(html, true);
}
