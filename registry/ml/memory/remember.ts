import { createPause } from '../../../lib/core/pause.ts';
import { own } from '../../../lib/core/objects.ts';
import { StoreError, type Operation, type Store } from '../../../lib/store/store.ts';
import type { JobField } from '../jobs/job-fields.ts';
import type { Job } from '../jobs/job-record.ts';
import { createWordReader } from '../segments/text-tokens.ts';
import { findExact } from './find-exact.ts';
import { MAX_REMEMBERED, toEntryValues, toHash, toPair } from './memory-entry.ts';

/** A text with its translation. */
export interface Translated {
  readonly field: Pick<JobField, 'id' | 'source'>;
  readonly text: string;
}

const PART = 500;

/** Writes entries. When two writers collide, the faster one wins. */
async function write(store: Store, operations: readonly Operation[]): Promise<void> {
  try {
    if (operations.length > 0) await store.commit(operations);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
  }
}

/** Puts translations into the memory, in place of those that it has of the same texts. */
export async function rememberTexts(store: Store, { post, source, target }: Pick<Job, 'post' | 'source' | 'target'>, all: readonly Translated[]): Promise<void> {
  const pair = toPair({ source, target });
  const reader = createWordReader(source);
  const pause = createPause();
  const texts = [...new Map(all.filter(({ field, text }) => text !== '' && field.source.length <= MAX_REMEMBERED).map((each) => [toHash(each.field), each])).entries()];
  for (let from = 0; from < texts.length; from += PART) {
    const part = texts.slice(from, from + PART);
    const known = await findExact(store, pair, part.map(([hash]) => hash));
    const operations: Operation[] = [];
    for (const [hash, { field, text }] of part) {
      await pause();
      const entry = known.get(hash);
      if (entry?.text === text && entry.source === field.source && entry.post === post) continue;
      const values = toEntryValues(field, { pair, post, text, reader });
      operations.push(entry === undefined ? { op: 'create', collection: 'ml_memory', values } : { op: 'update', collection: 'ml_memory', id: entry.id, values });
    }
    await write(store, operations);
  }
}

/** Stores the translations of an applied job in the memory. */
export async function remember(store: Store, job: Job): Promise<void> {
  await rememberTexts(store, job, job.fields.map((field) => ({ field, text: own(job.targets, field.id)?.text ?? '' })));
}
