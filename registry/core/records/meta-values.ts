import { sha256 } from '../../../lib/core/digest.ts';
import { createErrors, type ErrorTable, RestError } from '../../../lib/core/errors.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import { isObject, own, perObject } from '../../../lib/core/objects.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { coerce, fits } from '../../../lib/schema/coerce.ts';
import type { Invalid } from '../../../lib/schema/invalid.ts';
import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';
import { type Validate, Validators } from '../../../lib/schema/validate.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { MetaKey, MetaType } from '../model/meta-key.ts';

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
  const digest = sha256(JSON.stringify([type, key, valueType, ABSENT])).slice(0, DIGEST_LENGTH);
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
  { postTypes, meta }: ContentModel,
): CollectionDescriptor {
  const indexed = postTypes.flatMap((type) => listIndexed({ type, meta: meta.get(type.name) ?? [] }));
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

/** Values by key, as they are stored. A key without a value is absent. */
export type StoredMeta = Readonly<Record<string, Json>>;

/** A write of meta. `sent`: the member `meta` of the request; undefined if it was not sent. */
interface MetaWrite {
  readonly identity: Identity;
  readonly sent: unknown;
  readonly stored: StoredMeta;
}

/** The registered meta of one kind of record. */
export interface RecordMeta {
  /** The schema of the member `meta` of records and requests. */
  readonly schema: ArgSchema;
  /** The shown values, with defaults for those that are not stored. */
  show(stored: unknown): Readonly<Record<string, Json>>;
  /** The values after a write; undefined if it does not name any. @throws RestError with the path of the first wrong value, `rest_cannot_update` */
  write(write: MetaWrite): StoredMeta | undefined;
  /** The member `meta` of the values of a write; none if it does not name any. `stored`: of the record; null for a new one. @throws RestError as `write` */
  toValues(
    caller: Pick<MetaWrite, 'identity'>,
    sent: unknown,
    stored: StoredMeta | null,
  ): { readonly meta?: StoredMeta };
}

const NOT_AN_OBJECT: Invalid = { code: '', message: 'Invalid parameter.', data: null };

/** The check of the parameter `meta`: its members are checked by `write`, whose errors name their path. An empty list is an empty object, and null changes nothing. */
export const checkMetaObject: ValueCheck = (value) =>
  value === null || isObject(value) || (Array.isArray(value) && value.length === 0) ? 'valid' : NOT_AN_OBJECT;

const BAD_REQUEST = 400;

function toError(error: Invalid): RestError {
  return new RestError(
    error.code,
    [BAD_REQUEST, error.message],
    error.data === null ? {} : { additionalData: [error.data] },
  );
}

/** Errors of registered meta. */
export const META_ERRORS = {
  rest_cannot_update: ['denied', 'Sorry, you are not allowed to edit this custom field.'],
} as const satisfies ErrorTable;

const metaError = createErrors(META_ERRORS);

function cannotUpdate(key: string): RestError {
  return metaError('rest_cannot_update', {
    message: `Sorry, you are not allowed to edit the ${key} custom field.`,
    data: { key },
  });
}

const isSame = (one: Json | undefined, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

const toStoredMeta = (value: unknown): StoredMeta => (isObject(value) ? (value as StoredMeta) : {});

/** Compiles equal schemas once, for all kinds of records. */
const validators = new Validators();

/** Reads one sent value; null removes it. @throws RestError with the path of what is wrong */
function createReader({ name, type, single, schema }: MetaKey): (value: unknown) => Json {
  const at = `meta.${String(name)}`;
  const isMembers = single && type === 'object';
  let validate: Validate | undefined;
  return (value) => {
    if (value === null) return null;
    // As in WordPress, an empty list is an empty object, too.
    const coerced = coerce(schema, isMembers && Array.isArray(value) && value.length === 0 ? {} : value);
    validate ??= validators.compile(schema);
    const invalid = validate(at, coerced);
    if (invalid !== null) throw toError(invalid);
    // A copy, because the coerced value is frozen and its objects inherit nothing.
    return structuredClone(coerced) as Json;
  };
}

/** Whether a value may be stored for a key. null: none. */
export function isMetaValue({ key, schema }: MetaKey, value: unknown): boolean {
  return value === null || validators.compile(schema)(key, value) === null;
}

/** The value of a key, or its default if there is none, or one of another type, which the key may have had before. */
function metaValueOf({ key, type, single, default: usual }: MetaKey, stored: StoredMeta): Json {
  const value = own(stored, key);
  return value !== undefined && fits(single ? type : 'array', value) ? value : usual;
}

/** The default as it is shown. As in WordPress it is null where the schema does not allow the empty value of the type, so that what was read can be written. */
const toShownDefault = perObject((key: MetaKey): Json =>
  isMetaValue(key, key.default) ? key.default : null,
);

/** The schema of a value in requests and responses. It allows null where that stands for no value. */
export function toNullable(key: MetaKey): ArgSchema {
  const { schema } = key;
  if (toShownDefault(key) !== null || schema.type === undefined) return schema;
  const type = [schema.type].flat();
  return {
    ...schema,
    type: [...type, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

function toShown(key: MetaKey, stored: StoredMeta): Json {
  const value = metaValueOf(key, stored);
  return value === key.default ? toShownDefault(key) : value;
}

/** Prepares the registered keys of one kind of record. Keys that are not registered, or not shown, are ignored in requests and stay as they are stored. */
export function createRecordMeta(keys: readonly MetaKey[], description: string): RecordMeta {
  const shown = keys.flatMap((key) =>
    key.name === null ? [] : [{ ...key, name: key.name, read: createReader(key) }],
  );
  const write: RecordMeta['write'] = ({ identity, sent, stored }) => {
    if (!isObject(sent)) return undefined;
    const changed = new Map<string, Json>(Object.entries(stored));
    const named = shown.filter(({ name }) => Object.hasOwn(sent, name));
    for (const { key, name, write: right, default: usual, read } of named) {
      const value = read(own(sent, name));
      const isUnchanged = isSame(own(stored, key) ?? usual, value ?? usual);
      if (right !== null && !isUnchanged && !can(identity, right)) throw cannotUpdate(name);
      if (value === null) changed.delete(key);
      else changed.set(key, value);
    }
    return named.length === 0 ? undefined : Object.fromEntries(changed);
  };
  return {
    schema: {
      description,
      type: 'object',
      properties: Object.fromEntries(shown.map((key) => [key.name, toNullable(key)])),
    },
    show(stored) {
      const values = toStoredMeta(stored);
      return Object.fromEntries(shown.map((key) => [key.name, toShown(key, values)]));
    },
    write,
    toValues({ identity }, sent, stored) {
      const meta = write({ identity, sent, stored: stored ?? {} });
      return meta === undefined ? {} : { meta };
    },
  };
}
