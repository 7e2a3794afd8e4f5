import { own } from '../../../../lib/core/objects.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { type HtmlElement, type HtmlNode, parseFragment } from './html-tree.ts';
import type { HtmlAttribute } from './html.ts';

/** Where a node stands. */
interface Place {
  /** Depth of quotes and lists around it. Their marks are left out below `MOST_MARKS`, so that the result stays linear in the text. */
  readonly marks: number;
  /** The node is in a table, where a line is a row. */
  readonly inTable: boolean;
  /** The node is in a link, which holds no other. */
  readonly inLink?: true;
}

const MOST_MARKS = 8;

const HIDDEN = wordSet('script style template noscript head title textarea select math svg object');
const BLOCKS = wordSet(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul',
);
const HEADING = /^h([1-6])$/;
const EMPHASIS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  cite: '*',
  dfn: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const EMBEDDED = wordSet('iframe video audio embed source');
const CODE = wordSet('code kbd samp tt');

const isElement = (node: HtmlNode): node is HtmlElement => node.kind === 'element';
const isBlock = (node: HtmlNode): boolean => isElement(node) && BLOCKS.has(node.name);

function attribute(attributes: readonly HtmlAttribute[], name: string): string | undefined {
  return attributes.find((each) => each.name === name)?.value;
}

/** Characters that Markdown reads as marks. */
const SPECIAL = /[\\`*_[\]<>~|]|&(?=[#\w])/g;
/** Marks at the beginning of a line. */
const LEADING = /^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|=+\s*$|-{2,}|\d{1,9}(?=[.)](?:\s|$)))/;

const escape = (text: string): string => text.replaceAll(SPECIAL, String.raw`\$&`);

/** Addresses, which readers make links of, and in which they then read no marks. */
const BARE = /(\b(?:https?:\/\/|www\.)[^\s<>|\\]+)/;
/** What ends a sentence and not an address. */
const CLOSING: ReadonlySet<string> = new Set('.,:;!?\'")]}*_~`');

function toBareLink(text: string): string {
  let end = text.length;
  while (CLOSING.has(text.charAt(end - 1))) end -= 1;
  const [address, rest] = [text.slice(0, end), escape(text.slice(end))];
  if (address.startsWith('http')) return `<${address}>${rest}`;
  return address === 'www' ? escape(text) : `[${escape(address)}](<http://${address}>)${rest}`;
}

/** The text with its addresses as links. */
function toText(text: string, { inLink }: Place): string {
  const plain = text.replaceAll(/\s+/g, ' ');
  if (inLink === true) return escape(plain);
  return plain
    .split(BARE)
    .map((part, at) => (at % 2 === 1 ? toBareLink(part) : escape(part)))
    .join('');
}

function escapeLine(line: string): string {
  return line.replace(LEADING, (_match, space: string, mark: string) =>
    /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
  );
}

/** The text of an element as it stands. */
function textOf(node: HtmlNode): string {
  if (!isElement(node)) return node.kind === 'text' ? node.text : '';
  return node.name === 'br' ? '\n' : node.children.map(textOf).join('');
}

/** The shortest run of backticks that the text does not hold. */
function fenceFor(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}

function toCode(text: string): string {
  const code = text.replaceAll(/\s+/g, ' ');
  if (code.trim() === '') return '';
  const fence = fenceFor(code, 1);
  const pad = /^`|`$/.test(code) ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** An address in angle brackets, which may hold any character but these and line breaks. */
function toAddress(url: string): string {
  return `<${url.trim().replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character))}>`;
}

/** What stands before and after an element. */
type Beside = readonly [before: string, after: string];

const WORD = /[\p{L}\p{N}]/u;

/** Marks stand beside text, never beside blanks. Between a word and another character they are not read as marks, so they are left out there. */
function emphasise(mark: string, text: string, [before, after]: Beside = ['', '']): string {
  if (text.trim() === '') return text;
  // No expression looks for the blanks at the end: it would try at every blank, in each of many nested marks.
  const [start, end] = [text.length - text.trimStart().length, text.trimEnd().length];
  const isInWord = (outer: string, inner: string): boolean => WORD.test(outer) && !WORD.test(inner);
  if (
    (start === 0 && isInWord(before, text.charAt(0))) ||
    (end === text.length && isInWord(after, text.charAt(end - 1)))
  )
    return text;
  return `${text.slice(0, start)}${mark}${text.slice(start, end)}${mark}${text.slice(end)}`;
}

function toInlineElement({ name, attributes, children }: HtmlElement, place: Place, beside: Beside): string {
  if (name === 'br') return place.inTable ? ' ' : '\n';
  if (CODE.has(name)) return toCode(children.map(textOf).join(''));
  if (name === 'img') {
    const source = attribute(attributes, 'src') ?? '';
    return source === '' ? '' : `![${escape(attribute(attributes, 'alt') ?? '')}](${toAddress(source)})`;
  }
  const inner = toInline(children, { ...deeper(place), ...(name === 'a' ? { inLink: true } : {}) });
  if (EMBEDDED.has(name)) {
    const source = attribute(attributes, 'src') ?? '';
    return source === ''
      ? inner
      : `[${escape(attribute(attributes, 'title') ?? source)}](${toAddress(source)})`;
  }
  if (name === 'a') {
    const href = attribute(attributes, 'href') ?? '';
    return href === '' || inner.trim() === ''
      ? inner
      : emphasise('', inner).replace(/\S[^]*\S|\S/, (text) => `[${text}](${toAddress(href)})`);
  }
  return emphasise(own(EMPHASIS, name) ?? '', inner, beside);
}

/** Whether an element is shown by its children alone. Marks nested deeper than `MOST_MARKS` are left out, so that a text is written only so often. */
function isFlat({ name }: HtmlElement, { marks }: Place): boolean {
  if (name === 'br' || name === 'img' || CODE.has(name)) return false;
  const hasMark = name === 'a' || EMBEDDED.has(name) || own(EMPHASIS, name) !== undefined;
  return !hasMark || marks >= MOST_MARKS;
}

/** The first or last character of a text. */
const edgeOf = (node: HtmlNode | undefined, at: 0 | -1): string =>
  node?.kind === 'text' ? (node.text.at(at) ?? '') : '';

function addInline(nodes: readonly HtmlNode[], place: Place, parts: string[]): void {
  for (const [at, node] of nodes.entries()) {
    if (!isElement(node)) {
      if (node.kind === 'text') parts.push(toText(node.text, place));
      continue;
    }
    if (HIDDEN.has(node.name)) continue;
    const around = isBlock(node) ? ' ' : '';
    parts.push(around);
    if (isFlat(node, place)) addInline(node.children, place, parts);
    else {
      const beside = [edgeOf(nodes[at - 1], -1), edgeOf(nodes[at + 1], 0)] as const;
      parts.push(toInlineElement(node, place, beside));
    }
    parts.push(around);
  }
}

/** The inline content, with a line for each `br`. Blocks inside, which HTML does not allow there, are joined with blanks. */
function toInline(nodes: readonly HtmlNode[], place: Place): string {
  const parts: string[] = [];
  addInline(nodes, place, parts);
  return parts.join('').replaceAll(/ {2,}/g, ' ');
}

function toParagraph(nodes: readonly HtmlNode[], place: Place): string {
  const lines = toInline(nodes, place)
    .split('\n')
    .map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  const first = lines.findIndex((line) => line !== '');
  return lines.slice(Math.max(first, 0)).map(escapeLine).join('\\\n');
}

const deeper = (place: Place): Place => ({ ...place, marks: place.marks + 1 });

function prefix(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? `${first}${line}` : line === '' ? others.trimEnd() : `${others}${line}`))
    .join('\n');
}

/** The number of the first item of an `ol`. */
function firstOf({ attributes }: HtmlElement): number {
  const start = Number(attribute(attributes, 'start') ?? 1);
  return Number.isSafeInteger(start) && start >= 0 ? start : 1;
}

function toList(list: HtmlElement, place: Place): string {
  const { name, children } = list;
  const items = children.filter(isElement);
  const isMarked = place.marks < MOST_MARKS;
  const written = items.map((item, at) => {
    const mark = name === 'ol' ? `${firstOf(list) + at}. ` : '- ';
    const blocks = toBlocks(item.name === 'li' ? item.children : [item], deeper(place));
    return { text: blocks.join('\n\n'), tight: blocks.join('\n'), mark, isTight: isTightItem(item) };
  });
  const isTight = written.every((each) => each.isTight);
  return written
    .map(({ text, tight, mark }) => {
      const body = isTight ? tight : text;
      return isMarked ? prefix(body, mark, ' '.repeat(mark.length)) : body;
    })
    .join(isTight ? '\n' : '\n\n');
}

/** Text, and perhaps lists after it. One that begins with another number than 1 needs an empty line before it. */
function isTightItem({ children }: HtmlElement): boolean {
  return children
    .filter(isBlock)
    .every((node) => isElement(node) && (node.name === 'ul' || (node.name === 'ol' && firstOf(node) === 1)));
}

function rowsOf(element: HtmlElement): readonly HtmlElement[] {
  return element.children
    .filter(isElement)
    .flatMap((child) =>
      child.name === 'tr' ? [child] : /^t(?:head|body|foot)$/.test(child.name) ? rowsOf(child) : [],
    );
}

function toTable(table: HtmlElement): readonly string[] {
  const caption = table.children.filter(isElement).find(({ name }) => name === 'caption');
  // Also in code and in addresses, a bar would end the cell.
  const toCell = ({ children }: HtmlElement): string =>
    toInline(children, { marks: 0, inTable: true })
      .trim()
      .replaceAll(/\\?\|/g, String.raw`\|`);
  const rows = rowsOf(table).map((row) => row.children.filter(isElement).map(toCell));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return [];
  // A row of one very wide table must not be filled for thousands of others.
  const fill = (row: readonly string[]): readonly string[] =>
    rows.length * width > 20_000 ? row : [...row, ...Array<string>(width - row.length).fill('')];
  const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [head = [], ...body] = rows;
  const text = [
    toRow(fill(head)),
    toRow(fill(head).map(() => '---')),
    ...body.map((row) => toRow(fill(row))),
  ].join('\n');
  return caption === undefined ? [text] : [toParagraph(caption.children, { marks: 0, inTable: false }), text];
}

function toPre(pre: HtmlElement): string {
  const text = textOf(pre).replace(/^\n/, '').replace(/\n$/, '');
  const code = pre.children.find(isElement);
  const names = `${attribute(pre.attributes, 'class') ?? ''} ${attribute(code?.attributes ?? [], 'class') ?? ''}`;
  const [, language = ''] = /(?:^|\s)(?:language|lang)-([\w+#-]+)/.exec(names) ?? [];
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

function toBlock(element: HtmlElement, place: Place): readonly string[] {
  const { name, children } = element;
  const [, level] = HEADING.exec(name) ?? [];
  if (level !== undefined) {
    const text = toInline(children, { ...place, inTable: true }).trim();
    return text === '' ? [] : [`${'#'.repeat(Number(level))} ${text}`];
  }
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [toPre(element)];
  if (name === 'table') return toTable(element);
  if (name === 'ul' || name === 'ol') return [toList(element, place)].filter((text) => text !== '');
  if (name === 'blockquote') {
    const text = toBlocks(children, deeper(place)).join('\n\n');
    if (text === '') return [];
    return [place.marks < MOST_MARKS ? prefix(text, '> ', '> ') : text];
  }
  if (name === 'dt') return [emphasise('**', toParagraph(children, place))];
  return toBlocks(children, place);
}

/** Blocks as their Markdown, and what stands between them as paragraphs. */
function toBlocks(nodes: readonly HtmlNode[], place: Place): readonly string[] {
  const blocks: string[] = [];
  let inline: HtmlNode[] = [];
  const flush = (): void => {
    const text = inline.length === 0 ? '' : toParagraph(inline, place);
    if (text !== '') blocks.push(text);
    inline = [];
  };
  for (const node of nodes) {
    if (isElement(node) && HIDDEN.has(node.name)) continue;
    if (isElement(node) && (isBlock(node) || hasBlocks(node))) {
      flush();
      for (const block of toBlock(node, place)) blocks.push(block);
    } else inline.push(node);
  }
  flush();
  return blocks;
}

/** An inline element around a heading or a figure, such as a link. Only its children are looked at, so that this is linear. */
function hasBlocks({ children, name }: HtmlElement): boolean {
  return name !== 'a' && children.some(isBlock);
}

/**
 * HTML as Markdown (CommonMark with the tables and strikethrough of GitHub). Takes a time linear in the text: marks of quotes and
 * lists are left out below the eighth level.
 */
export function toMarkdown(html: string): string {
  return toBlocks(parseFragment(html), { marks: 0, inTable: false }).join('\n\n');
}
