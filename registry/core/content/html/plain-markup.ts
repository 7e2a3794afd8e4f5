import type { Steps } from '../../../../lib/core/cooperative.ts';

// Markup that every parser reads in the same way: complete tags with separated attributes and closed quotes, complete comments, text without `<`.

/** Whitespace between the parts of a tag. */
const BLANK = '[\\t\\n\\f\\r ]';
const ELEMENT = '[a-z][a-z0-9:-]*';
const NAME = '[a-z_:][a-z0-9_:.-]*';
const IS = `${BLANK}*=${BLANK}*`;
const VALUE = `"[^"]*"|'[^']*'|[^\\t\\n\\f\\r "'<>=\`]+`;

const START = `(${ELEMENT})((?:${BLANK}+${NAME}(?:${IS}(?:${VALUE}))?)*)${BLANK}*(/?)`;
const END = `/(${ELEMENT})${BLANK}*`;
const COMMENT = '!--([^]*?)--';
const MARKUP = new RegExp(`<(?:${START}|${END}|${COMMENT})>`, 'giy');
/** What a comment must not contain, because some parsers end the comment there or start another one (HTML 13.1.6). */
const UNCLEAR = /^-?>|--!?>|<!--|<!-$/;

const ATTRIBUTE = new RegExp(`${BLANK}+(${NAME})(?:${IS}(${VALUE}))?`, 'giy');

/** A start tag. `source`: the whole tag; `attributes`: the part with the attributes. */
export interface PlainStart {
  /** As written, not in lower case. */
  readonly name: string;
  readonly attributes: string;
  readonly selfClosing: boolean;
  readonly source: string;
}

/** An attribute. `source`: as written, with the whitespace before it. `value`: as written, with its quotes; '' if there is none. */
export interface PlainAttribute {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** Returns the replacement for each part. */
export interface PlainRewriter {
  readonly start: (tag: PlainStart) => string;
  readonly end: (name: string, source: string) => string;
  /** `inside`: between `<!--` and `-->`. */
  readonly comment: (inside: string, source: string) => string;
}

/** Whether this text may be between `<!--` and `-->`. */
export function isPlainComment(inside: string): boolean {
  return !UNCLEAR.test(inside);
}

/** @returns null for a comment that is not plain */
function rewritePart(
  { 0: source, 1: start, 2: attributes = '', 3: slash, 4: end, 5: inside = '' }: RegExpExecArray,
  rewriter: PlainRewriter,
): string | null {
  if (start !== undefined)
    return rewriter.start({ name: start, attributes, selfClosing: slash === '/', source });
  if (end !== undefined) return rewriter.end(end, source);
  return isPlainComment(inside) ? rewriter.comment(inside, source) : null;
}

/** A rewritten text. `rest`: everything from the first part that is not plain, unchanged; '' if the whole text is plain. */
interface Rewritten {
  readonly text: string;
  readonly rest: string;
}

/** Tags and comments that are rewritten between two places where the work may be interrupted. */
const STEP = 500;

/** Rewrites the tags and comments of a text as far as it is plain. */
export function* rewritePlain(html: string, rewriter: PlainRewriter): Steps<Rewritten> {
  const parts: string[] = [];
  let count = 0;
  let copied = 0;
  let done = 0;
  for (let from = html.indexOf('<'); from !== -1; from = html.indexOf('<', done)) {
    MARKUP.lastIndex = from;
    const match = MARKUP.exec(html);
    const written = match === null ? null : rewritePart(match, rewriter);
    if (match === null || written === null)
      return { text: parts.join('') + html.slice(copied, from), rest: html.slice(from) };
    const source = match[0];
    count += 1;
    if (count % STEP === 0) yield;
    done = from + source.length;
    if (written === source) continue;
    parts.push(html.slice(copied, from), written);
    copied = done;
  }
  return { text: copied === 0 ? html : parts.join('') + html.slice(copied), rest: '' };
}

/** Rewrites the attributes of a plain start tag, up to what is not one. */
export function rewriteAttributes(
  attributes: string,
  rewrite: (attribute: PlainAttribute) => string,
): string {
  let rewritten = '';
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(attributes); match !== null; match = ATTRIBUTE.exec(attributes)) {
    rewritten += rewrite({ name: match[1] ?? '', value: match[2] ?? '', source: match[0] });
  }
  return rewritten;
}

/** Whether a text is exactly one plain tag or comment. */
export function isPlainPart(source: string): boolean {
  MARKUP.lastIndex = 0;
  return (
    MARKUP.test(source) &&
    MARKUP.lastIndex === source.length &&
    (!source.startsWith('<!') || isPlainComment(source.slice(4, -3)))
  );
}

/** Reads a text that is exactly one plain start tag; null for any other text. */
export function readPlainStart(source: string): PlainStart | null {
  MARKUP.lastIndex = 0;
  const { 0: whole, 1: name, 2: attributes = '', 3: slash } = MARKUP.exec(source) ?? [];
  return name === undefined || whole !== source
    ? null
    : { name, attributes, selfClosing: slash === '/', source };
}
