import type { ArgSchema, ArgSchemas, NamespaceDescriptor, StoredRecord } from '../../../../lib/index.ts';
import { pageArg, perPageArg } from '../../../plugin.ts';
import { JOB_STATUS, type JobRow, OPEN_STATUSES } from '../records/job-record.ts';
import { closed, FLAG, INTEGER, NULLABLE_ID, NULLABLE_TEXT, TEXT } from '../routes/tm-schemas.ts';
import { WORD_KINDS } from '../segments/count-words.ts';

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

const WORDS = {
  type: 'array',
  items: { type: 'string', maxLength: 100 },
  maxItems: 100,
} as const satisfies ArgSchema;

const JOB = {
  ...closed({
    id: INTEGER,
    status: INTEGER,
    status_label: TEXT,
    needs_update: FLAG,
    automatic: FLAG,
    review_status: NULLABLE_TEXT,
    translator: INTEGER,
    translator_name: TEXT,
    service: TEXT,
    service_name: TEXT,
    sent: TEXT,
    deadline: NULLABLE_TEXT,
    overdue: FLAG,
    completed: NULLABLE_TEXT,
  }),
  type: ['object', 'null'],
} as const satisfies ArgSchema;

const ENTRY = closed({
  post: INTEGER,
  type: TEXT,
  title: TEXT,
  status: TEXT,
  source_language: TEXT,
  language: TEXT,
  state: { type: 'string', enum: TRANSLATION_STATES, required: true },
  translation: NULLABLE_ID,
  translation_status: NULLABLE_TEXT,
  job: JOB,
});

export const STATE_FILTERS = {
  post: {
    description: 'Only this post, or the post that it is a translation of.',
    type: 'integer',
    minimum: 1,
  },
  type: { description: 'Only posts of these types.', ...WORDS },
  source_language: { description: 'Only posts in these languages.', ...WORDS },
  language: { description: 'Only translations into these languages.', ...WORDS },
  state: {
    description: 'Only translations in these states.',
    type: 'array',
    items: { type: 'string', enum: TRANSLATION_STATES },
    maxItems: TRANSLATION_STATES.length,
  },
  overdue: {
    description: 'Only translations whose deadline has passed, or only the others.',
    type: 'boolean',
  },
} as const satisfies ArgSchemas;

const COUNT = { units: INTEGER, words: INTEGER, characters: INTEGER } as const satisfies ArgSchemas;

const PAGE = { page: pageArg, per_page: perPageArg } as const;

/** Routes of `ml/v1` that show what is translated. Served only if the host wants them, so that the recorded index stays as it is. */
export const mlStatesDescriptor = {
  namespace: 'ml/v1',
  routes: [
    {
      pattern: '/ml/v1/translations',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.states.list',
          permission: 'translate',
          summary: 'List the states of translations',
          description:
            'Returns for each post and each other language of the site whether a translation is missing, in progress, in review, a draft, outdated or done, with its job and its deadline.',
          args: { ...PAGE, ...STATE_FILTERS },
          answers: { 200: { type: 'array', items: ENTRY } },
        },
      ],
    },
    {
      pattern: '/ml/v1/translations/counts',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.states.count',
          permission: 'translate',
          summary: 'Count the states of translations',
          description: 'Returns for each language how many translations are in each state.',
          args: STATE_FILTERS,
          answers: {
            200: {
              type: 'object',
              additionalProperties: closed(
                Object.fromEntries(TRANSLATION_STATES.map((state) => [state, INTEGER])),
              ),
            },
          },
        },
      ],
    },
    {
      pattern: '/ml/v1/jobs/(?P<id>[\\d]+)/log',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.states.log',
          permission: 'translate',
          summary: 'Read the log of a translation job',
          description:
            'Returns the problems, reminders and decisions that were recorded for a job, the newest first.',
          args: { id: { description: 'ID of the translation job.', type: 'integer' }, ...PAGE },
          answers: {
            200: { type: 'array', items: closed({ id: INTEGER, date: TEXT, code: TEXT, message: TEXT }) },
          },
        },
      ],
    },
    {
      pattern: '/ml/v1/jobs/(?P<id>[\\d]+)/words',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.states.words',
          permission: 'translate',
          summary: 'Count the words of a translation job',
          description:
            'Returns how many units, words and characters a job has, and how many of them are translated, known, repeated, similar or new.',
          args: { id: { description: 'ID of the translation job.', type: 'integer' } },
          answers: {
            200: closed({
              ...COUNT,
              kinds: closed(Object.fromEntries(WORD_KINDS.map((kind) => [kind, closed(COUNT)]))),
            }),
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
