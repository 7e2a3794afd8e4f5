import { setTimeout as wait } from 'node:timers/promises';
import { findFirst, eq, StoreError, type Values } from '../../../../lib/index.ts';
import { own, retryRaces, runLater, runLocked } from '../../../plugin.ts';
import { MEMORY, prefill, type TextProblem } from '../engine/text-engine.ts';
import { readGlossary } from '../glossary/glossary.ts';
import { readConfig } from '../posts/source-texts.ts';
import { REVIEW } from '../records/collections.ts';
import {
  ENGINE_STATUS,
  type Job,
  JOB_STATUS,
  type JobTargets,
  logFailure,
  toJob,
  findJob,
  saveJob,
} from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';
import type { TranslationServices } from '../services/services.ts';

/** `machine` of a job that waits for the machines. */
export const QUEUED = 'queued';

const LOCK = 'ml.machine';
const LOCK_MS = 30_000;
/** Time for the machine translation of one job. People translate the rest. */
const JOB_MS = 120_000;
/** How often a process that does not have the lock looks whether it is free. */
const LOOK_MS = 2000;

/** Sends a job on to a connected service. Absent after a restart: there is no request whose addresses it could contain. */
type SendOn = (job: Job) => Promise<unknown>;

interface Queue {
  readonly services: TranslationServices;
  readonly sendOn: SendOn;
  readonly signal: AbortSignal;
  /** Engines that failed in this run. */
  readonly broken: Set<string>;
}

async function findNext({ store }: TranslationServices): Promise<Job | null> {
  const found = await findFirst(store, { collection: 'ml_jobs', where: eq('machine', QUEUED) });
  return found === undefined ? null : toJob(found);
}

interface Translation {
  readonly targets: JobTargets;
  readonly byMachine: boolean;
  readonly problems: readonly TextProblem[];
}

async function translate({ services, broken, signal }: Queue, job: Job): Promise<Translation> {
  const problems: TextProblem[] = [];
  const config = await readConfig(services.store);
  const { targets, byMachine } = await prefill(
    services.store,
    { engines: services.textEngines, broken },
    {
      post: job.post,
      source: job.source,
      target: job.target,
      fields: job.fields.filter(({ id }) => own(job.targets, id) === undefined),
      terms: (await readGlossary(services.store, job)).all,
      signal: AbortSignal.any([signal, AbortSignal.timeout(JOB_MS)]),
      isShortcode: (name) => services.shortcodes.has(name) || config.shortcodes.includes(name),
      report: (problem) => {
        problems.push(problem);
      },
    },
  );
  for (const { engine, failed } of problems) if (failed === true) broken.add(engine);
  return { targets: { ...targets, ...job.targets }, byMachine, problems };
}

/** What becomes of a job: complete ones wait for review, others for a person or for the connected service. */
function toOutcome({ engine }: TranslationServices, job: Job, { targets, byMachine }: Translation): Values {
  const isComplete = job.fields.every(({ id }) => own(targets, id) !== undefined);
  const automatic = isComplete && (byMachine || job.automatic);
  const isLocal = engine.name === 'local';
  const taken = isLocal ? { engine: 'local', engine_job: job.id } : automatic ? { engine: 'local' } : {};
  const status = automatic ? JOB_STATUS.ready : isLocal ? JOB_STATUS.waiting : JOB_STATUS.retry;
  return {
    automatic,
    review_status: automatic ? REVIEW.needed : '',
    machine: '',
    status,
    ...taken,
    ...(automatic && isLocal ? { engine_status: ENGINE_STATUS.translated } : {}),
  };
}

/** The same texts are still to be translated: only marks of the job have changed, such as `needs_update`. */
const isSame = (job: Job, current: Job): boolean =>
  current.machine === QUEUED && current.status === JOB_STATUS.inProgress && current.revision === job.revision;

/** Stores the outcome. The texts of a job that was changed meanwhile, by a person who handed in a file for example, stay as they are. */
async function finish(
  services: TranslationServices,
  job: Job,
  { targets, values, problems }: { targets: JobTargets; values: Values; problems: readonly TextProblem[] },
): Promise<Job | null> {
  return retryRaces(async () => {
    const current = await findJob(services.store, job.id);
    if (current?.machine !== QUEUED) return null;
    const change = isSame(job, current)
      ? { ...values, targets: { ...targets, ...current.targets } }
      : current.status === JOB_STATUS.inProgress
        ? {}
        : { machine: '' };
    return saveJob(services, current, { values: change, log: problems });
  });
}

function tell(services: TranslationServices, job: Job, problems: readonly TextProblem[]): void {
  const failure = problems.find(({ failed }) => failed === true);
  if (job.review_status === REVIEW.needed) sendNotices(services, [job], { kind: 'ready' });
  else if (failure !== undefined)
    sendNotices(services, [job], {
      kind: 'failed',
      reason: { code: failure.code, message: failure.message },
    });
}

async function translateJob(queue: Queue, job: Job): Promise<void> {
  const { services, signal, sendOn } = queue;
  let translation: Translation = { targets: job.targets, byMachine: false, problems: [] };
  try {
    translation = await translate(queue, job);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // People translate a job that cannot be translated by a machine.
    await logFailure(services, job.id, error);
  }
  // The job stays in the queue, and the next start goes on with it.
  if (signal.aborted) return;
  for (const { message } of translation.problems)
    services.log({ level: 'warn', message: `machine translation of job ${job.id}: ${message}` });
  const saved = await finish(services, job, {
    ...translation,
    values: toOutcome(services, job, translation),
  });
  if (saved !== null) tell(services, saved, translation.problems);
  if (saved?.status !== JOB_STATUS.retry) return;
  try {
    await sendOn(saved);
  } catch (error) {
    await logFailure(services, job.id, error);
  }
}

async function work(queue: Queue): Promise<void> {
  const { services, signal } = queue;
  for (let job = await findNext(services); job !== null && !signal.aborted; job = await findNext(services))
    await translateJob(queue, job);
}

async function workOff(queue: Queue): Promise<void> {
  const { services, signal } = queue;
  while (!signal.aborted && (await findNext(services)) !== null) {
    const isFree = await runLocked(services, { name: LOCK, ttlMs: LOCK_MS, signal }, (held) =>
      work({ ...queue, signal: held }),
    );
    // Another process works on the queue, or has crashed: then its lock expires.
    if (!isFree) await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether there is an engine besides the memory. */
const hasMachines = ({ textEngines }: TranslationServices): boolean =>
  textEngines.some(({ id }) => id !== MEMORY);

/** The work on the queue of a site. `sendOn` is that of the newest request. `asked`: whether there was another request since it began. */
interface Run {
  sendOn: SendOn | undefined;
  asked: boolean;
}

const runs = new WeakMap<TranslationServices, Run>();

/** Translates the queued jobs in the background, one after the other. Also at the start of a site, because a crashed process may have left some. */
export function startMachines(services: TranslationServices, sendOn?: SendOn): void {
  if (!hasMachines(services)) return;
  const current = runs.get(services);
  if (current !== undefined) {
    current.sendOn = sendOn ?? current.sendOn;
    current.asked = true;
    return;
  }
  runLater(services, 'machine translation', async (signal) => {
    const run: Run = { sendOn, asked: false };
    runs.set(services, run);
    try {
      await workOff({
        services,
        signal,
        broken: new Set(),
        sendOn: (job) => run.sendOn?.(job) ?? Promise.resolve(),
      });
    } finally {
      runs.delete(services);
      // The last look at the queue may have been before the jobs of that request.
      if (run.asked && !signal.aborted) startMachines(services, run.sendOn);
    }
  });
}

/** Whether a job waits for the machines. */
export const isQueued = ({ machine }: Job): boolean => machine === QUEUED;
