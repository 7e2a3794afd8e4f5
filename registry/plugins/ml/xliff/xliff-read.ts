import {
  type XmlElement,
  XmlError,
  childElements,
  createPause,
  own,
  parseXml,
  parseXmlInSlices,
  textOf,
} from '../../../plugin.ts';
import { readInlineText, toCodeTable } from './inline-codes.ts';
import type { XliffState } from './xliff-write.ts';

/** `text` is null when the unit has no target. `unknown`: inline codes whose markup is not known; absent if there are none. */
export interface XliffTarget {
  readonly id: string;
  readonly source: string;
  readonly text: string | null;
  readonly state: XliffState;
  readonly unknown?: readonly string[];
}

/** The text of this site that a unit was made from; '' if there is none. Inline codes stand for its markup. */
export type SourceOf = (id: string) => string;

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

const MAX_UNITS = 25_000;
/** Largest file, in bytes. Its base64 fits into the body of `ate/jobs/store`. */
const MAX_BYTES = 5 * 1024 * 1024;

const invalid = (message: string): XliffError => new XliffError('xliff_invalid', message);

const localName = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1);

const children = (element: XmlElement, name: string): readonly XmlElement[] =>
  childElements(element).filter((child) => localName(child) === name);

function descend(element: XmlElement, names: ReadonlySet<string>): readonly XmlElement[] {
  return childElements(element).flatMap((child) =>
    names.has(localName(child)) ? [child] : descend(child, names),
  );
}

const STATES: Readonly<Record<string, XliffState>> = {
  translated: 'translated',
  reviewed: 'reviewed',
  'signed-off': 'reviewed',
  final: 'final',
};

const toState = (word: string | undefined): XliffState => own(STATES, word ?? '') ?? 'initial';

function readUnit1(unit: XmlElement, sourceOf: SourceOf): XliffTarget {
  const id = unit.attributes['id'] ?? '';
  const target = children(unit, 'target')[0];
  const source = children(unit, 'source')[0];
  const table = toCodeTable(unit, source === undefined ? [] : [source], sourceOf(id));
  const read = target === undefined ? null : readInlineText(table, target);
  return {
    id,
    source: source === undefined ? '' : textOf(source),
    text: read?.text ?? null,
    // A tool that does not set a state has still filled the target.
    state: target?.attributes['state'] === undefined ? 'translated' : toState(target.attributes['state']),
    ...toUnknown(read?.unknown ?? []),
  };
}

const toUnknown = (unknown: readonly string[]): Pick<XliffTarget, 'unknown'> =>
  unknown.length === 0 ? {} : { unknown };

function onlyFile(root: XmlElement): XmlElement {
  const files = children(root, 'file');
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw invalid(`the file must have exactly one <file>, but has ${files.length}`);
  return file;
}

/** A file whose units are not read yet. */
interface OpenXliff extends Omit<ReadXliff, 'targets'> {
  readonly units: readonly XmlElement[];
  readonly readUnit: (unit: XmlElement) => XliffTarget;
}

function readXliff1(root: XmlElement, sourceOf: SourceOf): OpenXliff {
  const file = onlyFile(root);
  return {
    version: root.attributes['version'] ?? '',
    original: file.attributes['original'] ?? '',
    source: file.attributes['source-language'] ?? '',
    target: file.attributes['target-language'] ?? '',
    units: descend(file, new Set(['trans-unit'])),
    readUnit: (unit) => readUnit1(unit, sourceOf),
  };
}

const RANK: readonly XliffState[] = ['initial', 'translated', 'reviewed', 'final'];

/** Tools may split a unit into segments. Their texts are joined, and the unit gets the state of its least advanced part. */
function readUnit2(unit: XmlElement, sourceOf: SourceOf): XliffTarget {
  const id = unit.attributes['id'] ?? '';
  const parts = childElements(unit).filter((child) => ['segment', 'ignorable'].includes(localName(child)));
  const segments = parts.filter((part) => localName(part) === 'segment');
  const missing = segments.some((segment) => children(segment, 'target').length === 0);
  const ranks = segments.map((segment) => RANK.indexOf(toState(segment.attributes['state'])));
  const table = toCodeTable(
    unit,
    parts.flatMap((part) => children(part, 'source')),
    sourceOf(id),
  );
  const read = (part: XmlElement, ...names: readonly string[]) => {
    const element = names.map((name) => children(part, name)[0]).find((each) => each !== undefined);
    return element === undefined ? { text: '', unknown: [] } : readInlineText(table, element);
  };
  const targets = parts.map((part) => read(part, 'target', 'source'));
  return {
    id,
    source: parts.map((part) => read(part, 'source').text).join(''),
    text: missing || segments.length === 0 ? null : targets.map((target) => target.text).join(''),
    state: RANK[Math.min(...ranks)] ?? 'initial',
    ...toUnknown(targets.flatMap((target) => target.unknown)),
  };
}

function readXliff2(root: XmlElement, sourceOf: SourceOf): OpenXliff {
  const file = onlyFile(root);
  return {
    version: root.attributes['version'] ?? '',
    original: file.attributes['original'] ?? '',
    source: root.attributes['srcLang'] ?? '',
    target: root.attributes['trgLang'] ?? '',
    units: descend(file, new Set(['unit'])),
    readUnit: (unit) => readUnit2(unit, sourceOf),
  };
}

function toXliffError(cause: unknown): unknown {
  return cause instanceof XmlError
    ? new XliffError('not_xml_file', `line ${cause.line}: ${cause.message}`, { cause })
    : cause;
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text, MAX_BYTES);
  } catch (cause) {
    throw toXliffError(cause);
  }
}

async function parseInSlices(text: string): Promise<XmlElement> {
  try {
    return await parseXmlInSlices(text, MAX_BYTES);
  } catch (cause) {
    throw toXliffError(cause);
  }
}

function readRoot(root: XmlElement, sourceOf: SourceOf): OpenXliff {
  const version = root.attributes['version'] ?? '';
  if (localName(root) !== 'xliff') throw invalid(`the root element must be <xliff>, but is <${root.name}>`);
  if (/^1\.\d$/.test(version)) return readXliff1(root, sourceOf);
  if (/^2\.\d$/.test(version)) return readXliff2(root, sourceOf);
  throw invalid(`version "${version}" is not known; wanted 1.x or 2.x`);
}

/**
 * Reads an XLIFF file of version 1.x or 2.x, depending on its root element. Inline codes become the markup that they stand for.
 * @throws XliffError
 */
export function readXliff(text: string, sourceOf: SourceOf = () => ''): ReadXliff {
  const { units, readUnit, ...file } = readRoot(parse(text), sourceOf);
  return checkFile({ ...file, targets: units.map(readUnit) });
}

/** Reads a file as `readXliff`. A long file is parsed in slices, so that other requests do not wait for it. */
export async function readXliffInSlices(text: string, sourceOf: SourceOf): Promise<ReadXliff> {
  const { units, readUnit, ...file } = readRoot(await parseInSlices(text), sourceOf);
  const pause = createPause();
  const targets: XliffTarget[] = [];
  for (const unit of units) {
    await pause();
    targets.push(readUnit(unit));
  }
  return checkFile({ ...file, targets });
}

function checkFile(file: ReadXliff): ReadXliff {
  if (file.targets.length > MAX_UNITS)
    throw invalid(`the file must not have more than ${MAX_UNITS} units, but has ${file.targets.length}`);
  if (file.targets.some((target) => target.id === '')) throw invalid('every unit must have an id');
  const ids = new Set(file.targets.map((target) => target.id));
  if (ids.size < file.targets.length) throw invalid('the ids of the units must be unique');
  return file;
}
