import { type Call, and, eq, oneOf } from '../../../../lib/index.ts';
import { changeOption } from '../../../plugin.ts';
import { mayWorkOn, readCaller, visibleTo, type JobCaller } from '../records/caller.ts';
import { ROW_FIELDS, toJob, toJobRow } from '../records/job-record.ts';
import { JOB_STATUS } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';
import { sendJobs } from './job-create.ts';

const RETRY_OPTION = ['ml', 'last_retry'] as const;
const RETRY_PAUSE_MS = 10 * 60_000;
const RETRIED_AT_ONCE = 10;

/** Whether a round of retries may start: at most one every ten minutes. */
async function mayRetry({ ports: { store, now } }: TranslationServices): Promise<boolean> {
  let may = false;
  await changeOption(store, RETRY_OPTION, (value) => {
    may = typeof value !== 'number' || now() - value >= RETRY_PAUSE_MS;
    return may ? now() : (value ?? 0);
  });
  return may;
}

async function listFailed(
  services: TranslationServices,
  ids: readonly number[] | undefined,
  caller: JobCaller,
): Promise<readonly number[]> {
  const where = and(
    eq('status', JOB_STATUS.retry),
    visibleTo(caller),
    ...(ids === undefined ? [] : [oneOf('id', ids)]),
  );
  const { records } = await services.store.find({
    collection: 'ml_jobs',
    where,
    fields: ROW_FIELDS,
    order: [{ field: 'id', direction: 'asc' }],
  });
  return records
    .map(toJobRow)
    .filter((job) => mayWorkOn(caller, job))
    .map((job) => job.id);
}

/**
 * Sends jobs again that the engine did not accept (status 40), ten per call. A call without ids starts a round, at most every ten minutes.
 * @throws RestError `service_*` when the engine still cannot be reached
 */
export async function retryJobs(
  services: TranslationServices,
  ids: readonly number[] | undefined,
  call: Call,
) {
  if (ids === undefined && !(await mayRetry(services))) return { jobsToProcess: [], processed: [] };
  const failed = await listFailed(services, ids, await readCaller(services.store, call.identity));
  const now = failed.slice(0, RETRIED_AT_ONCE);
  const { records } = await services.store.find({ collection: 'ml_jobs', where: oneOf('id', now) });
  const taken = await sendJobs(services, records.map(toJob), call);
  return { jobsToProcess: failed.slice(RETRIED_AT_ONCE), processed: now.filter((id) => taken.has(id)) };
}
