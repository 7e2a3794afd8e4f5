import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { escapeAttribute, escapeText } from '../../../../lib/core/escape.ts';
import { BLOCK_PREFIX, type BlockPiece, hasBlocks, readBlocks, toBlockAttributes } from '../html/blocks.ts';
import { addParagraphsInSteps } from '../html/paragraphs.ts';
import { createPlaceTest, listTextPlaces } from '../html/plain-text.ts';
import { parseFootnotes } from '../sanitise/footnotes.ts';
import { sanitiseContent, sanitiseInSteps } from '../sanitise/sanitise.ts';

/** The input for rendering a block without inner markup. */
interface BlockSource {
  /** JSON of the comment. */
  readonly attributes: string;
  readonly footnotes: string;
}

/** An address that is alone on its line. */
const BARE_URL = /^[ \t]*(https?:\/\/[^\s<>"']+)[ \t]*$/gm;

function renderLink(url: unknown): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return '';
  return `<figure class="${BLOCK_PREFIX}-block-embed"><a href="${escapeAttribute(url)}">${escapeText(url)}</a></figure>`;
}

/** Turns addresses that are alone on a line of text into links. Tags, comments, scripts and links are left unchanged. */
function linkAddresses(html: string): string {
  if (html.search(BARE_URL) === -1) return html;
  const isText = createPlaceTest(listTextPlaces(html, ['a']));
  return html.replaceAll(BARE_URL, (line: string, url: string, offset: number) => {
    const from = offset + line.indexOf(url);
    return isText({ from, to: from + url.length }) ? `<a href="${url}">${url}</a>` : line;
  });
}

function renderFootnotes({ footnotes }: BlockSource): string {
  const notes = parseFootnotes(footnotes);
  if (notes.length === 0) return '';
  const items = notes.map(({ id, content }, index) => {
    const back = `<a href="#${escapeAttribute(id)}-link" aria-label="Jump to footnote reference ${index + 1}">↩︎</a>`;
    return `<li id="${escapeAttribute(id)}">${sanitiseContent(content)} ${back}</li>`;
  });
  return `<ol class="${BLOCK_PREFIX}-block-footnotes">${items.join('')}</ol>`;
}

/** Blocks that are stored without markup. All other blocks without markup render nothing. */
const EMPTY_BLOCKS: Readonly<Record<string, (source: BlockSource) => string>> = {
  embed: ({ attributes }) => renderLink(toBlockAttributes(attributes)['url']),
  footnotes: renderFootnotes,
  separator: () => `<hr class="${BLOCK_PREFIX}-block-separator" />`,
};

/** The markup of one part of a block: the stored markup, with the address of an embed as a link. `source`: for a block that stores no markup. */
function renderBlock(name: string, html: string, source?: BlockSource): string {
  if (source !== undefined)
    return Object.hasOwn(EMPTY_BLOCKS, name) ? (EMPTY_BLOCKS[name]?.(source) ?? '') : '';
  return name === 'embed' || name.startsWith('core-embed/') ? linkAddresses(html) : html;
}

/** `footnotes`: JSON list of `{id, content}` from the meta of the post, shown by the block `footnotes`. */
interface Rendering {
  readonly footnotes?: string;
}

export function toBlockName(name: string): string {
  return name.replace(/^core\//, '');
}

/**
 * Sanitises as the last step. A text whose source contains markup that sanitising would change is shown as rendered: an author
 * with `unfiltered_html` wrote it, because the texts of all others are sanitised before they are stored. Whatever rendering adds to such a
 * source must already be clean, because its author need not be the one with the right.
 */
export function* finish(
  source: string,
  rendered: string,
  place: 'content' | 'title' = 'content',
): Steps<string> {
  const clean = yield* sanitiseInSteps(rendered, place);
  return clean === rendered || (yield* sanitiseInSteps(source, place)) === source ? clean : rendered;
}

function escapeStray(text: string): string {
  return text
    .replaceAll(/&(?!(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, '&#038;')
    .replaceAll(/<(?![a-z/!])/gi, '&lt;');
}

/** `title.rendered`: the title as markup. A stray `&` or `<` is escaped. */
export function renderTitle(title: string): string {
  const text = title.trim();
  return /[&<]/.test(text) ? runSteps(finish(text, escapeStray(text), 'title')) : text;
}

/** Blocks without their comments. Only the first block `footnotes` shows them, as editors allow one. */
export function renderBlocks(pieces: readonly BlockPiece[], { footnotes = '' }: Rendering): string {
  const output: string[] = [];
  const open: string[] = [];
  let left = footnotes;
  for (const piece of pieces) {
    if (piece.kind === 'html') output.push(renderBlock(open.at(-1) ?? '', piece.text));
    else if (piece.kind === 'open') open.push(toBlockName(piece.name));
    else if (piece.kind === 'close') open.pop();
    else {
      const name = toBlockName(piece.name);
      output.push(renderBlock(name, '', { attributes: piece.attributes, footnotes: left }));
      if (name === 'footnotes') left = '';
    }
  }
  return output.join('');
}

/** `content.rendered`: blocks without their comments, or classic text with paragraphs. */
export function* renderContentInSteps(content: string, rendering: Rendering = {}): Steps<string> {
  if (content.trim() === '') return '';
  return yield* finish(
    content,
    hasBlocks(content) ? renderBlocks(readBlocks(content), rendering) : yield* addParagraphsInSteps(content),
  );
}

/** `renderContentInSteps` in one turn of the event loop. */
export const renderContent = (content: string, rendering?: Rendering): string =>
  runSteps(renderContentInSteps(content, rendering));
