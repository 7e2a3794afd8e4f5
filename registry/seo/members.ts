import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';

// What routes of `seo/v1` read although the index does not show it, or shows it without a type.

/** An id in the words of a program. */
export const NAME = { type: 'string', maxLength: 64 } as const satisfies ArgSchema;

/** One line of text. */
export const TEXT = { type: 'string', maxLength: 500 } as const satisfies ArgSchema;

/** An address as the client writes it; whether it is one is judged by the handler. */
export const ADDRESS = { type: 'string', maxLength: 2048 } as const satisfies ArgSchema;

export const ID = { type: 'integer', minimum: 0 } as const satisfies ArgSchema;

/** An authorization code. */
export const CODE = { type: 'string', required: true, minLength: 1, maxLength: 2048 } as const satisfies ArgSchema;

export const COUNTRY = { type: 'string', required: true, pattern: '^[a-z]{2}$', maxLength: 2 } as const satisfies ArgSchema;

/** Something to search for: not blank. */
export const PHRASE = { type: 'string', pattern: '\\S', maxLength: 200 } as const satisfies ArgSchema;

/** One phrase, or several. A text is never split: phrases hold blanks and commas. */
export const PHRASES = { ...PHRASE, type: ['string', 'array'], items: PHRASE, minItems: 1, maxItems: 100 } as const satisfies ArgSchema;

const STEP_LIST = { type: 'array', items: NAME, maxItems: 20 } as const satisfies ArgSchema;

/** What a client keeps of a workout. */
export const WORKOUT = {
  type: 'object',
  properties: {
    finishedSteps: STEP_LIST,
    indexablesByStep: { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' }, maxItems: 100 } },
  },
  additionalProperties: false,
} as const satisfies ArgSchema;
