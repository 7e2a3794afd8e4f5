import {
  CLOSED_ELEMENTS,
  type HtmlPlace,
  type HtmlTag,
  type Steps,
  createPlaceTest,
  escapeAttribute,
  escapeText,
  listTextPlaces,
  own,
  placeShortcodes,
  readHtml,
} from '../../../plugin.ts';
import type { TermFinder } from '../glossary/glossary.ts';
import { PLACEHOLDER } from '../segments/losses.ts';

/** A text cut into what a machine translates, and what stays between it. */
export interface MachineText {
  /** HTML: runs of words with their inline tags, without block tags, comments and scripts. */
  readonly pieces: readonly string[];
  /** The text with the translations of its pieces, in their order. */
  write(translations: readonly string[]): string;
}

/** Elements inside a sentence. Any other tag ends a run of words. */
const INLINE: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark q s samp ' +
    'small span strike strong sub sup time tt u var wbr'
  ).split(' '),
);
/** Inline elements whose content is not language. */
const NAMES: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'var']);
/** Elements that stay as a whole. */
const CLOSED: ReadonlySet<string> = new Set([
  ...CLOSED_ELEMENTS,
  ...'audio canvas object pre select video'.split(' '),
]);

/** What a machine must leave as it is. `isShortcode`: whether a name is a shortcode even without a closing tag. */
interface MarkedTexts {
  readonly isShortcode: (name: string) => boolean;
  readonly glossary: TermFinder;
}

interface Cuts {
  /** Runs between block tags, comments and closed elements. */
  readonly runs: HtmlPlace[];
  /** Elements in a run that stay as they are. */
  readonly names: HtmlPlace[];
}

function findCuts(text: string): Cuts {
  const cuts: Cuts = { runs: [], names: [] };
  const closed: string[] = [];
  let start = 0;
  let name: HtmlTag | null = null;
  const cut = ({ from, to }: HtmlPlace): void => {
    if (from > start) cuts.runs.push({ from: start, to: from });
    start = to;
  };
  readHtml(
    text,
    {
      start: (tag) => {
        if (closed.length === 0 && !INLINE.has(tag.name)) cut(tag);
        if (CLOSED.has(tag.name) && !tag.selfClosing) closed.push(tag.name);
        if (closed.length === 0 && name === null && NAMES.has(tag.name)) name = tag;
      },
      end: (tag) => {
        if (closed.length > 0) {
          if (closed.at(-1) === tag.name) closed.pop();
          start = tag.to;
        } else if (!INLINE.has(tag.name)) cut(tag);
        else if (name?.name === tag.name) {
          cuts.names.push({ from: name.from, to: tag.to });
          name = null;
        }
      },
      comment: (_text, place) => {
        if (closed.length === 0) cut(place);
      },
    },
    { raw: 'place', positions: true },
  );
  if (closed.length === 0) cut({ from: text.length, to: text.length });
  return cuts;
}

/** What must stay byte for byte inside of runs: shortcodes, placeholders, code and protected terms. In order, without overlaps. */
function* listMarks(
  text: string,
  names: readonly HtmlPlace[],
  { isShortcode, glossary }: MarkedTexts,
): Steps<readonly HtmlPlace[]> {
  const places = listTextPlaces(text);
  const placeholders = [...text.matchAll(PLACEHOLDER)]
    .map(({ index, 0: whole }) => ({ from: index, to: index + whole.length }))
    .filter(createPlaceTest(places));
  const terms = (yield* glossary.places(text))
    .filter(({ term }) => term.translation === null)
    .filter(createPlaceTest(places));
  let end = 0;
  return [...names, ...placeShortcodes(text, isShortcode), ...placeholders, ...terms]
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}

/** Cuts a run at empty lines, which separate paragraphs, and leaves out the space around each part. */
function toParagraphs(text: string, { from, to }: HtmlPlace): readonly HtmlPlace[] {
  const parts: HtmlPlace[] = [];
  let at = from;
  for (const part of text.slice(from, to).split(/(\n[ \t\r]*\n)/)) {
    const inner = part.trim();
    const begin = at + part.indexOf(inner);
    if (inner !== '') parts.push({ from: begin, to: begin + inner.length });
    at += part.length;
  }
  return parts;
}

interface Piece extends HtmlPlace {
  readonly sent: string;
  readonly isPlain: boolean;
  readonly marks: readonly string[];
}

/** Begins the ids of marks. No id of the text begins with it. */
function toPrefix(text: string): string {
  const longest = [...text.matchAll(/id="m(k*)/g)].reduce(
    (most, [, run = '']) => Math.max(most, run.length),
    -1,
  );
  return `m${'k'.repeat(longest + 1)}`;
}

const MARKUP = /<[a-z!/]|&(?:[a-z][a-z0-9]*|#\w+);/i;
const LETTER = /\p{L}/u;
const SPAN_END = '</span>';

function toPiece(
  text: string,
  place: HtmlPlace,
  { marks, prefix }: { readonly marks: readonly HtmlPlace[]; readonly prefix: string },
): Piece | null {
  const source = text.slice(place.from, place.to);
  const isPlain = !MARKUP.test(source);
  let at = place.from;
  let sent = '';
  let words = '';
  const add = (to: number): void => {
    const part = text.slice(at, to);
    sent += isPlain ? escapeText(part) : part;
    words += isPlain
      ? part
      : part.replaceAll(/<[^>]*>?|&#?\w+;/g, (found) =>
          found.startsWith('<') && !found.endsWith('>') ? found : ' ',
        );
  };
  for (const [index, { from, to }] of marks.entries()) {
    add(from);
    // Both services leave such an element as it is.
    sent += `<span translate="no" class="notranslate" id="${prefix}${index}">${escapeAttribute(text.slice(from, to))}</span>`;
    at = to;
  }
  add(place.to);
  return LETTER.test(words)
    ? { ...place, sent, isPlain, marks: marks.map(({ from, to }) => text.slice(from, to)) }
    : null;
}

const DECODED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  apos: "'",
  nbsp: '\u00A0',
};

/** Cuts a translated text at the marks in it. Every second part is the number of a mark. */
function splitAtMarks(translated: string, id: RegExp): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: tag, index } of translated.matchAll(/<span\b[^>]*>?/g)) {
    const number = index < from || !tag.endsWith('>') ? undefined : id.exec(tag)?.[1];
    const end = number === undefined ? -1 : translated.indexOf(SPAN_END, index + tag.length);
    if (number !== undefined && end === -1) break;
    if (number === undefined) continue;
    parts.push(translated.slice(from, index), number);
    from = end + SPAN_END.length;
  }
  return [...parts, translated.slice(from)];
}

function fromTranslated({ isPlain, marks }: Piece, translated: string, id: RegExp): string {
  const decode = (part: string): string =>
    isPlain
      ? part.replaceAll(
          /&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/g,
          (_whole, name: string) => own(DECODED, name) ?? '',
        )
      : part;
  return splitAtMarks(translated.trim(), id)
    .map((part, index) => (index % 2 === 0 ? decode(part) : (marks[Number(part)] ?? '')))
    .join('');
}

/** Cuts a text, which is HTML or plain. */
export function* toMachineText(text: string, marked: MarkedTexts): Steps<MachineText> {
  const { runs, names } = findCuts(text);
  const marks = yield* listMarks(text, names, marked);
  const prefix = toPrefix(text);
  const id = new RegExp(`\\bid="${prefix}(\\d+)"`);
  let first = 0;
  const pieces = runs
    .flatMap((run) => toParagraphs(text, run))
    .flatMap((place) => {
      while ((marks[first]?.from ?? Infinity) < place.from) first += 1;
      const begin = first;
      while ((marks[first]?.to ?? Infinity) <= place.to) first += 1;
      return toPiece(text, place, { marks: marks.slice(begin, first), prefix }) ?? [];
    });
  return {
    pieces: pieces.map(({ sent }) => sent),
    write(translations) {
      let at = 0;
      const parts = pieces.map((piece, index) => {
        const kept = text.slice(at, piece.from);
        at = piece.to;
        return kept + fromTranslated(piece, translations[index] ?? '', id);
      });
      return parts.join('') + text.slice(at);
    },
  };
}
