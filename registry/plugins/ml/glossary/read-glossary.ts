import { type Store, type StoredRecord, eq } from '../../../../lib/index.ts';
import { createPause, isObject, own, runInTurns } from '../../../plugin.ts';
import type { Job } from '../records/job-record.ts';
import type { XliffTerm } from '../xliff/xliff-write.ts';
import { createTermFinder, NO_TERMS, type GlossaryTerm, type TermFinder } from './find-terms.ts';

/** An entry of the glossary as routes show it. `targets`: translations by language, none if `translate` is false. */
export interface GlossaryEntry {
  readonly id: number;
  readonly term: string;
  readonly source_language: string;
  readonly translate: boolean;
  readonly case_sensitive: boolean;
  readonly targets: Readonly<Record<string, string>>;
  readonly note: string;
}

/** An entry as it is stored (`collections.ts`). */
export function toGlossaryEntry(record: StoredRecord): GlossaryEntry {
  const targets = isObject(record['targets']) ? record['targets'] : {};
  return {
    id: record.id,
    term: String(record['term']),
    source_language: String(record['source']),
    translate: record['keep'] !== true,
    case_sensitive: record['case_sensitive'] === true,
    targets: Object.fromEntries(Object.entries(targets).map(([language, text]) => [language, String(text)])),
    note: String(record['note']),
  };
}

function toTerm(entry: GlossaryEntry, target: string): readonly GlossaryTerm[] {
  const translation = entry.translate ? own(entry.targets, target) : null;
  return translation === undefined
    ? []
    : [{ term: entry.term, translation, caseSensitive: entry.case_sensitive, note: entry.note }];
}

/** The glossary of one pair of languages. */
export async function readGlossary(
  store: Store,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<TermFinder> {
  const { records } = await store.find({ collection: 'ml_glossary', where: eq('source', source) });
  const terms = records.map(toGlossaryEntry).flatMap((entry) => toTerm(entry, target));
  return terms.length === 0 ? NO_TERMS : createTermFinder(terms);
}

/** What the file of a job says of a term. */
const toXliffTerm = ({ term, translation, note }: GlossaryTerm): XliffTerm => ({
  term,
  translation: translation ?? term,
  isProtected: translation === null,
  ...(note === '' ? {} : { note }),
});

/** The terms of the texts of a job, by field id. Slugs have none. */
export async function listJobTerms(
  store: Store,
  job: Pick<Job, 'source' | 'target' | 'fields'>,
): Promise<ReadonlyMap<string, readonly XliffTerm[]>> {
  const finder = await readGlossary(store, job);
  const found = new Map<string, readonly XliffTerm[]>();
  if (finder === NO_TERMS) return found;
  const pause = createPause();
  for (const { id, source } of job.fields) {
    await pause();
    const terms = id === 'URL' ? [] : (await runInTurns(finder.terms(source), pause)).map(toXliffTerm);
    if (terms.length > 0) found.set(id, terms);
  }
  return found;
}
