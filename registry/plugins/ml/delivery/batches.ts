import { findInBatches, and, eq } from '../../../../lib/index.ts';
import { findByIds, pause, runLocked, toUpdate } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import { IS_OPEN, toJob } from '../records/job-record.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import type { TranslationServices } from '../services/services.ts';
import { collect, reportFailure } from './apply-job.ts';

const LOCK = 'ml.batches';
const LOCK_MS = 30_000;
const SLICE = 20;

async function listQueued({ store }: TranslationServices): Promise<readonly number[]> {
  const { records } = await store.find({
    collection: 'ml_batches',
    where: eq('state', 'queued'),
    fields: [],
  });
  return records.map((record) => record.id);
}

/** Fetches the finished translations of a batch from the engine. Returns false when it was stopped. */
async function refreshBatch(
  services: TranslationServices,
  batch: number,
  signal: AbortSignal,
): Promise<boolean> {
  const where = and(eq('batch', batch), IS_OPEN);
  for await (const records of findInBatches(services.store, { collection: 'ml_jobs', where, limit: SLICE })) {
    for (const job of records.map(toJob)) {
      await pause();
      if (signal.aborted) return false;
      try {
        await collect(services, job);
      } catch (error) {
        await reportFailure(services, job, error);
      }
    }
  }
  return true;
}

async function refreshQueued(services: TranslationServices, signal: AbortSignal): Promise<void> {
  await runLocked(services, { name: LOCK, ttlMs: LOCK_MS, signal }, async (held) => {
    for (
      let [batch] = await listQueued(services);
      batch !== undefined;
      [batch] = await listQueued(services)
    ) {
      if (!(await refreshBatch(services, batch, held))) return;
      await services.store.commit([toUpdate('ml_batches', { id: batch }, { state: 'idle' })]);
    }
  });
}

function start(services: TranslationServices): void {
  // Runs in the background: errors are logged, and the next check of the queue continues what is left.
  void services.background.run('translation batches', (signal) => refreshQueued(services, signal));
}

async function forward(services: TranslationServices, ids: readonly number[]): Promise<void> {
  if (services.upstream.origin('tp') === null) return;
  await services.upstream.request('tp', {
    method: 'POST',
    path: '/batches/sync',
    body: { batchId: ids },
  });
}

/**
 * Queues batches. A background task fetches the translations of their jobs that are ready at the engine (status 4).
 * @throws RestError `batch_not_found`, `service_*`
 */
export async function syncBatches(
  services: TranslationServices,
  { batchId: ids }: TmArgs<'ml.tm.tp.batches.sync'>,
): Promise<readonly number[]> {
  const known = await findByIds(services.store, { collection: 'ml_batches', ids, fields: [] });
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw mlError('batch_not_found', { data: { batch_id: unknown } });
  await forward(services, ids);
  const found = [...known.keys()].sort((a, b) => a - b);
  await services.store.commit(found.map((id) => toUpdate('ml_batches', { id }, { state: 'queued' })));
  start(services);
  return found;
}

/** The batches that are still queued. Continues batches that a stopped process left in the queue. */
export async function listQueuedBatches(services: TranslationServices): Promise<readonly number[]> {
  const queued = await listQueued(services);
  if (queued.length > 0) start(services);
  return queued;
}
