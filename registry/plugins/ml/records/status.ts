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

/** Review of a translation that a machine made. It is applied once a person has accepted it. */
export const REVIEW = { needed: 'NEEDS_REVIEW', editing: 'EDITING', accepted: 'ACCEPTED' } as const;
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

/** Jobs on which no work is left. */
export const CLOSED_STATUSES: ReadonlySet<number> = new Set([
  JOB_STATUS.cancelled,
  JOB_STATUS.complete,
  JOB_STATUS.duplicate,
  JOB_STATUS.hidden,
]);

/** Jobs whose translation has arrived. */
export const TRANSLATED_STATUSES: ReadonlySet<number> = new Set([JOB_STATUS.ready, JOB_STATUS.complete]);

export const JOB_TYPES = ['post', 'string', 'package', 'st-batch_strings'] as const;
