import {
  findFirst,
  and,
  type Call,
  desc,
  eq,
  type Operation,
  RawBody,
  RestResponse,
} from '../../../../lib/index.ts';
import {
  findByIds,
  isObject,
  own,
  type PlanDeparture,
  runLater,
  toRemoveAll,
  userOf,
} from '../../../plugin.ts';
import { checkTranslator } from '../engine/engine.ts';
import { checkStaleness } from '../posts/source-texts.ts';
import { JOB_TYPES } from '../records/collections.ts';
import { jobError, type ML_ERRORS, mlError } from '../records/errors.ts';
import {
  CLOSED_STATUSES,
  type Job,
  JOB_STATUS,
  type JobCaller,
  type JobRow,
  logFailure,
  mayWorkOn,
  readCaller,
  toAssignment,
  toJob,
  toLogEntry,
  TRANSLATED_STATUSES,
  changeJob,
  findJob,
  findJobRows,
  IS_OPEN,
  ROW_FIELDS,
  saveJob,
  toJobRow,
  CANCEL,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import type { TranslationServices } from '../services/services.ts';
import { createFileWriter } from './job-file.ts';

/** Reads a job that the caller may work on. @throws RestError `ml_job_not_found`; `forbidden` when the caller may not work on it */
export async function readWorkJob(
  services: TranslationServices,
  id: number,
  {
    call,
    forbidden = 'ml_job_forbidden',
  }: { readonly call: Call; readonly forbidden?: keyof typeof ML_ERRORS },
): Promise<Job> {
  const job = await findJob(services.store, id);
  if (job === null) throw mlError('ml_job_not_found');
  if (!mayWorkOn(await readCaller(services, call), job)) throw mlError(forbidden);
  return job;
}

/** A job as requests refer to it. */
interface JobReference {
  readonly id: number;
  readonly type: string;
}

const isReference = (value: unknown): value is JobReference =>
  isObject(value) &&
  Number.isSafeInteger(value['id']) &&
  (JOB_TYPES as readonly unknown[]).includes(value['type']);

/** The jobs that a request names: the body itself, or a member of it. undefined: it does not name any. */
export const listNamed = ({ body, jobs }: TmArgs<'ml.tm.jobs.cancel'>): readonly unknown[] | undefined =>
  Array.isArray(body) ? (body as readonly unknown[]) : jobs;

/** The existing jobs of a list of `{id, type}`. Invalid entries are ignored. */
export async function findReferenced(
  services: TranslationServices,
  list: readonly unknown[],
): Promise<readonly JobRow[]> {
  const references = list.filter(isReference);
  const ids = references.map(({ id }) => id);
  const records = await findByIds(services.store, { collection: 'ml_jobs', ids, fields: ROW_FIELDS });
  const found = references.map(({ id, type }) => {
    const record = records.get(id);
    return record?.['type'] === type ? record : undefined;
  });
  return [...new Set(found.filter((record) => record !== undefined))].map(toJobRow);
}

/** The newest job to which the active engine gave this id; null when there is none. */
export async function findByEngineId(services: TranslationServices, engineJob: number): Promise<Job | null> {
  const where = and(eq('engine', services.engine.name), eq('engine_job', engineJob));
  const found = await findFirst(services.store, {
    collection: 'ml_jobs',
    where,
    order: [desc('id')],
  });
  return found === undefined ? null : toJob(found);
}

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
  { jobId, type, translatorId }: TmArgs<'ml.tm.jobs.assign'>,
  call: Call,
) {
  const job = await findJob(services.store, jobId);
  if (job?.type !== type) throw jobError('job_not_found', jobId);
  checkMayAssign(await readCaller(services, call), job, translatorId);
  if (CLOSED_STATUSES.has(job.status)) throw jobError('ml_job_closed', jobId);
  if (translatorId !== 0) await checkTranslator(services.store, translatorId, job);
  if (translatorId !== job.translator) {
    const status = RESTARTED.has(job.status) ? JOB_STATUS.waiting : job.status;
    const saved = await saveJob(services, job, {
      values: { translator: translatorId, service: 'local', status },
      log: [toAssignment(translatorId, userOf(call.identity))],
    });
    if (translatorId !== 0) sendNotices(services, [saved], { kind: 'assigned' });
  }
  return { assigned: true };
}

/** Cancels those jobs of the list that can be cancelled, and informs the engine. */
export async function cancelJobs(
  services: TranslationServices,
  args: TmArgs<'ml.tm.jobs.cancel'>,
): Promise<readonly JobReference[]> {
  const jobs = (await findReferenced(services, listNamed(args) ?? [])).filter(
    (job) => !CLOSED_STATUSES.has(job.status),
  );
  if (jobs.length === 0) return [];
  await services.store.commit(jobs.map((job) => changeJob(job, CANCEL)));
  await cancelAtEngine(
    services,
    jobs.filter((job) => job.engine_job > 0),
  );
  return jobs.map(({ id, type }) => ({ id, type }));
}

/** Tells the engine. The jobs are cancelled here even if that fails. */
async function cancelAtEngine(services: TranslationServices, jobs: readonly JobRow[]): Promise<void> {
  try {
    await services.engine.cancel(jobs);
  } catch (error) {
    for (const { id } of jobs) await logFailure(services, id, error);
  }
}

function toOperations(
  services: TranslationServices,
  jobs: readonly JobRow[],
  how: 'trashed' | 'deleted',
): readonly Operation[] {
  const message = how === 'trashed' ? 'The post was moved to the trash.' : 'The post was deleted.';
  return jobs.flatMap((job): readonly Operation[] => [
    changeJob(job, CANCEL),
    toLogEntry(services, job.id, { code: `ml_post_${how}`, message }),
  ]);
}

/** What was applied to the translations of a deleted post, or to it as a translation: nobody may read its text any more. */
const toForgotten = (post: number): readonly Operation[] =>
  ['post', 'result'].map((field) => toRemoveAll('ml_applied', eq(field, post)));

/** Cancels the open jobs of a post in the commit that moves it to the trash or deletes it. Complete jobs stay as they are. */
export function createCancelDeparted(services: TranslationServices): PlanDeparture {
  return async (post, how) => {
    const where = and(eq('post', post), IS_OPEN);
    const jobs = await findJobRows(services.store, where);
    const sent = jobs.filter((job) => job.engine_job > 0);
    return {
      also: [...toOperations(services, jobs, how), ...(how === 'deleted' ? toForgotten(post) : [])],
      after: () => {
        if (sent.length > 0)
          runLater(services, 'cancelling translation jobs', () => cancelAtEngine(services, sent));
      },
    };
  };
}

/** The XLIFF file for the translator, in base64. */
export async function fetchXliff(
  services: TranslationServices,
  { jobId, version }: TmArgs<'ml.tm.xliff.fetch'>,
  call: Call,
) {
  const job = await readWorkJob(services, jobId, { call, forbidden: 'ml_tm_xliff_forbidden' });
  if (job.fields.length === 0) throw mlError('ml_xliff_no_translation_units');
  const [checked = job] = await checkStaleness(services, [job]);
  const write = await createFileWriter(services, [checked], call);
  const { xliff } = await write(checked, version);
  return { content: Buffer.from(xliff).toString('base64'), sourceLang: job.source, targetLang: job.target };
}

/** The finished translation of a job, as a file or as a list of texts. */
export async function downloadTranslation(
  services: TranslationServices,
  { job_id: id, job_type: type, json }: TmArgs<'ml.tm.tp.download'>,
  call: Call,
) {
  const job = await readWorkJob(services, id, { call });
  if (job.type !== type) throw mlError('ml_job_not_found');
  if (!TRANSLATED_STATUSES.has(job.status))
    throw mlError('ml_job_not_translated', { data: { job_status: job.status } });
  if (json === true) {
    const translations = job.fields.map((field) => ({
      field: field.id,
      source: field.source,
      target: own(job.targets, field.id)?.text ?? '',
    }));
    return { source_language: job.source, target_language: job.target, translations };
  }
  const write = await createFileWriter(services, [job], call);
  return new RestResponse(new RawBody('application/x-xliff+xml', (await write(job)).xliff), {
    headers: { 'Content-Disposition': `attachment; filename="job-${id}.xliff"` },
  });
}
