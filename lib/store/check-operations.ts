import { findUnknownMember, isObject, own } from '../core/objects.ts';
import { isLonger } from '../core/text.ts';
import type { Json } from '../schema/schema-dialect.ts';
import { checkPredicate, collectionOf } from './check-query.ts';
import {
  type Collections,
  type CollectionDescriptor,
  describeType,
  EMPTY_VALUES,
  toStoredValue,
} from './collection.ts';
import type { Predicate } from './query.ts';
import { type Operation, type Reference, type StoredRecord, StoreError } from './store.ts';

/** A label that stands for an id. It is a class, so that stored JSON is never mistaken for it. */
class Ref {
  /** As in `as` of the operation that creates the record. */
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

/** The fields of an operation and their values as stored (frozen copies). References are not resolved yet. */
export interface CheckedValues {
  /** The fields that are written. */
  readonly names: readonly string[];
  /** Their values, in the same order. */
  readonly values: readonly (Json | Ref)[];
  /** Values of the other fields of a new record. Empty for an update, whose other fields do not change. */
  readonly others: Readonly<Record<string, Json>>;
}

/** The record that is changed. */
export interface Target {
  /** Its collection. */
  readonly collection: CollectionDescriptor;
  /** Its id. */
  readonly id: number;
  /** The version that it must have; undefined: any. */
  readonly version: number | undefined;
}

/** A checked operation. `id` of a create is undefined: the next free one. */
export type CheckedOperation =
  | {
      readonly op: 'create';
      readonly collection: CollectionDescriptor;
      readonly id: number | undefined;
      readonly values: CheckedValues;
      readonly as: string | undefined;
    }
  | ({ readonly op: 'update'; readonly values: CheckedValues } & Target)
  | ({ readonly op: 'remove' } & Target)
  | { readonly op: 'removeAll'; readonly collection: CollectionDescriptor; readonly where: Predicate };

/** The record that an operation changes. @throws StoreError `missing`, `version` */
export function findTarget<T extends StoredRecord>(
  record: T | null | undefined,
  { collection: { name }, id, version }: Target,
): T {
  if (record === null || record === undefined) throw new StoreError('missing', `There is no ${name} ${id}.`);
  if (version !== undefined && record.version !== version)
    throw new StoreError('version', `${name} ${id} has version ${record.version}, not ${version}.`);
  return record;
}

/** The largest id that a create may set: 15 digits, as in addresses. */
export const MAX_GIVEN_ID = 999_999_999_999_999;

function fail(collection: CollectionDescriptor, fault: string): never {
  throw new StoreError('invalid', `Commit to ${collection.name}: ${fault}`);
}

function isReference(value: unknown): value is Reference {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, '$ref') &&
    typeof (value as Reference).$ref === 'string'
  );
}

/** The values of one operation as given. `labels`: those of earlier operations. */
interface Given {
  readonly collection: CollectionDescriptor;
  readonly values: Readonly<Record<string, unknown>>;
  readonly labels: ReadonlySet<string>;
}

function checkValue({ collection, values, labels }: Given, name: string): Json | Ref {
  const field = own(collection.fields, name);
  if (field === undefined) return fail(collection, `${JSON.stringify(name)} cannot be written`);
  const { type } = field;
  const value = values[name];
  // Only an integer can be a reference. JSON values of users stay unchanged.
  if (type === 'integer' && isReference(value))
    return labels.has(value.$ref)
      ? new Ref(value.$ref)
      : fail(collection, `no earlier operation is labelled ${JSON.stringify(value.$ref)}`);
  const stored = toStoredValue(type, value);
  if (stored === undefined) return fail(collection, `${name} is not ${describeType(type)}`);
  const { maxLength = Infinity } = field;
  if (typeof stored === 'string' && isLonger(stored, maxLength))
    return fail(
      collection,
      `${name} has ${Array.from(stored).length} characters, and at most ${maxLength} are allowed`,
    );
  return stored;
}

const emptyRecords = new WeakMap<CollectionDescriptor, Readonly<Record<string, Json>>>();

/** The empty value of every field, in the order of the descriptor. All records are copies of it, because V8 creates and reads objects of one shape fastest. */
export function emptyRecordOf(collection: CollectionDescriptor): Readonly<Record<string, Json>> {
  const found =
    emptyRecords.get(collection) ??
    Object.fromEntries(
      Object.entries(collection.fields).map(([name, { type }]) => [name, EMPTY_VALUES[type]]),
    );
  emptyRecords.set(collection, found);
  return found;
}

function checkValues(
  given: Given,
  names: readonly string[],
  others: Readonly<Record<string, Json>>,
): CheckedValues {
  return { names, values: names.map((name) => checkValue(given, name)), others };
}

/** The members of each operation. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  create: new Set(['op', 'collection', 'values', 'as']),
  update: new Set(['op', 'collection', 'id', 'values', 'version']),
  remove: new Set(['op', 'collection', 'id', 'version']),
  removeAll: new Set(['op', 'collection', 'where']),
};

/** Rejects unknown members: a misspelt `version` would overwrite changes of others. */
function checkOperationMembers(collection: CollectionDescriptor, operation: Operation): void {
  const members =
    own(MEMBERS, operation.op) ??
    fail(
      collection,
      `there is no operation ${JSON.stringify(operation.op)}, only create, update, remove and removeAll`,
    );
  const unknown = findUnknownMember(operation, members);
  if (unknown !== undefined)
    fail(
      collection,
      `unknown member "${unknown}" of ${operation.op}; the members are ${[...members].join(', ')}`,
    );
  if (members.has('values') && !isObject((operation as { readonly values?: unknown }).values))
    fail(collection, `values of ${operation.op} must be an object of field values, such as { title: 'A' }`);
}

function checkCreate(
  collection: CollectionDescriptor,
  operation: Operation & { op: 'create' },
  labels: Set<string>,
): CheckedOperation {
  const { as, values } = operation;
  const { id } = values;
  if (id !== undefined && !(Number.isSafeInteger(id) && Number(id) > 0 && Number(id) <= MAX_GIVEN_ID))
    fail(collection, `id must be an integer from 1 to ${MAX_GIVEN_ID}`);
  const checked = checkValues(
    { collection, values, labels },
    Object.keys(values).filter((name) => name !== 'id'),
    emptyRecordOf(collection),
  );
  if (as !== undefined) {
    if (labels.has(as)) fail(collection, `two operations are labelled ${JSON.stringify(as)}`);
    labels.add(as);
  }
  return { op: 'create', collection, id: id === undefined ? undefined : Number(id), values: checked, as };
}

function checkTarget(
  collection: CollectionDescriptor,
  { id, version }: { id: number; version?: number | undefined },
): Target {
  if (!Number.isSafeInteger(id)) fail(collection, 'id must be an integer');
  if (version !== undefined && !Number.isSafeInteger(version)) fail(collection, 'version must be an integer');
  return { collection, id, version };
}

const ONE_OPERATION =
  "An operation must be an object, such as { op: 'create', collection: 'posts', values: { title: 'A' } }";

function checkOperation(
  collections: Collections,
  operation: Operation,
  labels: Set<string>,
): CheckedOperation {
  if (!isObject(operation))
    throw new StoreError('invalid', `${ONE_OPERATION}; ${JSON.stringify(operation)} is not one.`);
  const collection = collectionOf(collections, operation.collection);
  checkOperationMembers(collection, operation);
  switch (operation.op) {
    case 'create':
      return checkCreate(collection, operation, labels);
    case 'update':
      return {
        op: 'update',
        ...checkTarget(collection, operation),
        values: checkValues(
          { collection, values: operation.values, labels },
          Object.keys(operation.values),
          {},
        ),
      };
    case 'remove':
      return { op: 'remove', ...checkTarget(collection, operation) };
    case 'removeAll':
      return { op: 'removeAll', collection, where: checkPredicate(collection, operation.where) };
  }
}

/** Checks all operations of a commit before the first one is applied. @throws StoreError `invalid` */
export function checkOperations(
  collections: Collections,
  operations: readonly Operation[],
): readonly CheckedOperation[] {
  if (!Array.isArray(operations))
    throw new StoreError(
      'invalid',
      `the operations of a commit must be a list: write commit([operation]). ${ONE_OPERATION}.`,
    );
  const labels = new Set<string>();
  return operations.map((operation) => checkOperation(collections, operation, labels));
}

/** The values with ids instead of references, merged over those of `onto`. */
export function resolveValues(
  { names, values, others }: CheckedValues,
  ids: ReadonlyMap<string, number>,
  onto: Readonly<Record<string, Json>> = others,
): Record<string, Json> {
  const resolved: Record<string, Json> = { ...onto };
  for (let at = 0; at < names.length; at += 1) {
    const value = values[at] as Json | Ref;
    resolved[names[at] as string] = value instanceof Ref ? (ids.get(value.label) ?? 0) : value;
  }
  return resolved;
}
