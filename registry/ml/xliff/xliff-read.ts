import { own } from '../../../lib/core/objects.ts';
import { childElements, parseXml, textOf, XmlError, type XmlElement } from '../../xml.ts';
import type { XliffState } from './xliff-write.ts';

/** `text` is null when the unit has no target. */
export interface XliffTarget {
  readonly id: string;
  readonly source: string;
  readonly text: string | null;
  readonly state: XliffState;
}

/** The data of a file of any version that an import needs. */
export interface ReadXliff {
  readonly version: string;
  readonly original: string;
  readonly source: string;
  readonly target: string;
  readonly targets: readonly XliffTarget[];
}

/** `not_xml_file`: the file is not XML, or is XML that is not allowed (DOCTYPE, too deep). `xliff_invalid`: the file is XML, but not an XLIFF file that can be imported. */
export class XliffError extends Error {
  override readonly name = 'XliffError';
  readonly code: 'not_xml_file' | 'xliff_invalid';

  constructor(code: XliffError['code'], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

const MAX_UNITS = 5000;

const invalid = (message: string): XliffError => new XliffError('xliff_invalid', message);

const localName = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1);

const children = (element: XmlElement, name: string): readonly XmlElement[] => childElements(element).filter((child) => localName(child) === name);

function descend(element: XmlElement, names: ReadonlySet<string>): readonly XmlElement[] {
  return childElements(element).flatMap((child) => (names.has(localName(child)) ? [child] : descend(child, names)));
}

const STATES: Readonly<Record<string, XliffState>> = {
  translated: 'translated', reviewed: 'reviewed', 'signed-off': 'reviewed', final: 'final',
};

const toState = (word: string | undefined): XliffState => own(STATES, word ?? '') ?? 'initial';

function readUnit1(unit: XmlElement): XliffTarget {
  const target = children(unit, 'target')[0];
  const source = children(unit, 'source')[0];
  return {
    id: unit.attributes['id'] ?? '',
    source: source === undefined ? '' : textOf(source),
    text: target === undefined ? null : textOf(target),
    // A tool that does not set a state has still filled the target.
    state: target?.attributes['state'] === undefined ? 'translated' : toState(target.attributes['state']),
  };
}

function onlyFile(root: XmlElement): XmlElement {
  const files = children(root, 'file');
  const [file] = files;
  if (file === undefined || files.length > 1) throw invalid(`the file must have exactly one <file>, but has ${files.length}`);
  return file;
}

function readXliff1(root: XmlElement): ReadXliff {
  const file = onlyFile(root);
  return {
    version: root.attributes['version'] ?? '',
    original: file.attributes['original'] ?? '',
    source: file.attributes['source-language'] ?? '',
    target: file.attributes['target-language'] ?? '',
    targets: descend(file, new Set(['trans-unit'])).map(readUnit1),
  };
}

// Inline codes of 2.x refer to markup that is stored elsewhere. Our exports have none, and importing such a text would lose markup.
const INLINE = new Set(['mrk', 'sm', 'em', 'cp']);

function textOf2(element: XmlElement): string {
  return element.children.map((child) => {
    if (typeof child === 'string') return child;
    if (!INLINE.has(localName(child))) throw invalid(`line ${child.line}: the inline element <${child.name}> is not supported; write the markup as text`);
    if (localName(child) === 'cp') return toCharacter(child);
    return textOf2(child);
  }).join('');
}

function toCharacter(element: XmlElement): string {
  const code = Number.parseInt(element.attributes['hex'] ?? '', 16);
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

const RANK: readonly XliffState[] = ['initial', 'translated', 'reviewed', 'final'];

/** Tools may split a unit into segments. Their texts are joined, and the unit gets the state of its least advanced part. */
function readUnit2(unit: XmlElement): XliffTarget {
  const parts = childElements(unit).filter((child) => ['segment', 'ignorable'].includes(localName(child)));
  const side = (part: XmlElement, name: string): string | null => {
    const element = children(part, name)[0];
    return element === undefined ? null : textOf2(element);
  };
  const segments = parts.filter((part) => localName(part) === 'segment');
  const missing = segments.some((segment) => children(segment, 'target').length === 0);
  const ranks = segments.map((segment) => RANK.indexOf(toState(segment.attributes['state'])));
  return {
    id: unit.attributes['id'] ?? '',
    source: parts.map((part) => side(part, 'source') ?? '').join(''),
    text: missing || segments.length === 0 ? null : parts.map((part) => side(part, 'target') ?? side(part, 'source') ?? '').join(''),
    state: RANK[Math.min(...ranks)] ?? 'initial',
  };
}

function readXliff2(root: XmlElement): ReadXliff {
  const file = onlyFile(root);
  return {
    version: root.attributes['version'] ?? '',
    original: file.attributes['original'] ?? '',
    source: root.attributes['srcLang'] ?? '',
    target: root.attributes['trgLang'] ?? '',
    targets: descend(file, new Set(['unit'])).map(readUnit2),
  };
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (cause) {
    if (cause instanceof XmlError) throw new XliffError('not_xml_file', `line ${cause.line}: ${cause.message}`, { cause });
    throw cause;
  }
}

function readRoot(root: XmlElement): ReadXliff {
  const version = root.attributes['version'] ?? '';
  if (localName(root) !== 'xliff') throw invalid(`the root element must be <xliff>, but is <${root.name}>`);
  if (/^1\.\d$/.test(version)) return readXliff1(root);
  if (/^2\.\d$/.test(version)) return readXliff2(root);
  throw invalid(`version "${version}" is not known; wanted 1.x or 2.x`);
}

/**
 * Reads an XLIFF file of version 1.x or 2.x, depending on its root element.
 * @throws XliffError
 */
export function readXliff(text: string): ReadXliff {
  const file = readRoot(parse(text));
  if (file.targets.length > MAX_UNITS) throw invalid(`the file must not have more than ${MAX_UNITS} units, but has ${file.targets.length}`);
  if (file.targets.some((target) => target.id === '')) throw invalid('every unit must have an id');
  const ids = new Set(file.targets.map((target) => target.id));
  if (ids.size < file.targets.length) throw invalid('the ids of the units must be unique');
  return file;
}
