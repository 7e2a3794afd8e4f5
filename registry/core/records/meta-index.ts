import { createHash } from 'node:crypto';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { MetaKey, MetaType } from '../model/meta-key.ts';
import { metaValueOf, type StoredMeta } from './meta-values.ts';

/** What has indexed keys: a `type` and its keys, `meta`. */
interface Indexed {
  readonly type: { readonly name: string };
  readonly meta: readonly MetaKey[];
}

const BYTES_OF_NUMBER = 8;
const SIGN = 0x80;

/** A number as text that sorts as the number does: the bits of the double, with those of a negative one turned around. */
function toSortable(value: number): string {
  const bytes = Buffer.alloc(BYTES_OF_NUMBER);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const first = bytes[0] ?? 0;
  if (first < SIGN) bytes[0] = first | SIGN;
  else for (const [at, byte] of bytes.entries()) bytes[at] = ~byte & 0xff;
  return bytes.toString('hex');
}

/** How values of a type are stored beside `meta`, so that a store can compare and order them. */
const STORED: Readonly<Record<MetaType, ((value: Json) => string) | null>> = {
  string: String,
  integer: (value) => toSortable(Number(value)),
  boolean: (value) => String(Number(value)),
  number: (value) => toSortable(Number(value)),
  array: null,
  object: null,
};

/** Ends the default that a record without the key is sorted by. As in WordPress, a filter does not find such a record. */
const ABSENT = '\u0001';

const WORD_LENGTH = 24;
const DIGEST_LENGTH = 8;

/** The field of posts that holds the values of an indexed key, each as text. A key that changes its type gets another field. */
export function indexFieldOf(type: string, { key, type: valueType }: Pick<MetaKey, 'key' | 'type'>): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([type, key, valueType, ABSENT]))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
  return `meta_${key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, WORD_LENGTH)}_${digest}`;
}

const INDEX_FIELD = new RegExp(`^meta_[a-z0-9_]{0,${WORD_LENGTH}}_[0-9a-f]{${DIGEST_LENGTH}}$`);

/** Whether a field of posts was named by `indexFieldOf`. */
export function isIndexField(field: string): boolean {
  return INDEX_FIELD.test(field);
}

/** The indexed keys that the API shows, with their fields. */
export function listIndexed({
  type,
  meta,
}: Indexed): readonly { readonly field: string; readonly key: MetaKey; readonly name: string }[] {
  return meta.flatMap((key) =>
    key.indexed && key.name !== null ? [{ field: indexFieldOf(type.name, key), key, name: key.name }] : [],
  );
}

/** The fields and indexes that the indexed keys of all types add to a collection. */
export function withMetaIndexes(
  collection: CollectionDescriptor,
  { types, meta }: ContentModel,
): CollectionDescriptor {
  const indexed = [...types.values()]
    .filter(({ storage }) => storage === 'posts')
    .flatMap((type) => listIndexed({ type, meta: meta.get(type.name) ?? [] }));
  if (indexed.length === 0) return collection;
  return {
    ...collection,
    fields: {
      ...collection.fields,
      ...Object.fromEntries(indexed.map(({ field }) => [field, { type: 'text' }] as const)),
    },
    indexes: [
      ...(collection.indexes ?? []),
      ...indexed.map(({ field }) => ['language', 'status', 'type', field]),
    ],
  };
}

function toStored(key: MetaKey, value: Json): string {
  return STORED[key.type]?.(value) ?? '';
}

/** The values of the indexed keys for the fields of a post. */
export function toIndexValues(indexed: Indexed, stored: StoredMeta): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listIndexed(indexed).map(({ field, key }) => {
      const value = metaValueOf(key, stored);
      return [field, toStored(key, value) + (own(stored, key.key) === value ? '' : ABSENT)];
    }),
  );
}

/** The list filter `meta`: one or several values for each indexed key; null if there is none. */
export function toMetaFilterArg(indexed: Indexed): ArgSchema | null {
  const properties = listIndexed(indexed).map(
    ({
      name,
      key: {
        schema: { default: _default, title: _title, ...items },
      },
    }) => [name, { type: 'array', items }] as const,
  );
  return properties.length === 0
    ? null
    : {
        description: 'Only posts with one of these values of each meta field.',
        type: 'object',
        properties: Object.fromEntries(properties),
        additionalProperties: false,
      };
}

/** The conditions of the list filter `meta`. */
export function toMetaConditions(indexed: Indexed, sent: unknown): readonly Predicate[] {
  if (!isObject(sent)) return [];
  return listIndexed(indexed).flatMap(({ field, key, name }) => {
    const values = own(sent, name);
    return Array.isArray(values)
      ? [
          oneOf(
            field,
            values.map((value: Json) => toStored(key, value)),
          ),
        ]
      : [];
  });
}

const ORDER_PREFIX = 'meta.';

/** The words of `orderby` for indexed keys, each with its field. */
export function listMetaOrders(indexed: Indexed): readonly (readonly [word: string, field: string])[] {
  return listIndexed(indexed).map(({ name, field }) => [`${ORDER_PREFIX}${name}`, field]);
}
