import { own } from '../../../lib/core/objects.ts';
import { and, eq, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { Store } from '../../../lib/store/store.ts';
import { encodeSlug, readAddress } from '../address.ts';
import type { SeoConfig } from '../config.ts';
import { toMembers } from '../json.ts';
import type { ObjectType } from '../meta.ts';
import { changeSeoOption } from '../settings/options.ts';
import type { ObjectLine, SettingLine } from './fields.ts';

/** Dependencies of applying lines. */
export interface ApplyParts {
  readonly store: Store;
  readonly config: SeoConfig;
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** What a line changed. `fields` is empty when every field was already set. */
export interface Imported {
  readonly object_type: string;
  readonly object_id: number;
  readonly fields: readonly string[];
}

function toWhere(type: ObjectType, { id, slug, url, language }: ObjectLine, { siteUrl, languages }: ApplyParts): Predicate | null {
  if (id !== 0) return eq('id', id);
  if (slug !== '') return and(eq('slug', encodeSlug(slug)), ...(language === '' ? [] : [eq('language', language)]));
  const target = readAddress(url, siteUrl, languages);
  if (type === 'post' && target?.kind === 'post-id') return eq('id', target.id);
  if (type === 'post' && target?.kind === 'post') return and(eq('slug', target.slug), eq('language', target.language));
  if (type !== 'term' || target?.kind !== 'term') return null;
  return and(eq('slug', target.slug), eq('taxonomy', target.taxonomy), oneOf('language', [target.language, '']));
}

async function findObject(type: ObjectType, line: ObjectLine, parts: ApplyParts): Promise<number> {
  const own = toWhere(type, line, parts);
  if (own === null) return 0;
  const { postTypes, taxonomies } = parts.config;
  const [collection, kind] = type === 'post' ? ['posts', oneOf('type', postTypes)] as const : ['terms', oneOf('taxonomy', taxonomies)] as const;
  const { records: [record] } = await parts.store.find({ collection, where: and(own, kind), fields: [], limit: 1 });
  return record?.id ?? 0;
}

const isDefault = (value: Json | undefined): boolean => value === undefined || value === '' || value === false;

/** Sets the fields of a line that are not yet set on its object. null: the object does not exist. */
export async function applyObject(type: ObjectType, line: ObjectLine, parts: ApplyParts): Promise<Imported | null> {
  const { store } = parts;
  const object_id = await findObject(type, line, parts);
  if (object_id === 0) return null;
  const { records: [kept] } = await store.find({ collection: 'seo_meta', where: and(eq('object_type', type), eq('object_id', object_id)), limit: 1 });
  const values = Object.fromEntries(Object.entries(line.fields).filter(([field, value]) => !isDefault(value) && isDefault(own<Json>(kept ?? {}, field))));
  const fields = Object.keys(values);
  if (fields.length > 0) {
    await store.commit([kept === undefined
      ? { op: 'create', collection: 'seo_meta', values: { ...values, object_type: type, object_id } }
      : { op: 'update', collection: 'seo_meta', id: kept.id, values, version: kept.version }]);
  }
  return { object_type: type, object_id, fields };
}

/** Stores those settings of a line that are not yet stored. */
export async function applySetting({ option, values }: SettingLine, { store }: ApplyParts): Promise<Imported> {
  let fields: readonly string[] = [];
  await changeSeoOption(store, option, (value) => {
    const kept = toMembers(value);
    const missing = Object.fromEntries(Object.entries(values).filter(([name]) => isDefault(own(kept, name))));
    fields = Object.keys(missing);
    return { ...kept, ...missing };
  });
  return { object_type: option, object_id: 0, fields };
}
