import {
  type ValueOf,
  and,
  type Call,
  can,
  eq,
  gt,
  type Predicate,
  type Values,
} from '../../../../lib/index.ts';
import { releaseLock, takeLock, userOf } from '../../../plugin.ts';
import type { EngineRecord } from '../engine/engine.ts';
import { findByEngineId, readWorkJob } from '../jobs/job-changes.ts';
import { checkStaleness } from '../posts/source-texts.ts';
import { jobError, mlError } from '../records/errors.ts';
import {
  ENGINE_STATUS,
  type Job,
  IN_REVIEW,
  IS_OPEN,
  JOB_STATUS,
  type JobCaller,
  type JobRow,
  maySee,
  OPEN_STATUSES,
  readCaller,
  type ReviewStatus,
  ROW_FIELDS,
  toJobRow,
  visibleTo,
  changeJob,
  saveJob,
  CANCEL,
  CANCELLED_STATUSES,
} from '../records/job-record.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import type { JOB_REPORT } from '../routes/tm-schemas.ts';
import type { DeliveryWarning } from '../segments/delivery-warnings.ts';
import type { TranslationServices } from '../services/services.ts';
import { deliver } from './deliver.ts';

/** The engine's record of a job, keyed by its id. */
export async function readEngineJob(
  services: TranslationServices,
  { ateJobId: id }: TmArgs<'ml.tm.ate.jobs.read'>,
  call: Call,
) {
  const job = await findByEngineId(services, id);
  if (job === null) throw mlError('ml_job_not_found');
  if (!maySee(await readCaller(services, call), job)) throw mlError('ml_job_forbidden');
  const record = (await services.engine.readJobs([job])).get(job.id);
  return {
    [id]: {
      id,
      status: record?.status ?? job.engine_status,
      translated_xliff: record?.xliff ?? null,
      source_language: job.source,
      target_language: job.target,
      local_job_id: job.id,
    },
  };
}

/** One item of `ate_job_data`. */
type EngineReport = ValueOf<typeof JOB_REPORT>;

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;

function toBytes(content: string): Uint8Array {
  if (!BASE64.test(content.trim()))
    throw mlError('not_xml_file', { message: 'translated_xliff.content must be a base64-encoded file.' });
  return Buffer.from(content, 'base64');
}

/** What becomes of a job that the engine has closed. */
const CLOSED_BY_ENGINE: ReadonlyMap<number | undefined, Values> = new Map<number, Values>([
  [ENGINE_STATUS.cancelled, CANCEL],
  [ENGINE_STATUS.hidden, { ...CANCEL, status: JOB_STATUS.hidden }],
]);

function toValues(services: TranslationServices, { ate_job_id: engineJob, status }: EngineReport): Values {
  return {
    ...(engineJob === undefined ? {} : { engine_job: engineJob, engine: services.engine.name }),
    ...(status === undefined ? {} : { engine_status: status }),
    ...CLOSED_BY_ENGINE.get(status),
  };
}

/** A reviewer takes a translation to edit it, gives it back, or accepts it. @throws RestError `ml_job_not_translated` if the job has no translation that waits for review */
async function reviewJob(
  services: TranslationServices,
  job: Job,
  { status, reviewer }: { status: ReviewStatus; reviewer: number },
): Promise<Job> {
  if (!IN_REVIEW.has(job.review_status) || job.status !== JOB_STATUS.ready)
    throw mlError('ml_job_not_translated', {
      message: 'The job has no translation that waits for review.',
      data: { job_id: job.id },
    });
  return saveJob(services, job, {
    values: { review_status: status },
    log: [{ code: 'ml_review', message: `Review: ${job.review_status} -> ${status}, by user ${reviewer}.` }],
  });
}

/** A translation was stored, and lost something. */
interface StoredWithWarnings {
  readonly stored: true;
  readonly warnings: readonly DeliveryWarning[];
}

/**
 * Stores the engine's data of a job and delivers its translation. A manager may set any data;
 * a translator may only deliver translations of their own jobs.
 * @throws RestError `ml_job_not_found`, `not_your_job`, `ml_job_closed`, and as `deliver`
 */
export async function storeReports(
  services: TranslationServices,
  { ml_job_id: id, ate_job_data: reports }: TmArgs<'ml.tm.ate.jobs.store'>,
  call: Call,
): Promise<true | StoredWithWarnings> {
  let job = await readWorkJob(services, Number(id), { call, forbidden: 'not_your_job' });
  const caller = await readCaller(services, call);
  const warnings: DeliveryWarning[] = [];
  for (const report of reports) {
    const values = toValues(services, report);
    if (Object.keys(values).length > 0) {
      if (!caller.manages)
        throw mlError('not_your_job', {
          message: 'Only translation managers may change the engine data of a job.',
        });
      job = await saveJob(services, job, { values });
    }
    if (report.review_status !== undefined)
      job = await reviewJob(services, job, { status: report.review_status, reviewer: userOf(call.identity) });
    if (report.translated_xliff === undefined) continue;
    if (CANCELLED_STATUSES.has(job.status)) throw jobError('ml_job_closed', job.id);
    const delivered = await deliver(services, job, {
      bytes: toBytes(report.translated_xliff.content),
      by: userOf(call.identity),
      unfiltered: can(call.identity, 'unfiltered_html'),
    });
    job = delivered.job;
    warnings.push(...delivered.warnings);
  }
  return warnings.length === 0 ? true : { stored: true, warnings };
}

const PAGE = 100;
const LOCK = 'ml.sync';

/** The job fields to change for a status of the engine; null when nothing changes. */
function toChange(job: JobRow, { status }: EngineRecord): Values | null {
  const closed = CLOSED_BY_ENGINE.get(status);
  if (closed !== undefined) return { engine_status: status, ...closed };
  // A job that the engine reports as delivered is complete only if it was applied as a post here.
  if (status === ENGINE_STATUS.delivered && job.result !== 0 && job.status !== JOB_STATUS.ready)
    return { engine_status: status, status: JOB_STATUS.complete, open_key: '' };
  if (status === ENGINE_STATUS.translating && job.status === JOB_STATUS.waiting)
    return { engine_status: status, status: JOB_STATUS.inProgress };
  return status === job.engine_status ? null : { engine_status: status };
}

const FETCHABLE: ReadonlySet<number> = new Set([
  ENGINE_STATUS.translated,
  ENGINE_STATUS.delivering,
  ENGINE_STATUS.delivered,
  ENGINE_STATUS.edited,
]);

function toQueued(job: JobRow, record: EngineRecord | undefined) {
  const ateStatus = record?.status ?? job.engine_status;
  const url = record?.xliff ?? null;
  const isHere = job.status === JOB_STATUS.ready;
  const isThere = OPEN_STATUSES.has(job.status) && FETCHABLE.has(ateStatus) && url !== null;
  return isHere || isThere
    ? [{ ateJobId: job.engine_job, url, ateStatus, jobId: job.id, status: job.status }]
    : [];
}

async function syncPage(services: TranslationServices, jobs: readonly JobRow[]) {
  const records = await services.engine.readJobs(jobs);
  const changes = jobs.flatMap((job) => {
    const record = records.get(job.id);
    const values = record === undefined ? null : toChange(job, record);
    return values === null ? [] : [changeJob(job, values)];
  });
  const saved = changes.length === 0 ? [] : await services.store.commit(changes);
  const changed = new Map(
    saved.flatMap((record) => (record === null ? [] : [[record.id, toJobRow(record)] as const])),
  );
  const current = jobs.map((job) => changed.get(job.id) ?? job);
  await checkStaleness(services, current);
  return current.flatMap((job) => toQueued(job, records.get(job.id)));
}

/** Visible jobs for which the engine may have news. Long-standing jobs are those that a translator handles manually. */
function matchOpen(caller: JobCaller, includeAll: boolean): Predicate {
  return and(visibleTo(caller), IS_OPEN, gt('engine_job', 0), ...(includeAll ? [] : [eq('automatic', true)]));
}

const NOTHING = {
  lockKey: null,
  ateToken: null,
  nextPage: null,
  numberOfPages: null,
  downloadQueueSize: 0,
  jobs: [],
} as const;

/**
 * Asks the engine about the open jobs, a hundred per call, under a lock of 30 seconds. `ateToken` names the last job of the
 * previous page, so that jobs completed meanwhile do not shift the others. The lock is released after the last page.
 */
export async function syncJobs(
  services: TranslationServices,
  args: TmArgs<'ml.tm.ate.jobs.sync'>,
  call: Call,
) {
  const lockKey = await takeLock(services, LOCK, { key: args.lockKey });
  if (lockKey === null) return NOTHING;
  const open = matchOpen(await readCaller(services, call), args.includeManualAndLongstandingJobs);
  const last = /^\d{1,15}$/.test(args.ateToken ?? '') ? Number(args.ateToken) : 0;
  const { records, total } = await services.store.find({
    collection: 'ml_jobs',
    where: and(open, gt('id', last)),
    fields: ROW_FIELDS,
    limit: PAGE,
    total: true,
  });
  const jobs = await syncPage(services, records.map(toJobRow));
  const isLast = total <= PAGE;
  if (isLast) await releaseLock(services, LOCK, lockKey);
  const page = args.nextPage ?? args.page ?? 1;
  return {
    lockKey,
    ateToken: isLast ? null : String(records.at(-1)?.id ?? last),
    nextPage: isLast ? null : page + 1,
    numberOfPages: args.numberOfPages ?? Math.max(1, Math.ceil(total / PAGE)),
    downloadQueueSize: jobs.length,
    jobs,
  };
}
