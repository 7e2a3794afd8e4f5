import {
  type BlockPiece,
  CLOSED_ELEMENTS,
  createHtmlReader,
  groupBy,
  type HtmlPlace,
  type HtmlTag,
  own,
  readBlocks,
  readHtmlSteps,
  sha256,
  type Steps,
  toBlockAttributes,
  type TranslatedPart,
  VOID_ELEMENTS,
} from '../../../plugin.ts';
import type { Job, JobTarget } from '../records/job-record.ts';
import { type JobField, readJsonText } from '../records/job-texts.ts';

/** Elements around paragraphs. Their tags separate texts; any other element that is not inline is a paragraph. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    'article aside blockquote body center div dl footer header html main nav ol section table ' +
    'tbody tfoot thead tr ul'
  ).split(' '),
);
const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...CLOSED_ELEMENTS,
  ...'address audio canvas caption dd details dt fieldset figure form h1 h2 h3 h4 h5 h6 hr li listing object p pre select td th video'.split(
    ' ',
  ),
]);
const EMPTY_LINES = /\n[ \t\r]*\n\s*/g;

class CutFinder {
  readonly cuts: number[] = [];
  /** The paragraph that is read, with the elements of its name inside of it. */
  readonly #open: string[] = [];
  readonly #html: string;
  #textFrom = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** Ends the text before a tag. */
  skip({ from, to }: HtmlPlace): void {
    if (this.#open.length === 0) {
      for (const { index, 0: lines } of this.#html.slice(this.#textFrom, from).matchAll(EMPTY_LINES))
        this.cuts.push(this.#textFrom + index, this.#textFrom + index + lines.length);
    }
    this.#textFrom = to;
  }

  start(tag: HtmlTag): void {
    this.skip(tag);
    const isContainer = CONTAINERS.has(tag.name);
    const isParagraph = PARAGRAPHS.has(tag.name);
    const isSingle = tag.selfClosing || VOID_ELEMENTS.has(tag.name);
    // A `p` ends where the next block begins, with or without an end tag.
    if (this.#open[0] === 'p' && (isContainer || isParagraph)) this.#open.length = 0;
    if (this.#open.length > 0) {
      if (tag.name === this.#open[0] && !isSingle) this.#open.push(tag.name);
    } else if (isContainer || (isParagraph && isSingle)) this.cuts.push(tag.from, tag.to);
    else if (isParagraph) {
      this.cuts.push(tag.from);
      this.#open.push(tag.name);
    }
  }

  end(tag: HtmlTag): void {
    this.skip(tag);
    const [paragraph] = this.#open;
    if (paragraph === tag.name) {
      this.#open.pop();
      if (this.#open.length === 0) this.cuts.push(tag.to);
    } else if ((paragraph === undefined || paragraph === 'p') && CONTAINERS.has(tag.name)) {
      this.#open.length = 0;
      this.cuts.push(tag.from, tag.to);
    }
  }
}

/** The offsets at which a classic text is cut: around paragraphs and the tags of containers, and at empty lines between inline texts. */
export function* findCuts(html: string): Steps<readonly number[]> {
  const finder = new CutFinder(html);
  yield* readHtmlSteps(
    html,
    {
      start: (tag) => finder.start(tag),
      end: (tag) => finder.end(tag),
      comment: (_text, place) => finder.skip(place),
    },
    { raw: 'place', positions: true },
  );
  finder.skip({ from: html.length, to: html.length });
  return finder.cuts;
}

/** A part of a text that is translated by itself. `before`: what stands between it and the one before. */
interface TextPart {
  readonly before: string;
  readonly source: string;
}

/** A text as its parts, and what stands after the last one. All of them together are the text, byte for byte. */
interface SplitText {
  readonly parts: readonly TextPart[];
  readonly after: string;
}

/** Leaf blocks that hold any HTML. They are split like classic text. */
const FREE_BLOCKS: ReadonlySet<string> = new Set([
  'classic',
  'freeform',
  'html',
  'core/freeform',
  'core/html',
]);

/** Attributes that readers see or hear. */
const READ_ATTRIBUTE =
  /\s(?:alt|title|placeholder|label|summary|content|value|aria-label|aria-description|data-caption)\s*=\s*(?:"[^"]*\p{L}|'[^']*\p{L}|[^\s"'>]*\p{L})/iu;
const WORD = /\p{L}|\p{N}/u;
/** Members of block attributes that name things, not texts. */
const NAMING =
  /^(?:class(?:name)?|style|layout|align|anchor|id|slug|url|href|src|link|type|tagName|ref|provider.*|.*color|.*size|.*gradient|lock|metadata|query|templateLock|namespace)$/i;
const SEEN_MEMBER =
  /^(?:alt|caption|text|title|label|placeholder|description|heading|content|message|summary|buttonText|moreText|prefix|suffix|author|cite|value)$/i;
const MAX_DEPTH = 16;

/** Whether block attributes hold a text: a member that is called like one, or words with a space between. */
function hasTexts(value: unknown, name = '', depth = 0): boolean {
  if (typeof value === 'string')
    return (
      (SEEN_MEMBER.test(name) && WORD.test(value)) || (!NAMING.test(name) && /\p{L}\s+\S*\p{L}/u.test(value))
    );
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || NAMING.test(name)) return false;
  return Object.entries(value).some(([key, member]) =>
    hasTexts(member, Array.isArray(value) ? name : key, depth + 1),
  );
}

/** Whether there is anything to translate in a piece of HTML. */
function hasWords(html: string): boolean {
  if (!WORD.test(html)) return false;
  // Most paragraphs have words beside their tags.
  if (!/<(?:script|style)|<!/i.test(html) && WORD.test(html.replaceAll(/<[^<>]*>/g, ''))) return true;
  let found = false;
  const silent: string[] = [];
  const reader = createHtmlReader(
    {
      start: ({ name, selfClosing, from, to }) => {
        found ||= READ_ATTRIBUTE.test(html.slice(from, to));
        if (!selfClosing && (name === 'script' || name === 'style')) silent.push(name);
      },
      end: ({ name }) => {
        if (silent.at(-1) === name) silent.pop();
      },
      text: (text) => {
        found ||= silent.length === 0 && WORD.test(text);
      },
    },
    { raw: 'place', positions: true },
  );
  reader.write(html, true);
  return found;
}

/** A stretch of the text. `isFree`: split further, like classic text. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isFree: boolean;
}

type Tagged = Exclude<BlockPiece, { kind: 'html' }>;

const isLeaf = (open: BlockPiece | undefined, close: BlockPiece | undefined): open is Tagged =>
  open?.kind === 'open' && close?.kind === 'close' && open.name === close.name;

/** Pieces that are read between two places where the work may be interrupted. */
const STEP = 200;

/** What can be translated in the blocks of a text, in order: the content of leaf blocks, delimiters with texts, and HTML between blocks. */
function* listStretches(text: string): Steps<readonly Stretch[]> {
  const pieces = readBlocks(text);
  const stretches: Stretch[] = [];
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const to = from + piece.text.length;
    const leaf =
      piece.kind === 'html' && isLeaf(pieces[index - 1], pieces[index + 1])
        ? (pieces[index - 1] as Tagged)
        : undefined;
    if (piece.kind === 'html')
      stretches.push({ from, to, isFree: leaf === undefined || FREE_BLOCKS.has(leaf.name) });
    else if (piece.attributes !== '' && hasTexts(toBlockAttributes(piece.attributes)))
      stretches.push({ from, to, isFree: false });
    from = to;
    if (index % STEP === 0) yield;
  }
  return stretches;
}

/** Splits a stretch at its cuts. White space at both ends stays between the parts. */
function* splitStretch(text: string, { from, to, isFree }: Stretch): Steps<readonly HtmlPlace[]> {
  const html = text.slice(from, to);
  const cuts = isFree ? [...new Set(yield* findCuts(html))].sort((a, b) => a - b) : [];
  const places: HtmlPlace[] = [];
  let begin = 0;
  let count = 0;
  for (const end of [...cuts, html.length]) {
    const piece = html.slice(begin, end);
    const inner = piece.trim();
    const start = from + begin + piece.indexOf(inner);
    if (inner !== '' && ((inner.startsWith('<!-- ') && !isFree) || hasWords(inner)))
      places.push({ from: start, to: start + inner.length });
    begin = end;
    count += 1;
    if (count % STEP === 0) yield;
  }
  return places;
}

/**
 * Splits a text into parts that are translated by themselves: the content of each leaf block, and each paragraph of a classic text, with its
 * tags. Tags around several paragraphs, block comments and texts without words stay between the parts.
 */
export function* splitText(text: string): Steps<SplitText> {
  const parts: TextPart[] = [];
  let done = 0;
  for (const [index, stretch] of (yield* listStretches(text)).entries()) {
    if (index % STEP === 0) yield;
    for (const { from, to } of yield* splitStretch(text, stretch)) {
      parts.push({ before: text.slice(done, from), source: text.slice(from, to) });
      done = to;
    }
  }
  return { parts, after: text.slice(done) };
}

/** Fields that are one unit each: the title, the slug, and names of terms. */
const isWhole = ({ id, source, path }: JobField): boolean =>
  id === 'title' ||
  id === 'URL' ||
  id.startsWith('t_') ||
  (path !== undefined && readJsonText(source) !== undefined);

/** Most segments of one text. A text with more of them stays whole, because a file has a limit of units. */
const MAX_SEGMENTS = 20_000;

/** Segments that get their ids between two places where the work may be interrupted. */
const ID_STEP = 500;

const digest = (...parts: readonly string[]): string => sha256(JSON.stringify(parts)).slice(0, 12);

/**
 * Ids that do not depend on the position: the digest of the text. Of equal texts, the last one has this id, and those before it also
 * contain the text that follows. So a text that is inserted in front changes no id.
 */
function* toIds(field: string, parts: readonly TextPart[]): Steps<readonly string[]> {
  const digests = new Map<string, string>();
  const digestOf = (source: string): string => {
    const known = digests.get(source) ?? digest(source);
    digests.set(source, known);
    return known;
  };
  const counts = new Map<string, number>();
  const countOf = (key: string): number => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
  const toId = (source: string, next: string): string => {
    const plain = digestOf(source);
    if (countOf(plain) === 0) return `${field}-${plain}`;
    const beside = `${plain} ${digestOf(next)}`;
    return `${field}-${digest(beside, String(countOf(beside)))}`;
  };
  const ids: string[] = [];
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    ids.push(toId(parts[index]?.source ?? '', parts[index + 1]?.source ?? ''));
    if (index % ID_STEP === 0) yield;
  }
  return ids.toReversed();
}

function* toSegments(field: JobField): Steps<readonly JobField[]> {
  const { parts, after } = yield* splitText(field.source);
  const isOneText = field.id !== 'body' && parts.length <= 1;
  if (isOneText || parts.length > MAX_SEGMENTS) return [field];
  const ids = yield* toIds(field.id, parts);
  return parts.map(({ source, before }, index): JobField =>
    Object.assign(
      {},
      field,
      { id: ids[index] ?? '', source, part: field.id, before },
      index === parts.length - 1 ? { after } : {},
    ),
  );
}

/** The texts of a job, with long ones cut into segments. A body without any words has none. */
export function* segmentFields(fields: readonly JobField[]): Steps<readonly JobField[]> {
  const segments: JobField[] = [];
  for (const field of fields) {
    // One by one: a call has a limit of arguments.
    for (const each of isWhole(field) ? [field] : yield* toSegments(field)) segments.push(each);
  }
  return segments;
}

/** Segments of one text, or a text by itself. */
interface WholeField {
  readonly field: JobField;
  readonly segments: readonly JobField[];
}

/** The whole texts that segments were cut from, each with its segments in order. */
export function joinFields(fields: readonly JobField[]): readonly WholeField[] {
  return [...groupBy(fields, (field) => field.part ?? field.id)].map(([id, segments]) => {
    const [first] = segments;
    if (first?.part === undefined) return { field: first as JobField, segments };
    const { part: _part, before: _before, after: _after, ...shared } = first;
    return { field: { ...shared, id, source: joinTexts(segments, ({ source }) => source) }, segments };
  });
}

/** The text that segments make with other texts in their places. */
export const joinTexts = (segments: readonly JobField[], textOf: (segment: JobField) => string): string =>
  segments.map((segment) => `${segment.before ?? ''}${textOf(segment)}${segment.after ?? ''}`).join('');

const mayAll = ({ source }: JobField, target: JobTarget | undefined): boolean =>
  target === undefined || target.unfiltered === true || target.text === source;

/** The translation of a whole text. `parts`: its segments and what stands between them. */
export type JoinedTarget = JobTarget & { readonly parts?: readonly TranslatedPart[] };

const toParts = (segments: readonly JobField[], targets: Job['targets']): readonly TranslatedPart[] =>
  segments.flatMap(({ id, source, before = '', after = '' }) => [
    { source: before, target: before },
    { source, target: own(targets, id)?.text ?? source },
    { source: after, target: after },
  ]);

/** The translation of a whole text: those of its segments in their places. A segment without one stays as it is in the source. */
function joinTargets({ segments }: WholeField, targets: Job['targets']): JoinedTarget | undefined {
  const [first] = segments;
  if (first === undefined || segments.every(({ id }) => own(targets, id) === undefined)) return undefined;
  if (first.part === undefined) return own(targets, first.id);
  const parts = toParts(segments, targets);
  return {
    text: parts.map(({ target }) => target).join(''),
    parts,
    state: 'translated',
    ...(segments.every((segment) => mayAll(segment, own(targets, segment.id)))
      ? { unfiltered: true as const }
      : {}),
  };
}

/** The texts of a job and their translations, without segments. */
export function joinJob({ fields, targets }: Pick<Job, 'fields' | 'targets'>): {
  readonly fields: Job['fields'];
  readonly targets: Readonly<Record<string, JoinedTarget>>;
} {
  const wholes = joinFields(fields);
  const joined = wholes.flatMap((whole): readonly (readonly [string, JoinedTarget])[] => {
    const target = joinTargets(whole, targets);
    return target === undefined ? [] : [[whole.field.id, target]];
  });
  return { fields: wholes.map(({ field }) => field), targets: Object.fromEntries(joined) };
}
