import { readBlocks, toBlockAttributes, type BlockPiece } from '../../content/blocks.ts';
import { createHtmlReader, VOID_ELEMENTS, type HtmlTag } from '../../content/html.ts';

/** A part of a text that is translated by itself. `before`: what stands between it and the one before. */
export interface TextPart {
  readonly before: string;
  readonly source: string;
}

/** A text as its parts, and what stands after the last one. All of them together are the text, byte for byte. */
export interface SplitText {
  readonly parts: readonly TextPart[];
  readonly after: string;
}

/** Elements around paragraphs. Their tags separate texts; any other element that is not inline is a paragraph. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'article', 'aside', 'blockquote', 'body', 'center', 'div', 'dl', 'footer', 'header', 'html', 'main', 'nav', 'ol', 'section', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul',
]);
const PARAGRAPHS: ReadonlySet<string> = new Set([
  'address', 'audio', 'canvas', 'caption', 'dd', 'details', 'dt', 'fieldset', 'figure', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'iframe', 'li', 'math', 'noscript', 'object', 'p', 'pre', 'script', 'select',
  'style', 'svg', 'td', 'template', 'textarea', 'th', 'video',
]);
/** Leaf blocks that hold any HTML. They are split like classic text. */
const FREE_BLOCKS: ReadonlySet<string> = new Set(['classic', 'freeform', 'html', 'core/freeform', 'core/html']);

/** Attributes that readers see or hear. */
const READ_ATTRIBUTE = /\s(?:alt|title|placeholder|label|summary|content|value|aria-label|aria-description|data-caption)\s*=\s*(?:"[^"]*\p{L}|'[^']*\p{L}|[^\s"'>]*\p{L})/iu;
const WORD = /\p{L}|\p{N}/u;
/** Members of block attributes that name things, not texts. */
const NAMING = /^(?:class(?:name)?|style|layout|align|anchor|id|slug|url|href|src|link|type|tagName|ref|provider.*|.*color|.*size|.*gradient|lock|metadata|query|templateLock|namespace)$/i;
const SEEN_MEMBER = /^(?:alt|caption|text|title|label|placeholder|description|heading|content|message|summary|buttonText|moreText|prefix|suffix|author|cite|value)$/i;
const MAX_DEPTH = 16;

/** Whether block attributes hold a text: a member that is called like one, or words with a space between. */
function hasTexts(value: unknown, name = '', depth = 0): boolean {
  if (typeof value === 'string') return (SEEN_MEMBER.test(name) && WORD.test(value)) || (!NAMING.test(name) && /\p{L}\s+\S*\p{L}/u.test(value));
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || NAMING.test(name)) return false;
  return Object.entries(value).some(([key, member]) => hasTexts(member, Array.isArray(value) ? name : key, depth + 1));
}

/** Whether there is anything to translate in a piece of HTML. */
function hasWords(html: string): boolean {
  if (!WORD.test(html)) return false;
  let found = false;
  const silent: string[] = [];
  const reader = createHtmlReader({
    start: ({ name, selfClosing, from, to }) => {
      found ||= READ_ATTRIBUTE.test(html.slice(from, to));
      if (!selfClosing && (name === 'script' || name === 'style')) silent.push(name);
    },
    end: ({ name }) => { if (silent.at(-1) === name) silent.pop(); },
    text: (text) => { found ||= silent.length === 0 && WORD.test(text); },
  }, { raw: 'place', positions: true });
  reader.write(html, true);
  return found;
}

const EMPTY_LINES = /\n[ \t\r]*\n\s*/g;

/** The offsets at which a classic text is cut: around paragraphs and the tags of containers, and at empty lines between inline texts. */
function findCuts(html: string): readonly number[] {
  const cuts: number[] = [];
  /** The paragraph that is read, with the elements of its name inside of it. */
  const open: string[] = [];
  let textFrom = 0;
  const endText = (to: number): void => {
    if (open.length === 0) for (const { index, 0: lines } of html.slice(textFrom, to).matchAll(EMPTY_LINES)) cuts.push(textFrom + index, textFrom + index + lines.length);
  };
  const cutAround = ({ from, to }: Pick<HtmlTag, 'from' | 'to'>): void => { cuts.push(from, to); };
  createHtmlReader({
    start: (tag) => {
      endText(tag.from);
      textFrom = tag.to;
      const isContainer = CONTAINERS.has(tag.name);
      const isParagraph = PARAGRAPHS.has(tag.name);
      const isSingle = tag.selfClosing || VOID_ELEMENTS.has(tag.name);
      // A `p` ends where the next block begins, with or without an end tag.
      if (open[0] === 'p' && (isContainer || isParagraph)) open.length = 0;
      if (open.length > 0) {
        if (tag.name === open[0] && !isSingle) open.push(tag.name);
      } else if (isContainer || (isParagraph && isSingle)) cutAround(tag);
      else if (isParagraph) {
        cuts.push(tag.from);
        open.push(tag.name);
      }
    },
    end: (tag) => {
      endText(tag.from);
      textFrom = tag.to;
      if (open.length === 0) {
        if (CONTAINERS.has(tag.name)) cutAround(tag);
      } else if (tag.name === open[0]) {
        open.pop();
        if (open.length === 0) cuts.push(tag.to);
      } else if (open[0] === 'p' && CONTAINERS.has(tag.name)) {
        open.length = 0;
        cutAround(tag);
      }
    },
    comment: (_text, { from, to }) => {
      endText(from);
      textFrom = to;
    },
  }, { raw: 'place', positions: true }).write(html, true);
  endText(html.length);
  return cuts;
}

/** A stretch of the text. `isFree`: split further, like classic text. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isFree: boolean;
}

type Tagged = Exclude<BlockPiece, { kind: 'html' }>;

const isLeaf = (open: BlockPiece | undefined, close: BlockPiece | undefined): open is Tagged =>
  open?.kind === 'open' && close?.kind === 'close' && open.name === close.name;

/** What can be translated in the blocks of a text, in order: the content of leaf blocks, delimiters with texts, and HTML between blocks. */
function listStretches(text: string): readonly Stretch[] {
  const pieces = readBlocks(text);
  const stretches: Stretch[] = [];
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const to = from + piece.text.length;
    const leaf = piece.kind === 'html' && isLeaf(pieces[index - 1], pieces[index + 1]) ? pieces[index - 1] as Tagged : undefined;
    if (piece.kind === 'html') stretches.push({ from, to, isFree: leaf === undefined || FREE_BLOCKS.has(leaf.name) });
    else if (piece.attributes !== '' && hasTexts(toBlockAttributes(piece.attributes))) stretches.push({ from, to, isFree: false });
    from = to;
  }
  return stretches;
}

/** Splits a stretch at its cuts. White space at both ends stays between the parts. */
function* splitStretch(text: string, { from, to, isFree }: Stretch): Generator<{ readonly from: number; readonly to: number }> {
  const html = text.slice(from, to);
  const cuts = isFree ? [...new Set(findCuts(html))].sort((a, b) => a - b) : [];
  let begin = 0;
  for (const end of [...cuts, html.length]) {
    const piece = html.slice(begin, end);
    const inner = piece.trim();
    const start = from + begin + piece.indexOf(inner);
    if (inner !== '' && (inner.startsWith('<!-- ') && !isFree || hasWords(inner))) yield { from: start, to: start + inner.length };
    begin = end;
  }
}

/**
 * Splits a text into parts that are translated by themselves: the content of each leaf block, and each paragraph of a classic text, with its
 * tags. Tags around several paragraphs, block comments and texts without words stay between the parts.
 */
export function splitText(text: string): SplitText {
  const parts: TextPart[] = [];
  let done = 0;
  for (const stretch of listStretches(text)) {
    for (const { from, to } of splitStretch(text, stretch)) {
      parts.push({ before: text.slice(done, from), source: text.slice(from, to) });
      done = to;
    }
  }
  return { parts, after: text.slice(done) };
}
