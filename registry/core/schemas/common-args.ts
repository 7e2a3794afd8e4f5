import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';

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
