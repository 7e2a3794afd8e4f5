import type { ArgSchema, ArgSchemas } from '../../../../lib/index.ts';
import { REVIEW } from '../records/collections.ts';

/** Schemas of the `ml/tm/v1` routes: parameters that the index does not list, and responses. */

export const ID = { type: 'integer', minimum: 1, required: true } as const satisfies ArgSchema;
export const ids = {
  type: 'array',
  items: { type: 'integer', minimum: 1 },
  maxItems: 100,
} as const satisfies ArgSchema;

export const TEXT = { type: 'string', required: true } as const satisfies ArgSchema;
export const INTEGER = { type: 'integer', required: true } as const satisfies ArgSchema;
export const FLAG = { type: 'boolean', required: true } as const satisfies ArgSchema;
const DATE = { type: 'string', format: 'date' } as const satisfies ArgSchema;
// The repetition is written out, because a pattern with nested repetitions is rejected.
const LANGUAGE = {
  type: 'string',
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{1,8})?(?:[_-][A-Za-z0-9]{1,8})?(?:[_-][A-Za-z0-9]{1,8})?$',
} as const satisfies ArgSchema;

/** An object with these members and no others. */
export const closed = <const P extends ArgSchemas>(properties: P) =>
  ({ type: 'object', additionalProperties: false, required: true, properties }) as const;
const listOf = <const I extends ArgSchema>(items: I) => ({ type: 'array', required: true, items }) as const;

/** One item of a request for jobs. */
export const JOB_ORDER = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    post_id: { type: 'integer', minimum: 1 },
    source_language: LANGUAGE,
    target_language: LANGUAGE,
    deadline: DATE,
    translator_id: { type: 'integer', minimum: 0 },
    batch_name: { type: 'string', maxLength: 200 },
  },
} as const satisfies ArgSchema;

/** One record of the engine's data of a job. */
export const JOB_REPORT = {
  type: 'object',
  properties: {
    ate_job_id: { type: 'integer', minimum: 1 },
    status: { type: 'integer', minimum: 0, maximum: 99 },
    review_status: { type: 'string', enum: [REVIEW.needed, REVIEW.editing, REVIEW.accepted] },
    translated_xliff: {
      type: 'object',
      properties: {
        content: { type: 'string', maxLength: 7_000_000, required: true },
        version: { type: 'string', maxLength: 10 },
      },
    },
  },
} as const satisfies ArgSchema;

/** A list of `{id, type}`, or an object with such a list. Invalid entries are ignored and do not fail the request. */
export const jobReferences = { type: ['array', 'object'], maxItems: 200 } as const satisfies ArgSchema;

const ENGINE_ORDER = {
  type: 'object',
  properties: {
    engine: { type: 'string', maxLength: 100, required: true },
    enabled: { type: 'boolean' },
    order: { type: 'integer', minimum: 1 },
  },
} as const satisfies ArgSchema;

const DIRECTION = { type: 'string', enum: ['asc', 'desc'] } as const satisfies ArgSchema;

/** Parameters that the index does not list. */
export const undeclared = {
  engineOrders: { type: ['array', 'object'], items: ENGINE_ORDER, maxItems: 100 },
  engineList: { type: 'array', items: ENGINE_ORDER, maxItems: 100 },
  downloads: {
    type: 'array',
    maxItems: 100,
    default: [],
    items: {
      type: 'object',
      properties: { jobId: { type: 'integer', minimum: 1 }, ateJobId: { type: 'integer', minimum: 1 } },
    },
  },
  jobFilter: {
    ids: { type: 'string', maxLength: 4000 },
    local_job_ids: { type: 'string', maxLength: 4000 },
    title: { type: 'string', maxLength: 1000 },
    target_language: { type: 'string', maxLength: 200 },
    status: { type: 'string', maxLength: 200 },
    batch_name: { type: 'string', maxLength: 4000 },
    element_type: { type: 'string', maxLength: 100 },
    only_automatic: { type: 'boolean' },
    pageName: { type: 'string', maxLength: 100 },
    includeTranslationServiceJobs: { type: 'boolean' },
    scope: { type: 'string', enum: ['all', 'local', 'remote', 'ate'] },
    needs_update: { type: 'string', enum: ['include', 'exclude'] },
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    offset: { type: 'integer', minimum: 0 },
    sorting: {
      type: 'object',
      additionalProperties: false,
      properties: {
        id: DIRECTION,
        title: DIRECTION,
        batch_name: DIRECTION,
        language: DIRECTION,
        sent_date: DIRECTION,
        deadline_date: DIRECTION,
        status: DIRECTION,
      },
    },
    sent_from: DATE,
    sent_to: DATE,
    deadline_from: DATE,
    deadline_to: DATE,
  },
} as const satisfies Readonly<Record<string, ArgSchema | ArgSchemas>>;

export const NULLABLE_ID = { type: ['integer', 'null'], required: true } as const satisfies ArgSchema;
export const NULLABLE_TEXT = { type: ['string', 'null'], required: true } as const satisfies ArgSchema;
const pair = closed({ source: TEXT, target: TEXT });

const JOB = closed({
  id: INTEGER,
  original_element_id: INTEGER,
  type: TEXT,
  tp_id: NULLABLE_ID,
  status: INTEGER,
  needs_update: FLAG,
  review_status: NULLABLE_TEXT,
  language_codes: pair,
  languages: pair,
  translation_service_id: TEXT,
  translation_service: TEXT,
  sent_date: TEXT,
  deadline: TEXT,
  ts_status: TEXT,
  element: closed({ name: TEXT, url: TEXT, status: TEXT, type: closed({ value: TEXT, label: TEXT }) }),
  translator_name: TEXT,
  translator_id: { type: ['integer', 'string'], required: true },
  is_ate_job: FLAG,
  automatic: FLAG,
  progress: TEXT,
  batch: closed({ id: INTEGER, name: TEXT, tp_id: NULLABLE_ID }),
  extra_data: closed({ translate_job_id: INTEGER, editor_job_id: NULLABLE_ID }),
  edit_url: TEXT,
  view_url: TEXT,
  view_original_url: TEXT,
});

const REFERENCE = { id: INTEGER, type: TEXT } as const satisfies ArgSchemas;

/** Responses about jobs. */
export const jobAnswers = {
  list: closed({ jobs: listOf(JOB), total: INTEGER, last_picked_up_date: NULLABLE_TEXT }),
  xliff: closed({ content: TEXT, sourceLang: TEXT, targetLang: TEXT }),
  /** true, or the warnings if the translation lost something. */
  stored: {
    oneOf: [
      { type: 'boolean', enum: [true] },
      closed({
        stored: FLAG,
        warnings: listOf(
          closed({ code: TEXT, unit: TEXT, message: TEXT, names: listOf({ type: 'string' }) }),
        ),
      }),
    ],
  },
  /** Engine ids by job id. */
  created: closed({ jobs: { type: 'object', additionalProperties: { type: 'integer' }, required: true } }),
  engineJob: {
    type: 'object',
    additionalProperties: closed({
      id: INTEGER,
      status: INTEGER,
      translated_xliff: NULLABLE_TEXT,
      source_language: TEXT,
      target_language: TEXT,
      local_job_id: INTEGER,
    }),
  },
  assigned: closed({ assigned: FLAG }),
  cancelled: listOf(closed(REFERENCE)),
  /** The JSON response; without `json` the response is a file. */
  translation: closed({
    source_language: TEXT,
    target_language: TEXT,
    translations: listOf(closed({ field: TEXT, source: TEXT, target: TEXT })),
  }),
  applied: listOf(
    closed({
      ...REFERENCE,
      status: INTEGER,
      errors: { type: 'array', items: closed({ code: TEXT, message: TEXT }) },
    }),
  ),
  synced: closed({
    lockKey: NULLABLE_TEXT,
    ateToken: NULLABLE_TEXT,
    nextPage: NULLABLE_ID,
    numberOfPages: NULLABLE_ID,
    downloadQueueSize: INTEGER,
    jobs: listOf(
      closed({ ateJobId: INTEGER, url: NULLABLE_TEXT, ateStatus: INTEGER, jobId: INTEGER, status: INTEGER }),
    ),
  }),
  downloaded: listOf(
    closed({
      jobId: INTEGER,
      ateJobId: INTEGER,
      status: INTEGER,
      needsReview: FLAG,
      automatic: FLAG,
      language_code: TEXT,
      original_element_id: INTEGER,
    }),
  ),
  retried: closed({ jobsToProcess: listOf({ type: 'integer' }), processed: listOf({ type: 'integer' }) }),
  fixed: closed({ completed: FLAG, error: FLAG, reason: TEXT }),
} as const satisfies Readonly<Record<string, ArgSchema>>;

/** Responses about the engine. */
export const engineAnswers = {
  register: closed({ enabled: FLAG, mode: TEXT }),
  translators: closed({
    result: closed({ translators: listOf(closed({ email: TEXT, subscription: FLAG })) }),
  }),
  managers: closed({
    result: closed({
      translation_managers: listOf(
        closed({ email: TEXT, display_name: TEXT, first_name: TEXT, last_name: TEXT, subscription: FLAG }),
      ),
    }),
  }),
  status: closed({
    activated: FLAG,
    mode: TEXT,
    registered_at: TEXT,
    translators: INTEGER,
    managers: INTEGER,
    open_jobs: INTEGER,
  }),
  console: { type: 'string' },
  engines: closed({
    list: listOf(
      closed({
        engine: TEXT,
        label: TEXT,
        enabled: FLAG,
        order: INTEGER,
        languages: listOf({ type: 'string' }),
      }),
    ),
  }),
} as const satisfies Readonly<Record<string, ArgSchema>>;
