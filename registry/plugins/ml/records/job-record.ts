import type { StoredRecord } from '../../../../lib/index.ts';
import type { XliffState } from '../xliff/xliff-write.ts';
import type { JobField } from './job-fields.ts';
import { readStoredFields } from './stored-fields.ts';

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

/** A job without its texts, as lists read it. */
export interface JobRow extends StoredRecord {
  /** Kind of what is translated: `post`. */
  readonly type: string;
  /** Id of the original. */
  readonly post: number;
  /** Content type of the original. */
  readonly post_type: string;
  /** Language of the original. */
  readonly source: string;
  /** Language of the translation. */
  readonly target: string;
  /** Status as a number, as in `JOB_STATUS`. */
  readonly status: number;
  /** Review of a machine's translation; '' if none is needed. */
  readonly review_status: string;
  /** The original changed since the job was made. */
  readonly needs_update: boolean;
  /** Title of the original. */
  readonly title: string;
  /** User who ordered it. */
  readonly author: number;
  /** User who translates; 0 if nobody is assigned. */
  readonly translator: number;
  /** Who translates: `local`, or the service. */
  readonly service: string;
  /** Name of the engine; '' if it was not sent. */
  readonly engine: string;
  /** Id at the engine; 0 if it was not sent. */
  readonly engine_job: number;
  /** Status at the engine: `ENGINE_STATUS`. */
  readonly engine_status: number;
  /** Id of that batch. */
  readonly batch: number;
  /** Name of the batch in which it was ordered. */
  readonly batch_name: string;
  /** Time of the last order (GMT). */
  readonly sent: string;
  /** Day by which it is due; '' if there is none. */
  readonly deadline: string;
  /** Time of completion (GMT); '' before it. */
  readonly completed: string;
  /** Every text was translated by a machine or the memory. */
  readonly automatic: boolean;
  /** Unique among open jobs: post and target language; '' when closed. */
  readonly open_key: string;
  /** Fingerprint of the texts that were read. */
  readonly revision: string;
  /** Version of the original when its texts were read. */
  readonly post_version: number;
  /** Id of the translated record; 0 before it is made. */
  readonly result: number;
}

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

/** Fields of a `JobRow`. */
export const ROW_FIELDS = [
  'type',
  'post',
  'post_type',
  'source',
  'target',
  'status',
  'review_status',
  'needs_update',
  'title',
  'author',
  'translator',
  'service',
  'engine',
  'engine_job',
  'engine_status',
  'batch',
  'batch_name',
  'sent',
  'deadline',
  'completed',
  'automatic',
  'open_key',
  'revision',
  'post_version',
  'result',
] as const;

// The store returns what the collection descriptor declares.
export const toJobRow = (record: StoredRecord): JobRow => record as JobRow;

/** A job with its texts, which are read from the record when they are first needed. So a damaged record fails there, and not in a list. */
export function toJob(record: StoredRecord): Job {
  let fields: readonly JobField[] | undefined;
  const get = (): readonly JobField[] => (fields ??= readStoredFields(record['fields']));
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(record), fields: { enumerable: true, get } },
  ) as Job;
}

/** The value of `open_key` of an open job. */
export const toOpenKey = (post: number, target: string): string => `${post}:${target}`;

/** GMT text of a time in milliseconds. */
export const toMoment = (now: number): string => new Date(now).toISOString().slice(0, 19);
