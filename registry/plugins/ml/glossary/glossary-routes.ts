import {
  type ArgSchema,
  type ArgSchemas,
  type NamespaceDescriptor,
  type RestError,
  type Store,
  type Values,
} from '../../../../lib/index.ts';
import { countRecords, invalidParam, normalize, pageArg, perPageArg } from '../../../plugin.ts';
import { findUnknownLanguage, mlError } from '../records/errors.ts';
import { closed, FLAG, INTEGER, TEXT } from '../routes/tm-schemas.ts';
import type { GlossaryEntry } from './glossary.ts';

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
const MAX_TERM = 200;

/** Most characters of a note. */
const MAX_NOTE = 1000;

/** Largest file of terms, in bytes. */
const MAX_FILE = 4 * 1024 * 1024;

/** Parameters of the list. */
export const GLOSSARY_FILTERS = {
  page: pageArg,
  per_page: perPageArg,
  source_language: { description: 'Only terms of this language.', ...LANGUAGE },
  language: {
    description: 'Only terms with a translation into this language, and those that must not be translated.',
    ...LANGUAGE,
  },
  search: { description: 'Only terms that contain this text.', type: 'string', maxLength: MAX_TERM },
} as const satisfies ArgSchemas;

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
          args: GLOSSARY_FILTERS,
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
            200: closed({ created: INTEGER, updated: INTEGER }),
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
          answers: { 200: closed({ deleted: FLAG, previous: closed(ENTRY) }) },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** Most entries of a site. Each file of a job and each delivery compares its texts with all of them. */
export const MAX_ENTRIES = 10_000;

/** An entry to be stored. */
export type Wanted = Omit<GlossaryEntry, 'id'>;

/** Text without line breaks and repeated spaces, as texts are compared with it. */
export const toLine = (text: string): string => normalize(text, 'NFC').replaceAll(/\s+/g, ' ').trim();

function findTargetFault({ source_language: source, translate, targets }: Wanted): RestError | null {
  if (Object.hasOwn(targets, source))
    return mlError('ml_same_language', {
      message: `targets must not have the language of the term, "${source}".`,
      data: { language: source },
    });
  const entries = Object.entries(targets);
  if (translate && entries.length === 0)
    return invalidParam('targets', 'targets must have at least one translation, unless translate is false.');
  if (!translate && entries.length > 0)
    return invalidParam('targets', 'targets must be empty if translate is false.');
  const [blank] = entries.find(([, text]) => text.trim() === '') ?? [];
  if (blank !== undefined) return invalidParam('targets', `targets[${blank}] must not be blank.`);
  const [long] = entries.find(([, text]) => text.length > MAX_TERM) ?? [];
  return long === undefined
    ? null
    : invalidParam('targets', `targets[${long}] must be at most ${MAX_TERM} characters long.`);
}

/** Why an entry cannot be stored: `rest_invalid_param`, `ml_language_unknown` or `ml_same_language`. null: it can. */
export function findEntryFault(languages: readonly string[], wanted: Wanted): RestError | null {
  const { term, note } = wanted;
  if (!/[\p{L}\p{N}]/u.test(term)) return invalidParam('term', 'term must have a letter or a number.');
  if (term.length > MAX_TERM)
    return invalidParam('term', `term must be at most ${MAX_TERM} characters long.`);
  if (note.length > MAX_NOTE)
    return invalidParam('note', `note must be at most ${MAX_NOTE} characters long.`);
  const named = [wanted.source_language, ...Object.keys(wanted.targets)];
  return findUnknownLanguage(languages, named) ?? findTargetFault(wanted);
}

/** Two entries with the same key are one. */
const toKey = ({ term, source_language: source, case_sensitive: caseSensitive }: Wanted): string =>
  caseSensitive ? `${source}=${term}` : `${source}:${term.toLowerCase()}`;

/** An entry as it is stored. */
export const toValues = (wanted: Wanted): Values & { readonly key: string } => ({
  key: toKey(wanted),
  term: wanted.term,
  source: wanted.source_language,
  keep: !wanted.translate,
  case_sensitive: wanted.case_sensitive,
  note: wanted.note.trim(),
  targets: Object.fromEntries(
    Object.entries(wanted.targets).map(([language, text]) => [language, toLine(text)]),
  ),
  languages: Object.keys(wanted.targets),
});

/** @throws RestError `ml_glossary_full` if so many more entries are too many */
export async function checkSpace(store: Store, more: number): Promise<void> {
  if (more === 0) return;
  if ((await countRecords(store, { collection: 'ml_glossary' })) + more > MAX_ENTRIES)
    throw mlError('ml_glossary_full', { data: { limit: MAX_ENTRIES } });
}
