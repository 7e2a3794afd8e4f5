import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { type HtmlPlace, type HtmlTag, readHtmlSteps, VOID_ELEMENTS } from './html.ts';

/** Elements that must not be inside a paragraph. */
export const BLOCK_ELEMENTS = wordSet(
  'address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 ' +
    'h5 h6 header hgroup hr legend li main map math menu nav ol option p pre script search section select style summary svg table tbody td template textarea ' +
    'tfoot th thead tr ul video audio object',
);

/** The end of a paragraph. A comment is none. */
function toEnd(last: string): string {
  if (last === '') return '';
  const isComment = last.startsWith('<p><!--') && last.indexOf('-->') === last.length - 3;
  return isComment ? `${last.slice(3)}\n` : `${last}</p>\n`;
}

/** Lines, or block elements, that are read between two places where the work may be interrupted. */
const STEP = 1000;

/** Blank lines separate paragraphs. Other line ends become line breaks. An existing line break is not doubled, and whitespace around it is removed. */
function* toParagraphs(inline: string): Steps<string> {
  let written = '';
  let count = 0;
  /** The last line of the open paragraph, with its start if it is the first one too. */
  let last = '';
  for (const each of inline.split('\n')) {
    count += 1;
    if (count % STEP === 0) yield;
    const line = each.trim();
    if (line === '') {
      written += toEnd(last);
      last = '';
    } else if (last === '') last = `<p>${line}`;
    else {
      written += last.endsWith('>') && /<br ?\/?>$/i.test(last) ? `${last}\n` : `${last}<br />\n`;
      last = line;
    }
  }
  return written + toEnd(last);
}

/** Copies a text from left to right: block elements unchanged, and everything between them as paragraphs. */
class Copier {
  readonly #text: string;
  /** By turns a text for paragraphs and block elements. */
  readonly #parts: string[] = [];
  readonly #open: string[] = [];
  /** Number of open elements by name, so that a stray end tag costs nothing. */
  readonly #counts = new Map<string, number>();
  #inline = '';
  #done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  start(tag: HtmlTag): void {
    const { name, selfClosing, from, to } = tag;
    if (!BLOCK_ELEMENTS.has(name)) return this.inline(tag);
    if (this.#open.length === 0) this.#flush(from);
    if (!VOID_ELEMENTS.has(name) && !selfClosing) {
      this.#open.push(name);
      this.#count(name, 1);
    } else if (this.#open.length === 0) this.#keep(to);
  }

  end(tag: HtmlTag): void {
    const { name, to } = tag;
    if ((this.#counts.get(name) ?? 0) === 0) return this.inline(tag);
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      this.#count(last, -1);
      if (last === name) break;
    }
    if (this.#open.length === 0) this.#keep(to);
  }

  /** A tag inside a paragraph, or a comment. Line ends in it do not become line breaks. */
  inline({ from, to }: HtmlPlace): void {
    if (this.#open.length > 0) return;
    this.#inline += this.#text.slice(this.#done, from) + this.#text.slice(from, to).replaceAll('\n', ' ');
    this.#done = to;
  }

  *finish(): Steps<string> {
    if (this.#open.length > 0) this.#keep(this.#text.length);
    else this.#flush(this.#text.length);
    const output: string[] = [];
    for (const [at, part] of this.#parts.entries()) {
      if (at % STEP === STEP - 1) yield;
      if (at % 2 === 1) output.push(part);
      else if (part.trim() !== '') output.push(yield* toParagraphs(part));
    }
    return output.join('');
  }

  #flush(to: number): void {
    this.#parts.push(this.#inline + this.#text.slice(this.#done, to));
    this.#inline = '';
    this.#done = to;
  }

  #keep(to: number): void {
    this.#parts.push(`${this.#text.slice(this.#done, to)}\n`);
    this.#done = to;
  }

  #count(name: string, by: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }
}

/**
 * Adds paragraphs to text that was written without them: blank lines separate paragraphs, single line ends become `<br />`.
 * Block elements and their contents stay unchanged. One pass.
 */
export function* addParagraphsInSteps(source: string): Steps<string> {
  const text = source.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  // Most excerpts do not contain tags, and parsing HTML costs more than everything else.
  if (!text.includes('<')) return yield* toParagraphs(text);
  const copier = new Copier(text);
  yield* readHtmlSteps(
    text,
    {
      start: (tag) => copier.start(tag),
      end: (tag) => copier.end(tag),
      comment: (_inside, place) => copier.inline(place),
    },
    { positions: true },
  );
  return yield* copier.finish();
}

/** `addParagraphsInSteps` in one turn of the event loop. */
export const addParagraphs = (source: string): string => runSteps(addParagraphsInSteps(source));
