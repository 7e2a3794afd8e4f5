import type { Call, Operation } from '../../../../lib/index.ts';
import { userOf } from '../../../plugin.ts';
import { checkTranslator } from '../engine/translators.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { mayWorkOn, readCaller, type JobCaller } from '../records/caller.ts';
import { mlError } from '../records/errors.ts';
import { logFailure, toAssignment, toLogEntry } from '../records/job-log.ts';
import { toJob, type JobRow } from '../records/job-record.ts';
import { CLOSED_STATUSES, JOB_STATUS } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';
import { findReferenced, type JobReference } from './job-lookup.ts';

const RESTARTED: ReadonlySet<number> = new Set([
  JOB_STATUS.waiting,
  JOB_STATUS.inProgress,
  JOB_STATUS.pending,
]);

/** A translator may take an unassigned job of their own languages or return an own job. Only translation managers may do more. */
function checkMayAssign(caller: JobCaller, job: JobRow, translator: number): void {
  if (caller.manages) return;
  const takes = job.translator === 0 && translator === caller.id;
  const givesBack = job.translator === caller.id && translator === 0;
  if (!(takes || givesBack) || !mayWorkOn(caller, job)) throw mlError('ml_job_forbidden');
}

/** Assigns a job to a translator; 0 removes the assignment. */
export async function assignJob(
  services: TranslationServices,
  { jobId, type, translatorId }: { jobId: number; type: string; translatorId: number },
  call: Call,
) {
  const record = await services.store.get('ml_jobs', jobId);
  if (record === null || record['type'] !== type) throw mlError('job_not_found', { data: { job_id: jobId } });
  const job = toJob(record);
  checkMayAssign(await readCaller(services.store, call.identity), job, translatorId);
  if (CLOSED_STATUSES.has(job.status)) throw mlError('ml_job_closed', { data: { job_id: jobId } });
  if (translatorId !== 0) await checkTranslator(services.store, translatorId, job);
  if (translatorId !== job.translator) {
    const status = RESTARTED.has(job.status) ? JOB_STATUS.waiting : job.status;
    const values = { translator: translatorId, service: 'local', status };
    await services.store.commit([
      { op: 'update', collection: 'ml_jobs', id: jobId, version: job.version, values },
      toLogEntry(services.ports, jobId, toAssignment(translatorId, userOf(call.identity))),
    ]);
    if (translatorId !== 0) sendNotices(services.ports, [{ ...job, ...values }], { kind: 'assigned' });
  }
  return { assigned: true };
}

/** Cancels those jobs of the list that can be cancelled, and informs the engine. */
export async function cancelJobs(
  services: TranslationServices,
  list: readonly unknown[],
): Promise<readonly JobReference[]> {
  const jobs = (await findReferenced(services, list)).filter((job) => !CLOSED_STATUSES.has(job.status));
  if (jobs.length === 0) return [];
  await services.store.commit(
    jobs.map((job): Operation => ({
      op: 'update',
      collection: 'ml_jobs',
      id: job.id,
      version: job.version,
      values: { status: JOB_STATUS.cancelled, open_key: '' },
    })),
  );
  try {
    await services.engine.cancel(jobs.filter((job) => job.engine_job > 0));
  } catch (error) {
    // The jobs are cancelled here even when the engine fails.
    for (const job of jobs) await logFailure(services.ports, job.id, error);
  }
  return jobs.map(({ id, type }) => ({ id, type }));
}
