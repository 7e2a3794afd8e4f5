import {
  and,
  type Call,
  eq,
  findFirst,
  oneOf,
  type Operation,
  RestError,
  type StoredRecord,
  StoreError,
} from '../../../../lib/index.ts';
import {
  changeOption,
  invalidParam,
  mapReadable,
  type Reference,
  runLater,
  toCreate,
} from '../../../plugin.ts';
import { REVIEW } from '../records/collections.ts';
import { jobError, mlError } from '../records/errors.ts';
import {
  ENGINE_STATUS,
  type Job,
  JOB_STATUS,
  type JobCaller,
  type JobRow,
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
  setJob,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import { toReceiveToken, type TranslationServices } from '../services/services.ts';
import { remindOfDeadlines } from './deadline-reminders.ts';
import { createFileWriter } from './job-file.ts';
import { type JobOrder, type JobPlan, planJobs } from './job-plan.ts';
import { isQueued, startMachines } from './machine-queue.ts';

const ATTEMPTS = 3;

const isForReview = (job: JobRow): boolean => job.review_status === REVIEW.needed;

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
  const batches = created.map((name) => {
    const values = { name, created: toMoment(services.now()), state: 'idle' };
    return toCreate('ml_batches', values, `batch ${name}`);
  });
  const jobs = plans.flatMap(({ current, batchName, values }, index): readonly Operation[] => {
    if (current !== null) return [changeJob(current, values)];
    const as = `job ${index}`;
    const translator = Number(values['translator']);
    const assignment = toAssignment(translator, Number(values['author']));
    return [
      toCreate('ml_jobs', { ...values, batch: batchOf(batchName), batch_name: batchName }, as),
      ...(translator === 0 ? [] : [toLogEntry(services, { $ref: as }, assignment)]),
    ];
  });
  return [...batches, ...jobs];
}

/** Another request may have opened such a job meanwhile. */
async function explainTaken(services: TranslationServices, plans: readonly JobPlan[]): Promise<RestError> {
  for (const plan of plans) {
    const where = eq('open_key', plan.openKey);
    const open = await findFirst(services.store, { collection: 'ml_jobs', where, fields: [] });
    if (open !== undefined && open.id !== plan.current?.id) return jobError('ml_job_exists', open.id);
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

/** Jobs that no service has: their own id is that at the engine. */
const withOwnIds = (jobs: readonly Job[]) => jobs.map(({ id }) => [id, id] as const);

/** Jobs for the machines have an id at once, and are translated in the background. */
async function enqueue(
  services: TranslationServices,
  jobs: readonly Job[],
  call: Call,
): Promise<ReadonlyMap<number, number>> {
  if (jobs.length === 0) return new Map();
  if (services.engine.name === 'local')
    await services.store.commit(jobs.map(({ id }) => setJob(id, { engine: 'local', engine_job: id })));
  startMachines(services, (job) => sendJobs(services, [job], call));
  return new Map(withOwnIds(jobs));
}

/** Stores what has become of jobs. A job that waits for its review is ready. */
async function saveSent(services: TranslationServices, changes: readonly Operation[]): Promise<void> {
  if (changes.length === 0) return;
  const saved = await services.store.commit(changes);
  const jobs = saved.filter((job) => job !== null).map(toJobRow);
  sendNotices(services, jobs.filter(isForReview), { kind: 'ready' });
}

/**
 * Sends jobs to the engine. Accepted jobs then wait for a translator (status 1); the others keep status 40.
 * A job that a machine translated completely is not sent to a connected service. People review it here.
 * @returns engine ids by job id
 */
async function sendJobs(
  services: TranslationServices,
  all: readonly Job[],
  call: Call,
): Promise<ReadonlyMap<number, number>> {
  const { engine, serviceName, config, log } = services;
  const isKept = (job: Job): boolean => engine.name !== 'local' && isForReview(job);
  const kept = all.filter(isKept);
  await saveSent(
    services,
    kept.map(({ id }) => setJob(id, { status: JOB_STATUS.ready, engine: 'local' })),
  );
  const jobs = all.filter((job) => !isKept(job));
  if (jobs.length === 0) return new Map(withOwnIds(kept));
  const write = await createFileWriter(services, jobs, call);
  const files = await mapReadable(
    jobs,
    async (job) => ({
      job,
      ...(await write(job)),
      notifyUrl: `${call.site.url(`/ml/tm/v1/ate/jobs/receive/${job.id}`)}?t=${toReceiveToken(config.secret, job.id)}`,
    }),
    { log, what: (id) => `writing the file of translation job ${id}` },
  );
  const taken = await engine.createJobs(files);
  const reviewed = new Set(jobs.filter(isForReview).map(({ id }) => id));
  await saveSent(
    services,
    [...taken].map(([id, engineJob]) =>
      setJob(id, {
        engine: engine.name,
        engine_job: engineJob,
        service: serviceName,
        ...(reviewed.has(id)
          ? { status: JOB_STATUS.ready, engine_status: ENGINE_STATUS.translated }
          : { status: JOB_STATUS.waiting, engine_status: ENGINE_STATUS.created }),
      }),
    ),
  );
  return new Map([...withOwnIds(kept), ...taken]);
}

/** Notices show the jobs as they are after they were sent to the engine. */
async function tellTranslators(services: TranslationServices, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0 || services.notify === undefined) return;
  const ids = jobs.map(({ id }) => id);
  sendNotices(services, await findJobRows(services.store, oneOf('id', ids)), { kind: 'assigned' });
}

function checkOrders(orders: readonly JobOrder[]): void {
  const wrong = orders.findIndex(
    (order) => order.id === undefined && (order.post_id === undefined || order.target_language === undefined),
  );
  if (wrong !== -1)
    throw invalidParam('jobs', `jobs[${wrong}] must have either id, or post_id and target_language.`);
}

/**
 * Creates or sends jobs. All of them are written in one commit, or none; then they are sent to the engine. When the engine
 * cannot be reached, the jobs keep status 40, and `ate/jobs/retry` sends them again.
 * @throws RestError `rest_invalid_param`, as `planJobs`; `service_*` with `data.jobs` when the engine failed
 */
export async function createJobs(
  services: TranslationServices,
  { jobs: orders }: TmArgs<'ml.tm.ate.jobs.create'>,
  call: Call,
) {
  checkOrders(orders);
  const plans = await planJobs(services, call.identity, orders);
  const jobs = await writeJobs(services, plans);
  const assigned = jobs.filter(({ translator }, index) => translator !== 0 && plans[index]?.current === null);
  runLater(services, 'deadlines of translations', () => remindOfDeadlines(services));
  const queued = await enqueue(services, jobs.filter(isQueued), call);
  try {
    const unqueued = jobs.filter((job) => !isQueued(job));
    const sent = await sendJobs(services, unqueued, call);
    return { jobs: Object.fromEntries([...queued, ...sent]) };
  } catch (error) {
    if (!(error instanceof RestError) || error.status === 'denied') throw error;
    sendNotices(services, jobs, {
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
async function mayRetry({ store, now }: TranslationServices): Promise<boolean> {
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
  { jobsToProcess: ids }: TmArgs<'ml.tm.ate.jobs.retry'>,
  call: Call,
) {
  if (ids === undefined && !(await mayRetry(services))) return { jobsToProcess: [], processed: [] };
  const failed = await listFailed(services, ids, await readCaller(services, call));
  const now = failed.slice(0, RETRIED_AT_ONCE);
  const { records } = await services.store.find({ collection: 'ml_jobs', where: oneOf('id', now) });
  const taken = await sendJobs(services, records.map(toJob), call);
  return { jobsToProcess: failed.slice(RETRIED_AT_ONCE), processed: now.filter((id) => taken.has(id)) };
}
