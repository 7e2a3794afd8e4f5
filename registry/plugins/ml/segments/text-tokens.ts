import { createPause, normalize, own, readHtml, runInTurns, type Steps } from '../../../plugin.ts';
import type { Job } from '../records/job-record.ts';

/** Elements whose content is not language. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'math', 'iframe', 'object', 'template']);

/** The texts and tags of an HTML text, in order. The content of scripts, drawings and the like is left out. */
interface Parts {
  readonly onText: (text: string) => void;
  readonly onTag: (tag: string) => void;
}

function readParts(html: string, { onText, onTag }: Parts): void {
  const closed: string[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') onText(text);
    text = '';
  };
  readHtml(
    html,
    {
      start: ({ name, selfClosing }) => {
        if (closed.length > 0) return;
        flush();
        onTag(`<${name}>`);
        if (CODE.has(name) && !selfClosing) closed.push(name);
      },
      end: ({ name }) => {
        if (closed.length > 0 && closed.at(-1) !== name) return;
        closed.pop();
        flush();
        onTag(`</${name}>`);
      },
      text: (part) => {
        if (closed.length === 0) text += part;
      },
      comment: () => {
        if (closed.length === 0) {
          flush();
          onTag('<!---->');
        }
      },
    },
    { raw: 'place' },
  );
  flush();
}

// Creating one takes milliseconds. There is one for each language of the site.
const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  const [supported = 'und'] = /^[a-z]{2,3}(-|$)/i.test(language)
    ? Intl.Segmenter.supportedLocalesOf([language.split('-')[0] ?? 'und'])
    : [];
  const created = new Intl.Segmenter(supported, { granularity: 'word' });
  segmenters.set(language, created);
  return created;
}

/** Longest run without white space whose words are remembered. */
const MAX_KNOWN = 40;
/** Most characters that are cut together. The time that `Intl.Segmenter` takes grows with the square of their number. */
const WINDOW = 500;
/** The words that begin in the last characters of a window are cut again with what follows: the end may have cut them. */
const OVERLAP = 50;

/** Cuts texts of one language into words. */
export interface WordReader {
  /** The words of a plain text, without the punctuation between them. They are cut while they are read. */
  words(text: string): Iterable<string>;
}

/** The next characters of a run, without half of a surrogate pair at the end. */
function toWindow(run: string, from: number): string {
  const part = run.slice(from, from + WINDOW);
  return from + part.length < run.length && /[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part;
}

/** The words of a run, window by window. */
function* cutRun(run: string, segmenter: Intl.Segmenter): Generator<string, undefined, void> {
  for (let from = 0; from < run.length;) {
    const part = toWindow(run, from);
    const isLast = from + part.length === run.length;
    let end = 0;
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      const next = index + segment.length;
      if (!isLast && index > 0 && (index >= WINDOW - OVERLAP || next === part.length)) break;
      end = next;
      if (isWordLike === true) yield segment;
    }
    from += end;
  }
}

/**
 * Words as Unicode defines them (UAX 29, by `Intl.Segmenter`). No word reaches across white space, so each run between white space is
 * cut by itself and remembered: cutting it again would take most of the time.
 */
export function createWordReader(language: string): WordReader {
  const segmenter = segmenterOf(language);
  const known = new Map<string, readonly string[]>();
  const wordsOf = (run: string): Iterable<string> => {
    if (run.length > MAX_KNOWN) return cutRun(run, segmenter);
    const words = known.get(run) ?? [...cutRun(run, segmenter)];
    known.set(run, words);
    return words;
  };
  return {
    *words(text) {
      for (const run of text.split(/\s+/u)) if (run !== '') yield* wordsOf(run);
    },
  };
}

/** What a fuzzy match compares: the words of an HTML text in lower case, and its tags by name. Of a text that has more than `most` of them, only the first ones, and more than that. */
export function toTokens(html: string, reader: WordReader, most = Infinity): readonly string[] {
  const tokens: string[] = [];
  readParts(html, {
    onText: (text) => {
      if (tokens.length > most) return;
      for (const word of reader.words(text)) {
        tokens.push(normalize(word, 'NFKC').toLowerCase());
        if (tokens.length > most) return;
      }
    },
    onTag: (tag) => {
      tokens.push(tag);
    },
  });
  return tokens;
}

/** How much there is to translate. `characters`: without white space. */
interface TextSize {
  readonly words: number;
  readonly characters: number;
}

/** Words between two interruptions. */
const STEP = 200;

/** Number of characters without white space. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text.replaceAll(/\s+/gu, '')) count += 1;
  return count;
}

/** Counts the words and characters of an HTML text. Tags, attributes and scripts do not count. */
export function* measureText(html: string, reader: WordReader): Steps<TextSize> {
  const texts: string[] = [];
  readParts(html, {
    onText: (text) => {
      texts.push(text);
    },
    onTag: () => undefined,
  });
  let [words, characters] = [0, 0];
  for (const text of texts) {
    for (const _word of reader.words(text)) if ((words += 1) % STEP === 0) yield;
    characters += countCharacters(text);
  }
  return { words, characters };
}

/** Units, words and characters of a job, or of a part of it. */
interface WordCount {
  readonly units: number;
  readonly words: number;
  readonly characters: number;
}

/** `repeated`: the same text as an earlier unit. `memory`: filled in from the memory. `fuzzy`: a similar text is suggested. `translated`: by a person or a machine. `new`: the rest. */
export const WORD_KINDS = ['translated', 'memory', 'repeated', 'fuzzy', 'new'] as const;
type WordKind = (typeof WORD_KINDS)[number];

/** The words of a job. Each unit counts for one kind. */
export interface JobWords extends WordCount {
  readonly kinds: Readonly<Record<WordKind, WordCount>>;
}

function toKind({ targets, matches }: Job, id: string, isRepeated: boolean): WordKind {
  const target = own(targets, id);
  if (target !== undefined) return target.memory === undefined ? 'translated' : 'memory';
  if (isRepeated) return 'repeated';
  return own(matches ?? {}, id) === undefined ? 'new' : 'fuzzy';
}

const NONE: WordCount = { units: 0, words: 0, characters: 0 };

const add = (left: WordCount, right: WordCount): WordCount => ({
  units: left.units + right.units,
  words: left.words + right.words,
  characters: left.characters + right.characters,
});

/** Counts the words of a job's source texts, as `measureText`. Slugs do not count, because they are made from titles. */
export async function countWords(job: Job): Promise<JobWords> {
  const reader = createWordReader(job.source);
  const pause = createPause();
  const seen = new Set<string>();
  const counts = new Map<WordKind, WordCount>();
  for (const { id, source } of job.fields) {
    await pause();
    if (id === 'URL') continue;
    const kind = toKind(job, id, seen.has(source));
    seen.add(source);
    counts.set(
      kind,
      add(counts.get(kind) ?? NONE, { units: 1, ...(await runInTurns(measureText(source, reader), pause)) }),
    );
  }
  const kinds = Object.fromEntries(WORD_KINDS.map((kind) => [kind, counts.get(kind) ?? NONE])) as Record<
    WordKind,
    WordCount
  >;
  return { ...[...counts.values()].reduce(add, NONE), kinds };
}

/** Numbers in place of tokens, which compare faster. */
function toNumbers(tokens: readonly string[], known: Map<string, number>): Int32Array {
  return Int32Array.from(tokens, (token) => {
    const number = known.get(token) ?? known.size;
    known.set(token, number);
    return number;
  });
}

/**
 * The edit distance of two lists: how many tokens must be inserted, removed or replaced (Levenshtein). Returns `limit` + 1 if it is larger
 * than `limit`. Only the diagonals that `limit` can reach are computed (Ukkonen), so the cost is length × limit.
 */
export function toDistance(left: readonly string[], right: readonly string[], limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  const known = new Map<string, number>();
  const [a, b] = [toNumbers(left, known), toNumbers(right, known)];
  let before = Int32Array.from({ length: b.length + 1 }, (_, index) => Math.min(index, limit + 1));
  let row = new Int32Array(b.length + 1);
  for (let at = 1; at <= a.length; at += 1) {
    const [first, last] = [Math.max(1, at - limit), Math.min(b.length, at + limit)];
    row.fill(limit + 1);
    if (first === 1) row[0] = Math.min(at, limit + 1);
    let least = row[first - 1] ?? 0;
    for (let place = first; place <= last; place += 1) {
      const replaced = (before[place - 1] ?? 0) + (a[at - 1] === b[place - 1] ? 0 : 1);
      const value = Math.min(replaced, (before[place] ?? 0) + 1, (row[place - 1] ?? 0) + 1, limit + 1);
      row[place] = value;
      least = Math.min(least, value);
    }
    if (least > limit) return limit + 1;
    [before, row] = [row, before];
  }
  return before[b.length] ?? limit + 1;
}

/** The lowest match that the memory suggests, in percent. */
export const LEAST_MATCH = 75;
/** The highest match of two different texts. */
const MOST_DIFFERENT = 99;

/** How alike two texts are: 100 × (1 − distance ÷ length of the longer one), rounded down. 0 below `LEAST_MATCH`. Texts with the same tokens that differ in markup, punctuation or case are 99. */
export function toMatch(left: readonly string[], right: readonly string[]): number {
  const length = Math.max(left.length, right.length);
  if (length === 0) return 0;
  const limit = Math.floor((length * (100 - LEAST_MATCH)) / 100);
  const distance = toDistance(left, right, limit);
  return distance > limit ? 0 : Math.min(MOST_DIFFERENT, Math.floor((100 * (length - distance)) / length));
}
