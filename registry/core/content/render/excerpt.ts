import { runSteps } from '../../../../lib/core/cooperative.ts';
import { escapeText } from '../../../../lib/core/escape.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { hasBlocks, readBlocks } from '../html/blocks.ts';
import { addParagraphs } from '../html/paragraphs.ts';
import { toPlainText } from '../html/plain-text.ts';
import { toBlockName, finish } from './render.ts';

/** Default number of words of an automatic excerpt. */
export const EXCERPT_WORDS = 55;

const MORE = ' […]';

// An excerpt seldom needs more of a long text than some characters per word. If it does, a larger part is read.
const LOOK = { least: 512, each: 24, factor: 8 } as const;

/** Blocks whose text becomes part of an automatic excerpt. Captions, code and embeds do not. */
const EXCERPT_BLOCKS = wordSet(
  'column columns freeform group heading html list list-item media-text paragraph preformatted ' +
    'pullquote quote table verse',
);

function toExcerptSource(content: string): string {
  if (!hasBlocks(content)) return content;
  const parts: string[] = [];
  let skipped = 0;
  for (const piece of readBlocks(content)) {
    const shown = piece.kind === 'html' || EXCERPT_BLOCKS.has(toBlockName(piece.name));
    if (piece.kind === 'html' && skipped === 0) parts.push(piece.text);
    else if (piece.kind === 'open' && !shown) skipped += 1;
    else if (piece.kind === 'close' && !shown) skipped = Math.max(0, skipped - 1);
  }
  return parts.join('');
}

/** The first words of a content as plain text. `words`: default 55. */
export function toExcerpt(content: string, words: number = EXCERPT_WORDS): string {
  for (let size = LOOK.least + LOOK.each * Math.max(0, words); size < content.length; size *= LOOK.factor) {
    const first = cutWords(toPlainText(toExcerptSource(content.slice(0, size))), words, MORE);
    if (first.endsWith(MORE)) return first;
  }
  return cutWords(toPlainText(toExcerptSource(content)), words, MORE);
}

/** `excerpt.rendered`: the manual excerpt in paragraphs, never shortened. Without one, the first words of the content. Empty if there are none. */
export function renderExcerpt(
  post: { readonly excerpt: string; readonly content: string },
  words: number = EXCERPT_WORDS,
): string {
  if (post.excerpt.trim() !== '') return runSteps(finish(post.excerpt, addParagraphs(post.excerpt)));
  const excerpt = toExcerpt(post.content, words);
  return excerpt === '' ? '' : `<p>${escapeText(excerpt).replace(/ \[…\]$/, ' [&hellip;]')}</p>\n`;
}

/** The first `words` words of a plain text, followed by `more`; the whole text if it is not longer. */
export function cutWords(text: string, words: number, more: string): string {
  const limit = Math.max(0, words);
  const all = text.split(/\s+/, limit + 2).filter(Boolean);
  return all.length > limit ? `${all.slice(0, limit).join(' ')}${more}` : all.join(' ');
}
