import { groupBy, own } from '../../../lib/core/objects.ts';
import { childElements, parseFragment, textOf, type XmlElement } from '../../core/content/xml.ts';

/** The usual prefix of each namespace, whatever prefix a file uses. The number in those of WordPress is the version of the format. */
function toUsualPrefix(namespace: string): string | null {
  if (namespace === '') return '';
  if (/^https?:\/\/wordpress\.org\/export\/[\d.]+\/$/.test(namespace)) return 'wp:';
  if (/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/$/.test(namespace)) return 'excerpt:';
  return own(NAMESPACES, namespace) ?? null;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  'http://purl.org/rss/1.0/modules/content/': 'content:',
  'http://purl.org/dc/elements/1.1/': 'dc:',
};

/** Those of a file that does not declare them. */
const USUAL: Readonly<Record<string, string>> = {
  wp: 'http://wordpress.org/export/1.2/',
  excerpt: 'http://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  wfw: 'http://wellformedweb.org/CommentAPI/',
};

/** Elements of foreign namespaces get a name that no reader asks for. */
const toName = (namespace: string, local: string): string => {
  const prefix = toUsualPrefix(namespace);
  return prefix === null ? `{${namespace}}${local}` : `${prefix}${local}`;
};

/** The namespaces that the start tags around the children declare. */
export function readNamespaces(wrappers: string): Readonly<Record<string, string>> {
  const declared = [...wrappers.matchAll(/\sxmlns:([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, prefix = '', double, single]) => [prefix, double ?? single ?? ''] as const,
  );
  return {
    ...USUAL,
    ...Object.fromEntries(declared.filter(([prefix]) => prefix !== 'xml' && prefix !== 'xmlns')),
  };
}

/** Parses a child of the channel. Names have the usual prefixes. @throws XmlError */
export function parseChild(text: string, namespaces: Readonly<Record<string, string>>): XmlElement {
  return parseFragment(text, { namespaces, toName });
}

/** The text of the first child element with this name; '' if there is none. */
export function childText(element: XmlElement, name: string): string {
  const child = element.children.find((each) => typeof each !== 'string' && each.name === name);
  return child === undefined || typeof child === 'string' ? '' : textOf(child);
}

/** The number in a child element; 0 if there is none. */
export function childId(element: XmlElement, name: string): number {
  const text = childText(element, name).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The meta entries of an element, by key in the order of the file. `kind`: `postmeta`, `termmeta`, `commentmeta`. */
export function readMetaEntries(element: XmlElement, kind: string): ReadonlyMap<string, readonly string[]> {
  const entries = groupBy(childElements(element, `wp:${kind}`), (entry) => childText(entry, 'wp:meta_key'));
  return new Map(
    [...entries].map(([key, those]) => [key, those.map((entry) => childText(entry, 'wp:meta_value'))]),
  );
}

/** Whether an element says anything of a day, right or wrong. The database of WordPress writes zeros for none. */
export const hasDay = (element: XmlElement, ...names: readonly string[]): boolean =>
  names.some((name) => /[^0\s:.T-]/.test(childText(element, name)));
