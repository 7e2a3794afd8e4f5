import { createPause } from '../../../../lib/core/cooperative.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { MEMORY, type TextEngine, type TextRequest } from '../engine/text-engine.ts';
import type { JobTarget } from '../records/job-record.ts';
import { createWordReader } from '../segments/text-tokens.ts';
import { learnCorrections } from './corrections.ts';
import { findExact } from './find-exact.ts';
import { findSimilar, type SimilarText } from './find-similar.ts';
import { toHash, toPair, toSearchKeys, type MemoryEntry } from './memory-entry.ts';

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
