import { findUnknownMember, isObject } from '../core/objects.ts';
import {
  type CollectionDescriptor,
  type Collections,
  fieldOf,
  isScalarType,
  describeType,
  type FieldType,
  itemType,
  toScalar,
} from './collection.ts';
import { and, type Direction, or, type Order, type Predicate, type Query, type Scalar } from './query.ts';
import { StoreError } from './store.ts';
import { fold, toStoredText } from './stored-text.ts';

/** A checked query. It is complete, and its texts are in the form that is compared. */
export interface CheckedQuery {
  /** The collection that is read. */
  readonly collection: CollectionDescriptor;
  /** EVERYTHING if the query has none. */
  readonly where: Predicate;
  /** Ends with the id, in the direction of the first order. */
  readonly order: readonly Order[];
  /** Infinity: all. */
  readonly limit: number;
  /** Matches before the page. */
  readonly offset: number;
  /** Fields of the result without `id` and `version`. */
  readonly fields: readonly string[];
  /** Whether all matches are to be counted. */
  readonly total: boolean;
  /** Fields of the result whose long texts may be omitted. null: no text may be omitted. */
  readonly omitted: readonly string[] | null;
}

/** Matches every record. */
export const EVERYTHING: Predicate = and();

// Limits that every database accepts: SQLite's parser keeps 100 open parts, its expressions are at most 1,000 levels deep, and a long `and` counts as deep.
const MAX_DEPTH = 16;
const MAX_NODES = 900;

type Node = Readonly<Record<string, unknown>>;

/** An existing field and its type. */
interface Named {
  readonly field: string;
  readonly type: FieldType;
}

const isOrderedType = (type: FieldType): boolean => type === 'integer' || type === 'text';
const isListType = (type: FieldType): boolean => itemType(type) !== undefined;

/** The last letter of a part of a text: where the word goes on in the text, its lower case is σ, else ς. */
const SIGMA = /[σς]$/;

class QueryCheck {
  readonly #collection: CollectionDescriptor;
  #nodes = 0;

  constructor(collection: CollectionDescriptor) {
    this.#collection = collection;
  }

  fail(fault: string): never {
    throw new StoreError('invalid', `Query of ${this.#collection.name}: ${fault}`);
  }

  node(value: unknown, what: string): Node {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.fail(`${what} must be an object`);
    return value as Node;
  }

  list(value: unknown, what: string): readonly unknown[] {
    if (!Array.isArray(value)) this.fail(`${what} must be a list`);
    return value;
  }

  field(name: unknown, fits: (type: FieldType, folded: boolean) => boolean): Named {
    const found = typeof name === 'string' ? fieldOf(this.#collection, name) : undefined;
    if (found === undefined) this.fail(`there is no field ${JSON.stringify(name)}`);
    if (!fits(found.type, found.folded === true))
      this.fail(`field ${String(name)} (${found.type}) cannot be used in this way`);
    return { field: String(name), type: found.type };
  }

  scalar(type: FieldType, value: unknown): Scalar {
    const scalar = toScalar(type, value);
    if (scalar === undefined)
      this.fail(`${JSON.stringify(value) ?? typeof value} is not ${describeType(type)}`);
    return scalar;
  }

  scalars(type: FieldType, values: unknown): readonly Scalar[] {
    const scalars = this.list(values, '`values`').map((value) => this.scalar(type, value));
    return scalars.length < 2 ? scalars : [...new Set(scalars)];
  }

  predicate(value: unknown, depth = 0): Predicate {
    const node = this.node(value, 'a predicate');
    this.#nodes += 1;
    if (depth > MAX_DEPTH || this.#nodes > MAX_NODES)
      this.fail(`more than ${MAX_DEPTH} levels or ${MAX_NODES} predicates`);
    const op = node['op'];
    if (op === 'and' || op === 'or')
      return {
        op,
        of: this.list(node['of'], `\`of\` of ${op}`).map((each) => this.predicate(each, depth + 1)),
      };
    if (op === 'not') return { op, of: this.predicate(node['of'], depth + 1) };
    return this.#comparison(node);
  }

  #comparison(node: Node): Predicate {
    const { op } = node;
    switch (op) {
      case 'eq':
      case 'in': {
        const { field, type } = this.field(node['field'], isScalarType);
        return op === 'eq'
          ? { op, field, value: this.scalar(type, node['value']) }
          : { op, field, values: this.scalars(type, node['values']) };
      }
      case 'lt':
      case 'lte':
      case 'gt':
      case 'gte': {
        const { field, type } = this.field(node['field'], isOrderedType);
        const value = this.scalar(type, node['value']);
        return typeof value === 'boolean' ? this.fail('booleans cannot be ordered') : { op, field, value };
      }
      case 'contains':
      case 'equalsFolded': {
        const { field } = this.field(node['field'], (_, folded) => folded);
        const text = fold(toStoredText(String(this.scalar('text', node['text']))));
        return op === 'contains' && SIGMA.test(text)
          ? or(...['σ', 'ς'].map((end) => ({ op, field, text: text.replace(SIGMA, end) })))
          : { op, field, text };
      }
      case 'hasAny':
      case 'hasAll': {
        const { field, type } = this.field(node['field'], isListType);
        return { op, field, values: this.scalars(itemType(type) ?? 'text', node['values']) };
      }
      default:
        return this.fail(`there is no predicate ${JSON.stringify(op)}`);
    }
  }

  order(value: unknown): Order {
    const node = this.node(value, 'an order');
    const direction = this.direction(node['direction']);
    if (node['field'] !== undefined)
      return { field: this.field(node['field'], isScalarType).field, direction };
    if (node['rank'] !== undefined)
      return { rank: this.list(node['rank'], '`rank`').map((each) => this.predicate(each)), direction };
    const list = this.node(node['list'], '`list`');
    const { field, type } = this.field(list['field'], isScalarType);
    return { list: { field, values: this.scalars(type, list['values']) }, direction };
  }

  direction(value: unknown): Direction {
    return value === 'asc' || value === 'desc'
      ? value
      : this.fail(`direction ${JSON.stringify(value)} must be asc or desc`);
  }

  count(value: unknown, absent: number): number {
    if (value === undefined) return absent;
    return Number.isSafeInteger(value) && Number(value) >= 0
      ? Number(value)
      : this.fail('limit and offset must be integers of at least 0');
  }

  /** Fields that the query orders by are never omitted, because they are needed for the order. */
  omitted(value: unknown, fields: readonly string[], orders: readonly Order[]): readonly string[] | null {
    if (value === undefined) return null;
    if (value !== 'omit') this.fail(`longTexts must be "omit", not ${JSON.stringify(value)}`);
    return fields.filter((name) => {
      const field = fieldOf(this.#collection, name);
      return (
        (field?.type === 'json' || field?.folded === true) &&
        !orders.some((order) => 'field' in order && order.field === name)
      );
    });
  }

  fields(value: unknown): readonly string[] {
    if (value === undefined) return Object.keys(this.#collection.fields);
    const names = new Set(this.list(value, '`fields`').map((name) => this.field(name, () => true).field));
    return Object.keys(this.#collection.fields).filter((name) => names.has(name));
  }
}

const MEMBERS: ReadonlySet<string> = new Set([
  'collection',
  'where',
  'order',
  'limit',
  'offset',
  'fields',
  'total',
  'longTexts',
] satisfies readonly (keyof Query)[]);

/** Rejects unknown members: with a misspelt `where`, every record would match. */
function checkQueryMembers(query: Query): void {
  if (!isObject(query))
    throw new StoreError('invalid', "A query must be an object, such as { collection: 'posts', limit: 10 }.");
  const unknown = findUnknownMember(query, MEMBERS);
  if (unknown !== undefined)
    throw new StoreError(
      'invalid',
      `Query of ${String(query.collection)}: unknown member "${unknown}"; the members are ${[...MEMBERS].join(', ')}`,
    );
}

/**
 * Completes a query. Only known kinds of predicates and orders are accepted; their unknown members are dropped.
 * @throws StoreError `invalid`
 */
export function checkQuery(collections: Collections, query: Query): CheckedQuery {
  checkQueryMembers(query);
  const collection = collectionOf(collections, query.collection);
  const check = new QueryCheck(collection);
  const order = check.list(query.order ?? [], '`order`').map((each) => check.order(each));
  const fields = check.fields(query.fields);
  return {
    collection,
    where: query.where === undefined ? EVERYTHING : check.predicate(query.where),
    order: [...order, { field: 'id', direction: order[0]?.direction ?? 'asc' }],
    limit: check.count(query.limit, Infinity),
    offset: check.count(query.offset, 0),
    fields,
    total: query.total === true,
    omitted: check.omitted(query.longTexts, fields, order),
  };
}

/** Checks the predicate of a `removeAll`. @throws StoreError `invalid` */
export function checkPredicate(collection: CollectionDescriptor, where: Predicate): Predicate {
  return new QueryCheck(collection).predicate(where);
}

/** @throws StoreError `invalid` if there is no such collection. */
export function collectionOf(collections: Collections, name: string): CollectionDescriptor {
  const found = collections.get(name);
  if (found === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
  return found;
}
