import { RestError, StoreError, runWithSource } from '../../../../lib/index.ts';
import { pause, releaseLock, takeLock, toPost, writeOption } from '../../../plugin.ts';
import { LAST_PICKED_UP } from '../jobs/job-list.ts';
import { remember } from '../memory/remember.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { mlError } from '../records/errors.ts';
import { logFailure } from '../records/job-log.ts';
import { toJob, toMoment, type Job, type JobRow } from '../records/job-record.ts';
import { JOB_STATUS, OPEN_STATUSES, REVIEW, TRANSLATED_STATUSES } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';
import { applyToPost, type Applicant } from './apply-to-post.ts';
import { deliver } from './deliver.ts';

const ATTEMPTS = 3;
const LOCK_MS = 30_000;

/** Fetches the translation of a job when the engine has one that is not stored yet. @throws RestError as `deliver`, `service_*` */
export async function collect(services: TranslationServices, job: Job): Promise<Job> {
  if (!OPEN_STATUSES.has(job.status) || job.status === JOB_STATUS.ready || job.engine_job === 0) return job;
  const record = (await services.engine.readJobs([job])).get(job.id);
  const bytes = record === undefined ? null : await services.engine.fetchXliff(record);
  return bytes === null ? job : (await deliver(services, job, { bytes, unfiltered: false })).job;
}

async function isApplied(services: TranslationServices, job: Job): Promise<boolean> {
  if (job.status !== JOB_STATUS.complete || job.result === 0) return false;
  const post = await services.store.get('posts', job.result);
  return post !== null && post['status'] !== 'trash';
}

async function applyOnce(services: TranslationServices, job: Job, applicant: Applicant): Promise<void> {
  const source = await services.store.get('posts', job.post);
  if (source === null || source['status'] === 'trash')
    throw mlError('ml_post_not_found', { data: { post_id: job.post } });
  await runWithSource({ from: 'delivery' }, () =>
    applyToPost(services, { job, source: toPost(source) }, applicant),
  );
}

async function readAgain(services: TranslationServices, id: number): Promise<Job> {
  const record = await services.store.get('ml_jobs', id);
  if (record === null) throw mlError('ml_job_not_found');
  return toJob(record);
}

/** Steps after the translation was written. Their failure does not harm it. */
async function finish(services: TranslationServices, job: Job): Promise<void> {
  await remember(services.store, job);
  await writeOption(services.store, LAST_PICKED_UP, toMoment(services.ports.now()));
  try {
    await services.engine.confirm([job]);
  } catch (error) {
    await logFailure(services.ports, job.id, error);
  }
}

async function applyLocked(services: TranslationServices, id: number, applicant: Applicant): Promise<Job> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readAgain(services, id);
    if (await isApplied(services, found)) return found;
    if (found.status === JOB_STATUS.cancelled || found.status === JOB_STATUS.hidden)
      throw mlError('ml_job_cancelled', { data: { job_id: id } });
    if (found.review_status === REVIEW.editing) throw mlError('edited', { data: { job_id: id } });
    if (found.review_status === REVIEW.needed) throw mlError('ml_review_needed', { data: { job_id: id } });
    const job = await collect(services, found);
    if (!TRANSLATED_STATUSES.has(job.status))
      throw mlError('ml_job_not_translated', { data: { job_id: id, job_status: job.status } });
    try {
      await applyOnce(services, job, applicant);
      await finish(services, job);
      return await readAgain(services, id);
    } catch (error) {
      const raced = error instanceof StoreError && (error.code === 'version' || error.code === 'missing');
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Applies the translation of a job as a post. A translation that was already applied stays as it is.
 * @throws RestError `ml_job_not_translated`, `ml_job_cancelled`, `edited`, `ml_post_not_found`, `locked`, and as `collect`
 */
export async function applyJob(
  services: TranslationServices,
  id: number,
  applicant: Applicant,
): Promise<Job> {
  const { post, target } = await readAgain(services, id);
  // Two jobs of the same post and language must not create two translations.
  const lock = `ml.apply.${post}:${target}`;
  const key = await takeLock(services.ports, lock, { ttlMs: LOCK_MS });
  if (key === null) throw mlError('locked', { headers: { 'Retry-After': '30' } });
  try {
    return await applyLocked(services, id, applicant);
  } finally {
    await releaseLock(services.ports, lock, key);
  }
}

/** Result of one of several applications. `failure` is null when the job was applied. */
export interface Outcome {
  readonly job: JobRow;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Refusals that say in which state a job is. Nothing has failed. */
const STATES: ReadonlySet<string> = new Set([
  'ml_review_needed',
  'ml_job_not_translated',
  'ml_job_cancelled',
  'edited',
  'locked',
]);

/** Notifies the user who ordered the job that it failed. */
export function reportFailure(
  ports: TranslationServices['ports'],
  job: JobRow,
  failure: { readonly code: string; readonly message: string },
): void {
  if (!STATES.has(failure.code)) sendNotices(ports, [job], { kind: 'failed', reason: failure });
}

/** Records why a service's call failed, unless that is the state of the job, which the response reports. */
export async function recordCallbackFailure(
  services: TranslationServices,
  id: number,
  error: unknown,
): Promise<void> {
  if (error instanceof RestError && STATES.has(error.code)) return;
  const record = await services.store.get('ml_jobs', id);
  if (record !== null)
    reportFailure(services.ports, toJob(record), await logFailure(services.ports, id, error));
}

/** Applies several jobs one after the other. A failure is logged and does not stop the others. */
export async function applyJobs(
  services: TranslationServices,
  jobs: readonly JobRow[],
  applicant: Applicant & { readonly signal: AbortSignal; readonly mayOverwrite?: (job: number) => boolean },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const job of jobs) {
    await pause();
    if (applicant.signal.aborted) break;
    try {
      outcomes.push({
        job: await applyJob(services, job.id, {
          ...applicant,
          overwrite: applicant.mayOverwrite?.(job.id) ?? false,
        }),
        failure: null,
      });
    } catch (error) {
      const failure = await logFailure(services.ports, job.id, error);
      reportFailure(services.ports, job, failure);
      outcomes.push({ job, failure });
    }
  }
  return outcomes;
}

/** The error for the engine's callback. A file that lost markup stays refused, whenever it is fetched; other errors can be retried. */
export function toCallbackError(error: unknown, job: number): RestError {
  const retry = (seconds: number) => ({
    data: { jobId: job, retry_after: seconds },
    headers: { 'Retry-After': String(seconds), 'Cache-Control': 'no-store' },
  });
  const code = error instanceof RestError ? error.code : '';
  if (code === 'ml_job_not_found') return mlError('ml_job_missing', { data: { jobId: job } });
  if (code === 'ml_translation_edited')
    return mlError('edited', {
      message: (error as RestError).message,
      data: { ...(error as RestError).data, jobId: job },
    });
  if (code === 'ml_job_cancelled' || code === 'edited') return mlError(code, { data: { jobId: job } });
  if (error instanceof RestError && code === 'xliff_markup_lost')
    return mlError(code, { data: { ...error.data, jobId: job }, cause: error });
  if (code === 'ml_job_not_translated') return mlError('xliff_not_ready', retry(60));
  if (code === 'locked') return mlError('locked', retry(30));
  return mlError('apply_failed', { ...retry(300), cause: error });
}
