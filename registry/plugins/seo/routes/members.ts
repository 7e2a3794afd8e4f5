import type { ArgSchema } from '../../../../lib/index.ts';

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
