import { VOID_ELEMENTS, type XmlElement, childElements, own, readHtml, textOf } from '../../../plugin.ts';

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
export function toCodeTable(unit: XmlElement, sources: readonly XmlElement[], source: string): CodeTable {
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
export function readInlineText(table: CodeTable, element: XmlElement): InlineText {
  const parts = element.children.map((child) =>
    typeof child === 'string' ? { text: child, unknown: [] } : readElement(table, child),
  );
  return { text: parts.map((part) => part.text).join(''), unknown: parts.flatMap((part) => part.unknown) };
}
