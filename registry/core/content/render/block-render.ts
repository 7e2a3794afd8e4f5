import { escapeAttribute, escapeText } from '../../../../lib/core/escape.ts';
import { toBlockAttributes } from '../html/blocks.ts';
import { createPlaceTest, listTextPlaces } from '../html/text-places.ts';
import { parseFootnotes } from '../sanitise/footnotes.ts';
import { sanitiseContent } from '../sanitise/sanitise.ts';

/** The input for rendering a block without inner markup. */
export interface BlockSource {
  /** JSON of the comment. */
  readonly attributes: string;
  readonly prefix: string;
  readonly footnotes: string;
}

/** An address that is alone on its line. */
const BARE_URL = /^[ \t]*(https?:\/\/[^\s<>"']+)[ \t]*$/gm;

function renderLink(url: unknown, { prefix }: BlockSource): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return '';
  return `<figure class="${prefix}-block-embed"><a href="${escapeAttribute(url)}">${escapeText(url)}</a></figure>`;
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

function renderFootnotes({ footnotes, prefix }: BlockSource): string {
  const notes = parseFootnotes(footnotes);
  if (notes.length === 0) return '';
  const items = notes.map(({ id, content }, index) => {
    const back = `<a href="#${escapeAttribute(id)}-link" aria-label="Jump to footnote reference ${index + 1}">↩︎</a>`;
    return `<li id="${escapeAttribute(id)}">${sanitiseContent(content)} ${back}</li>`;
  });
  return `<ol class="${prefix}-block-footnotes">${items.join('')}</ol>`;
}

/** Blocks that are stored without markup. All other blocks without markup render nothing. */
const EMPTY_BLOCKS: Readonly<Record<string, (source: BlockSource) => string>> = {
  embed: (source) => renderLink(toBlockAttributes(source.attributes)['url'], source),
  footnotes: renderFootnotes,
  separator: ({ prefix }) => `<hr class="${prefix}-block-separator" />`,
};

/** The markup of one part of a block: the stored markup, with the address of an embed as a link. `source`: for a block that stores no markup. */
export function renderBlock(name: string, html: string, source?: BlockSource): string {
  if (source !== undefined)
    return Object.hasOwn(EMPTY_BLOCKS, name) ? (EMPTY_BLOCKS[name]?.(source) ?? '') : '';
  return name === 'embed' || name.startsWith('core-embed/') ? linkAddresses(html) : html;
}
