import {
  findFirst,
  and,
  type ArgsOf,
  asc,
  type Call,
  contains,
  defineNamespace,
  eq,
  hasAny,
  type Namespace,
  or,
  pageHeaders,
  type Predicate,
  RestResponse,
} from '../../../lib/index.ts';
import { retryRaces, toOffset, toRemoveAll, toWrite } from '../../plugin.ts';
import {
  checkSpace,
  findEntryFault,
  type GLOSSARY_FILTERS,
  mlGlossaryDescriptor,
  toLine,
  toValues,
  type Wanted,
} from './glossary/glossary-routes.ts';
import { toGlossaryEntry, type GlossaryEntry } from './glossary/glossary.ts';
import { importCsv } from './glossary/import-csv.ts';
import { mlError } from './records/errors.ts';
import type { TranslationServices } from './services/services.ts';

async function listEntries(
  { store }: TranslationServices,
  { page, per_page: perPage, source_language: source, language, search }: ArgsOf<typeof GLOSSARY_FILTERS>,
  call: Call,
): Promise<RestResponse> {
  const where: Predicate[] = [
    ...(source === undefined ? [] : [eq('source', source)]),
    ...(language === undefined ? [] : [or(eq('keep', true), hasAny('languages', [language]))]),
    ...(search === undefined || search.trim() === '' ? [] : [contains('term', search.trim())]),
  ];
  const { records, total } = await store.find(
    {
      collection: 'ml_glossary',
      where: and(...where),
      order: [asc('term')],
      limit: perPage,
      offset: toOffset({ page, perPage }),
      total: true,
    },
    call,
  );
  return new RestResponse(records.map(toGlossaryEntry), {
    headers: pageHeaders(call, { page, perPage, total }),
  });
}

async function writeEntry({ store, config }: TranslationServices, args: Wanted): Promise<RestResponse> {
  const wanted = { ...args, term: toLine(args.term) };
  const fault = findEntryFault(config.languages, wanted);
  if (fault !== null) throw fault;
  const values = toValues(wanted);
  return retryRaces(async () => {
    const found = await findFirst(store, { collection: 'ml_glossary', where: eq('key', values.key) });
    await checkSpace(store, found === undefined ? 1 : 0);
    const [saved] = await store.commit([toWrite('ml_glossary', found, values)]);
    if (saved === null || saved === undefined)
      throw new Error('the store did not return the entry that it wrote');
    return new RestResponse(toGlossaryEntry(saved), { status: found === undefined ? 201 : 200 });
  });
}

async function readEntry({ store }: TranslationServices, id: number): Promise<GlossaryEntry> {
  const found = await store.get('ml_glossary', id);
  if (found === null) throw mlError('ml_glossary_not_found');
  return toGlossaryEntry(found);
}

async function removeEntry(services: TranslationServices, id: number) {
  const previous = await readEntry(services, id);
  await services.store.commit([toRemoveAll('ml_glossary', eq('id', id))]);
  return { deleted: true, previous };
}

/** The routes of the glossary. */
export function createGlossary(services: TranslationServices): Namespace {
  return defineNamespace(mlGlossaryDescriptor, {
    'ml.glossary.list': (args, call) => listEntries(services, args, call),
    'ml.glossary.write': (args) =>
      writeEntry(services, { ...args, targets: args.targets as Wanted['targets'] }),
    'ml.glossary.import': ({ source_language: source }, { bytes }) =>
      importCsv(services.store, bytes ?? new Uint8Array(), { languages: services.config.languages, source }),
    'ml.glossary.read': ({ id }) => readEntry(services, id),
    'ml.glossary.remove': ({ id }) => removeEntry(services, id),
  });
}
