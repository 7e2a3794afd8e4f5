import {
  findFirst,
  renamePath,
  type Json,
  type Operation,
  type Predicate,
  type Store,
  type StoredRecord,
  and,
  eq,
  oneOf,
} from '../../../../lib/index.ts';
import {
  changeOption,
  encodeSlug,
  orderLanguages,
  own,
  pause,
  readAddress,
  readOption,
  removeOption,
  retryRaces,
  toUpdate,
  toWrite,
} from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { seoError } from '../values/errors.ts';
import { COLLECTIONS, type ObjectType, readMeta, toMetaKey } from '../values/head-facts.ts';
import { changeSeoOption } from '../values/options.ts';
import { toMembers, toNumber } from '../values/scalars.ts';
import {
  type ObjectLine,
  type Parsed,
  parseObjectLine,
  parseSettingLine,
  type SettingLine,
} from './parse-lines.ts';

/** Dependencies of importers. */
interface ImportParts extends SeoDeps {
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** What a line changed. `fields` is empty when every field was already set. */
interface Imported {
  readonly object_type: string;
  readonly object_id: number;
  readonly fields: readonly string[];
}

/** The field that names the kind of an object. */
const KINDS = { post: 'type', term: 'taxonomy' } as const;

function toWhere(
  type: ObjectType,
  { id, slug, url, language }: ObjectLine,
  { siteUrl, languages }: ImportParts,
): Predicate | null {
  if (id !== 0) return eq('id', id);
  if (slug !== '')
    return and(eq('slug', encodeSlug(slug)), ...(language === '' ? [] : [eq('language', language)]));
  const target = readAddress(url, siteUrl, languages);
  if (type === 'post' && target?.kind === 'post-id') return eq('id', target.id);
  if (type === 'post' && target?.kind === 'post')
    return and(eq('slug', target.slug), eq('language', target.language));
  if (type !== 'term' || target?.kind !== 'term') return null;
  return and(
    eq('slug', target.slug),
    eq('taxonomy', target.taxonomy),
    oneOf('language', [target.language, '']),
  );
}

async function findObject(
  type: ObjectType,
  line: ObjectLine,
  parts: ImportParts,
): Promise<StoredRecord | undefined> {
  const named = toWhere(type, line, parts);
  if (named === null) return undefined;
  const { postTypes, taxonomies } = parts.config;
  const kind = oneOf(KINDS[type], type === 'post' ? postTypes : taxonomies);
  return findFirst(parts.ports.store, {
    collection: COLLECTIONS[type],
    where: and(named, kind),
    fields: ['meta', KINDS[type]],
  });
}

const isDefault = (value: Json | undefined): boolean =>
  value === undefined || value === '' || value === false;

/** The fields that the site has as meta of these objects, where editors see and change them, go there. */
function toMetaOperation(type: ObjectType, record: StoredRecord, fields: Fields): Operation {
  const given = Object.fromEntries(fields.map(([field, value]) => [toMetaKey(field), value]));
  return toUpdate(COLLECTIONS[type], record, { meta: { ...toMembers(record['meta']), ...given } });
}

async function toKeptOperation(
  store: Store,
  type: ObjectType,
  { id, fields }: { readonly id: number; readonly fields: Fields },
): Promise<Operation> {
  const values = Object.fromEntries(fields);
  const kept = await findFirst(store, {
    collection: 'seo_meta',
    where: and(eq('object_type', type), eq('object_id', id)),
  });
  return toWrite('seo_meta', kept, { ...values, object_type: type, object_id: id });
}

/** Names and values of fields. */
type Fields = readonly (readonly [field: string, value: Json])[];

/** Sets the fields of a line that are not yet set on its object. null: the object does not exist. */
async function applyObject(type: ObjectType, line: ObjectLine, parts: ImportParts): Promise<Imported | null> {
  const { store, content } = parts.ports;
  const record = await findObject(type, line, parts);
  if (record === undefined) return null;
  const set: Readonly<Record<string, Json>> = await readMeta(store, type, record);
  const missing = Object.entries(line.fields).filter(
    ([field, value]) => !isDefault(value) && isDefault(own(set, field)),
  );
  const keys = new Set(content.meta.get(String(record[KINDS[type]]))?.map(({ key }) => key));
  const shown = missing.filter(([field]) => keys.has(toMetaKey(field)));
  const fields = missing.filter((each) => !shown.includes(each));
  const operations = [
    ...(shown.length === 0 ? [] : [toMetaOperation(type, record, shown)]),
    ...(fields.length === 0 ? [] : [await toKeptOperation(store, type, { id: record.id, fields })]),
  ];
  if (operations.length > 0) await store.commit(operations);
  return { object_type: type, object_id: record.id, fields: missing.map(([field]) => field) };
}

/** Stores those settings of a line that are not yet stored. */
async function applySetting({ option, values }: SettingLine, { ports }: ImportParts): Promise<Imported> {
  let fields: readonly string[] = [];
  await changeSeoOption(ports.store, option, (value) => {
    const kept = toMembers(value);
    const missing = Object.fromEntries(Object.entries(values).filter(([name]) => isDefault(own(kept, name))));
    fields = Object.keys(missing);
    return { ...kept, ...missing };
  });
  return { object_type: option, object_id: 0, fields };
}

/** Number of lines between two pauses. */
const AT_ONCE = 500;

/** The lines after the given number, without blank ones, with their numbers, counted from 1. */
async function* numberLines(lines: AsyncIterable<string>, behind = 0) {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (number % AT_ONCE === 0) await pause();
    if (number > behind && text.trim() !== '') yield { number, text };
  }
}

/** One imported line. */
interface ImportedLine extends Imported {
  readonly line: number;
}

/** `left`: whether more lines follow this batch. */
interface ImportBatch {
  readonly objects: readonly ImportedLine[];
  readonly left: boolean;
}

/** Imports the next batch of one type. */
type Importer = (parts: ImportParts) => Promise<ImportBatch>;

/** How the lines of a file are read and applied. `apply` returns null when the object does not exist on this site. */
interface FileKind<T> {
  readonly file: string;
  readonly parse: (text: string) => Parsed<T>;
  readonly apply: (line: T, parts: ImportParts) => Promise<Imported | null>;
}

/** An invalid line. */
interface Fault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const LINES_AT_ONCE = 25;
const MAX_FAULTS = 100;
const NOTHING: ImportBatch = { objects: [], left: false };
const CURSORS = ['seo', 'imports'] as const;

/** Continues after the last imported line. Invalid lines are skipped and logged. */
function createFileImporter<T>({ file, parse, apply }: FileKind<T>): Importer {
  return async (parts) => {
    const { store, imports, log } = parts.ports;
    const lines = await imports?.lines(file);
    if (lines === undefined || lines === null)
      throw seoError('import_source_missing', { message: `The import directory has no file ${file}.` });
    let at = toNumber(own(toMembers(await readOption(store, ...CURSORS)), file));
    const objects: ImportedLine[] = [];
    let [seen, left] = [0, false];
    for await (const { number, text } of numberLines(lines, at)) {
      left = seen === LINES_AT_ONCE;
      if (left) break;
      const parsed = parse(text);
      const imported = 'line' in parsed ? await apply(parsed.line, parts) : null;
      if (imported === null)
        log({
          level: 'warn',
          message: `${file}, line ${number}: ${'fault' in parsed ? parsed.fault : 'the object does not exist'}`,
        });
      else objects.push({ line: number, ...imported });
      [at, seen] = [number, seen + 1];
    }
    await changeOption(store, CURSORS, (value) => ({ ...toMembers(value), [file]: at }));
    return { objects, left };
  };
}

const toObjectFile = (type: ObjectType): FileKind<ObjectLine> => ({
  file: `${COLLECTIONS[type]}.jsonl`,
  parse: parseObjectLine,
  apply: (line, parts) => retryRaces(() => applyObject(type, line, parts)),
});
const POSTS = toObjectFile('post');
const TERMS = toObjectFile('term');
const SETTINGS: FileKind<SettingLine> = {
  file: 'settings.jsonl',
  parse: parseSettingLine,
  apply: applySetting,
};

async function listFaults(
  { ports }: ImportParts,
  { file, parse }: Pick<FileKind<unknown>, 'file' | 'parse'>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const lines = await ports.imports?.lines(file);
  if (lines === undefined || lines === null) return faults;
  for await (const { number, text } of numberLines(lines)) {
    const parsed = parse(text);
    if ('fault' in parsed) faults.push({ file, line: number, message: parsed.fault });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

/** Checks all existing files without importing them. @throws RestError `seo_error_validation` with the invalid lines */
const validate: Importer = async (parts) => {
  const errors = (await Promise.all([POSTS, TERMS, SETTINGS].map((kind) => listFaults(parts, kind)))).flat();
  if (errors.length > 0)
    throw seoError('seo_error_validation', { data: { errors: errors.slice(0, MAX_FAULTS) } });
  return NOTHING;
};

/** Resets the import positions of the files. */
const cleanUp: Importer = async ({ ports }) => {
  await removeOption(ports.store, ...CURSORS);
  return NOTHING;
};

/** `plugin/type` -> importer. */
const IMPORTERS: ReadonlyMap<string, Importer> = new Map([
  ['file/posts', createFileImporter(POSTS)],
  ['file/terms', createFileImporter(TERMS)],
  ['file/settings', createFileImporter(SETTINGS)],
  ['file/validate_data', validate],
  ['file/cleanup', cleanUp],
]);

/** Imports the data of another SEO plugin in batches. `next_url` is a path below the API base, or false at the end. */
export function createImportHandlers(deps: SeoDeps): HandlerGroup<'seo.import'> {
  const languages = orderLanguages(deps.ports.config);
  return {
    'seo.import': async ({ plugin, type }, { site }) => {
      const importer = IMPORTERS.get(`${plugin}/${type}`);
      if (importer === undefined) throw seoError('import_not_found');
      const { objects, left } = await importer({ ...deps, languages, siteUrl: site.pagesUrl });
      return { objects, next_url: left ? renamePath(site.names, `seo/v1/import/${plugin}/${type}`) : false };
    },
  };
}
