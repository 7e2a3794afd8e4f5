import { invalidParams } from '../../../lib/dispatch/resolve.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import { pageHeaders, toOffset } from '../../../lib/route/paging.ts';
import { and, eq, or, type Predicate } from '../../../lib/store/query.ts';
import { retryRaces } from '../../../lib/store/retry.ts';
import type { Values } from '../../../lib/store/store.ts';
import type { TranslationServices } from '../engine/services.ts';
import { mlError } from '../errors.ts';
import { toGlossaryEntry, type GlossaryEntry } from './read-glossary.ts';
import { mlGlossaryDescriptor } from './glossary-routes.ts';

/** Most entries of a site. Each file of a job and each delivery compares its texts with all of them. */
const MAX_ENTRIES = 10_000;

type Wanted = Omit<GlossaryEntry, 'id'>;

interface Filter {
  readonly page: number;
  readonly per_page: number;
  readonly source_language?: string;
  readonly language?: string;
  readonly search?: string;
}

async function listEntries({ store }: TranslationServices, { page, per_page: perPage, source_language: source, language, search }: Filter, call: Call): Promise<RestResponse> {
  const where: Predicate[] = [
    ...(source === undefined ? [] : [eq('source', source)]),
    ...(language === undefined ? [] : [or(eq('keep', true), { op: 'hasAny', field: 'languages', values: [language] })]),
    ...(search === undefined || search.trim() === '' ? [] : [{ op: 'contains', field: 'term', text: search.trim() } as const]),
  ];
  const { records, total } = await store.find({
    collection: 'ml_glossary', where: and(...where), order: [{ field: 'term', direction: 'asc' }], limit: perPage, offset: toOffset({ page, perPage, offset: undefined }), total: true,
  }, call);
  return new RestResponse(records.map(toGlossaryEntry), { headers: pageHeaders(call, { page, perPage, total }) });
}

const fault = (name: string, message: string) => invalidParams([[name, { code: 'rest_invalid_param', message, data: null }]]);

/** @throws RestError `rest_invalid_param`, `ml_language_unknown`, `ml_same_language` */
function checkEntry(languages: readonly string[], { term, source_language: source, translate, targets }: Wanted): void {
  if (!/[\p{L}\p{N}]/u.test(term)) throw fault('term', 'term must have a letter or a number.');
  const names = Object.keys(targets);
  const unknown = [source, ...names].find((language) => !languages.includes(language));
  if (unknown !== undefined) throw mlError('ml_language_unknown', { message: `The site does not have the language "${unknown}". It has ${languages.join(', ')}.`, data: { language: unknown } });
  if (names.includes(source)) throw mlError('ml_same_language', { message: `targets must not have the language of the term, "${source}".`, data: { language: source } });
  if (translate && names.length === 0) throw fault('targets', 'targets must have at least one translation, unless translate is false.');
  if (!translate && names.length > 0) throw fault('targets', 'targets must be empty if translate is false.');
  const blank = Object.entries(targets).find(([, text]) => text.trim() === '')?.[0];
  if (blank !== undefined) throw fault('targets', `targets[${blank}] must not be blank.`);
}

const toLine = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

const toValues = ({ term, source_language: source, translate, case_sensitive: caseSensitive, targets, note }: Wanted): Values => ({
  key: caseSensitive ? `${source}=${term}` : `${source}:${term.toLowerCase()}`, term, source, keep: !translate, case_sensitive: caseSensitive, note: note.trim(),
  targets: Object.fromEntries(Object.entries(targets).map(([language, text]) => [language, toLine(text)])), languages: Object.keys(targets),
});

async function writeEntry({ store, ports }: TranslationServices, args: Wanted): Promise<RestResponse> {
  const wanted = { ...args, term: toLine(args.term) };
  checkEntry(ports.config.languages, wanted);
  const values = toValues(wanted);
  return retryRaces(async () => {
    const { records: [found] } = await store.find({ collection: 'ml_glossary', where: eq('key', String(values['key'])), limit: 1 });
    const { total } = await store.find({ collection: 'ml_glossary', limit: 1, fields: [], total: true });
    if (found === undefined && total >= MAX_ENTRIES) throw mlError('ml_glossary_full', { data: { limit: MAX_ENTRIES } });
    const [saved] = await store.commit([found === undefined ? { op: 'create', collection: 'ml_glossary', values } : { op: 'update', collection: 'ml_glossary', id: found.id, values, version: found.version }]);
    if (saved === null || saved === undefined) throw new Error('the store did not return the entry that it wrote');
    return new RestResponse(toGlossaryEntry(saved), { status: found === undefined ? 201 : 200 });
  });
}

async function removeEntry({ store }: TranslationServices, id: number) {
  const found = await store.get('ml_glossary', id);
  if (found === null) throw mlError('ml_glossary_not_found');
  await store.commit([{ op: 'removeAll', collection: 'ml_glossary', where: eq('id', id) }]);
  return { deleted: true, previous: toGlossaryEntry(found) };
}

/** The routes of the glossary. */
export function createGlossary(services: TranslationServices): Namespace {
  return defineNamespace(mlGlossaryDescriptor, {
    'ml.glossary.list': (args, call) => listEntries(services, args, call),
    'ml.glossary.write': (args) => writeEntry(services, { ...args, targets: args.targets as Wanted['targets'] }),
    'ml.glossary.remove': ({ id }) => removeEntry(services, id),
  });
}
