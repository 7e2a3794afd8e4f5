import {
  findFirst,
  and,
  type Call,
  desc,
  eq,
  oneOf,
  type Operation,
  RawBody,
  RestResponse,
} from '../../../../lib/index.ts';
import { own, type PlanDeparture, type Ports, runLater, userOf } from '../../../plugin.ts';
import { checkTranslator } from '../engine/engine.ts';
import { listJobTerms } from '../glossary/glossary.ts';
import { checkStaleness, readConfig } from '../posts/source-texts.ts';
import { JOB_TYPES } from '../records/collections.ts';
import { type ML_ERRORS, mlError } from '../records/errors.ts';
import {
  CLOSED_STATUSES,
  type Job,
  JOB_STATUS,
  type JobCaller,
  type JobRow,
  logFailure,
  mayWorkOn,
  OPEN_STATUSES,
  readCaller,
  toAssignment,
  toJob,
  toLogEntry,
  TRANSLATED_STATUSES,
  changeJob,
  findJobRows,
  CANCEL,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import { readTranslationOptions } from '../services/service-options.ts';
import {
  createTranslationEngine,
  readAddresses,
  toXliff,
  type TranslationServices,
} from '../services/services.ts';
import type { XliffVersion } from '../xliff/xliff-write.ts';

/** Reads a job that the caller may work on. @throws RestError `missing` when it does not exist, `forbidden` when the caller may not work on it */
export async function readWorkJob(
  services: TranslationServices,
  id: number,
  {
    call,
    missing = 'ml_job_not_found',
    forbidden = 'ml_job_forbidden',
  }: {
    readonly call: Pick<Call, 'identity'>;
    readonly missing?: keyof typeof ML_ERRORS;
    readonly forbidden?: keyof typeof ML_ERRORS;
  },
): Promise<Job> {
  const record = await services.store.get('ml_jobs', id);
  if (record === null) throw mlError(missing);
  const job = toJob(record);
  if (!mayWorkOn(await readCaller(services.store, call.identity), job)) throw mlError(forbidden);
  return job;
}

/** A job as requests refer to it. */
interface JobReference {
  readonly id: number;
  readonly type: string;
}

const isReference = (value: unknown): value is JobReference =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  Number.isSafeInteger(value.id) &&
  'type' in value &&
  (JOB_TYPES as readonly unknown[]).includes(value.type);

/** The existing jobs of a list of `{id, type}`. Invalid entries are ignored. */
export async function findReferenced(
  services: TranslationServices,
  list: readonly unknown[],
): Promise<readonly JobRow[]> {
  const references = list.filter(isReference);
  if (references.length === 0) return [];
  const where = oneOf(
    'id',
    references.map((each) => each.id),
  );
  const byId = new Map((await findJobRows(services.store, where)).map((job) => [job.id, job]));
  const found = references.map((each) =>
    byId.get(each.id)?.type === each.type ? byId.get(each.id) : undefined,
  );
  return [...new Set(found.filter((job) => job !== undefined))];
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
      changeJob(job, values),
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
  await services.store.commit(jobs.map((job) => changeJob(job, CANCEL)));
  await cancelAtEngine(
    services,
    jobs.filter((job) => job.engine_job > 0),
  );
  return jobs.map(({ id, type }) => ({ id, type }));
}

/** Tells the engine. The jobs are cancelled here even if that fails. */
async function cancelAtEngine(
  { ports, engine }: Pick<TranslationServices, 'ports' | 'engine'>,
  jobs: readonly JobRow[],
): Promise<void> {
  try {
    await engine.cancel(jobs);
  } catch (error) {
    for (const { id } of jobs) await logFailure(ports, id, error);
  }
}

function toOperations(
  ports: Ports,
  jobs: readonly JobRow[],
  how: 'trashed' | 'deleted',
): readonly Operation[] {
  const message = how === 'trashed' ? 'The post was moved to the trash.' : 'The post was deleted.';
  return jobs.flatMap((job): readonly Operation[] => [
    changeJob(job, CANCEL),
    toLogEntry(ports, job.id, { code: `ml_post_${how}`, message }),
  ]);
}

/** What was applied to the translations of a deleted post, or to it as a translation: nobody may read its text any more. */
const toForgotten = (post: number): readonly Operation[] =>
  ['post', 'result'].map((field) => ({ op: 'removeAll', collection: 'ml_applied', where: eq(field, post) }));

/** Cancels the open jobs of a post in the commit that moves it to the trash or deletes it. Complete jobs stay as they are. */
export function createCancelDeparted(ports: Ports): PlanDeparture {
  const engine = createTranslationEngine(ports, readTranslationOptions(ports.config));
  return async (post, how) => {
    const where = and(eq('post', post), oneOf('status', [...OPEN_STATUSES]));
    const jobs = await findJobRows(ports.store, where);
    const sent = jobs.filter((job) => job.engine_job > 0);
    return {
      also: [...toOperations(ports, jobs, how), ...(how === 'deleted' ? toForgotten(post) : [])],
      after: () => {
        if (sent.length > 0)
          runLater(ports, 'cancelling translation jobs', () => cancelAtEngine({ ports, engine }, sent));
      },
    };
  };
}

async function writeJob(
  services: TranslationServices,
  job: Job,
  { call, version }: { call: Call; version: XliffVersion },
): Promise<string> {
  const { shortcodes } = await readConfig(services.store);
  const post = await services.store.get('posts', job.post);
  const toAddress = await readAddresses(services, post === null ? [] : [post]);
  return toXliff(services, job, {
    reference: toAddress(post, call),
    shortcodes,
    terms: await listJobTerms(services.store, job),
    version,
  });
}

/** The XLIFF file for the translator, in base64. */
export async function fetchXliff(
  services: TranslationServices,
  { jobId, version }: { jobId: number; version: XliffVersion },
  call: Call,
) {
  const job = await readWorkJob(services, jobId, { call, forbidden: 'ml_tm_xliff_forbidden' });
  if (job.fields.length === 0) throw mlError('ml_xliff_no_translation_units');
  const [checked = job] = await checkStaleness(services.ports, [job]);
  const content = await writeJob(services, checked, { call, version });
  return { content: Buffer.from(content).toString('base64'), sourceLang: job.source, targetLang: job.target };
}

/** The finished translation of a job, as a file or as a list of texts. */
export async function downloadTranslation(
  services: TranslationServices,
  { job_id: id, job_type: type, json }: { job_id: number; job_type: string; json?: boolean },
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
  const body = new RawBody(
    'application/x-xliff+xml',
    await writeJob(services, job, { call, version: '1.2' }),
  );
  return new RestResponse(body, {
    headers: { 'Content-Disposition': `attachment; filename="job-${id}.xliff"` },
  });
}
