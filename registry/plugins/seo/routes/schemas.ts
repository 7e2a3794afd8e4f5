import type { ArgSchema, ArgSchemas } from '../../../../lib/index.ts';

// Schemas of the successful responses of `seo/v1`.

const TRUE = { type: 'boolean', enum: [true], required: true } as const;
const OK = { type: 'integer', enum: [200], required: true } as const;
const INTEGER = { type: 'integer', required: true } as const;
export const STRING = { type: 'string', required: true } as const;
export const BOOLEAN = { type: 'boolean', required: true } as const;
const LONG = 10_000;

/** An object with exactly these members. */
export function closed<const P extends ArgSchemas>(properties: P) {
  return { type: 'object', properties, additionalProperties: false } as const satisfies ArgSchema;
}

/** An object with exactly these members, in an answer that always has it. */
const closedMember = <const P extends ArgSchemas>(properties: P) =>
  ({ ...closed(properties), required: true }) as const satisfies ArgSchema;

export const STATUS = closed({ status: OK });
export const DONE = closed({ success: TRUE, status: OK });
export const DISMISSED = closed({ message: STRING, success: TRUE, status: OK });
export const DONE_JSON = closed({ json: closedMember({ success: TRUE }) });
export const DONE_STATUS_JSON = closed({ json: { ...DONE, required: true } });
export const CAPABILITY = closed({
  success: BOOLEAN,
  status: { type: 'integer', enum: [200, 403], required: true },
});
export const STEPS = closed({
  success: TRUE,
  status: OK,
  data: { type: 'array', items: { type: 'string' }, required: true },
});
export const VIDEOHOST = closed({ json: closedMember({ value: BOOLEAN }) });
export const FILE_SIZE = closed({
  type: { type: 'string', enum: ['success'], required: true },
  size_in_bytes: { type: 'integer', minimum: 0, required: true },
});
export const META = closed({
  meta: {
    type: 'array',
    maxItems: 25,
    items: closed({ key: STRING, value: { type: ['string', 'number', 'boolean'], required: true } }),
    required: true,
  },
});

/** Progress of indexing, for clients that poll. `up_to_date`: whether everything that changed is in the index. */
const INDEXING = closedMember({
  running: BOOLEAN,
  failed: BOOLEAN,
  started_at: STRING,
  finished_at: STRING,
  done: INTEGER,
  total: INTEGER,
  up_to_date: BOOLEAN,
});

export const STATISTICS = closed({
  header: STRING,
  seo_scores: {
    type: 'array',
    required: true,
    maxItems: 5,
    items: closed({
      seo_rank: { type: 'string', enum: ['na', 'bad', 'ok', 'good', 'noindex'], required: true },
      label: STRING,
      count: { type: 'integer', minimum: 1, required: true },
      link: STRING,
      /** Lists of the posts that have the rank, by type and language. */
      links: {
        type: 'array',
        required: true,
        items: closed({ type: STRING, language: STRING, count: INTEGER, link: STRING }),
      },
    }),
  },
  indexing: INDEXING,
});

/** `next_url` is false when nothing is left. `progress`: objects processed and objects in total, since the run was prepared. `failures`: objects that cannot be indexed. */
export const BATCH = closed({
  objects: {
    type: 'array',
    required: true,
    maxItems: 50,
    items: {
      type: 'object',
      properties: { id: INTEGER, object_type: STRING, object_sub_type: STRING, object_id: INTEGER },
    },
  },
  next_url: { type: ['string', 'boolean'], required: true },
  failures: { type: 'array', maxItems: 50, items: closed({ object_id: INTEGER, object_type: STRING }) },
  progress: closedMember({ done: INTEGER, total: INTEGER }),
});

export const IMPORTED = closed({
  objects: {
    type: 'array',
    required: true,
    maxItems: 100,
    items: closed({
      line: INTEGER,
      object_type: STRING,
      object_id: INTEGER,
      fields: { type: 'array', items: { type: 'string' }, required: true },
    }),
  },
  next_url: { type: ['string', 'boolean'], required: true },
});

export const HEAD = closed({ html: STRING, json: { type: 'object', required: true }, status: OK });

const LISTED = { type: 'array', maxItems: LONG, required: true } as const;
const WORKOUT_STATE = closedMember({
  finishedSteps: { ...LISTED, items: { type: 'string' } },
  indexablesByStep: { type: 'object', required: true },
  /** The posts of the list that is computed from the index, by name. */
  posts: {
    ...LISTED,
    items: closed({
      id: INTEGER,
      object_id: INTEGER,
      type: STRING,
      language: STRING,
      title: STRING,
      link: STRING,
      link_count: INTEGER,
      incoming_link_count: INTEGER,
    }),
  },
});
/** `message`: why posts may be missing; '' if none is. */
export const WORKOUTS = closed({
  json: closedMember({ cornerstone: WORKOUT_STATE, orphaned: WORKOUT_STATE }),
  message: STRING,
  indexing: INDEXING,
});

export const TOKENS = closed({
  status: OK,
  tokens: closedMember({ expires: INTEGER, has_expired: BOOLEAN }),
});
export const RELATED = closed({
  status: OK,
  results: closedMember({
    columnNames: { ...LISTED, items: { type: 'string' } },
    rows: { ...LISTED, items: { type: 'array' } },
  }),
});
export const AUTHORIZATION = closed({ status: OK, url: STRING });
export const RESULTS = closed({ status: OK, results: { type: 'object', required: true } });
export const LIMIT = closed({
  status: OK,
  canTrack: BOOLEAN,
  limit: { type: ['integer', 'null'], required: true },
  usage: INTEGER,
  historyDays: INTEGER,
});
export const CAMPAIGN = closed({
  status: OK,
  discount: { type: ['number', 'null'], required: true },
  months: { type: ['integer', 'null'], required: true },
});

// Members that routes of `seo/v1` accept although the index lists them without a type, or not at all.

/** An identifier. */
export const NAME = { type: 'string', maxLength: 64 } as const satisfies ArgSchema;

/** A single line of text. */
export const TEXT = { type: 'string', maxLength: 500 } as const satisfies ArgSchema;

/** A URL as the client wrote it. The handler checks it. */
export const ADDRESS = { type: 'string', maxLength: 2048 } as const satisfies ArgSchema;

export const ID = { type: 'integer', minimum: 0 } as const satisfies ArgSchema;

/** An authorization code. */
export const CODE = {
  type: 'string',
  required: true,
  minLength: 1,
  maxLength: 2048,
} as const satisfies ArgSchema;

export const COUNTRY = {
  type: 'string',
  required: true,
  pattern: '^[a-z]{2}$',
  maxLength: 2,
} as const satisfies ArgSchema;

/** A search phrase; not blank. */
export const PHRASE = { type: 'string', pattern: '\\S', maxLength: 200 } as const satisfies ArgSchema;

/** One phrase or a list of phrases. A string is never split, because phrases can contain spaces and commas. */
export const PHRASES = {
  ...PHRASE,
  type: ['string', 'array'],
  items: PHRASE,
  minItems: 1,
  maxItems: 100,
} as const satisfies ArgSchema;

const STEP_LIST = { type: 'array', items: NAME, maxItems: 20 } as const satisfies ArgSchema;

/** The state of a workout that a client stores. */
export const WORKOUT = {
  type: 'object',
  properties: {
    finishedSteps: STEP_LIST,
    indexablesByStep: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'integer' }, maxItems: 100 },
    },
    /** As read; it is computed and not stored. */
    posts: { type: 'array', items: { type: 'object' }, maxItems: 100 },
  },
  additionalProperties: false,
} as const satisfies ArgSchema;
