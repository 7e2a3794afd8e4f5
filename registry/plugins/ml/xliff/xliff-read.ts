import {
  childElements,
  createPause,
  own,
  parseXml,
  parseXmlInSlices,
  readHtml,
  textOf,
  VOID_ELEMENTS,
  type XmlElement,
  XmlError,
} from '../../../plugin.ts';
import { XLIFF_STATES, type XliffState } from './xliff-write.ts';

/** A text with its inline codes as markup. `unknown`: the codes whose markup could not be found; their content is part of the text. */
interface InlineText {
  readonly text: string;
  readonly unknown: readonly string[];
}

/** The markup that a code stands for. `close` is '' for a single tag. */
interface Code {
  readonly open: string;
  readonly close: string;
}

/** What the codes of a unit can stand for. */
interface CodeTable {
  /** The codes of the source, which are read when the first one is needed, and the ids of the codes in the `<source>` of the file, both in their order. */
  readonly codes: () => readonly Code[];
  readonly ids: readonly string[];
  /** `originalData` of XLIFF 2.x by id. */
  readonly data: ReadonlyMap<string, string>;
  readonly source: string;
}

type Part = 'open' | 'close' | 'both';

/** Inline elements that stand for markup, by name (XLIFF 1.2, 2.2.5; XLIFF 2.1, 4.2.3.3), and which part of it. */
const CODES: ReadonlyMap<string, Part> = new Map([
  ['g', 'both'],
  ['pc', 'both'],
  ['x', 'open'],
  ['bx', 'open'],
  ['bpt', 'open'],
  ['ph', 'open'],
  ['it', 'open'],
  ['sc', 'open'],
  ['ex', 'close'],
  ['ept', 'close'],
  ['ec', 'close'],
]);
/** Inline elements without markup: comments, marks and segments of tools. */
const MARKS: ReadonlySet<string> = new Set(['mrk', 'sm', 'em', 'sub']);

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1);

/** The start tags of a text, each with its end tag; with `comments`, also the comments. */
function listCodes(source: string, comments: boolean): readonly Code[] {
  const codes: { open: string; close: string }[] = [];
  const unclosed: { name: string; code: { open: string; close: string } }[] = [];
  readHtml(
    source,
    {
      start: ({ name, selfClosing, from, to }) => {
        const code = { open: source.slice(from, to), close: '' };
        codes.push(code);
        if (!selfClosing && !VOID_ELEMENTS.has(name)) unclosed.push({ name, code });
      },
      end: ({ name, from, to }) => {
        const index = unclosed.findLastIndex((each) => each.name === name);
        const [found] = index === -1 ? [] : unclosed.splice(index);
        if (found !== undefined) found.code.close = source.slice(from, to);
      },
      comment: (_text, { from, to }) => {
        if (comments) codes.push({ open: source.slice(from, to), close: '' });
      },
    },
    { raw: 'place', positions: true },
  );
  return codes;
}

const idOf = ({ attributes }: XmlElement): string =>
  own(attributes, 'startRef') ?? own(attributes, 'rid') ?? own(attributes, 'id') ?? '';

/** The ids of the codes in an element that begin something, in order. */
function* listIds(element: XmlElement): Generator<string> {
  for (const child of childElements(element)) {
    if ((CODES.get(localName(child)) ?? 'close') !== 'close') yield idOf(child);
    yield* listIds(child);
  }
}

/** Prepares the codes of a unit. `sources`: the `<source>` elements of the file; `source`: the text that the file was made from. */
function toCodeTable(unit: XmlElement, sources: readonly XmlElement[], source: string): CodeTable {
  const ids = [...new Set(sources.flatMap((each) => [...listIds(each)]))];
  let known: readonly Code[] | undefined;
  const read = (): readonly Code[] => {
    const tags = listCodes(source, false);
    return ids.length > 0 && ids.length !== tags.length ? listCodes(source, true) : tags;
  };
  const entries = childElements(unit)
    .filter((child) => localName(child) === 'originalData')
    .flatMap((list) => childElements(list));
  return {
    ids,
    codes: () => (known ??= read()),
    source,
    data: new Map(entries.map((entry) => [own(entry.attributes, 'id') ?? '', textOf(entry)])),
  };
}

/** A code by its place: that of its id in the source of the file, or, if the file has no codes there, the number that its id is. */
function findCode({ ids, codes: readCodes }: CodeTable, id: string): Code | undefined {
  const codes = readCodes();
  if (ids.length === 0) return /^[1-9]\d{0,5}$/.test(id) ? codes[Number(id) - 1] : undefined;
  return ids.length === codes.length && ids.includes(id) ? codes[ids.indexOf(id)] : undefined;
}

const DATA: Readonly<Record<Part, readonly string[]>> = {
  open: ['dataRef', 'dataRefStart'],
  close: ['dataRef', 'dataRefEnd'],
  both: [],
};
const EQUIVALENTS = ['equiv-text', 'equiv', 'disp'] as const;

/** The markup of one side of a code; null if nothing says what it is. */
function toMarkup(table: CodeTable, element: XmlElement, side: 'open' | 'close'): string | null {
  const stored = DATA[side].flatMap((name) => table.data.get(own(element.attributes, name) ?? '') ?? [])[0];
  if (stored !== undefined) return stored;
  const equivalent = EQUIVALENTS.map((name) => own(element.attributes, name) ?? '').find(
    (text) => /^<[^]*>$/.test(text) && table.source.includes(text),
  );
  return equivalent ?? findCode(table, idOf(element))?.[side] ?? null;
}

function toCharacter({ attributes }: XmlElement): string {
  const code = Number.parseInt(own(attributes, 'hex') ?? '', 16);
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function readElement(table: CodeTable, element: XmlElement): InlineText {
  const name = localName(element);
  if (name === 'cp') return { text: toCharacter(element), unknown: [] };
  const inner = readInlineText(table, element);
  if (MARKS.has(name)) return inner;
  const part = CODES.get(name);
  // Some codes contain their markup (`<ph id="1">&lt;br/></ph>`).
  if (part !== undefined && part !== 'both' && inner.text !== '') return inner;
  const open = part === undefined ? null : part === 'close' ? '' : toMarkup(table, element, 'open');
  const close = part === undefined ? null : part === 'open' ? '' : toMarkup(table, element, 'close');
  if (open === null || close === null)
    return {
      text: inner.text,
      unknown: [`<${element.name} id="${own(element.attributes, 'id') ?? ''}">`, ...inner.unknown],
    };
  return { text: open + inner.text + close, unknown: inner.unknown };
}

/** The text of a `<source>` or `<target>` with the markup that its inline codes stand for. */
function readInlineText(table: CodeTable, element: XmlElement): InlineText {
  const parts = element.children.map((child) =>
    typeof child === 'string' ? { text: child, unknown: [] } : readElement(table, child),
  );
  return { text: parts.map((part) => part.text).join(''), unknown: parts.flatMap((part) => part.unknown) };
}

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

const children = (element: XmlElement, name: string): readonly XmlElement[] =>
  childElements(element).filter((child) => localName(child) === name);

const descend = (element: XmlElement, name: string): readonly XmlElement[] =>
  childElements(element).flatMap((child) => (localName(child) === name ? [child] : descend(child, name)));

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

/** Tools may split a unit into segments. Their texts are joined, and the unit gets the state of its least advanced part. */
function readUnit2(unit: XmlElement, sourceOf: SourceOf): XliffTarget {
  const id = unit.attributes['id'] ?? '';
  const parts = childElements(unit).filter((child) => ['segment', 'ignorable'].includes(localName(child)));
  const segments = parts.filter((part) => localName(part) === 'segment');
  const missing = segments.some((segment) => children(segment, 'target').length === 0);
  const ranks = segments.map((segment) => XLIFF_STATES.indexOf(toState(segment.attributes['state'])));
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
    state: XLIFF_STATES[Math.min(...ranks)] ?? 'initial',
    ...toUnknown(targets.flatMap((target) => target.unknown)),
  };
}

function refuse(cause: unknown): never {
  if (!(cause instanceof XmlError)) throw cause;
  throw new XliffError('not_xml_file', `line ${cause.line}: ${cause.message}`, { cause });
}

function parse(text: string): XmlElement {
  try {
    return parseXml(text, MAX_BYTES);
  } catch (cause) {
    return refuse(cause);
  }
}

/** Opens a file of version 1.x or 2.x, depending on its root element. */
function openXliff(root: XmlElement, sourceOf: SourceOf): OpenXliff {
  if (localName(root) !== 'xliff') throw invalid(`the root element must be <xliff>, but is <${root.name}>`);
  const version = root.attributes['version'] ?? '';
  const [, major] = /^([12])\.\d$/.exec(version) ?? [];
  if (major === undefined) throw invalid(`version "${version}" is not known; wanted 1.x or 2.x`);
  const file = onlyFile(root);
  const original = file.attributes['original'] ?? '';
  return major === '1'
    ? {
        version,
        original,
        source: file.attributes['source-language'] ?? '',
        target: file.attributes['target-language'] ?? '',
        units: descend(file, 'trans-unit'),
        readUnit: (unit) => readUnit1(unit, sourceOf),
      }
    : {
        version,
        original,
        source: root.attributes['srcLang'] ?? '',
        target: root.attributes['trgLang'] ?? '',
        units: descend(file, 'unit'),
        readUnit: (unit) => readUnit2(unit, sourceOf),
      };
}

/**
 * Reads an XLIFF file of version 1.x or 2.x, depending on its root element. Inline codes become the markup that they stand for.
 * @throws XliffError
 */
export function readXliff(text: string, sourceOf: SourceOf = () => ''): ReadXliff {
  const { units, readUnit, ...file } = openXliff(parse(text), sourceOf);
  return checkFile({ ...file, targets: units.map(readUnit) });
}

/** Reads a file as `readXliff`. A long file is parsed in slices, so that other requests do not wait for it. */
export async function readXliffInSlices(text: string, sourceOf: SourceOf): Promise<ReadXliff> {
  const { units, readUnit, ...file } = openXliff(
    await parseXmlInSlices(text, MAX_BYTES).catch(refuse),
    sourceOf,
  );
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
