import { type RestError, type Store, type Values, invalidParams } from '../../../../lib/index.ts';
import { normalize } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import { MAX_NOTE, MAX_TERM } from './glossary-routes.ts';
import type { GlossaryEntry } from './read-glossary.ts';

/** Most entries of a site. Each file of a job and each delivery compares its texts with all of them. */
export const MAX_ENTRIES = 10_000;

/** An entry to be stored. */
export type Wanted = Omit<GlossaryEntry, 'id'>;

/** Text without line breaks and repeated spaces, as texts are compared with it. */
export const toLine = (text: string): string => normalize(text, 'NFC').replaceAll(/\s+/g, ' ').trim();

const fault = (name: string, message: string): RestError =>
  invalidParams([[name, { code: 'rest_invalid_param', message, data: null }]]);

function findLanguageFault(
  languages: readonly string[],
  { source_language: source, targets }: Wanted,
): RestError | null {
  const unknown = [source, ...Object.keys(targets)].find((language) => !languages.includes(language));
  if (unknown !== undefined)
    return mlError('ml_language_unknown', {
      message: `The site does not have the language "${unknown}". It has ${languages.join(', ')}.`,
      data: { language: unknown },
    });
  return Object.hasOwn(targets, source)
    ? mlError('ml_same_language', {
        message: `targets must not have the language of the term, "${source}".`,
        data: { language: source },
      })
    : null;
}

function findTargetFault({ translate, targets }: Wanted): RestError | null {
  const entries = Object.entries(targets);
  if (translate && entries.length === 0)
    return fault('targets', 'targets must have at least one translation, unless translate is false.');
  if (!translate && entries.length > 0)
    return fault('targets', 'targets must be empty if translate is false.');
  const [blank] = entries.find(([, text]) => text.trim() === '') ?? [];
  if (blank !== undefined) return fault('targets', `targets[${blank}] must not be blank.`);
  const [long] = entries.find(([, text]) => text.length > MAX_TERM) ?? [];
  return long === undefined
    ? null
    : fault('targets', `targets[${long}] must be at most ${MAX_TERM} characters long.`);
}

/** Why an entry cannot be stored: `rest_invalid_param`, `ml_language_unknown` or `ml_same_language`. null: it can. */
export function findEntryFault(languages: readonly string[], wanted: Wanted): RestError | null {
  const { term, note } = wanted;
  if (!/[\p{L}\p{N}]/u.test(term)) return fault('term', 'term must have a letter or a number.');
  if (term.length > MAX_TERM) return fault('term', `term must be at most ${MAX_TERM} characters long.`);
  if (note.length > MAX_NOTE) return fault('note', `note must be at most ${MAX_NOTE} characters long.`);
  return findLanguageFault(languages, wanted) ?? findTargetFault(wanted);
}

/** Two entries with the same key are one. */
const toKey = ({
  term,
  source_language: source,
  case_sensitive: caseSensitive,
}: Pick<Wanted, 'term' | 'source_language' | 'case_sensitive'>): string =>
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
  const { total } = await store.find({ collection: 'ml_glossary', limit: 1, fields: [], total: true });
  if (total + more > MAX_ENTRIES) throw mlError('ml_glossary_full', { data: { limit: MAX_ENTRIES } });
}
