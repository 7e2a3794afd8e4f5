import { eq, type Store, type StoredRecord } from '../../../../lib/index.ts';
import {
  createPause,
  type HtmlPlace,
  isObject,
  normalize,
  own,
  runInTurns,
  type Steps,
  toPlainText,
} from '../../../plugin.ts';
import type { Job } from '../records/job-record.ts';

/**
 * A term in one pair of languages. `term`: as the source writes it. `translation`: null if the term must not be translated.
 * `caseSensitive`: capitals matter. `note`: for translators.
 */
export interface GlossaryTerm {
  readonly term: string;
  readonly translation: string | null;
  readonly caseSensitive: boolean;
  readonly note: string;
}

/** A place of a text where a term stands. */
interface FoundTerm extends HtmlPlace {
  readonly term: GlossaryTerm;
}

/** Finds the terms of a glossary in texts. Of terms that overlap, the longest counts. */
export interface TermFinder {
  /** The glossary. */
  readonly all: readonly GlossaryTerm[];
  /** Where terms stand in a plain text, in order. */
  places(text: string): Steps<readonly FoundTerm[]>;
  /** The terms of an HTML text, each once. */
  terms(html: string): Steps<readonly GlossaryTerm[]>;
}

/** A word, a character of a script without spaces, or any other character. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_])+|\S/gu;

interface Token extends HtmlPlace {
  readonly text: string;
  readonly lower: string;
  /** Whether white space stands in front of it. */
  readonly isApart: boolean;
}

function* readTokens(text: string): Generator<Token, undefined, void> {
  let end = 0;
  for (const { index, 0: whole } of text.matchAll(TOKEN)) {
    const normal = normalize(whole, 'NFC');
    yield {
      text: normal,
      lower: normal.toLowerCase(),
      isApart: index > end,
      from: index,
      to: index + whole.length,
    };
    end = index + whole.length;
  }
}

/** The tokens of a text from a place on. Only those that are looked at are in memory. */
class TokenWindow {
  readonly #rest: Generator<Token, undefined, void>;
  readonly #ahead: Token[] = [];

  constructor(text: string) {
    this.#rest = readTokens(text);
  }

  /** The token so many places ahead; undefined behind the last one. */
  at(place: number): Token | undefined {
    while (this.#ahead.length <= place) {
      const { value } = this.#rest.next();
      if (value === undefined) return undefined;
      this.#ahead.push(value);
    }
    return this.#ahead[place];
  }

  skip(count: number): void {
    this.#ahead.splice(0, count);
  }
}

interface Entry {
  readonly term: GlossaryTerm;
  readonly tokens: readonly Token[];
}

/** The terms that begin with the same tokens. `entries`: those that end here, case-sensitive ones first. */
interface Branch {
  readonly entries: Entry[];
  readonly next: Map<string, Branch>;
}

const createBranch = (): Branch => ({ entries: [], next: new Map() });

/** Tokens differ by their letters, and inside of a term by the space in front of them. */
const toKey = ({ lower, isApart }: Token, isFirst: boolean): string =>
  isApart && !isFirst ? ` ${lower}` : lower;

function toTree(terms: readonly GlossaryTerm[]): Branch {
  const tree = createBranch();
  for (const term of terms) {
    const tokens = [...readTokens(term.term)];
    let branch = tree;
    for (const [index, token] of tokens.entries()) {
      const key = toKey(token, index === 0);
      const next = branch.next.get(key) ?? createBranch();
      branch.next.set(key, next);
      branch = next;
    }
    branch.entries.push({ term, tokens });
    branch.entries.sort((a, b) => Number(b.term.caseSensitive) - Number(a.term.caseSensitive));
  }
  return tree;
}

/** The longest term that begins here. */
function findLongest(tree: Branch, ahead: TokenWindow): Entry | undefined {
  let longest: Entry | undefined;
  let branch: Branch | undefined = tree;
  for (let place = 0; ; place += 1) {
    const token = ahead.at(place);
    branch = token === undefined ? undefined : branch.next.get(toKey(token, place === 0));
    if (branch === undefined) return longest;
    longest =
      branch.entries.find(
        ({ term, tokens }) =>
          !term.caseSensitive || tokens.every(({ text }, index) => text === ahead.at(index)?.text),
      ) ?? longest;
  }
}

/** Tokens between two interruptions. */
const STEP = 100;

/** Prepares a glossary. Words are compared as a whole, and white space as one space. */
export function createTermFinder(terms: readonly GlossaryTerm[]): TermFinder {
  const tree = toTree(terms);
  function* places(text: string): Steps<readonly FoundTerm[]> {
    const found: FoundTerm[] = [];
    if (terms.length === 0) return found;
    const ahead = new TokenWindow(text);
    let count = 0;
    for (let first = ahead.at(0); first !== undefined; first = ahead.at(0)) {
      const entry = findLongest(tree, ahead);
      const length = entry?.tokens.length ?? 1;
      if (entry !== undefined)
        found.push({ term: entry.term, from: first.from, to: ahead.at(length - 1)?.to ?? first.to });
      ahead.skip(length);
      if ((count += 1) % STEP === 0) yield;
    }
    return found;
  }
  function* findAll(html: string): Steps<readonly GlossaryTerm[]> {
    return terms.length === 0 ? [] : [...new Set((yield* places(toPlainText(html))).map(({ term }) => term))];
  }
  return { all: terms, places, terms: findAll };
}

/** No glossary. */
export const NO_TERMS: TermFinder = createTermFinder([]);

/** A text that is compared with and without its capitals. */
interface Compared {
  readonly text: string;
  readonly lower: string;
}

/** What a translation must contain for a term of its source. */
interface Wanted extends Compared {
  readonly term: GlossaryTerm;
}

function toCompared(html: string): Compared {
  const text = normalize(toPlainText(html), 'NFC');
  return { text, lower: text.toLowerCase() };
}

/** No text contains it, so that nothing is found across a gap. */
const GAP = '\0';

/** Whether a text contains what is wanted, apart from the texts of longer terms. */
function contains(target: Compared, wanted: Wanted, all: readonly Wanted[]): boolean {
  const form = wanted.term.caseSensitive ? 'text' : 'lower';
  const longer = all.filter(
    ({ lower }) => lower.length > wanted.lower.length && lower.includes(wanted.lower),
  );
  return longer.reduce((left, each) => left.replaceAll(each[form], GAP), target[form]).includes(wanted[form]);
}

/**
 * The terms of a source that its translation lacks altogether: protected ones that are gone, and others whose translation is missing. The
 * wanted text may be part of a word, because languages inflect and compound, but not of the text of a longer term: `Port Arven` is no `port`.
 */
export function* listMissingTerms(
  finder: TermFinder,
  source: string,
  target: string,
): Steps<readonly GlossaryTerm[]> {
  const terms = yield* finder.terms(source);
  if (terms.length === 0) return [];
  const compared = toCompared(target);
  const all = terms.map((term): Wanted => Object.assign({ term }, toCompared(term.translation ?? term.term)));
  // The longest first, so that the gap of one leaves no part of another.
  const longestFirst = all.toSorted((a, b) => b.lower.length - a.lower.length);
  const missing: GlossaryTerm[] = [];
  for (const each of all) {
    if (!contains(compared, each, longestFirst)) missing.push(each.term);
    yield;
  }
  return missing;
}

/** An entry of the glossary as routes show it. `targets`: translations by language, none if `translate` is false. */
export interface GlossaryEntry {
  readonly id: number;
  readonly term: string;
  readonly source_language: string;
  readonly translate: boolean;
  readonly case_sensitive: boolean;
  readonly targets: Readonly<Record<string, string>>;
  readonly note: string;
}

/** An entry as it is stored (`collections.ts`). */
export function toGlossaryEntry(record: StoredRecord): GlossaryEntry {
  const targets = isObject(record['targets']) ? record['targets'] : {};
  return {
    id: record.id,
    term: String(record['term']),
    source_language: String(record['source']),
    translate: record['keep'] !== true,
    case_sensitive: record['case_sensitive'] === true,
    targets: Object.fromEntries(Object.entries(targets).map(([language, text]) => [language, String(text)])),
    note: String(record['note']),
  };
}

function toTerm(entry: GlossaryEntry, target: string): readonly GlossaryTerm[] {
  const translation = entry.translate ? own(entry.targets, target) : null;
  return translation === undefined
    ? []
    : [{ term: entry.term, translation, caseSensitive: entry.case_sensitive, note: entry.note }];
}

/** The glossary of one pair of languages. */
export async function readGlossary(
  store: Store,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<TermFinder> {
  const { records } = await store.find({ collection: 'ml_glossary', where: eq('source', source) });
  const terms = records.map(toGlossaryEntry).flatMap((entry) => toTerm(entry, target));
  return terms.length === 0 ? NO_TERMS : createTermFinder(terms);
}

/** The terms of the texts of a job, by field id. Slugs have none. */
export async function listJobTerms(
  store: Store,
  job: Job,
): Promise<ReadonlyMap<string, readonly GlossaryTerm[]>> {
  const finder = await readGlossary(store, job);
  const found = new Map<string, readonly GlossaryTerm[]>();
  if (finder === NO_TERMS) return found;
  const pause = createPause();
  for (const { id, source } of job.fields) {
    await pause();
    if (id !== 'URL') found.set(id, await runInTurns(finder.terms(source), pause));
  }
  return found;
}
