import type { Operation, Store } from '../../../../lib/index.ts';
import { createPause, own, retryRaces } from '../../../plugin.ts';
import type { JobField } from '../records/job-fields.ts';
import type { Job } from '../records/job-record.ts';
import { createWordReader, type WordReader } from '../segments/text-tokens.ts';
import { findExact } from './find-exact.ts';
import { MAX_REMEMBERED, toEntryValues, toHash, toPair } from './memory-entry.ts';

/** A text with its translation. */
interface Translated {
  readonly field: Pick<JobField, 'id' | 'source'>;
  readonly text: string;
}

const PART = 200;

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
      operations.push(
        entry === undefined
          ? { op: 'create', collection: 'ml_memory', values }
          : { op: 'update', collection: 'ml_memory', id: entry.id, values },
      );
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
  for (let from = 0; from < texts.length; from += PART)
    await rememberPart(store, { post, pair, reader, texts: texts.slice(from, from + PART) });
}

/** Stores the translations of an applied job in the memory. */
export async function remember(store: Store, job: Job): Promise<void> {
  await rememberTexts(
    store,
    job,
    job.fields.map((field) => ({ field, text: own(job.targets, field.id)?.text ?? '' })),
  );
}
