import { type SaxesOptions, SaxesParser } from 'saxes';
import { pause } from '../../../lib/core/cooperative.ts';
import { toXmlText } from '../../../lib/core/escape.ts';

/** An element: its `name`, its `attributes` (null prototype), and its child elements and texts, `children`, in document order. Names keep their prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  /** Line on which the element begins, from 1. */
  readonly line: number;
}

/** The text is not XML that this parser accepts. `line` counts from 1, `column` from 0. */
export class XmlError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'XmlError';
    this.line = line;
    this.column = column;
  }
}

/** Nesting depth of elements. */
const MAX_DEPTH = 64;
/** Default limit in bytes of UTF-8. */
const MAX_BYTES = 1024 * 1024;

interface OpenElement extends XmlElement {
  attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const newElement = (name: string, line: number): OpenElement => ({
  name,
  attributes: {},
  children: [],
  line,
});

/** The tree of what a parser reads. The first of the open elements stands for the document. */
class Tree<O extends SaxesOptions> {
  readonly #parser: SaxesParser<O>;
  readonly #document = newElement('', 1);
  readonly #open = [this.#document];

  constructor(parser: SaxesParser<O>) {
    this.#parser = parser;
    parser.on('closetag', () => {
      this.#open.pop();
    });
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
  }

  /** @throws XmlError */
  fail(message: string): never {
    throw new XmlError(message.replace(/^\d+:\d+: /, ''), this.#parser.line, this.#parser.column);
  }

  begin(name: string): void {
    if (this.#open.length > MAX_DEPTH)
      this.fail(`<${name}> must not be nested deeper than ${MAX_DEPTH} elements`);
    const element = newElement(name, this.#parser.line);
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  /** Gives the element that has begun its attributes. */
  describe(attributes: XmlElement['attributes']): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.attributes = attributes;
  }

  /** Ends the document. `missing`: the error if it has no element. */
  finish(missing: string): XmlElement {
    this.#parser.close();
    const [root] = this.#document.children;
    if (root === undefined || typeof root === 'string') throw new XmlError(missing, 1, 0);
    return root;
  }

  #add(text: string): void {
    const children = this.#open.at(-1)?.children;
    if (children === undefined || this.#open.length === 1) return;
    const before = children.at(-1);
    if (typeof before === 'string') children[children.length - 1] = before + text;
    else children.push(text);
  }
}

function openDocument(text: string, maxBytes: number) {
  if (Buffer.byteLength(text) > maxBytes)
    throw new XmlError(`the document must not be longer than ${maxBytes} bytes`, 1, 0);
  const parser: SaxesParser = new SaxesParser({ position: true });
  const tree = new Tree(parser);
  // Doctypes and all entities except the five of XML are rejected, so nothing is ever expanded or fetched.
  parser.on('doctype', () => tree.fail('a document type declaration (DOCTYPE) is not accepted'));
  parser.on('error', ({ message }) => tree.fail(message));
  parser.on('opentagstart', ({ name }) => tree.begin(name));
  parser.on('opentag', ({ attributes }) => tree.describe(attributes));
  return {
    write: (part: string) => parser.write(part),
    finish: () => tree.finish('the document must have a root element'),
  };
}

/** Characters that are parsed between two turns of the event loop. */
const SLICE = 64 * 1024;

/** Parses a document as `parseXml`, in slices. */
export async function parseXmlInSlices(text: string, maxBytes: number): Promise<XmlElement> {
  const { write, finish } = openDocument(text, maxBytes);
  for (let from = 0; from < text.length; from += SLICE) {
    write(text.slice(from, from + SLICE));
    await pause();
  }
  return finish();
}

/**
 * Parses a document into a tree. Comments and processing instructions are left out. `maxBytes`: default 1 MiB.
 * @throws XmlError if it is not well-formed, longer than `maxBytes`, nested deeper than 64 elements, or has a DOCTYPE.
 */
export function parseXml(text: string, maxBytes: number = MAX_BYTES): XmlElement {
  const { write, finish } = openDocument(text, maxBytes);
  write(text);
  return finish();
}

/** How a part of a document is read. */
interface FragmentOptions {
  /** Namespaces by prefix that the document declares around the part. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The name of an element of this namespace. */
  readonly toName: (namespace: string, local: string) => string;
}

/**
 * Parses one element of a larger document, with its namespaces. Entities that are not declared stay as they are written, because texts of
 * HTML contain them. Characters that XML does not allow, which PHP writes nevertheless, are dropped.
 * @throws XmlError if the element is not well-formed or nested deeper than 64 elements
 */
export function parseFragment(text: string, { namespaces, toName }: FragmentOptions): XmlElement {
  const parser = new SaxesParser({ fragment: true, xmlns: true, additionalNamespaces: { ...namespaces } });
  const tree = new Tree(parser);
  parser.on('error', ({ message }) => {
    if (!/undefined entity/.test(message)) tree.fail(message);
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    tree.begin(toName(uri, local));
    tree.describe(Object.fromEntries(Object.values(attributes).map(({ name, value }) => [name, value])));
  });
  parser.write(toXmlText(text));
  return tree.finish('there is no element');
}

/** The child elements with this name, in order. Without a name, all child elements. */
export function childElements(element: XmlElement, name?: string): readonly XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** All text within the element and its descendants, in document order. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}
