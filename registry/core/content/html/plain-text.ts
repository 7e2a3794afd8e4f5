import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { CLOSED_ELEMENTS, type HtmlPlace, readHtml, readHtmlSteps } from './html.ts';
import { BLOCK_ELEMENTS } from './paragraphs.ts';

/** The places of the text in HTML, in order: outside of tags and comments, and outside of elements whose content is not text or that are in `except`. */
export function listTextPlaces(html: string, except: readonly string[] = []): readonly HtmlPlace[] {
  return runSteps(findTextPlaces(html, except));
}

/** The same, in steps. */
export function* findTextPlaces(html: string, except: readonly string[] = []): Steps<readonly HtmlPlace[]> {
  const skipped: ReadonlySet<string> = new Set([...CLOSED_ELEMENTS, ...except]);
  const places: { from: number; to: number }[] = [];
  const open: string[] = [];
  yield* readHtmlSteps(
    html,
    {
      start: ({ name }) => {
        if (skipped.has(name)) open.push(name);
      },
      end: ({ name }) => {
        if (open.at(-1) === name) open.pop();
      },
      text: (_text, { from, to }) => {
        const last = places.at(-1);
        if (open.length > 0) return;
        if (last?.to === from) last.to = to;
        else places.push({ from, to });
      },
    },
    { raw: 'place', positions: true },
  );
  return places;
}

/** Returns a function that tells whether a range is within one of the places. Ranges must be passed from left to right. */
export function createPlaceTest(places: readonly HtmlPlace[]): (stretch: HtmlPlace) => boolean {
  let index = 0;
  return ({ from, to }) => {
    while (index < places.length && (places[index]?.to ?? 0) <= from) index += 1;
    const place = places[index];
    return place !== undefined && place.from <= from && to <= place.to;
  };
}

/** Elements whose text is not shown. */
const SILENT = wordSet('script style template noscript iframe title');
// Scripts that are written without spaces. As in WordPress, each character counts as a word.
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The text of markup on one line: without tags, comments, scripts and styles, with decoded references and single spaces. */
export function toPlainText(html: string): string {
  // Without tags, references and NUL it is already plain text.
  if (!/[<&\0]/.test(html)) return toLine(html);
  const parts: string[] = [];
  let silent = '';
  let nested = 0;
  const part = (name: string): void => {
    if (name === 'br' || BLOCK_ELEMENTS.has(name)) parts.push(' ');
  };
  readHtml(html, {
    start: ({ name, selfClosing }) => {
      if (silent === '' && SILENT.has(name) && !selfClosing) silent = name;
      if (name === silent) nested += 1;
      part(name);
    },
    end: ({ name }) => {
      if (name === silent) nested -= 1;
      if (nested === 0) silent = '';
      part(name);
    },
    text: (text) => {
      if (silent === '') parts.push(text);
    },
  });
  return toLine(parts.join(''));
}

/** Number of words of a plain text. In Chinese and Japanese, each character counts as a word. */
export function countWords(text: string): number {
  let count = 0;
  const spaced = text.replaceAll(IDEOGRAPHS, () => {
    count += 1;
    return ' ';
  });
  for (const piece of spaced.split(/\s+/)) if (/[\p{L}\p{N}]/u.test(piece)) count += 1;
  return count;
}
