import {
  and,
  type Call,
  can,
  eq,
  type Identity,
  oneOf,
  type Operation,
  or,
  type Predicate,
  RestError,
  type Store,
  type StoredRecord,
  type Values,
} from '../../../../lib/index.ts';
import { type Ports, type Reference, toCreate, toUpdate, userOf } from '../../../plugin.ts';
import type { XliffState } from '../xliff/xliff-write.ts';
import { JOB_FIELDS, type MlRecord, REVIEW } from './collections.ts';
import { type JobField, readStoredFields } from './job-texts.ts';

/**
 * A translation of one field. `memory`: the translation comes from the translation memory and was not reviewed; `outdated` if it is that of
 * an older text, which only jobs of earlier versions have. `unfiltered`: the
 * user who delivered it had the capability `unfiltered_html`; absent for other users and for texts from a service or an engine.
 */
export type JobTarget = {
  readonly text: string;
  readonly state: XliffState;
  readonly memory?: 'current' | 'outdated';
  readonly unfiltered?: true;
};

/** Translations by field id. */
export type JobTargets = { readonly [id: string]: JobTarget };

/** A similar text of the memory with its translation. `quality`: percent, 75 to 99. */
export type JobMatch = {
  readonly source: string;
  readonly text: string;
  readonly quality: number;
};

/** Similar texts of the memory, by field id. */
export type JobMatches = { readonly [id: string]: JobMatch };

/** Fields of a `JobRow`. */
export const ROW_FIELDS = Object.keys(JOB_FIELDS);

/** A job without its texts, as lists read it. */
export type JobRow = StoredRecord & Pick<MlRecord<'ml_jobs'>, keyof typeof JOB_FIELDS | 'id' | 'version'>;

/** A complete job as stored (`collections.ts`). */
export interface Job extends JobRow {
  /** The texts of the original. */
  readonly fields: readonly JobField[];
  /** Their translations. */
  readonly targets: JobTargets;
  /** `queued`, or ''. */
  readonly machine: string;
  /** Null in jobs of earlier versions. */
  readonly matches: JobMatches | null;
}

// The store returns what the collection descriptor declares.
export const toJobRow = (record: StoredRecord): JobRow => record as JobRow;

/** All jobs that match, without their texts, in the order of their ids. */
export async function findJobRows(store: Store, where: Predicate): Promise<readonly JobRow[]> {
  return (await store.find({ collection: 'ml_jobs', where, fields: ROW_FIELDS })).records.map(toJobRow);
}

/** The change of a job, whether or not somebody else has changed it since it was read. */
export const setJob = (id: number, values: Values): Operation => toUpdate('ml_jobs', { id }, values);

/** The change of a job that nobody else has changed since it was read. */
export const changeJob = (job: StoredRecord, values: Values): Operation => toUpdate('ml_jobs', job, values);

/** A job with its texts, which are read from the record when they are first needed. So a damaged record fails there, and not in a list. */
export function toJob(record: StoredRecord): Job {
  let fields: readonly JobField[] | undefined;
  const get = (): readonly JobField[] => (fields ??= readStoredFields(record['fields']));
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(record), fields: { enumerable: true, get } },
  ) as Job;
}

/** GMT text of a time in milliseconds. */
export const toMoment = (now: number): string => new Date(now).toISOString().slice(0, 19);

/** A job by its id, with its texts; null if there is none. */
export async function findJob(store: Store, id: number): Promise<Job | null> {
  const record = await store.get('ml_jobs', id);
  return record === null ? null : toJob(record);
}

/** What happened to a job, or a problem of it. `code`: what happened, or the code of an error or a warning. */
export interface JobEvent {
  readonly code: string;
  readonly message: string;
}

/** An entry in the log of a job: what the response does not report. */
export function toLogEntry({ now }: Ports, job: number | Reference, { code, message }: JobEvent): Operation {
  return toCreate('ml_job_log', { job, date: toMoment(now()), code, message });
}

/** Changes a job that nobody else has changed since it was read, and its log with it. @returns the job as it is now */
export async function saveJob(
  ports: Ports,
  job: StoredRecord,
  { values, log = [] }: { values: Values; log?: readonly JobEvent[] },
): Promise<Job> {
  const entries = log.map((entry) => toLogEntry(ports, job.id, entry));
  const [saved] = await ports.store.commit([changeJob(job, values), ...entries]);
  return toJob(saved ?? job);
}

/** Who did it, for the log. 0: the service. */
export const nameUser = (id: number): string => (id === 0 ? 'the translation service' : `user ${id}`);

/** The entry that says who translates a job from now on; 0: nobody. */
export const toAssignment = (translator: number, by: number): JobEvent =>
  translator === 0
    ? { code: 'unassigned', message: `Given back by ${nameUser(by)}.` }
    : { code: 'assigned', message: `Assigned to user ${translator} by ${nameUser(by)}.` };

/** Logs why one of several jobs failed. An unexpected error goes to the log of the host. */
export async function logFailure(ports: Ports, job: number, error: unknown): Promise<JobEvent> {
  const isAnswer = error instanceof RestError;
  if (!isAnswer) ports.log({ level: 'error', message: `translation job ${job} failed`, error });
  const entry = isAnswer
    ? { code: error.code, message: error.message }
    : { code: 'apply_failed', message: 'The translation could not be applied.' };
  await ports.store.commit([toLogEntry(ports, job, entry)]);
  return entry;
}

/** Status of a job, with the numbers of the interface. `complete`: applied as a post. `hidden`: cancelled at the engine. */
export const JOB_STATUS = {
  cancelled: 0,
  waiting: 1,
  inProgress: 2,
  ready: 4,
  duplicate: 9,
  complete: 10,
  retry: 40,
  hidden: 42,
  pending: 102,
} as const;

/** Jobs that were cancelled, here or at the engine. */
export const CANCELLED_STATUSES: ReadonlySet<number> = new Set([JOB_STATUS.cancelled, JOB_STATUS.hidden]);

/** Values of a job that is cancelled. */
export const CANCEL = { status: JOB_STATUS.cancelled, open_key: '' } as const;

/** Reviews that are not finished. */
export const IN_REVIEW: ReadonlySet<string> = new Set([REVIEW.needed, REVIEW.editing]);

export type ReviewStatus = (typeof REVIEW)[keyof typeof REVIEW];

/** Display texts by status number. */
export const JOB_STATUS_WORDS: Readonly<Record<number, string>> = {
  0: 'Cancelled',
  1: 'Waiting for translator',
  2: 'In progress',
  4: 'Translation ready to download',
  9: 'Duplicate',
  10: 'Complete',
  40: 'Needs retry',
  42: 'Cancelled at the engine',
  102: 'Pending at the service',
};

/** Status of a job at the engine. */
export const ENGINE_STATUS = {
  created: 0,
  translating: 1,
  translated: 6,
  delivering: 7,
  delivered: 8,
  edited: 15,
  cancelled: 20,
  hidden: 42,
} as const;

/** Display texts by status number of the engine. */
export const ENGINE_STATUS_WORDS: Readonly<Record<number, string>> = {
  0: 'Created',
  1: 'Translating',
  6: 'Translated',
  7: 'Delivering',
  8: 'Delivered',
  15: 'Edited',
  20: 'Cancelled',
  42: 'Hidden',
};

/** Jobs that are being translated or wait to be applied. */
export const OPEN_STATUSES: ReadonlySet<number> = new Set([
  JOB_STATUS.waiting,
  JOB_STATUS.inProgress,
  JOB_STATUS.ready,
  JOB_STATUS.retry,
  JOB_STATUS.pending,
]);

/** Selects those. */
export const IS_OPEN = oneOf('status', [...OPEN_STATUSES]);

/** Jobs on which no work is left. */
export const CLOSED_STATUSES: ReadonlySet<number> = new Set([
  ...CANCELLED_STATUSES,
  JOB_STATUS.complete,
  JOB_STATUS.duplicate,
]);

/** Jobs whose translation has arrived. */
export const TRANSLATED_STATUSES: ReadonlySet<number> = new Set([JOB_STATUS.ready, JOB_STATUS.complete]);

/** The caller's rights on jobs. `pairs`: language pairs such as `en:fr`. */
export interface JobCaller {
  readonly id: number;
  readonly manages: boolean;
  readonly pairs: readonly string[];
}

const manages = (identity: Identity): boolean =>
  can(identity, 'manage_translations') || can(identity, 'manage_options');

/** Reads the rights of the caller, including the language pairs. */
export async function readCaller({ store }: Ports, { identity }: Call): Promise<JobCaller> {
  const user = manages(identity) ? null : await store.get('users', userOf(identity));
  const pairs = user?.['language_pairs'];
  return {
    id: userOf(identity),
    manages: manages(identity),
    pairs: Array.isArray(pairs) ? pairs.map(String) : [],
  };
}

const matchPairs = (pairs: readonly string[]): Predicate =>
  or(
    ...pairs.map((pair) => {
      const [source = '', target = ''] = pair.split(':');
      return and(eq('source', source), eq('target', target));
    }),
  );

/** The jobs that the caller can see: all of them, or their own jobs and those of their own language pairs. Every query of jobs contains it. */
export function visibleTo(caller: JobCaller): Predicate {
  return caller.manages ? and() : or(eq('translator', caller.id), matchPairs(caller.pairs));
}

/** The jobs that the caller works on: their own jobs and the unassigned ones of their own language pairs. */
export function queueOf(caller: JobCaller): Predicate {
  return or(eq('translator', caller.id), and(eq('translator', 0), matchPairs(caller.pairs)));
}

/** Whether the caller may read, deliver and apply the translation of this job. */
export function mayWorkOn(caller: JobCaller, job: JobRow): boolean {
  if (caller.manages || (job.translator === caller.id && caller.id !== 0)) return true;
  return job.translator === 0 && caller.pairs.includes(`${job.source}:${job.target}`);
}

/** Whether the caller can see the job in a list. */
export function maySee(caller: JobCaller, job: JobRow): boolean {
  return mayWorkOn(caller, job) || caller.pairs.includes(`${job.source}:${job.target}`);
}
