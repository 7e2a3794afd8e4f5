import { and, desc, gte, hasAny, lte, oneOf, type Store, type StoredRecord } from '../../../../lib/index.ts';
import { createPause } from '../../../plugin.ts';
import { MEMORY, type TextEngine, type TextRequest } from '../engine/text-engine.ts';
import type { JobTarget } from '../records/job-record.ts';
import { createWordReader, toTokens, type WordReader } from '../segments/text-tokens.ts';
import { learnCorrections } from './corrections.ts';
import {
  findExact,
  type MemoryEntry,
  type SearchKeys,
  toEntry,
  toHash,
  toPair,
  toSearchKeys,
} from './memory-entry.ts';

/** Most records that are read for one word. A word that more texts have says little; the newest of them are read. */
const MOST_PER_WORD = 60;
/** Most texts that are compared word by word. */
const MOST_COMPARED = 12;

/** A similar text of the memory. `quality`: percent, as `toMatch`. */
interface SimilarText {
  readonly entry: MemoryEntry;
  readonly quality: number;
}

/** Longer words and words with digits are rarer. */
const toRarity = (key: string): number => key.length + (/\d/.test(key) ? 10 : 0);

async function findByWord(
  store: Store,
  key: string,
  { least, most }: { least: number; most: number },
): Promise<readonly StoredRecord[]> {
  const { records } = await store.find({
    collection: 'ml_memory',
    fields: ['keys'],
    limit: MOST_PER_WORD,
    order: [desc('id')],
    where: and(hasAny('keys', [key]), gte('size', least), lte('size', most)),
  });
  return records;
}

/**
 * Texts that may be similar, most shared words first. A text of n tokens that matches by at least 75 % lacks at most n/3 of them. So of any
 * n/3 + 1 words, one finds it: the rarest words are looked up until that many of them had few enough results to read them all.
 */
async function findCandidates(store: Store, { tokens, keys }: SearchKeys): Promise<readonly number[]> {
  const size = {
    least: Math.ceil((tokens.length * LEAST_MATCH) / 100),
    most: Math.floor((tokens.length * 100) / LEAST_MATCH),
  };
  const wanted = new Set(keys);
  const shared = new Map<number, number>();
  let complete = 0;
  for (const key of [...keys].sort((a, b) => toRarity(b) - toRarity(a))) {
    const records = await findByWord(store, key, size);
    for (const { id, keys: theirs } of records) {
      if (!shared.has(id))
        shared.set(id, Array.isArray(theirs) ? theirs.filter((each) => wanted.has(String(each))).length : 0);
    }
    if (records.length < MOST_PER_WORD) complete += 1;
    if (complete > tokens.length / 3) break;
  }
  return [...shared]
    .sort(([leftId, left], [rightId, right]) => right - left || rightId - leftId)
    .slice(0, MOST_COMPARED)
    .map(([id]) => id);
}

/** The text of the memory that is most like this one, by at least 75 %; null if there is none. Of equally similar texts, the newest. */
async function findSimilar(
  store: Store,
  search: SearchKeys,
  reader: WordReader,
): Promise<SimilarText | null> {
  const ids = await findCandidates(store, search);
  if (ids.length === 0) return null;
  const { records } = await store.find({ collection: 'ml_memory', where: oneOf('id', ids) });
  let best: SimilarText | null = null;
  for (const entry of records.map(toEntry).sort((a, b) => b.id - a.id)) {
    const quality = toMatch(search.tokens, toTokens(entry.source, reader));
    if (quality >= LEAST_MATCH && quality > (best?.quality ?? 0)) best = { entry, quality };
  }
  return best;
}

interface Recalled {
  readonly exact: ReadonlyMap<string, MemoryEntry>;
  readonly similar: ReadonlyMap<string, SimilarText>;
}

async function lookUp(store: Store, request: TextRequest): Promise<Recalled> {
  const pair = toPair(request);
  const hashes = new Map(request.fields.map((field) => [field.id, toHash(field)]));
  const known = await findExact(store, pair, [...hashes.values()]);
  const reader = createWordReader(request.source);
  const pause = createPause();
  const [exact, similar] = [new Map<string, MemoryEntry>(), new Map<string, SimilarText>()];
  for (const field of request.fields) {
    const entry = known.get(hashes.get(field.id) ?? '');
    await pause();
    if (entry !== undefined) {
      exact.set(field.id, entry);
      continue;
    }
    const search = request.suggest === undefined ? null : toSearchKeys(field, pair, reader);
    const found = search === null ? null : await findSimilar(store, search, reader);
    if (found !== null) similar.set(field.id, found);
  }
  return { exact, similar };
}

/** Looks texts up. If a translation that one of them comes from was corrected by hand since, the corrections are learned first. */
async function recall(store: Store, request: TextRequest): Promise<ReadonlyMap<string, JobTarget>> {
  let found = await lookUp(store, request);
  const posts = [...found.exact.values(), ...[...found.similar.values()].map(({ entry }) => entry)].map(
    ({ post }) => post,
  );
  if (await learnCorrections(store, [...new Set([request.post, ...posts])], request.target))
    found = await lookUp(store, request);
  for (const [id, { entry, quality }] of found.similar)
    request.suggest?.(id, { source: entry.source, text: entry.text, quality });
  return new Map(
    [...found.exact].map(
      ([id, { text }]) => [id, { text, state: 'initial', memory: 'current' } satisfies JobTarget] as const,
    ),
  );
}

/** Creates the translation memory of the site. */
export function createMemoryEngine(store: Store): TextEngine {
  return {
    id: MEMORY,
    label: 'Translation memory',
    languages: [],
    translate: (request) => recall(store, request),
  };
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
