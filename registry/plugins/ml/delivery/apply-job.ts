import {
  and,
  type Call,
  eq,
  not,
  oneOf,
  or,
  type Predicate,
  RestError,
  RestResponse,
  runWithSource,
} from '../../../../lib/index.ts';
import { isObject, isRace, pause, toPost, withLock, writeOption } from '../../../plugin.ts';
import { findByEngineId, findReferenced, listNamed } from '../jobs/job-changes.ts';
import { LAST_PICKED_UP } from '../jobs/job-list.ts';
import { remember } from '../memory/memory-entry.ts';
import { REVIEW } from '../records/collections.ts';
import { jobError, mlError } from '../records/errors.ts';
import {
  type Job,
  IN_REVIEW,
  JOB_STATUS,
  type JobRow,
  logFailure,
  mayWorkOn,
  OPEN_STATUSES,
  readCaller,
  toMoment,
  TRANSLATED_STATUSES,
  visibleTo,
  findJob,
  findJobRows,
  type JobEvent,
  CANCELLED_STATUSES,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import type { TranslationServices } from '../services/services.ts';
import { type Applicant, applyToPost } from './apply-to-post.ts';
import { deliver } from './deliver.ts';

const ATTEMPTS = 3;

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

/** @throws RestError `ml_job_not_found` */
async function readJob({ store }: TranslationServices, id: number): Promise<Job> {
  const job = await findJob(store, id);
  if (job === null) throw mlError('ml_job_not_found');
  return job;
}

/** Steps after the translation was written. Their failure does not harm it. */
async function finish(services: TranslationServices, job: Job): Promise<void> {
  await remember(services.store, job);
  await writeOption(services.store, LAST_PICKED_UP, toMoment(services.now()));
  try {
    await services.engine.confirm([job]);
  } catch (error) {
    await logFailure(services, job.id, error);
  }
}

async function applyLocked(services: TranslationServices, id: number, applicant: Applicant): Promise<Job> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readJob(services, id);
    if (await isApplied(services, found)) return found;
    if (CANCELLED_STATUSES.has(found.status)) throw jobError('ml_job_cancelled', id);
    if (found.review_status === REVIEW.editing) throw jobError('edited', id);
    if (found.review_status === REVIEW.needed) throw jobError('ml_review_needed', id);
    const job = await collect(services, found);
    if (!TRANSLATED_STATUSES.has(job.status))
      throw mlError('ml_job_not_translated', { data: { job_id: id, job_status: job.status } });
    try {
      await applyOnce(services, job, applicant);
      await finish(services, job);
      return await readJob(services, id);
    } catch (error) {
      if (!isRace(error) || error.code === 'unique' || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Applies the translation of a job as a post. A translation that was already applied stays as it is.
 * @throws RestError `ml_job_not_translated`, `ml_job_cancelled`, `edited`, `ml_post_not_found`, `locked`, and as `collect`
 */
async function applyJob(services: TranslationServices, id: number, applicant: Applicant): Promise<Job> {
  const { post, target } = await readJob(services, id);
  // Two jobs of the same post and language must not create two translations.
  const lock = { name: `ml.apply.${post}:${target}` };
  const applied = await withLock(services, lock, () => applyLocked(services, id, applicant));
  if (applied === null) throw mlError('locked', { headers: { 'Retry-After': '30' } });
  return applied;
}

/** Result of one of several applications. `failure` is null when the job was applied. */
interface Outcome {
  readonly job: JobRow;
  readonly failure: JobEvent | null;
}

/** Refusals that say in which state a job is. Nothing has failed. */
const STATES: ReadonlySet<string> = new Set([
  'ml_review_needed',
  'ml_job_not_translated',
  'ml_job_cancelled',
  'edited',
  'locked',
]);

/** Logs why a job failed, and notifies the user who ordered it. */
export async function reportFailure(
  services: TranslationServices,
  job: JobRow,
  error: unknown,
): Promise<JobEvent> {
  const failure = await logFailure(services, job.id, error);
  if (!STATES.has(failure.code)) sendNotices(services, [job], { kind: 'failed', reason: failure });
  return failure;
}

/** Records why a service's call failed, unless that is the state of the job, which the response reports. */
async function recordCallbackFailure(
  services: TranslationServices,
  id: number,
  error: unknown,
): Promise<void> {
  if (error instanceof RestError && STATES.has(error.code)) return;
  const job = await findJob(services.store, id);
  if (job !== null) await reportFailure(services, job, error);
}

/** Applies several jobs one after the other. A failure is logged and does not stop the others. */
async function applyJobs(
  services: TranslationServices,
  jobs: readonly JobRow[],
  { call, mayOverwrite = () => false }: { call: Call; mayOverwrite?: (job: number) => boolean },
): Promise<readonly Outcome[]> {
  const { identity, site, signal } = call;
  const outcomes: Outcome[] = [];
  for (const job of jobs) {
    await pause();
    if (signal.aborted) break;
    try {
      const overwrite = mayOverwrite(job.id);
      outcomes.push({ job: await applyJob(services, job.id, { identity, site, overwrite }), failure: null });
    } catch (error) {
      outcomes.push({ job, failure: await reportFailure(services, job, error) });
    }
  }
  return outcomes;
}

/** The error for the engine's callback. A file that lost markup stays refused, whenever it is fetched; other errors can be retried. */
function toCallbackError(error: unknown, job: number): RestError {
  const retry = (seconds: number) => ({
    data: { jobId: job, retry_after: seconds },
    headers: { 'Retry-After': String(seconds), 'Cache-Control': 'no-store' },
  });
  const data = { jobId: job };
  if (error instanceof RestError)
    switch (error.code) {
      case 'ml_job_not_found':
        return mlError('ml_job_missing', { data });
      case 'ml_translation_edited':
        return mlError('edited', { message: error.message, data: { ...error.data, ...data } });
      case 'ml_job_cancelled':
      case 'edited':
        return mlError(error.code, { data });
      case 'xliff_markup_lost':
        return mlError(error.code, { data: { ...error.data, ...data }, cause: error });
      case 'ml_job_not_translated':
        return mlError('xliff_not_ready', retry(60));
      case 'locked':
        return mlError('locked', retry(30));
    }
  return mlError('apply_failed', { ...retry(300), cause: error });
}

type ApplyArgs = TmArgs<'ml.tm.tp.apply'>;

async function findToApply(
  services: TranslationServices,
  args: ApplyArgs,
  call: Call,
): Promise<readonly JobRow[]> {
  const caller = await readCaller(services, call);
  const list = listNamed(args);
  if (list !== undefined)
    return (await findReferenced(services, list)).filter((job) => mayWorkOn(caller, job));
  // A translation that waits for review is not part of all jobs.
  const ready = and(eq('status', JOB_STATUS.ready), not(oneOf('review_status', [...IN_REVIEW])));
  // The service may have translations that were not fetched yet.
  const perhapsReady = and(
    eq('engine', 'remote'),
    oneOf('status', [JOB_STATUS.waiting, JOB_STATUS.inProgress]),
  );
  const wanted: Predicate =
    args.original_element_id === undefined
      ? ready
      : and(or(ready, perhapsReady), eq('post', args.original_element_id));
  const where = and(visibleTo(caller), wanted);
  return (await findJobRows(services.store, where)).filter((job) => mayWorkOn(caller, job));
}

/** Whether corrections by hand of a job may be overwritten: `overwrite` in its reference, or in the request for all of them. */
function toOverwriting(args: ApplyArgs): (job: number) => boolean {
  const named = (listNamed(args) ?? []).filter(isObject).filter(({ overwrite }) => overwrite === true);
  const ids = new Set(named.map(({ id }) => id));
  return (job) => args.overwrite === true || ids.has(job);
}

function toApplied({ job: { id, type, status }, failure }: Outcome) {
  return failure === null ? { id, type, status } : { id, type, status, errors: [failure] };
}

/** Writes finished translations into posts. A failed job reports its error; the others continue. */
export async function applyTranslations(services: TranslationServices, args: ApplyArgs, call: Call) {
  const jobs = await findToApply(services, args, call);
  const cancelled = jobs.filter((job) => job.status === JOB_STATUS.cancelled);
  const outcomes = await applyJobs(
    services,
    jobs.filter((job) => job.status !== JOB_STATUS.cancelled),
    { call, mayOverwrite: toOverwriting(args) },
  );
  return [...cancelled.map((job) => ({ job, failure: null })), ...outcomes].map(toApplied);
}

/**
 * Handles the engine's callback that a translation is ready: fetches and applies it. Any caller with the token of the job
 * is allowed. Its markup is sanitised as that of an anonymous caller.
 */
export async function receiveJob(
  services: TranslationServices,
  { mlJobId: id }: TmArgs<'ml.tm.ate.jobs.receive'>,
  call: Call,
): Promise<RestResponse> {
  try {
    await applyJob(services, id, call);
    return new RestResponse(null, { headers: { 'Cache-Control': 'no-store' } });
  } catch (error) {
    services.log({ level: 'warn', message: `translation job ${id} could not be received`, error });
    await recordCallbackFailure(services, id, error);
    throw toCallbackError(error, id);
  }
}

/** Fetches and applies the translation of a job that is stuck. */
export async function fixJob(
  services: TranslationServices,
  { ateJobId, jobId }: TmArgs<'ml.tm.ate.jobs.fix'>,
  call: Call,
) {
  const job = await findByEngineId(services, ateJobId);
  if (job === null || (jobId !== undefined && job.id !== jobId)) throw mlError('ml_job_not_found');
  if (!mayWorkOn(await readCaller(services, call), job)) throw mlError('ml_job_forbidden');
  const [outcome] = await applyJobs(services, [job], { call });
  const failure = outcome?.failure ?? null;
  return {
    completed: outcome !== undefined && failure === null,
    error: failure !== null,
    reason: failure === null ? '' : failure.message,
  };
}

type DownloadArgs = TmArgs<'ml.tm.ate.jobs.download'>;

/** URLs in the request are never fetched. */
async function findDownload(
  services: TranslationServices,
  { jobId, ateJobId }: DownloadArgs['jobs'][number],
): Promise<Job | null> {
  if (jobId !== undefined) return findJob(services.store, jobId);
  return ateJobId === undefined ? null : findByEngineId(services, ateJobId);
}

const toDownloaded = ({ job }: Outcome) => ({
  jobId: job.id,
  ateJobId: job.engine_job,
  status: job.status,
  needsReview: job.review_status === 'NEEDS_REVIEW',
  automatic: job.automatic,
  language_code: job.target,
  original_element_id: job.post,
});

/** Fetches and applies the translations of the given jobs. Failures are recorded in the job log, not in the response. */
export async function downloadJobs(
  services: TranslationServices,
  { lockKey: key, jobs }: DownloadArgs,
  call: Call,
) {
  const outcomes = await withLock(services, { name: 'ml.download', key }, async () => {
    const caller = await readCaller(services, call);
    const found = new Map<number, Job>();
    for (const reference of jobs) {
      const job = await findDownload(services, reference);
      if (job !== null && mayWorkOn(caller, job)) found.set(job.id, job);
    }
    return applyJobs(services, [...found.values()], { call });
  });
  return (outcomes ?? []).filter(({ failure }) => failure === null).map(toDownloaded);
}
