import { atPlace, checkMembers } from '../core/check-options.ts';
import { isObject, own } from '../core/objects.ts';
import {
  type Collections,
  SCALAR_TYPES,
  OWN_FIELDS,
  isScalarType,
  fieldOf,
  isListIndex,
  type CollectionDescriptor,
  type FieldDescriptor,
  type FieldType,
  type LoggedFields,
  type UniqueKey,
} from './collection.ts';

const FIELD_TYPES: ReadonlySet<FieldType> = new Set([
  'integer',
  'text',
  'boolean',
  'integers',
  'texts',
  'json',
]);
const MEMBERS: readonly (keyof CollectionDescriptor)[] = [
  'name',
  'fields',
  'unique',
  'indexes',
  'search',
  'logged',
  'transient',
];
const FIELD_MEMBERS: readonly (keyof FieldDescriptor)[] = ['type', 'folded', 'maxLength', 'references'];
const LOGGED_MEMBERS: readonly (keyof LoggedFields)[] = ['keeps', 'hides'];
const KEY_MEMBERS: readonly (keyof UniqueKey)[] = ['fields', 'except'];
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** @throws TypeError for a value that is not a list of field names. */
function checkNames(value: unknown, what: string, right: string): void {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw new TypeError(`${what} must be ${right}`);
}

function checkKey(collection: CollectionDescriptor, fields: readonly string[], what: string): void {
  if (fields.length === 0)
    throw new TypeError(`collection ${collection.name}: ${what} must have at least one field`);
  for (const name of fields) {
    const field = fieldOf(collection, name);
    if (field === undefined || !isScalarType(field.type)) {
      throw new TypeError(
        `collection ${collection.name}: ${what} names ${name}, which is not a field of type ${SCALAR_TYPES.join(', ')}`,
      );
    }
  }
}

function checkIndex(collection: CollectionDescriptor, index: readonly string[]): void {
  checkNames(
    index,
    `collection ${collection.name}: an index`,
    "a list of field names: write indexes: [['stars']]",
  );
  if (!isListIndex(collection, index)) checkKey(collection, index, 'index');
  else if (index.length > 1) checkKey(collection, index.slice(1), 'index of a list field');
}

function checkUnique(collection: CollectionDescriptor, key: UniqueKey): void {
  checkNames(
    isObject(key) ? key.fields : undefined,
    `collection ${collection.name}: a unique key`,
    "an object with a list of field names: write unique: [{ fields: ['sku'] }]",
  );
  atPlace(`collection ${collection.name}`, () => checkMembers('a unique key', key, KEY_MEMBERS));
  checkKey(collection, key.fields, 'unique key');
  if (key.except !== undefined) checkKey(collection, Object.keys(key.except), 'exception of a unique key');
}

function checkSearch(collection: CollectionDescriptor, search: readonly string[]): void {
  checkNames(
    search,
    `collection ${collection.name}: search`,
    "a list of field names: write search: ['title']",
  );
  if (search.length === 0 || new Set(search).size < search.length)
    throw new TypeError(
      `collection ${collection.name}: search must name at least one field, and each field once`,
    );
  for (const name of search)
    if (fieldOf(collection, name)?.folded !== true)
      throw new TypeError(`collection ${collection.name}: search names ${name}, which is not a folded field`);
}

function checkLogged(collection: CollectionDescriptor, logged: true | LoggedFields): void {
  if (logged === true) return;
  const where = `collection ${collection.name}: logged`;
  if (!isObject(logged))
    throw new TypeError(`${where} must be true or an object: write logged: { keeps: ['status'] }`);
  atPlace(`collection ${collection.name}`, () => checkMembers('logged', logged, LOGGED_MEMBERS));
  const { keeps, hides = [] } = logged;
  checkNames(keeps, `${where}.keeps`, "a list of field names: write keeps: ['status']");
  checkNames(hides, `${where}.hides`, "a list of field names: write hides: ['password']");
  for (const name of [...keeps, ...hides])
    if (own(collection.fields, name) === undefined)
      throw new TypeError(`${where} names ${name}, which is not a field`);
  for (const name of hides)
    if (own(collection.fields, name)?.type !== 'text')
      throw new TypeError(`${where}.hides names ${name}, which is not a field of type text`);
}

/** The checks that a compiler would do for the descriptor as a whole. */
function checkShape(collection: CollectionDescriptor): void {
  if (!isObject(collection))
    throw new TypeError(
      "a collection must be an object: write { name: 'entries', fields: { text: { type: 'text' } } }",
    );
  const where = `collection ${collection.name}`;
  atPlace(where, () => checkMembers('a collection', collection, MEMBERS));
  if (!isObject(collection.fields))
    throw new TypeError(`${where}: fields must be an object: write fields: { text: { type: 'text' } }`);
  if (!Array.isArray(collection.indexes ?? []))
    throw new TypeError(`${where}: indexes must be a list: write indexes: [['stars']]`);
  if (!Array.isArray(collection.unique ?? []))
    throw new TypeError(`${where}: unique must be a list: write unique: [{ fields: ['sku'] }]`);
}

function checkFields(collection: CollectionDescriptor): void {
  for (const [name, field] of Object.entries(collection.fields)) {
    if (!NAME.test(name) || [OWN_FIELDS, Object.prototype].some((taken) => Object.hasOwn(taken, name)))
      throw new TypeError(`collection ${collection.name}: ${name} cannot be the name of a field`);
    if (!isObject(field))
      throw new TypeError(
        `collection ${collection.name}: field ${name} must be an object: write ${name}: { type: 'text' }`,
      );
    atPlace(`collection ${collection.name}, field ${name}`, () =>
      checkMembers('a field', field, FIELD_MEMBERS),
    );
    if (!FIELD_TYPES.has(field.type))
      throw new TypeError(`collection ${collection.name}: field ${name} has the unknown type ${field.type}`);
    if (
      field.maxLength !== undefined &&
      (field.type !== 'text' || !Number.isSafeInteger(field.maxLength) || field.maxLength < 1)
    )
      throw new TypeError(
        `collection ${collection.name}: maxLength of field ${name} must be an integer of at least 1, and its type text`,
      );
    if (
      field.references !== undefined &&
      (typeof field.references !== 'string' || !['integer', 'integers'].includes(field.type))
    )
      throw new TypeError(
        `collection ${collection.name}: references of field ${name} must be the name of a collection, and its type integer or integers`,
      );
    if (field.folded && field.type !== 'text')
      throw new TypeError(`collection ${collection.name}: field ${name} is folded, so its type must be text`);
  }
}

/** Checks descriptors at start. @throws TypeError naming the collection and the field. */
export function checkCollections(collections: readonly CollectionDescriptor[]): Collections {
  if (!Array.isArray(collections))
    throw new TypeError('collections must be a list: a store is created for a list of collections');
  const byName = new Map<string, CollectionDescriptor>();
  for (const collection of collections) {
    checkShape(collection);
    if (!NAME.test(collection.name))
      throw new TypeError(`collection ${collection.name}: the name must match ${NAME.source}`);
    if (byName.has(collection.name)) throw new TypeError(`collection ${collection.name} is declared twice`);
    checkFields(collection);
    for (const index of collection.indexes ?? []) checkIndex(collection, index);
    for (const key of collection.unique ?? []) checkUnique(collection, key);
    if (collection.search !== undefined) checkSearch(collection, collection.search);
    if (collection.logged !== undefined) checkLogged(collection, collection.logged);
    byName.set(collection.name, collection);
  }
  return byName;
}
