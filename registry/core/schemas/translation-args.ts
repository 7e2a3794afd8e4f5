import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';

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
    description:
      'Languages that stand in for missing translations, best first; `default`: as in the settings.',
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
  },
} as const satisfies ArgSchemas;

/** The field of a record that stands in for another language. */
export const fallbackField = {
  ml_fallback_of: {
    description: 'Language that the record stands in for.',
    type: 'string',
    context: ['view', 'edit', 'embed'],
    readonly: true,
  },
} as const satisfies ArgSchemas;

/** The records of a translation group, for a language switch: one for each language that the caller may read. */
export const translationsAnswer = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      language: { description: 'Language of the record.', type: 'string' },
      id: { description: 'ID of the record.', type: 'integer' },
      title: { description: 'Title or name as HTML.', type: 'string' },
      status: { description: 'Status of the record.', type: 'string' },
      link: { description: 'URL of the record.', type: 'string', format: 'uri' },
    },
  },
} as const;
