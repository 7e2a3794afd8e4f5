import {
  and,
  eq,
  oneOf,
  type Operation,
  type Store,
  type StoredRecord,
  type Values,
} from '../../../../lib/index.ts';
import { createPause, own, retryRaces, sha256, slicesOf, toWrite } from '../../../plugin.ts';
import type { MlRecord } from '../records/collections.ts';
import type { Job } from '../records/job-record.ts';
import type { JobField } from '../records/job-texts.ts';
import { createWordReader, toTokens, type WordReader } from '../segments/text-tokens.ts';

/** Maximum length of a text in the memory, in characters. Longer texts are rarely repeated. */
const MAX_REMEMBERED = 20_000;
/** Longest text that is compared with similar ones, in tokens. */
const MAX_COMPARED = 2000;
/** Most keys of a text. */
const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 40;

export const toPair = ({ source, target }: { source: string; target: string }): string =>
  `${source}:${target}`;

/** A text of the source. */
type SourceText = Pick<JobField, 'id' | 'source'>;

/** A slug has its own hash, because the translation of an equal title is not a slug. */
export const toHash = ({ id, source }: SourceText): string =>
  sha256(id === 'URL' ? `slug ${source}` : source);

/** FNV-1a: a fixed order that does not depend on the words. */
function toRank(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** What a text is found by when a similar one is looked for. */
export interface SearchKeys {
  readonly tokens: readonly string[];
  /** The different words, each with the pair of languages. Of a long text, those that come first in a fixed order: similar texts have the same. */
  readonly keys: readonly string[];
}

/** The keys of a text; null for a text that has no words, or too many. Slugs are not compared. */
export function toSearchKeys(
  { id, source }: SourceText,
  pair: string,
  reader: WordReader,
): SearchKeys | null {
  if (id === 'URL' || source.length > MAX_REMEMBERED) return null;
  const tokens = toTokens(source, reader, MAX_COMPARED);
  if (tokens.length > MAX_COMPARED) return null;
  const words = [
    ...new Set(tokens.filter((token) => !token.startsWith('<')).map((word) => word.slice(0, MAX_KEY_LENGTH))),
  ];
  if (words.length === 0) return null;
  const chosen =
    words.length <= MAX_KEYS ? words : words.toSorted((a, b) => toRank(a) - toRank(b)).slice(0, MAX_KEYS);
  return { tokens, keys: chosen.map((word) => `${pair} ${word}`) };
}

/** A text of the memory with its translation. `post`, `field`: where it was last used. */
export type MemoryEntry = MlRecord<'ml_memory'>;

// The store returns what the collection descriptor declares.
export const toEntry = (record: StoredRecord): MemoryEntry => record as MemoryEntry;

/** The values of an entry, with what it is found by. */
function toEntryValues(
  field: SourceText,
  { pair, post, text, reader }: { pair: string; post: number; text: string; reader: WordReader },
): Values {
  const search = toSearchKeys(field, pair, reader);
  return {
    pair,
    hash: toHash(field),
    post,
    field: field.id,
    source: field.source,
    text,
    size: search?.tokens.length ?? 0,
    keys: search?.keys ?? [],
  };
}

const READ_AT_ONCE = 500;

/** The entries with these hashes. */
export async function findExact(
  store: Store,
  pair: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, MemoryEntry>> {
  const found = new Map<string, MemoryEntry>();
  for (const part of slicesOf([...new Set(hashes)], READ_AT_ONCE)) {
    const { records } = await store.find({
      collection: 'ml_memory',
      where: and(eq('pair', pair), oneOf('hash', part)),
    });
    for (const entry of records.map(toEntry)) found.set(entry.hash, entry);
  }
  return found;
}

/** A text with its translation. */
interface Translated {
  readonly field: SourceText;
  readonly text: string;
}

const WRITTEN_AT_ONCE = 200;

interface Part {
  readonly post: number;
  readonly pair: string;
  readonly reader: WordReader;
  readonly texts: readonly (readonly [hash: string, Translated])[];
}

/** Writes what the memory does not have yet. When two writers collide, the later one reads again and replaces what the other has written. */
async function rememberPart(store: Store, { post, pair, reader, texts }: Part): Promise<void> {
  const pause = createPause();
  await retryRaces(async () => {
    const known = await findExact(
      store,
      pair,
      texts.map(([hash]) => hash),
    );
    const operations: Operation[] = [];
    for (const [hash, { field, text }] of texts) {
      await pause();
      const entry = known.get(hash);
      if (entry?.text === text && entry.source === field.source && entry.post === post) continue;
      const values = toEntryValues(field, { pair, post, text, reader });
      operations.push(toWrite('ml_memory', entry, values));
    }
    if (operations.length > 0) await store.commit(operations);
  });
}

/** Puts translations into the memory, in place of those that it has of the same texts. */
export async function rememberTexts(
  store: Store,
  { post, source, target }: Pick<Job, 'post' | 'source' | 'target'>,
  all: readonly Translated[],
): Promise<void> {
  const pair = toPair({ source, target });
  const reader = createWordReader(source);
  const texts = [
    ...new Map(
      all
        .filter(({ field, text }) => text !== '' && field.source.length <= MAX_REMEMBERED)
        .map((each) => [toHash(each.field), each]),
    ).entries(),
  ];
  for (const part of slicesOf(texts, WRITTEN_AT_ONCE))
    await rememberPart(store, { post, pair, reader, texts: part });
}

/** Stores the translations of an applied job in the memory. */
export async function remember(store: Store, job: Job): Promise<void> {
  await rememberTexts(
    store,
    job,
    job.fields.map((field) => ({ field, text: own(job.targets, field.id)?.text ?? '' })),
  );
}
