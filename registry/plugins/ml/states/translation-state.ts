import type { StoredRecord } from '../../../../lib/index.ts';
import type { JobRow } from '../records/job-record.ts';
import { JOB_STATUS, OPEN_STATUSES } from '../records/status.ts';

/**
 * What there is of a post in another language. `missing`: nothing. `in_progress`: an open job. `in_review`: a translation that waits to be
 * reviewed or applied, or a post that waits for its review. `draft`: a post that is not finished. `outdated`: the source has changed since it
 * was translated. `done`: a post that is published, scheduled or private.
 */
export const TRANSLATION_STATES = [
  'missing',
  'draft',
  'in_progress',
  'in_review',
  'outdated',
  'done',
] as const;
export type TranslationState = (typeof TRANSLATION_STATES)[number];

/** The state of a finished translation by the status of its post. */
const BY_STATUS: ReadonlyMap<string, TranslationState> = new Map([
  ['publish', 'done'],
  ['future', 'done'],
  ['private', 'done'],
  ['pending', 'in_review'],
]);

/** The state that the newest job and the translated post make. An open job counts more than the post, because somebody is at work. */
export function toState(job: JobRow | undefined, translation: StoredRecord | undefined): TranslationState {
  if (job !== undefined && OPEN_STATUSES.has(job.status))
    return job.status === JOB_STATUS.ready ? 'in_review' : 'in_progress';
  if (translation === undefined) return 'missing';
  if (job?.needs_update === true) return 'outdated';
  return BY_STATUS.get(String(translation['status'])) ?? 'draft';
}
