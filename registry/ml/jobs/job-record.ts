import type { StoredRecord } from '../../../lib/store/store.ts';
import { readStoredFields } from '../segments/stored-fields.ts';
import type { JobField } from './job-fields.ts';
import type { XliffState } from '../xliff/xliff-write.ts';

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

export type JobTargets = { readonly [id: string]: JobTarget };

/** A similar text of the memory with its translation. `quality`: percent, 75 to 99. */
export type JobMatch = {
  readonly source: string;
  readonly text: string;
  readonly quality: number;
};

export type JobMatches = { readonly [id: string]: JobMatch };

/** A job without its texts, as lists read it. */
export interface JobRow extends StoredRecord {
  readonly type: string;
  readonly post: number;
  readonly post_type: string;
  readonly source: string;
  readonly target: string;
  readonly status: number;
  readonly review_status: string;
  readonly needs_update: boolean;
  readonly title: string;
  readonly author: number;
  readonly translator: number;
  readonly service: string;
  readonly engine: string;
  readonly engine_job: number;
  readonly engine_status: number;
  readonly batch: number;
  readonly batch_name: string;
  readonly sent: string;
  readonly deadline: string;
  readonly completed: string;
  readonly automatic: boolean;
  readonly open_key: string;
  readonly revision: string;
  readonly post_version: number;
  readonly result: number;
}

/** A complete job as stored (`collections.ts`). */
export interface Job extends JobRow {
  readonly fields: readonly JobField[];
  readonly targets: JobTargets;
  /** `queued`, or ''. */
  readonly machine: string;
  /** Absent in jobs of earlier versions. */
  readonly matches?: JobMatches | null;
}

/** Fields of a `JobRow`. */
export const ROW_FIELDS = [
  'type', 'post', 'post_type', 'source', 'target', 'status', 'review_status', 'needs_update', 'title', 'author', 'translator', 'service', 'engine',
  'engine_job', 'engine_status', 'batch', 'batch_name', 'sent', 'deadline', 'completed', 'automatic', 'open_key', 'revision', 'post_version', 'result',
] as const;

// The store returns what the collection descriptor declares.
export const toJobRow = (record: StoredRecord): JobRow => record as JobRow;

/** A job with its texts, which are read from the record when they are first needed. So a damaged record fails there, and not in a list. */
export function toJob(record: StoredRecord): Job {
  let fields: readonly JobField[] | undefined;
  const get = (): readonly JobField[] => (fields ??= readStoredFields(record['fields']));
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(record), fields: { enumerable: true, get } }) as Job;
}

/** The value of `open_key` of an open job. */
export const toOpenKey = (post: number, target: string): string => `${post}:${target}`;

/** GMT text of a time in milliseconds. */
export const toMoment = (now: number): string => new Date(now).toISOString().slice(0, 19);
