import { type Call, type Predicate, RestResponse, and, eq, not, oneOf, or } from '../../../../lib/index.ts';
import { isObject } from '../../../plugin.ts';
import { findByEngineId, findReferenced } from '../jobs/job-lookup.ts';
import { mayWorkOn, readCaller, visibleTo } from '../records/caller.ts';
import { mlError } from '../records/errors.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from '../records/job-record.ts';
import { JOB_STATUS, REVIEW } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';
import { applyJob, applyJobs, recordCallbackFailure, toCallbackError, type Outcome } from './apply-job.ts';

/** The caller as an applicant. */
export const toApplicant = (call: Call) => ({
  identity: call.identity,
  site: call.site,
  signal: call.signal,
});

/** Arguments of `apply-translations`. */
interface ApplyArgs {
  readonly body?: unknown;
  readonly jobs?: readonly unknown[];
  readonly original_element_id?: number;
  readonly overwrite?: boolean;
}

async function findToApply(
  services: TranslationServices,
  args: ApplyArgs,
  call: Call,
): Promise<readonly JobRow[]> {
  const caller = await readCaller(services.store, call.identity);
  const list = Array.isArray(args.body) ? (args.body as readonly unknown[]) : args.jobs;
  if (list !== undefined)
    return (await findReferenced(services, list)).filter((job) => mayWorkOn(caller, job));
  // A translation that waits for review is not part of all jobs.
  const ready = and(
    eq('status', JOB_STATUS.ready),
    not(oneOf('review_status', [REVIEW.needed, REVIEW.editing])),
  );
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
  const { records } = await services.store.find({
    collection: 'ml_jobs',
    where,
    order: [{ field: 'id', direction: 'asc' }],
    fields: ROW_FIELDS,
  });
  return records.map(toJobRow).filter((job) => mayWorkOn(caller, job));
}

const isOverwriting = (value: unknown): boolean => isObject(value) && value['overwrite'] === true;

/** Whether corrections by hand of a job may be overwritten: `overwrite` in its reference, or in the request for all of them. */
function toOverwriting({ body, jobs, overwrite = false }: ApplyArgs): (job: number) => boolean {
  const list = Array.isArray(body) ? (body as readonly unknown[]) : (jobs ?? []);
  const ids = new Set(list.filter(isOverwriting).map((each) => (isObject(each) ? each['id'] : undefined)));
  return (job) => overwrite || ids.has(job);
}

const NOT_APPLIED = JOB_STATUS.cancelled;

function toApplied({ job: { id, type, status }, failure }: Outcome) {
  return failure === null ? { id, type, status } : { id, type, status, errors: [failure] };
}

/** Writes finished translations into posts. A failed job reports its error; the others continue. */
export async function applyTranslations(services: TranslationServices, args: ApplyArgs, call: Call) {
  const jobs = await findToApply(services, args, call);
  const cancelled = jobs.filter((job) => job.status === NOT_APPLIED);
  const outcomes = await applyJobs(
    services,
    jobs.filter((job) => job.status !== NOT_APPLIED),
    { ...toApplicant(call), mayOverwrite: toOverwriting(args) },
  );
  return [...cancelled.map(({ id, type, status }) => ({ id, type, status })), ...outcomes.map(toApplied)];
}

/**
 * Handles the engine's callback that a translation is ready: fetches and applies it. Any caller with the token of the job
 * is allowed. Its markup is sanitised as that of an anonymous caller.
 */
export async function receiveJob(
  services: TranslationServices,
  id: number,
  call: Call,
): Promise<RestResponse> {
  try {
    await applyJob(services, id, toApplicant(call));
    return new RestResponse(null, { headers: { 'Cache-Control': 'no-store' } });
  } catch (error) {
    services.ports.log({ level: 'warn', message: `translation job ${id} could not be received`, error });
    await recordCallbackFailure(services, id, error);
    throw toCallbackError(error, id);
  }
}

/** Fetches and applies the translation of a job that is stuck. */
export async function fixJob(
  services: TranslationServices,
  { ateJobId, jobId }: { ateJobId: number; jobId?: number },
  call: Call,
) {
  const job = await findByEngineId(services, ateJobId);
  if (job === null || (jobId !== undefined && job.id !== jobId)) throw mlError('ml_job_not_found');
  if (!mayWorkOn(await readCaller(services.store, call.identity), job)) throw mlError('ml_job_forbidden');
  const [outcome] = await applyJobs(services, [job], toApplicant(call));
  const failure = outcome?.failure ?? null;
  return {
    completed: outcome !== undefined && failure === null,
    error: failure !== null,
    reason: failure === null ? '' : failure.message,
  };
}
