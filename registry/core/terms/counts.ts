import { pause } from '../../../lib/core/cooperative.ts';
import { and, eq, hasAny } from '../../../lib/store/query.ts';
import { countRecords, findInBatches, type Store } from '../../../lib/store/store.ts';
import type { Taxonomy } from '../model/content-type.ts';
import { cachedByRevision } from '../records/record-cache.ts';
import { loadDescendants } from '../records/term-record.ts';

/** Numbers of published posts by term id. */
type TermCounts = ReadonlyMap<number, number>;

/** Counts the published posts that have these terms. */
export type CountTerms = (taxonomy: Taxonomy, ids: readonly number[]) => Promise<TermCounts>;

const MOST_KEPT = 20_000;
/** Counts before other requests get a turn. */
const AT_ONCE = 50;
const POSTS = ['posts'] as const;
/** Posts that can be read in the time of one count. */
const READ_PER_COUNT = 5;
const PER_READ = 1000;

/** Counts all terms of a taxonomy in one pass over the posts. */
async function readCounts(
  store: Store,
  { field, types }: Taxonomy,
  languages: readonly string[],
): Promise<TermCounts> {
  const counts = new Map<number, number>();
  const fields = [field, 'status', 'type', 'language'];
  for await (const records of findInBatches(store, { collection: 'posts', fields, limit: PER_READ })) {
    for (const record of records) {
      const isCounted =
        record['status'] === 'publish' &&
        types.includes(String(record['type'])) &&
        languages.includes(String(record['language']));
      const ids =
        isCounted && Array.isArray(record[field]) ? new Set(record[field] as readonly number[]) : [];
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    await pause();
  }
  return counts;
}

/**
 * Counts terms by an index of posts, so that a count is exact after every commit of any writer, and writers of posts with the same term
 * never wait for each other. Many terms at once are counted by reading all posts where that is faster. Counts are cached until a post changes. `languages`: those of the site.
 */
export function createTermCounts(store: Store, languages: readonly string[]): CountTerms {
  const open = cachedByRevision(store, {
    collections: POSTS,
    make: () => new Map<number, number>(),
    most: MOST_KEPT,
  });

  // One language and type each, so that the count is the length of one range of the index, which no store has to read.
  const countOne = async (
    { field }: Taxonomy,
    id: number,
    [language, type]: readonly [string, string],
  ): Promise<number> => {
    const where = and(
      hasAny(field, [id]),
      eq('language', language),
      eq('status', 'publish'),
      eq('type', type),
    );
    return countRecords(store, { collection: 'posts', where });
  };
  const count = async (taxonomy: Taxonomy, id: number): Promise<number> => {
    const parts = languages.flatMap((language) =>
      taxonomy.types.map((type) => countOne(taxonomy, id, [language, type])),
    );
    return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
  };

  const isReadFaster = async ({ types }: Taxonomy, terms: number): Promise<boolean> =>
    (await countRecords(store, { collection: 'posts' })) <=
    terms * languages.length * types.length * READ_PER_COUNT;

  return async (taxonomy, ids) => {
    const counts = await open();
    const missing = [...new Set(ids)].filter((id) => !counts.has(id));
    if (missing.length > AT_ONCE && (await isReadFaster(taxonomy, missing.length))) {
      const all = await readCounts(store, taxonomy, languages);
      for (const id of missing) counts.set(id, all.get(id) ?? 0);
      return counts;
    }
    for (let from = 0; from < missing.length; from += AT_ONCE) {
      if (from > 0) await pause();
      await Promise.all(
        missing.slice(from, from + AT_ONCE).map(async (id) => {
          counts.set(id, await count(taxonomy, id));
        }),
      );
    }
    return counts;
  };
}

/** Finds the terms whose archives have published posts: those of the terms below are part of them, as in WordPress. */
export function createFindFilled(
  store: Store,
  languages: readonly string[],
): (taxonomy: Taxonomy, ids: readonly number[]) => Promise<ReadonlySet<number>> {
  const count = createTermCounts(store, languages);
  return async (taxonomy, ids) => {
    const below = taxonomy.hierarchical
      ? await loadDescendants({ store }, ids)
      : new Map(ids.map((id) => [id, [id]]));
    const counts = await count(taxonomy, [...below.values()].flat());
    return new Set(ids.filter((id) => below.get(id)?.some((each) => (counts.get(each) ?? 0) > 0)));
  };
}
