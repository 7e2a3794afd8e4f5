import { and, eq, oneOf } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { SLUG_BYTES, toSuffixed, withEnding } from '../content/slug.ts';
import type { TermRecord } from '../records/term-record.ts';

/** Slugs are unique in a taxonomy and language. */
export type TermScope = Pick<TermRecord, 'taxonomy' | 'language'>;

/** The term of the scope with this slug; undefined if there is none. */
export async function findBySlug(
  store: Store,
  { taxonomy, language }: TermScope,
  slug: string,
): Promise<TermRecord | undefined> {
  const {
    records: [found],
  } = await store.find({
    collection: 'terms',
    where: and(eq('taxonomy', taxonomy), eq('language', language), eq('slug', slug)),
    limit: 1,
  });
  return found as TermRecord | undefined;
}

async function listTaken(
  store: Store,
  { taxonomy, language }: TermScope,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = and(eq('taxonomy', taxonomy), eq('language', language), oneOf('slug', slugs));
  return new Set(
    (await store.find({ collection: 'terms', where, fields: ['slug'] })).records.map((record) =>
      String(record['slug']),
    ),
  );
}

const MOST_ENDING = SLUG_BYTES / 2;
const FIRST = 20;
const MORE = 10;

/** The slug, or if it is taken the slug with the slugs of ever more ancestors, or else with a number. `ancestors`: the top one first. `own`: the slug of the term itself, which is free for it. */
export async function findFreeSlug(
  store: Store,
  scope: TermScope,
  { slug, ancestors, own }: { slug: string; ancestors: readonly Pick<TermRecord, 'slug'>[]; own?: string },
): Promise<string> {
  let last = slug;
  const named = [
    slug,
    ...ancestors.toReversed().map((ancestor) => {
      last = withEnding(last, `-${ancestor.slug.slice(0, MOST_ENDING)}`);
      return last;
    }),
  ];
  for (let from = 2, count = FIRST, candidates = named; ; from += count, count *= MORE) {
    const all = [
      ...candidates,
      ...Array.from({ length: count }, (_each, index) => toSuffixed(last, from + index)),
    ];
    const taken = await listTaken(store, scope, all);
    const free = all.find((candidate) => candidate === own || !taken.has(candidate));
    if (free !== undefined) return free;
    candidates = [];
  }
}
