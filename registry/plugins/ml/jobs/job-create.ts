import {
  and,
  type Call,
  eq,
  oneOf,
  type Operation,
  RestError,
  type StoredRecord,
  StoreError,
} from '../../../../lib/index.ts';
import { ADDRESSED, changeOption, mapReadable, type Reference, runLater } from '../../../plugin.ts';
import { listJobTerms } from '../glossary/glossary.ts';
import { readConfig } from '../posts/source-texts.ts';
import { REVIEW } from '../records/collections.ts';
import { mlError } from '../records/errors.ts';
import {
  ENGINE_STATUS,
  type Job,
  JOB_STATUS,
  type JobCaller,
  mayWorkOn,
  readCaller,
  toAssignment,
  toJob,
  toJobRow,
  toLogEntry,
  toMoment,
  visibleTo,
  changeJob,
  findJobRows,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import { readAddresses, toReceiveToken, toXliff, type TranslationServices } from '../services/services.ts';
import { remindOfDeadlines } from './deadline-reminders.ts';
import { findOpenJob, type JobOrder, type JobPlan, planJobs } from './job-plan.ts';
import { isQueued, startMachines } from './machine-queue.ts';

const ATTEMPTS = 3;

const isForReview = (job: Job): boolean => job.review_status === REVIEW.needed;

async function readBatches(
  services: TranslationServices,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const { records } = await services.store.find({
    collection: 'ml_batches',
    where: oneOf('name', names),
    fields: ['name'],
  });
  return new Map(records.map((record) => [String(record['name']), record.id]));
}

async function toOperations(
  services: TranslationServices,
  plans: readonly JobPlan[],
): Promise<readonly Operation[]> {
  const names = [...new Set(plans.map((plan) => plan.batchName).filter((name) => name !== ''))];
  const known = await readBatches(services, names);
  const created = names.filter((name) => !known.has(name));
  const batchOf = (name: string): number | Reference =>
    known.get(name) ?? (name === '' ? 0 : { $ref: `batch ${name}` });
  const batches = created.map((name): Operation => ({
    op: 'create',
    collection: 'ml_batches',
    as: `batch ${name}`,
    values: { name, created: toMoment(services.ports.now()), state: 'idle' },
  }));
  const jobs = plans.map(({ current, batchName, values }, index): Operation =>
    current === null
      ? {
          op: 'create',
          collection: 'ml_jobs',
          as: `job ${index}`,
          values: { ...values, batch: batchOf(batchName), batch_name: batchName },
        }
      : changeJob(current, values),
  );
  const assigned = plans.flatMap(({ current, values }, index) => {
    const translator = Number(values['translator'] ?? 0);
    return current !== null || translator === 0
      ? []
      : [
          toLogEntry(
            services.ports,
            { $ref: `job ${index}` },
            toAssignment(translator, Number(values['author'])),
          ),
        ];
  });
  return [...batches, ...jobs, ...assigned];
}

/** Another request may have opened such a job meanwhile. */
async function explainTaken(services: TranslationServices, plans: readonly JobPlan[]): Promise<RestError> {
  for (const plan of plans) {
    const open = await findOpenJob(services, plan.openKey);
    if (open !== null && open.id !== plan.current?.id)
      return mlError('ml_job_exists', { data: { job_id: open.id } });
  }
  return mlError('ml_job_exists');
}

async function writeJobs(services: TranslationServices, plans: readonly JobPlan[]): Promise<readonly Job[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const records = await services.store.commit(await toOperations(services, plans));
      const written = records.filter(
        (record): record is StoredRecord => record !== null && 'open_key' in record,
      );
      return written.map(toJob);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
      if (error.fields.includes('open_key')) throw await explainTaken(services, plans);
      // Another request has created the same batch; the next attempt finds it.
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** A job that a machine translated completely is not sent to a connected service. People review it here. */
async function keepForReview(
  services: TranslationServices,
  jobs: readonly Job[],
): Promise<ReadonlyMap<number, number>> {
  const saved = await services.store.commit(
    jobs.map(({ id }): Operation => ({
      op: 'update',
      collection: 'ml_jobs',
      id,
      values: { status: JOB_STATUS.ready, engine: 'local' },
    })),
  );
  sendNotices(services.ports, saved.filter((job) => job !== null).map(toJobRow), { kind: 'ready' });
  return new Map(jobs.map(({ id }) => [id, id]));
}

/** Jobs for the machines have an id at once, and are translated in the background. */
async function enqueue(
  services: TranslationServices,
  jobs: readonly Job[],
  call: Pick<Call, 'site'>,
): Promise<ReadonlyMap<number, number>> {
  if (jobs.length === 0) return new Map();
  if (services.engine.name === 'local')
    await services.store.commit(
      jobs.map(({ id }): Operation => ({
        op: 'update',
        collection: 'ml_jobs',
        id,
        values: { engine: 'local', engine_job: id },
      })),
    );
  startMachines(services, (job) => sendJobs(services, [job], call));
  return new Map(jobs.map(({ id }) => [id, id]));
}

/**
 * Sends jobs to the engine. Accepted jobs then wait for a translator (status 1); the others keep status 40.
 * @returns engine ids by job id
 */
async function sendJobs(
  services: TranslationServices,
  all: readonly Job[],
  call: Pick<Call, 'site'>,
): Promise<ReadonlyMap<number, number>> {
  const kept =
    services.engine.name === 'local'
      ? new Map<number, number>()
      : await keepForReview(services, all.filter(isForReview));
  const jobs = all.filter(({ id }) => !kept.has(id));
  if (jobs.length === 0) return kept;
  const { shortcodes } = await readConfig(services.store);
  const posts = await services.store.find({
    collection: 'posts',
    where: oneOf(
      'id',
      jobs.map((job) => job.post),
    ),
    fields: ADDRESSED,
  });
  const toAddress = await readAddresses(services, posts.records);
  const byId = new Map(posts.records.map((post) => [post.id, post]));
  const files = await mapReadable(
    jobs,
    async (job) => {
      const permalink = toAddress(byId.get(job.post), call);
      const token = toReceiveToken(services.ports.config.secret, job.id);
      return {
        job,
        permalink,
        xliff: toXliff(services, job, {
          reference: permalink,
          shortcodes,
          terms: await listJobTerms(services.store, job),
          version: '1.2',
        }),
        notifyUrl: `${call.site.url(`/ml/tm/v1/ate/jobs/receive/${job.id}`)}?t=${token}`,
      };
    },
    { log: services.ports.log, what: (id) => `writing the file of translation job ${id}` },
  );
  const taken = await services.engine.createJobs(files);
  const reviewed = new Set(jobs.filter(isForReview).map(({ id }) => id));
  const saved = await services.store.commit(
    [...taken].map(([id, engineJob]): Operation => ({
      op: 'update',
      collection: 'ml_jobs',
      id,
      values: {
        engine: services.engine.name,
        engine_job: engineJob,
        service: services.serviceName,
        ...(reviewed.has(id)
          ? { status: JOB_STATUS.ready, engine_status: ENGINE_STATUS.translated }
          : { status: JOB_STATUS.waiting, engine_status: ENGINE_STATUS.created }),
      },
    })),
  );
  sendNotices(
    services.ports,
    saved
      .filter((job) => job !== null)
      .filter(({ id }) => reviewed.has(id))
      .map(toJobRow),
    { kind: 'ready' },
  );
  return new Map([...kept, ...taken]);
}

/** Notices show the jobs as they are after they were sent to the engine. */
async function tellTranslators({ store, ports }: TranslationServices, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0 || ports.notify === undefined) return;
  const where = oneOf(
    'id',
    jobs.map(({ id }) => id),
  );
  sendNotices(ports, await findJobRows(store, where), { kind: 'assigned' });
}

/**
 * Creates or sends jobs. All of them are written in one commit, or none; then they are sent to the engine. When the engine
 * cannot be reached, the jobs keep status 40, and `ate/jobs/retry` sends them again.
 * @throws RestError as `planJobs`; `service_*` with `data.jobs` when the engine failed
 */
export async function createJobs(
  services: TranslationServices,
  orders: readonly JobOrder[],
  call: Call,
): Promise<ReadonlyMap<number, number>> {
  const plans = await planJobs(services, call.identity, orders);
  const jobs = await writeJobs(services, plans);
  const assigned = jobs.filter(({ translator }, index) => translator !== 0 && plans[index]?.current === null);
  const { ports } = services;
  runLater(ports, 'deadlines of translations', () => remindOfDeadlines(ports));
  const queued = await enqueue(services, jobs.filter(isQueued), call);
  try {
    return new Map([
      ...queued,
      ...(await sendJobs(
        services,
        jobs.filter((job) => !isQueued(job)),
        call,
      )),
    ]);
  } catch (error) {
    if (!(error instanceof RestError) || error.status === 'denied') throw error;
    sendNotices(services.ports, jobs, {
      kind: 'failed',
      reason: { code: error.code, message: error.message },
    });
    throw new RestError(error.code, [error.status, error.message], {
      cause: error,
      additionalData: error.additionalData,
      data: { ...error.data, jobs: jobs.map((job) => job.id) },
    });
  } finally {
    await tellTranslators(services, assigned);
  }
}

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
  return (await findJobRows(services.store, where))
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
