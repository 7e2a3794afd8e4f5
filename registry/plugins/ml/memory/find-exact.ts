import { type Store, and, eq, oneOf } from '../../../../lib/index.ts';
import { toEntry, type MemoryEntry } from './memory-entry.ts';

const PART = 500;

/** The entries with these hashes. */
export async function findExact(
  store: Store,
  pair: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, MemoryEntry>> {
  const found = new Map<string, MemoryEntry>();
  const different = [...new Set(hashes)];
  for (let from = 0; from < different.length; from += PART) {
    const { records } = await store.find({
      collection: 'ml_memory',
      where: and(eq('pair', pair), oneOf('hash', different.slice(from, from + PART))),
    });
    for (const entry of records.map(toEntry)) found.set(entry.hash, entry);
  }
  return found;
}
