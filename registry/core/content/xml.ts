import { SaxesParser } from 'saxes';
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

interface Reading {
  readonly parser: { readonly line: number; readonly column: number };
  /** The open elements. The first entry stands for the document. */
  readonly open: OpenElement[];
}

const newElement = (name: string, line: number): OpenElement => ({
  name,
  attributes: {},
  children: [],
  line,
});

function addText({ open }: Reading, text: string): void {
  const children = open.at(-1)?.children;
  if (children === undefined || open.length === 1) return;
  const before = children.at(-1);
  if (typeof before === 'string') children[children.length - 1] = before + text;
  else children.push(text);
}

function openElement(reading: Reading, name: string): void {
  const { parser, open } = reading;
  if (open.length > MAX_DEPTH)
    throw new XmlError(
      `<${name}> must not be nested deeper than ${MAX_DEPTH} elements`,
      parser.line,
      parser.column,
    );
  const element = newElement(name, parser.line);
  open.at(-1)?.children.push(element);
  open.push(element);
}

function listen(parser: SaxesParser, reading: Reading): void {
  const { open } = reading;
  const fail = (message: string): never => {
    throw new XmlError(message, parser.line, parser.column);
  };
  // Doctypes and all entities except the five of XML are rejected, so nothing is ever expanded or fetched.
  parser.on('doctype', () => fail('a document type declaration (DOCTYPE) is not accepted'));
  parser.on('error', (error) => fail(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('opentagstart', (tag) => openElement(reading, tag.name));
  parser.on('opentag', (tag) => {
    const element = open.at(-1);
    if (element !== undefined) element.attributes = tag.attributes;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', (text) => addText(reading, text));
  parser.on('cdata', (text) => addText(reading, text));
}

interface TreeReader {
  readonly parser: SaxesParser;
  readonly finish: () => XmlElement;
}

function openTree(text: string, maxBytes: number): TreeReader {
  if (Buffer.byteLength(text) > maxBytes)
    throw new XmlError(`the document must not be longer than ${maxBytes} bytes`, 1, 0);
  const parser = new SaxesParser({ position: true });
  const reading: Reading = { parser, open: [newElement('', 1)] };
  const document = reading.open[0];
  listen(parser, reading);
  return {
    parser,
    finish() {
      parser.close();
      const root = document?.children[0];
      if (root === undefined || typeof root === 'string')
        throw new XmlError('the document must have a root element', 1, 0);
      return root;
    },
  };
}

/** Characters that are parsed between two turns of the event loop. */
const SLICE = 64 * 1024;

/** Parses a document as `parseXml`, in slices. */
export async function parseXmlInSlices(text: string, maxBytes: number): Promise<XmlElement> {
  const { parser, finish } = openTree(text, maxBytes);
  for (let from = 0; from < text.length; from += SLICE) {
    parser.write(text.slice(from, from + SLICE));
    await pause();
  }
  return finish();
}

/**
 * Parses a document into a tree. Comments and processing instructions are left out. `maxBytes`: default 1 MiB.
 * @throws XmlError if it is not well-formed, longer than `maxBytes`, nested deeper than 64 elements, or has a DOCTYPE.
 */
export function parseXml(text: string, maxBytes: number = MAX_BYTES): XmlElement {
  const { parser, finish } = openTree(text, maxBytes);
  parser.write(text);
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
  const reading: Reading = { parser, open: [newElement('', 1)] };
  const document = reading.open[0];
  const fail = (message: string): never => {
    throw new XmlError(message, parser.line, parser.column);
  };
  parser.on('error', (error) => {
    if (!/undefined entity/.test(error.message)) fail(error.message.replace(/^\d+:\d+: /, ''));
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    openElement(reading, toName(uri, local));
    const element = reading.open.at(-1);
    if (element !== undefined)
      element.attributes = Object.fromEntries(
        Object.values(attributes).map(({ name, value }) => [name, value]),
      );
  });
  parser.on('closetag', () => {
    reading.open.pop();
  });
  parser.on('text', (part) => addText(reading, part));
  parser.on('cdata', (part) => addText(reading, part));
  parser.write(toXmlText(text)).close();
  const root = document?.children[0];
  if (root === undefined || typeof root === 'string') throw new XmlError('there is no element', 1, 0);
  return root;
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
