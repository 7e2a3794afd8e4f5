import { createHash } from 'node:crypto';
import type { StoredRecord, Values } from '../../../../lib/index.ts';
import type { JobField } from '../records/job-fields.ts';
import { toTokens, type WordReader } from '../segments/text-tokens.ts';

/** Maximum length of a text in the memory, in characters. Longer texts are rarely repeated. */
export const MAX_REMEMBERED = 20_000;
/** Longest text that is compared with similar ones, in tokens. */
const MAX_COMPARED = 2000;
/** Most keys of a text. */
const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 40;

export const toPair = ({ source, target }: { source: string; target: string }): string =>
  `${source}:${target}`;

/** A slug has its own hash, because the translation of an equal title is not a slug. */
export const toHash = ({ id, source }: Pick<JobField, 'id' | 'source'>): string =>
  createHash('sha256')
    .update(id === 'URL' ? `slug ${source}` : source)
    .digest('hex');

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
  { id, source }: Pick<JobField, 'id' | 'source'>,
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
    words.length <= MAX_KEYS
      ? words
      : words
          .map((word) => ({ word, rank: toRank(word) }))
          .sort((a, b) => a.rank - b.rank)
          .slice(0, MAX_KEYS)
          .map(({ word }) => word);
  return { tokens, keys: chosen.map((word) => `${pair} ${word}`) };
}

/** A text of the memory with its translation. `post`, `field`: where it was last used. */
export interface MemoryEntry extends StoredRecord {
  readonly post: number;
  readonly hash: string;
  readonly source: string;
  readonly text: string;
}

// The store returns what the collection descriptor declares.
export const toEntry = (record: StoredRecord): MemoryEntry => record as MemoryEntry;

/** The values of an entry, with what it is found by. */
export function toEntryValues(
  field: Pick<JobField, 'id' | 'source'>,
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
