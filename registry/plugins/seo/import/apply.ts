import { own } from '../../../../lib/core/objects.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { and, eq, oneOf, type Predicate } from '../../../../lib/store/query.ts';
import { retryRaces } from '../../../../lib/store/retry.ts';
import type { Operation, Store, StoredRecord } from '../../../../lib/store/store.ts';
import { encodeSlug, readAddress } from '../../../core/addresses/page-paths.ts';
import type { Ports } from '../../../core/host/ports.ts';
import type { SeoConfig } from '../values/config.ts';
import { toMembers } from '../values/json.ts';
import { findMeta, toMetaKey, withOwnMeta, type ObjectType } from '../values/meta.ts';
import { changeSeoOption } from '../values/options.ts';
import type { ObjectLine, SettingLine } from './fields.ts';

/** Dependencies of applying lines. */
export interface ApplyParts {
  readonly store: Store;
  readonly config: SeoConfig;
  readonly content: Pick<Ports['content'], 'meta'>;
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** What a line changed. `fields` is empty when every field was already set. */
export interface Imported {
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
  const {
    records: [record],
  } = await parts.store.find({
    collection: COLLECTIONS[type],
    where: and(named, kind),
    fields: ['meta', KINDS[type]],
    limit: 1,
  });
  return record ?? null;
}

const isDefault = (value: Json | undefined): boolean =>
  value === undefined || value === '' || value === false;

type Fields = Readonly<Record<string, Json>>;

/** The fields that the site has as meta of these objects, where editors see and change them, go there. */
function toMetaOperation(record: StoredRecord, type: ObjectType, values: Fields): Operation {
  const meta = Object.fromEntries(Object.entries(values).map(([field, value]) => [toMetaKey(field), value]));
  return {
    op: 'update',
    collection: COLLECTIONS[type],
    id: record.id,
    version: record.version,
    values: { meta: { ...toMembers(record['meta']), ...meta } },
  };
}

async function toKeptOperation(
  store: Store,
  [type, id]: readonly [ObjectType, number],
  values: Fields,
): Promise<Operation> {
  const {
    records: [kept],
  } = await store.find({
    collection: 'seo_meta',
    where: and(eq('object_type', type), eq('object_id', id)),
    limit: 1,
  });
  return kept === undefined
    ? { op: 'create', collection: 'seo_meta', values: { ...values, object_type: type, object_id: id } }
    : { op: 'update', collection: 'seo_meta', id: kept.id, values, version: kept.version };
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
export function applyObject(type: ObjectType, line: ObjectLine, parts: ApplyParts): Promise<Imported | null> {
  return retryRaces(() => applyOnce(type, line, parts));
}

/** Stores those settings of a line that are not yet stored. */
export async function applySetting(
  { option, values }: SettingLine,
  { store }: ApplyParts,
): Promise<Imported> {
  let fields: readonly string[] = [];
  await changeSeoOption(store, option, (value) => {
    const kept = toMembers(value);
    const missing = Object.fromEntries(Object.entries(values).filter(([name]) => isDefault(own(kept, name))));
    fields = Object.keys(missing);
    return { ...kept, ...missing };
  });
  return { object_type: option, object_id: 0, fields };
}
