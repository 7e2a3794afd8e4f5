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
  type Ports,
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
import type { SeoConfig } from '../values/config.ts';
import { findMeta, toMetaKey, withOwnMeta, type ObjectType } from '../values/head-facts.ts';
import { changeSeoOption, seoError } from '../values/options.ts';
import { toMembers, toNumber } from '../values/scalars.ts';
import {
  type ObjectLine,
  type Parsed,
  parseObjectLine,
  parseSettingLine,
  type SettingLine,
} from './parse-lines.ts';

/** Dependencies of applying lines. */
interface ApplyParts {
  readonly store: Store;
  readonly config: SeoConfig;
  readonly content: Pick<Ports['content'], 'meta'>;
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** What a line changed. `fields` is empty when every field was already set. */
interface Imported {
  readonly object_type: string;
  readonly object_id: number;
  readonly fields: readonly string[];
}

const COLLECTIONS = { post: 'posts', term: 'terms' } as const;
/** The field that names the kind of an object. */
const KINDS = { post: 'type', term: 'taxonomy' } as const;

function toWhere(
  type: ObjectType,
  { id, slug, url, language }: ObjectLine,
  { siteUrl, languages }: ApplyParts,
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
  parts: ApplyParts,
): Promise<StoredRecord | null> {
  const named = toWhere(type, line, parts);
  if (named === null) return null;
  const { postTypes, taxonomies } = parts.config;
  const kind = type === 'post' ? oneOf('type', postTypes) : oneOf('taxonomy', taxonomies);
  const record = await findFirst(parts.store, {
    collection: COLLECTIONS[type],
    where: and(named, kind),
    fields: ['meta', KINDS[type]],
  });
  return record ?? null;
}

const isDefault = (value: Json | undefined): boolean =>
  value === undefined || value === '' || value === false;

type Fields = Readonly<Record<string, Json>>;

/** The fields that the site has as meta of these objects, where editors see and change them, go there. */
function toMetaOperation(record: StoredRecord, type: ObjectType, values: Fields): Operation {
  const meta = Object.fromEntries(Object.entries(values).map(([field, value]) => [toMetaKey(field), value]));
  return toUpdate(COLLECTIONS[type], record, { meta: { ...toMembers(record['meta']), ...meta } });
}

async function toKeptOperation(
  store: Store,
  [type, id]: readonly [ObjectType, number],
  values: Fields,
): Promise<Operation> {
  const kept = await findFirst(store, {
    collection: 'seo_meta',
    where: and(eq('object_type', type), eq('object_id', id)),
  });
  return toWrite('seo_meta', kept, { ...values, object_type: type, object_id: id });
}

async function applyOnce(type: ObjectType, line: ObjectLine, parts: ApplyParts): Promise<Imported | null> {
  const { store, content } = parts;
  const record = await findObject(type, line, parts);
  if (record === null) return null;
  const set = withOwnMeta((await findMeta(store, type, [record.id]))(record.id).meta, record['meta']);
  const missing = Object.entries(line.fields).filter(
    ([field, value]) => !isDefault(value) && isDefault(own<Json>({ ...set }, field)),
  );
  const keys = new Set(content.meta.get(String(record[KINDS[type]]))?.map(({ key }) => key));
  const shown = Object.fromEntries(missing.filter(([field]) => keys.has(toMetaKey(field))));
  const others = Object.fromEntries(missing.filter(([field]) => !keys.has(toMetaKey(field))));
  const operations = [
    ...(Object.keys(shown).length === 0 ? [] : [toMetaOperation(record, type, shown)]),
    ...(Object.keys(others).length === 0 ? [] : [await toKeptOperation(store, [type, record.id], others)]),
  ];
  if (operations.length > 0) await store.commit(operations);
  return { object_type: type, object_id: record.id, fields: missing.map(([field]) => field) };
}

/** Sets the fields of a line that are not yet set on its object. null: the object does not exist. */
function applyObject(type: ObjectType, line: ObjectLine, parts: ApplyParts): Promise<Imported | null> {
  return retryRaces(() => applyOnce(type, line, parts));
}

/** Stores those settings of a line that are not yet stored. */
async function applySetting({ option, values }: SettingLine, { store }: ApplyParts): Promise<Imported> {
  let fields: readonly string[] = [];
  await changeSeoOption(store, option, (value) => {
    const kept = toMembers(value);
    const missing = Object.fromEntries(Object.entries(values).filter(([name]) => isDefault(own(kept, name))));
    fields = Object.keys(missing);
    return { ...kept, ...missing };
  });
  return { object_type: option, object_id: 0, fields };
}

/** A line with its number, counted from 1. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/** Number of lines between two pauses. */
const AT_ONCE = 500;

/** The lines after the given number, without blank ones. */
async function* numberLines(lines: AsyncIterable<string>, behind = 0): AsyncGenerator<Line> {
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

/** Dependencies of importers. */
interface ImportParts extends ApplyParts {
  readonly ports: Pick<Ports, 'imports' | 'log'>;
}

/** Imports the next batch of one type. */
type Importer = (parts: ImportParts) => Promise<ImportBatch>;

/** How the lines of a file are read and applied. `apply` returns null when the object does not exist on this site. */
interface FileKind<T> {
  readonly file: string;
  readonly parse: (text: string) => Parsed<T>;
  readonly apply: (line: T, parts: ApplyParts) => Promise<Imported | null>;
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
    const { store, ports } = parts;
    const lines = (await ports.imports?.lines(file)) ?? null;
    if (lines === null)
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
        ports.log({
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

const POSTS: FileKind<ObjectLine> = {
  file: 'posts.jsonl',
  parse: parseObjectLine,
  apply: (line, parts) => applyObject('post', line, parts),
};
const TERMS: FileKind<ObjectLine> = {
  file: 'terms.jsonl',
  parse: parseObjectLine,
  apply: (line, parts) => applyObject('term', line, parts),
};
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
  const lines = (await ports.imports?.lines(file)) ?? null;
  if (lines === null) return faults;
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
const cleanUp: Importer = async ({ store }) => {
  await removeOption(store, ...CURSORS);
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
export function createImportHandlers({ ports, config }: SeoDeps): HandlerGroup<'seo.import'> {
  const languages = orderLanguages(ports.config);
  return {
    'seo.import': async ({ plugin, type }, { site }) => {
      const importer = IMPORTERS.get(`${plugin}/${type}`);
      if (importer === undefined) throw seoError('import_not_found');
      const { objects, left } = await importer({
        ports,
        store: ports.store,
        content: ports.content,
        config,
        languages,
        siteUrl: site.pagesUrl,
      });
      return { objects, next_url: left ? renamePath(site.names, `seo/v1/import/${plugin}/${type}`) : false };
    },
  };
}
