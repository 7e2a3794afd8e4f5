import { type HtmlTag, readHtml } from '../../../plugin.ts';

/** A link or image as the author wrote it. */
export interface ContentLink {
  readonly url: string;
  readonly image: boolean;
  /** Alternative text of an image; '' when it has none, and for a link. */
  readonly alt: string;
}

/** What the analysis, the link index and the head need from a text, read in one pass. */
export interface ContentFacts {
  /** Visible text; blocks are separated by a line break. */
  readonly text: string;
  readonly words: number;
  readonly paragraphs: readonly string[];
  readonly headings: readonly string[];
  readonly links: readonly ContentLink[];
}

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section table td th tr ul'
  ).split(' '),
);
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript']);
const HEADING = /^h[1-6]$/;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;
/** Maximum number of links that are read. A page with more links is a list of links. */
const MAX_LINKS = 1000;

/** Maximum length of markup that is read, in characters (about 20,000 words). Reading more at once would block other requests. */
export const MAX_MARKUP = 131_072;

interface Reading {
  silent: string;
  /** Kind and text of the open paragraph or heading. */
  block: { readonly heading: boolean; text: string } | null;
  readonly pieces: string[];
  readonly paragraphs: string[];
  readonly headings: string[];
  readonly links: ContentLink[];
}

function closeBlock(reading: Reading): void {
  const { block } = reading;
  if (block === null) return;
  const text = block.text.replaceAll(/\s+/g, ' ').trim();
  if (text !== '') (block.heading ? reading.headings : reading.paragraphs).push(text);
  reading.block = null;
}

function readLink(reading: Reading, { name, attributes }: HtmlTag): void {
  const url = attributes.find((each) => each.name === (name === 'a' ? 'href' : 'src'))?.value.trim() ?? '';
  if (url === '' || reading.links.length === MAX_LINKS) return;
  const alt = name === 'img' ? (attributes.find((each) => each.name === 'alt')?.value.trim() ?? '') : '';
  reading.links.push({ url, image: name === 'img', alt });
}

function openTag(reading: Reading, tag: HtmlTag): void {
  const { name } = tag;
  if (reading.silent === '' && SILENT.has(name)) reading.silent = name;
  if (reading.silent !== '') return;
  if (name === 'a' || name === 'img') readLink(reading, tag);
  if (!BLOCKS.has(name)) return;
  reading.pieces.push('\n');
  if (name === 'br') {
    if (reading.block !== null) reading.block.text += ' ';
    return;
  }
  closeBlock(reading);
  if (name === 'p' || HEADING.test(name)) reading.block = { heading: name !== 'p', text: '' };
}

function closeTag(reading: Reading, name: string): void {
  if (reading.silent === name) reading.silent = '';
  if (reading.silent !== '' || !BLOCKS.has(name)) return;
  reading.pieces.push('\n');
  closeBlock(reading);
}

/** Reads a text once, up to `MAX_MARKUP`. Scripts, styles and comments are skipped. */
export function readContent(html: string): ContentFacts {
  const reading: Reading = { silent: '', block: null, pieces: [], paragraphs: [], headings: [], links: [] };
  readHtml(html.slice(0, MAX_MARKUP), {
    start: (tag) => openTag(reading, tag),
    end: ({ name }) => closeTag(reading, name),
    text: (text) => {
      if (reading.silent !== '') return;
      reading.pieces.push(text);
      if (reading.block !== null) reading.block.text += text;
    },
  });
  closeBlock(reading);
  const text = reading.pieces
    .join('')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
  const { paragraphs, headings, links } = reading;
  return { text, words: countWords(text), paragraphs, headings, links };
}

/** Number of words. A word is a run of letters and digits. */
export function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** Converts markup to one line of plain text. */
export function toPlainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replaceAll(/\s+/g, ' ').trim();
  return readContent(html).text.replaceAll(/\s+/g, ' ');
}
