import { toBlockAttributes } from './blocks.ts';
import { escapeAttribute, escapeText } from './html.ts';
import { sanitiseContent } from './sanitise.ts';

/** What a block without inner markup is shown from. */
export interface BlockSource {
  /** JSON of the comment. */
  readonly attributes: string;
  readonly prefix: string;
  readonly footnotes: string;
}

const MAX_FOOTNOTES = 1_000;
/** An address that stands alone on its line. */
const BARE_URL = /^[ \t]*(https?:\/\/[^\s<>"']+)[ \t]*$/gm;

function renderLink(url: unknown, { prefix }: BlockSource): string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return '';
  return `<figure class="${prefix}-block-embed"><a href="${escapeAttribute(url)}">${escapeText(url)}</a></figure>`;
}

function parseFootnotes(text: string): readonly { readonly id: string; readonly content: string }[] {
  let list: unknown;
  try {
    list = JSON.parse(text || '[]');
  } catch {
    // Footnotes are free text on the wire; what is no list shows nothing.
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_FOOTNOTES).flatMap((note: unknown) => {
    if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) return [];
    return typeof note.id === 'string' && typeof note.content === 'string' ? [{ id: note.id, content: note.content }] : [];
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

/** Blocks that are stored without markup; all others without markup show nothing. */
const EMPTY_BLOCKS: Readonly<Record<string, (source: BlockSource) => string>> = {
  embed: (source) => renderLink(toBlockAttributes(source.attributes)['url'], source),
  footnotes: renderFootnotes,
  separator: ({ prefix }) => `<hr class="${prefix}-block-separator" />`,
};

/** The markup of one piece of a block: what was stored, with the address of an embed as a link; `source` for a block that stores none. */
export function renderBlock(name: string, html: string, source?: BlockSource): string {
  if (source !== undefined) return Object.hasOwn(EMPTY_BLOCKS, name) ? (EMPTY_BLOCKS[name]?.(source) ?? '') : '';
  return name === 'embed' || name.startsWith('core-embed/') ? html.replaceAll(BARE_URL, '<a href="$1">$1</a>') : html;
}
