import { type Call, type Values, can } from '../../../../lib/index.ts';
import { userOf } from '../../../plugin.ts';
import { findByEngineId, readWorkJob } from '../jobs/job-lookup.ts';
import { maySee, readCaller } from '../records/caller.ts';
import { mlError } from '../records/errors.ts';
import { toLogEntry } from '../records/job-log.ts';
import { toJob, type Job } from '../records/job-record.ts';
import { ENGINE_STATUS, JOB_STATUS, REVIEW, type ReviewStatus } from '../records/status.ts';
import type { DeliveryWarning } from '../segments/delivery-warnings.ts';
import type { TranslationServices } from '../services/services.ts';
import { deliver } from './deliver.ts';

/** The engine's record of a job, keyed by its id. */
export async function readEngineJob(services: TranslationServices, id: number, call: Call) {
  const job = await findByEngineId(services, id);
  if (job === null) throw mlError('ml_job_not_found');
  if (!maySee(await readCaller(services.store, call.identity), job)) throw mlError('ml_job_forbidden');
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
interface EngineReport {
  readonly ate_job_id?: number;
  readonly status?: number;
  /** Moves the translation of a machine through its review. */
  readonly review_status?: ReviewStatus;
  readonly translated_xliff?: { readonly content: string };
}

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;

function toBytes(content: string): Uint8Array {
  if (!BASE64.test(content.trim()))
    throw mlError('not_xml_file', { message: 'translated_xliff.content must be a base64-encoded file.' });
  return Buffer.from(content, 'base64');
}

function toValues(services: TranslationServices, { ate_job_id: engineJob, status }: EngineReport): Values {
  return {
    ...(engineJob === undefined ? {} : { engine_job: engineJob, engine: services.engine.name }),
    ...(status === undefined ? {} : { engine_status: status }),
    ...(status === ENGINE_STATUS.cancelled ? { status: JOB_STATUS.cancelled, open_key: '' } : {}),
    ...(status === ENGINE_STATUS.hidden ? { status: JOB_STATUS.hidden, open_key: '' } : {}),
  };
}

const IN_REVIEW: ReadonlySet<string> = new Set([REVIEW.needed, REVIEW.editing]);

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
  const entry = {
    code: 'ml_review',
    message: `Review: ${job.review_status} -> ${status}, by user ${reviewer}.`,
  };
  const [saved] = await services.store.commit([
    {
      op: 'update',
      collection: 'ml_jobs',
      id: job.id,
      version: job.version,
      values: { review_status: status },
    },
    toLogEntry(services.ports, job.id, entry),
  ]);
  return saved === null || saved === undefined ? job : toJob(saved);
}

const CANCELLED: ReadonlySet<number> = new Set([JOB_STATUS.cancelled, JOB_STATUS.hidden]);

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
  { ml_job_id: id, ate_job_data: reports }: { ml_job_id: string; ate_job_data: readonly EngineReport[] },
  call: Call,
): Promise<true | StoredWithWarnings> {
  let job = await readWorkJob(services, Number(id), { call, forbidden: 'not_your_job' });
  const caller = await readCaller(services.store, call.identity);
  const warnings: DeliveryWarning[] = [];
  for (const report of reports) {
    const values = toValues(services, report);
    if (Object.keys(values).length > 0) {
      if (!caller.manages)
        throw mlError('not_your_job', {
          message: 'Only translation managers may change the engine data of a job.',
        });
      const [saved] = await services.store.commit([
        { op: 'update', collection: 'ml_jobs', id: job.id, version: job.version, values },
      ]);
      if (saved !== null && saved !== undefined) job = toJob(saved);
    }
    if (report.review_status !== undefined)
      job = await reviewJob(services, job, { status: report.review_status, reviewer: userOf(call.identity) });
    if (report.translated_xliff === undefined) continue;
    if (CANCELLED.has(job.status)) throw mlError('ml_job_closed', { data: { job_id: job.id } });
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
