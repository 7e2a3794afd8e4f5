import { readHtml } from './html.ts';
import { BLOCK_ELEMENTS } from './paragraphs.ts';

/** Elements whose text is not shown. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'title']);
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

/** The first `words` words of a plain text, followed by `more`; the whole text if it is not longer. */
export function cutWords(text: string, words: number, more: string): string {
  const limit = Math.max(0, words);
  const all = text.split(/\s+/, limit + 2).filter(Boolean);
  return all.length > limit ? `${all.slice(0, limit).join(' ')}${more}` : all.join(' ');
}
