import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';

/** The members of a body that link translations. The recorded index does not list them. */
export const translationArgs = {
  ml_translation_of: {
    description: 'ID of a record of which this one becomes a translation; 0 leaves the translations.',
    type: 'integer',
    minimum: 0,
  },
  ml_translations: {
    description:
      'Translations to link: language code to ID. null or 0 removes the link of a language. Languages that are not named stay as they are.',
    type: 'object',
    additionalProperties: { type: ['integer', 'null'], minimum: 0 },
  },
} as const satisfies ArgSchemas;
