import type { ArgSchemas, ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { EDIT, READONLY } from './fields.ts';

/** The id of a record. */
export const idArg = (description: string) => ({ description, type: 'integer' }) as const;

/** A text. */
export const stringArg = (description: string) => ({ description, type: 'string' }) as const;

/** An address. */
export const urlArg = (description: string) => ({ description, type: 'string', format: 'uri' }) as const;

/** Yes or no. */
export const flagArg = (description: string) => ({ description, type: 'boolean' }) as const;

/** A moment, as `YYYY-MM-DDTHH:MM:SS`. */
export const dateArg = (description: string) =>
  ({ description, type: 'string', format: 'date-time' }) as const;

/** Whether a record is removed for good. */
export const forceArg = (description: string) => ({ description, type: 'boolean', default: false }) as const;

/** A list of texts. */
export const TEXT_LIST = { type: 'array', items: { type: 'string' } } as const;

/** The members of a body that link translations. The recorded index does not list them. */
export const translationArgs = {
  ml_translation_of: {
    description: 'ID of the record that this one translates; 0: none.',
    type: 'integer',
    minimum: 0,
  },
  ml_translations: {
    description: 'IDs of translations by language code; null or 0 unlinks, and others stay.',
    type: 'object',
    additionalProperties: { type: ['integer', 'null'], minimum: 0 },
  },
} as const satisfies ArgSchemas;

/** The parameter that asks for records of other languages. The recorded index does not list it. */
export const fallbackArg = {
  ml_fallback: {
    description: 'Languages for what is not translated, best first; `default`: as in the settings.',
    ...TEXT_LIST,
    maxItems: 20,
  },
} as const satisfies ArgSchemas;

/** The field of a record that stands in for another language. */
export const fallbackField = {
  ml_fallback_of: {
    ...stringArg('Language that the record stands in for.'),
    ...READONLY,
  },
} as const satisfies ArgSchemas;

/** The records of a translation group, for a language switch: one for each language that the caller may read. */
export const translationsAnswer = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      language: stringArg('Language of the record.'),
      id: idArg('ID of the record.'),
      title: stringArg('Title or name as HTML.'),
      status: stringArg('Status of the record.'),
      link: urlArg('URL of the record.'),
    },
  },
} as const;

// Parameters that lists of all kinds share.

/** A list of ids as a parameter. */
export const ID_LIST = { type: 'array', items: { type: 'integer' } } as const;

/** Which fields are shown. */
export const contextArg = {
  description: 'Which fields are shown; view for readers, embed for previews, edit for editors.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
} as const satisfies ArgSchema;

/** The page of a list. */
export const pageArg = {
  description: 'Number of the page to show.',
  type: 'integer',
  default: 1,
  minimum: 1,
} as const;

/** The size of a page. Lists without it return everything. */
export const pageSizeArg = {
  description: 'Number of items on a page.',
  type: 'integer',
  minimum: 1,
  maximum: 100,
} as const;

/** The size of a page of a list, 10 by default. */
export const perPageArg = { ...pageSizeArg, default: 10 } as const;

/** The words of a search. */
export const searchArg = stringArg('Only items that contain these words.');

/** Ids that a list leaves out. */
export const excludeArg = { description: 'Excludes items with these IDs.', ...ID_LIST, default: [] } as const;

/** The only ids of a list. */
export const includeArg = { description: 'Only items with these IDs.', ...ID_LIST, default: [] } as const;

/** Items that a list skips. */
export const offsetArg = { description: 'Number of items to skip.', type: 'integer' } as const;

/** The direction of a list. */
export const orderArg = {
  description: 'Sort direction: ascending or descending.',
  type: 'string',
  default: 'desc',
  enum: ['asc', 'desc'],
} as const;

/** What a list is sorted by. `what`: its items. */
export const orderbyArg = <const D extends string, const W extends readonly string[]>(
  what: string,
  usual: D,
  words: W,
) =>
  ({
    description: `Attribute by which the ${what} are sorted.`,
    type: 'string',
    default: usual,
    enum: words,
  }) as const satisfies ArgSchema;

/** The first query parameters of lists by name. */
export const namedListArgs = {
  context: contextArg,
  page: pageArg,
  per_page: perPageArg,
  search: searchArg,
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: { ...orderArg, default: 'asc' },
} as const;

/** A text of a record, as it was written and as it is shown. `what`: the first word of both descriptions. */
export const textArg = (description: string, what: string) =>
  ({
    description,
    type: 'object',
    properties: {
      raw: { description: `${what} as it was written.`, type: 'string', context: EDIT },
      rendered: {
        description: `${what} as HTML, ready for display.`,
        type: 'string',
        ...READONLY,
      },
    },
  }) as const satisfies ArgSchema;

/** The parameters that every route takes, except the index and the batch. `languages`: the languages of the site. */
export function createCommonArgs(languages: readonly string[]): ArgSchemas {
  return {
    ml_language: {
      description: 'Language of the content that the request is about.',
      type: 'string',
      enum: languages,
    },
  };
}
