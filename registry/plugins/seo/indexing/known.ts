import { type Predicate, type Store, type StoredRecord, and, not, oneOf } from '../../../../lib/index.ts';
import { ADDRESSED } from '../../../plugin.ts';
import type { SeoConfig } from '../values/config.ts';
import { findMeta, type ObjectType } from '../values/meta.ts';
import { BUILDER_VERSION } from './indexable.ts';

/** Number of objects checked at once in the search for stale ones. */
const PAGE = 200;
/** Posts with these statuses are never pages. */
const EXCLUDED = ['auto-draft', 'inherit', 'trash'];

/** A kind of object that the index covers. */
export interface Kind {
  readonly type: ObjectType;
  readonly collection: 'posts' | 'terms';
  readonly where: Predicate;
  /** The fields that addresses of these objects need. */
  readonly fields: readonly string[];
}

/** Posts and terms that the index covers. */
export function kindsOf({ postTypes, taxonomies }: SeoConfig): {
  readonly posts: Kind;
  readonly terms: Kind;
} {
  return {
    posts: {
      type: 'post',
      collection: 'posts',
      where: and(oneOf('type', postTypes), not(oneOf('status', EXCLUDED))),
      fields: ADDRESSED,
    },
    terms: {
      type: 'term',
      collection: 'terms',
      where: oneOf('taxonomy', taxonomies),
      fields: ['taxonomy', 'slug', 'parent', 'language'],
    },
  };
}

/** An object and its state in the index. */
export interface IndexedRecord {
  readonly record: StoredRecord;
  readonly indexable: StoredRecord | undefined;
  readonly metaVersion: number;
}

const KNOWN_FIELDS = ['key', 'path', 'object_version', 'meta_version', 'builder_version', 'links_version'];

/** The next objects after an id, each with its state in the index. */
export async function listKnown(
  store: Store,
  { type, collection, where, fields }: Kind,
  behind: number,
): Promise<readonly IndexedRecord[]> {
  const { records } = await store.find({
    collection,
    where: and(where, { op: 'gt', field: 'id', value: behind }),
    order: [{ field: 'id', direction: 'asc' }],
    fields,
    limit: PAGE,
  });
  if (records.length === 0) return [];
  const [{ records: indexables }, metaOf] = await Promise.all([
    store.find({
      collection: 'seo_indexables',
      where: oneOf(
        'key',
        records.map(({ id }) => `${type}:${id}`),
      ),
      fields: KNOWN_FIELDS,
    }),
    findMeta(
      store,
      type,
      records.map(({ id }) => id),
    ),
  ]);
  const byKey = new Map(indexables.map((indexable) => [indexable['key'], indexable]));
  return records.map((record) => ({
    record,
    indexable: byKey.get(`${type}:${record.id}`),
    metaVersion: metaOf(record.id).version,
  }));
}

/** Whether the object, its path, its editor's fields or the builder has changed since it was indexed. A path also changes with the objects above and with settings. */
export function isStale({ record, indexable, metaVersion }: IndexedRecord, path: string): boolean {
  return (
    indexable?.['object_version'] !== record.version ||
    indexable['path'] !== path ||
    indexable['meta_version'] !== metaVersion ||
    indexable['builder_version'] !== BUILDER_VERSION
  );
}

/** Whether the text has changed since its links were read. */
export const areLinksStale = ({ record, indexable }: IndexedRecord): boolean =>
  indexable?.['links_version'] !== record.version;

/** Number of objects of a kind. */
export async function countObjects(store: Store, { collection, where }: Kind): Promise<number> {
  return (await store.find({ collection, where, fields: [], limit: 1, total: true })).total;
}
