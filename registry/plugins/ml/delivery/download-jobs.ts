import type { Call } from '../../../../lib/index.ts';
import { releaseLock, takeLock } from '../../../plugin.ts';
import { findByEngineId } from '../jobs/job-lookup.ts';
import { mayWorkOn, readCaller } from '../records/caller.ts';
import { toJob, type Job } from '../records/job-record.ts';
import type { TranslationServices } from '../services/services.ts';
import { applyJobs, type Outcome } from './apply-job.ts';
import { toApplicant } from './apply-translations.ts';

/** A job as download requests refer to it. URLs in the request are never fetched. */
interface DownloadReference {
  readonly jobId?: number;
  readonly ateJobId?: number;
}

async function findDownload(
  services: TranslationServices,
  { jobId, ateJobId }: DownloadReference,
): Promise<Job | null> {
  if (jobId === undefined) return ateJobId === undefined ? null : findByEngineId(services, ateJobId);
  const record = await services.store.get('ml_jobs', jobId);
  return record === null ? null : toJob(record);
}

const toApplied = ({ job }: Outcome) => ({
  jobId: job.id,
  ateJobId: job.engine_job,
  status: job.status,
  needsReview: job.review_status === 'NEEDS_REVIEW',
  automatic: job.automatic,
  language_code: job.target,
  original_element_id: job.post,
});

const DOWNLOAD_LOCK = 'ml.download';

/** Fetches and applies the translations of the given jobs. Failures are recorded in the job log, not in the response. */
export async function downloadJobs(
  services: TranslationServices,
  { lockKey, jobs }: { lockKey?: string; jobs: readonly DownloadReference[] },
  call: Call,
) {
  const key = await takeLock(services.ports, DOWNLOAD_LOCK, { key: lockKey });
  if (key === null) return [];
  try {
    const caller = await readCaller(services.store, call.identity);
    const found = new Map<number, Job>();
    for (const reference of jobs) {
      const job = await findDownload(services, reference);
      if (job !== null && mayWorkOn(caller, job)) found.set(job.id, job);
    }
    const outcomes = await applyJobs(services, [...found.values()], toApplicant(call));
    return outcomes.filter((outcome) => outcome.failure === null).map(toApplied);
  } finally {
    await releaseLock(services.ports, DOWNLOAD_LOCK, key);
  }
}
