import {
  CLOSED_ELEMENTS,
  type HtmlAttribute,
  type HtmlElement,
  type HtmlNode,
  parseFragment,
  toMarkup,
} from '../../plugin.ts';

function attribute({ attributes }: HtmlElement, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? '';
}

function isWebAddress(text: string, schemes: RegExp): boolean {
  return schemes.test(text) && URL.canParse(text);
}

function toFrame(element: HtmlElement): readonly HtmlNode[] {
  const src = attribute(element, 'src');
  if (!isWebAddress(src, /^https:\/\//i)) return [];
  const sizes = ['width', 'height']
    .map((name): HtmlAttribute => ({ name, value: attribute(element, name) }))
    .filter(({ value }) => /^\d{1,4}$/.test(value));
  const title = { name: 'title', value: attribute(element, 'title') };
  const attributes = [
    { name: 'src', value: src },
    { name: 'sandbox', value: 'allow-scripts' },
    { name: 'security', value: 'restricted' },
    ...sizes,
    title,
  ];
  return [{ kind: 'element', name: 'iframe', attributes, children: [] }];
}

function toLink(element: HtmlElement): readonly HtmlNode[] {
  const href = attribute(element, 'href');
  const attributes = isWebAddress(href, /^https?:\/\//i) ? [{ name: 'href', value: href }] : [];
  return [{ kind: 'element', name: 'a', attributes, children: keepText(element.children) }];
}

function toQuotation(element: HtmlElement): readonly HtmlNode[] {
  return [{ kind: 'element', name: 'blockquote', attributes: [], children: keepText(element.children) }];
}

type Keep = (element: HtmlElement) => readonly HtmlNode[];

const KEPT_INSIDE: ReadonlyMap<string, Keep> = new Map([
  ['a', toLink],
  ['blockquote', toQuotation],
]);
const KEPT: ReadonlyMap<string, Keep> = new Map([...KEPT_INSIDE, ['iframe', toFrame]]);

/** Elements whose content is not text for readers. */
const DROPPED: ReadonlySet<string> = new Set([...CLOSED_ELEMENTS, 'object']);

function keepText(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (node.kind === 'text') return [node];
    if (node.kind !== 'element' || DROPPED.has(node.name)) return [];
    return KEPT_INSIDE.get(node.name)?.(node) ?? keepText(node.children);
  });
}

function keepParts(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (node.kind !== 'element') return [];
    return KEPT.get(node.name)?.(node) ?? (DROPPED.has(node.name) ? [] : keepParts(node.children));
  });
}

/**
 * Filters the HTML of an untrusted provider. Quotations and links keep their text, and frames of https pages are sandboxed.
 * Returns '' if nothing remains.
 */
export function filterEmbedHtml(html: string): string {
  return toMarkup(keepParts(parseFragment(html)));
}
