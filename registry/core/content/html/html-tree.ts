import { escapeAttribute, escapeText } from '../../../../lib/core/escape.ts';
import { RAW_TEXT, VOID_ELEMENTS, readHtml, type HtmlAttribute, type HtmlTag } from './html.ts';

/** `kind`: 'element'. `name` in lower case, `attributes` as of a tag, `children` in document order. */
export interface HtmlElement {
  readonly kind: 'element';
  readonly name: string;
  readonly attributes: readonly HtmlAttribute[];
  readonly children: readonly HtmlNode[];
}

/** A `text`, with decoded character references, or a comment; `kind` tells which. */
interface HtmlText {
  readonly kind: 'text' | 'comment';
  readonly text: string;
}

/** A node of parsed HTML. */
export type HtmlNode = HtmlElement | HtmlText;

/** Elements nested deeper than this become siblings. No ordinary text is nested as deep as 256. */
export const MAX_DEPTH = 256;

interface Open {
  readonly name: string;
  readonly children: HtmlNode[];
}

/**
 * Parses HTML into a tree. Tags are matched by name, without the corrections of a browser (no added tbody, no moved table content).
 * Linear in the length. An end tag without a start tag is ignored; open elements end with their parent.
 */
export function parseFragment(html: string): readonly HtmlNode[] {
  const stack: Open[] = [{ name: '', children: [] }];
  const top = (): HtmlNode[] => stack[stack.length - 1]?.children ?? [];
  readHtml(html, {
    start: ({ name, attributes, selfClosing }: HtmlTag) => {
      const children: HtmlNode[] = [];
      top().push({ kind: 'element', name, attributes, children });
      if (!VOID_ELEMENTS.has(name) && !selfClosing && stack.length < MAX_DEPTH)
        stack.push({ name, children });
    },
    end: ({ name }) => {
      const index = stack.findLastIndex((open) => open.name === name);
      if (index > 0) stack.length = index;
    },
    text: (piece) => {
      const nodes = top();
      const last = nodes.at(-1);
      // Words and blanks come apart. A node for each of them costs more than everything else.
      if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + piece };
      else nodes.push({ kind: 'text', text: piece });
    },
    comment: (text) => {
      top().push({ kind: 'comment', text });
    },
  });
  return stack[0]?.children ?? [];
}

/** The tag as markup, with escaped and quoted attribute values. */
export function toStartTag(name: string, attributes: readonly HtmlAttribute[], selfClosing = false): string {
  const list = attributes.map((each) => ` ${each.name}="${escapeAttribute(each.value)}"`).join('');
  return `<${name}${list}${selfClosing ? ' />' : '>'}`;
}

function toTextMarkup({ kind, text }: HtmlText, parent: string): string {
  if (kind === 'comment') return `<!--${text}-->`;
  return RAW_TEXT.has(parent) ? text : escapeText(text);
}

/** Serialises nodes. The text inside script and style is not escaped. */
export function toMarkup(nodes: readonly HtmlNode[], parent = ''): string {
  return nodes
    .map((node) => {
      if (node.kind !== 'element') return toTextMarkup(node, parent);
      const start = toStartTag(node.name, node.attributes);
      return VOID_ELEMENTS.has(node.name)
        ? start
        : `${start}${toMarkup(node.children, node.name)}</${node.name}>`;
    })
    .join('');
}
