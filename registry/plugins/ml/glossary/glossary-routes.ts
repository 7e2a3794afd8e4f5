import type { ArgSchema, ArgSchemas, NamespaceDescriptor } from '../../../../lib/index.ts';
import { pageArg, perPageArg } from '../../../plugin.ts';
import { FLAG, INTEGER, TEXT, closed } from '../records/tm-schemas.ts';

const ENTRY = {
  id: INTEGER,
  term: TEXT,
  source_language: TEXT,
  translate: FLAG,
  case_sensitive: FLAG,
  targets: { type: 'object', required: true, additionalProperties: { type: 'string' } },
  note: TEXT,
} as const satisfies ArgSchemas;

const LANGUAGE = { type: 'string', maxLength: 20 } as const satisfies ArgSchema;

/** Most characters of a term, and of a translation of it. */
export const MAX_TERM = 200;

/** Most characters of a note. */
export const MAX_NOTE = 1000;

/** Largest file of terms, in bytes. */
const MAX_FILE = 4 * 1024 * 1024;

/** Routes of `ml/v1` for the glossary of the site. Served only if the host wants them, so that the recorded index stays as it is. */
export const mlGlossaryDescriptor = {
  namespace: 'ml/v1',
  routes: [
    {
      pattern: '/ml/v1/glossary',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.glossary.list',
          permission: 'translate',
          summary: 'List the glossary',
          description:
            'Returns the terms of the site with their translations, and those that must not be translated, in alphabetical order.',
          args: {
            page: pageArg,
            per_page: perPageArg,
            source_language: { description: 'Only terms of this language.', ...LANGUAGE },
            language: {
              description:
                'Only terms with a translation into this language, and those that must not be translated.',
              ...LANGUAGE,
            },
            search: {
              description: 'Only terms that contain this text.',
              type: 'string',
              maxLength: MAX_TERM,
            },
          },
          answers: { 200: { type: 'array', items: closed(ENTRY) } },
        },
        {
          methods: ['POST'],
          handler: 'ml.glossary.write',
          permission: 'manage_translations',
          summary: 'Add a term to the glossary',
          description: 'Stores a term, in place of an entry that the glossary has for it in this language.',
          args: {
            term: {
              description: 'The term.',
              type: 'string',
              minLength: 1,
              maxLength: MAX_TERM,
              required: true,
            },
            source_language: { description: 'Language of the term.', required: true, ...LANGUAGE },
            translate: {
              description: 'Whether the term is translated. If not, it must stay as it is in every language.',
              type: 'boolean',
              default: true,
            },
            case_sensitive: {
              description: 'Whether only texts with the same capital letters are the term.',
              type: 'boolean',
              default: false,
            },
            targets: {
              description: 'Translations of the term by language.',
              type: 'object',
              additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_TERM },
              default: {},
            },
            note: {
              description: 'What translators must know of the term.',
              type: 'string',
              maxLength: MAX_NOTE,
              default: '',
            },
          },
          answers: { 200: closed(ENTRY), 201: closed(ENTRY) },
        },
      ],
    },
    {
      pattern: '/ml/v1/glossary/import',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.glossary.import',
          permission: 'manage_translations',
          summary: 'Import terms from a CSV file',
          description:
            'Stores the terms of a CSV file with a line of column names, in place of entries that the glossary has for them. A file with a fault changes nothing.',
          accepts: { 'text/csv': 'bytes' },
          maxBodyBytes: MAX_FILE,
          args: {
            source_language: {
              description: 'Language of the terms, unless the file has a column of this name.',
              default: '',
              ...LANGUAGE,
            },
          },
          answers: {
            200: closed({
              created: { type: 'integer', required: true },
              updated: { type: 'integer', required: true },
            }),
          },
        },
      ],
    },
    {
      pattern: '/ml/v1/glossary/(?P<id>[\\d]+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.glossary.read',
          permission: 'translate',
          summary: 'Read a term of the glossary',
          description: 'Returns one entry of the glossary.',
          args: { id: { description: 'ID of the entry.', type: 'integer' } },
          answers: { 200: closed(ENTRY) },
        },
        {
          methods: ['DELETE'],
          handler: 'ml.glossary.remove',
          permission: 'manage_translations',
          summary: 'Remove a term from the glossary',
          description: 'Removes an entry. Jobs that exist are no longer checked for it.',
          args: { id: { description: 'ID of the entry.', type: 'integer' } },
          answers: { 200: closed({ deleted: FLAG, previous: { ...closed(ENTRY), required: true } }) },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
