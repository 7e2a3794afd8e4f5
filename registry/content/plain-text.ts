import { readHtml } from './html.ts';
import { BLOCK_ELEMENTS } from './paragraphs.ts';

/** Elements whose text nobody reads. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'title']);
// Scripts that write without blanks: each character counts as a word, as in WordPress.
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The text of markup in one line: tags, comments, scripts and styles are gone, references decoded, white space is single blanks. */
export function toPlainText(html: string): string {
  // Without tags, references and NUL it is plain text already.
  if (!/[<&\0]/.test(html)) return toLine(html);
  const parts: string[] = [];
  let silent = '';
  let nested = 0;
  const part = (name: string): void => { if (name === 'br' || BLOCK_ELEMENTS.has(name)) parts.push(' '); };
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
    text: (text) => { if (silent === '') parts.push(text); },
  });
  return toLine(parts.join(''));
}

/** Number of words of a plain text; of Chinese and Japanese the number of characters. */
export function countWords(text: string): number {
  let count = 0;
  const spaced = text.replaceAll(IDEOGRAPHS, () => {
    count += 1;
    return ' ';
  });
  for (const piece of spaced.split(/\s+/)) if (/[\p{L}\p{N}]/u.test(piece)) count += 1;
  return count;
}

/** The first `words` words of a plain text, then `more`; the whole text when it has no more than that. */
export function cutWords(text: string, words: number, more: string): string {
  const limit = Math.max(0, words);
  const all = text.split(/\s+/, limit + 2).filter(Boolean);
  return all.length > limit ? `${all.slice(0, limit).join(' ')}${more}` : all.join(' ');
}
