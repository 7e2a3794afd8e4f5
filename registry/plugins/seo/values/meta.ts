import { type Store, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import { SEO_KEYS, own } from '../../../plugin.ts';
import { NO_META, type SeoMeta } from './facts.ts';
import { toMembers } from './json.ts';

/** Types of objects that have editor's fields. */
export type ObjectType = 'post' | 'term';

/** The editor's fields of an object and the version of their record; version 0 when there is no record. */
export interface KeptMeta {
  readonly version: number;
  readonly meta: SeoMeta;
}

const NOTHING: KeptMeta = { version: 0, meta: NO_META };

// The store returns what the collection descriptor declares.
const toKept = (record: StoredRecord): KeptMeta => ({
  version: record.version,
  meta: record as unknown as SeoMeta,
});

/** Reads the editor's fields of several objects of one type. */
export async function findMeta(
  store: Store,
  type: ObjectType,
  ids: readonly number[],
): Promise<(id: number) => KeptMeta> {
  if (ids.length === 0) return () => NOTHING;
  const { records } = await store.find({
    collection: 'seo_meta',
    where: and(eq('object_type', type), oneOf('object_id', ids)),
  });
  const byId = new Map(records.map((record) => [record['object_id'], toKept(record)]));
  return (id) => byId.get(id) ?? NOTHING;
}

/** The field that a meta key of the object sets, for keys whose names differ. */
const FIELDS: Readonly<Record<string, keyof SeoMeta>> = { seo_keyphrase: 'focus_phrase' };

/** The meta key for a field, if the fields can be meta: `seo_title`. */
export const toMetaKey = (field: string): string =>
  Object.keys(FIELDS).find((key) => own(FIELDS, key) === field) ?? `seo_${field}`;

/** The editor's fields of an object with those of its own meta (`seo_title`, …), which win. */
export function withOwnMeta(meta: SeoMeta, stored: unknown): SeoMeta {
  const entries = Object.keys(SEO_KEYS).flatMap((key) => {
    const value = own(toMembers(stored), key);
    return value === undefined || value === ''
      ? []
      : [[own(FIELDS, key) ?? key.slice('seo_'.length), value] as const];
  });
  return entries.length === 0 ? meta : { ...meta, ...Object.fromEntries(entries) };
}

/** Reads the editor's fields of one object. `stored`: the meta of the object itself. */
export async function readMeta(
  store: Store,
  type: ObjectType,
  { id, meta: stored }: { readonly id: number; readonly meta?: unknown },
): Promise<SeoMeta> {
  return withOwnMeta((await findMeta(store, type, [id]))(id).meta, stored);
}
