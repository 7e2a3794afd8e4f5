import { fieldOf, isScalarType, type CollectionDescriptor, itemType } from '../../../lib/store/collection.ts';
import { eq, type Order, type Predicate, type Scalar } from '../../../lib/store/query.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { type Dialect, quoteName, type SqlValue } from './dialect.ts';
import { foldedName, isMoved, listName, RECORD_ID, searchedName, textTableName } from './names.ts';
import { isPlainKey } from './tables.ts';

/** The values of a statement, in the order of its placeholders. */
export class Params {
  /** In the order in which they were added. */
  readonly values: SqlValue[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Adds a value and returns its placeholder. */
  add(value: SqlValue): string {
    return this.#dialect.placeholder(this.values.push(value));
  }
}

/**
 * The context in which a predicate is compiled. `gather`: list fields are looked up once before the query, instead of once per row.
 * `each`: texts in a table of their own are looked up once per row, instead of before the query.
 */
export interface Target {
  /** The database. */
  readonly dialect: Dialect;
  /** Whose records are tested. */
  readonly collection: CollectionDescriptor;
  /** Gets the values. */
  readonly params: Params;
  readonly gather: boolean;
  readonly each?: boolean;
  /** SQL for the id of the record. Default: the id of the collection's table. */
  readonly id?: string;
  /** SQL for a condition that an index of texts decides; null for others. */
  readonly lookUp?: (target: Target, where: Predicate) => string | null;
}

const COMPARISONS = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

// Queries have been checked before. This second check ensures that only declared names become SQL text.
function fail(what: unknown): never {
  throw new StoreError('invalid', `A query cannot be compiled: ${JSON.stringify(what)}`);
}

/** The quoted column of a scalar field. It includes the table, because json_each has columns named `id`, `type`, `parent`, … */
export function toColumn({ collection }: Target, field: string): string {
  const type = fieldOf(collection, field)?.type;
  return type !== undefined && isScalarType(type)
    ? `${quoteName(collection.name)}.${quoteName(field)}`
    : fail(field);
}

/** Whether parts of this text are searched in the table of texts. */
function isSearchedApart({ collection, dialect }: Target, field: string): boolean {
  return dialect.textsApart === true && collection.search?.includes(field) === true;
}

/** Whether the folded text of a field is only in the table of texts. */
function isMovedApart({ collection, dialect }: Target, field: string): boolean {
  return dialect.textsApart === true && isMoved(collection, field);
}

/** The quoted column of the folded text of a field. */
export function toFolded(target: Target, field: string): string {
  const { collection } = target;
  if (fieldOf(collection, field)?.folded !== true) return fail(field);
  return `${quoteName(isMovedApart(target, field) ? textTableName(collection.name) : collection.name)}.${quoteName(foldedName(field))}`;
}

/** The quoted column in which parts of texts are searched. */
function toSearched(target: Target, field: string): string {
  const { collection } = target;
  return isSearchedApart(target, field)
    ? `${quoteName(textTableName(collection.name))}.${quoteName(searchedName(collection, field))}`
    : toFolded(target, field);
}

/** Whether some conditions use the table of texts, or all of them. */
function useTexts(target: Target, where: Predicate, how: 'some' | 'every'): boolean {
  if (where.op === 'not') return useTexts(target, where.of, how);
  if (!('field' in where)) return where.of.length > 0 && where.of[how]((each) => useTexts(target, each, how));
  return where.op === 'contains'
    ? isSearchedApart(target, where.field)
    : where.op === 'equalsFolded' && isMovedApart(target, where.field);
}

/** The tables of a query: that of the collection, and that of its texts if the conditions or orders use it. `hint`: follows the first name. */
export function compileTables(
  target: Target,
  {
    where,
    orders,
    hint,
  }: { readonly where: Predicate; readonly orders: readonly Order[]; readonly hint: string },
): string {
  const {
    collection: { name },
    each = false,
  } = target;
  const isOrdering = (order: Order): boolean =>
    'field' in order
      ? isMovedApart(target, order.field)
      : 'rank' in order && order.rank.some((rank) => useTexts(target, rank, 'some'));
  const table = `${quoteName(name)}${hint}`;
  if ((each || !useTexts(target, where, 'some')) && !orders.some(isOrdering)) return table;
  const texts = quoteName(textTableName(name));
  return `${table} JOIN ${texts} ON ${texts}.${quoteName(RECORD_ID)} = ${quoteName(name)}."id"`;
}

/** A condition on the texts of a record, which are looked up when the other conditions hold. */
function compileEach(target: Target, where: Predicate): string {
  const { name } = target.collection;
  const texts = quoteName(textTableName(name));
  return `(SELECT ${compileWhere({ ...target, each: false }, where)} FROM ${texts} WHERE ${texts}.${quoteName(RECORD_ID)} = ${quoteName(name)}."id")`;
}

/** True for text fields that are part of an index or a unique key. */
function isKey({ indexes, unique, fields }: CollectionDescriptor, field: string): boolean {
  if (fields[field]?.type !== 'text') return false;
  return (
    (indexes ?? []).some((index) => index.includes(field)) ||
    (unique ?? []).some((key) => key.fields.includes(field))
  );
}

/** The column in its indexed form, if it is indexed. */
export function toKey({ dialect, collection }: Target, field: string, column: string): string {
  return isKey(collection, field) && !isPlainKey(collection, field, dialect) ? dialect.toKey(column) : column;
}

/** The column in the form in which it is compared with these values: its indexed form where that gives the same result. */
export function toCompared(
  target: Target,
  field: string,
  { column, values }: { readonly column: string; readonly values: readonly Scalar[] },
): string {
  const { keyLength } = target.dialect;
  return values.every((value) => typeof value === 'string' && value.length < keyLength)
    ? toKey(target, field, column)
    : column;
}

function toParam(target: Target, value: Scalar): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return fail(value);
  return target.params.add(target.dialect.toParam(value));
}

function toListParam(target: Target, values: readonly Scalar[]): string {
  if (values.some((value) => typeof value === 'object')) return fail(values);
  return target.params.add(target.dialect.toListParam(values));
}

function compileList(
  target: Target,
  { op, field, values }: Extract<Predicate, { op: 'hasAny' | 'hasAll' }>,
): string {
  const item = itemType(fieldOf(target.collection, field)?.type ?? 'json') ?? fail(field);
  if (values.length === 0) return op === 'hasAll' ? '(1=1)' : '(1=0)';
  const list = quoteName(listName(target.collection.name, field));
  const { dialect } = target;
  const isShort = item === 'text' && values.every((value) => String(value).length < dialect.keyLength);
  const column = isShort ? dialect.toKey('l."value"') : 'l."value"';
  const [only] = values;
  const found =
    only !== undefined && values.length === 1
      ? `${column} = ${toParam(target, only)}`
      : dialect.inList(column, toListParam(target, values), item);
  const isAll = op === 'hasAll' && values.length > 1;
  const { id = `${quoteName(target.collection.name)}."id"` } = target;
  if (target.gather) {
    const all = isAll ? ` GROUP BY l."record" HAVING count(*) = ${target.params.add(values.length)}` : '';
    return `${id} IN (SELECT l."record" FROM ${list} AS l WHERE ${found}${all})`;
  }
  const rows = `FROM ${list} AS l WHERE l."record" = ${id} AND ${found}`;
  return isAll
    ? `(SELECT count(*) ${rows}) = ${target.params.add(values.length)}`
    : `EXISTS (SELECT 1 ${rows})`;
}

function compileIn(target: Target, { field, values }: Extract<Predicate, { op: 'in' }>): string {
  const [only] = values;
  // A single value is compared directly, without unpacking a list.
  if (only !== undefined && values.length === 1) return compileWhere(target, eq(field, only));
  const column = toCompared(target, field, { column: toColumn(target, field), values });
  return target.dialect.inList(
    column,
    toListParam(target, values),
    fieldOf(target.collection, field)?.type ?? 'text',
  );
}

/** Compiles a checked predicate. Values become parameters; names come from the descriptor. @throws StoreError `invalid` */
export function compileWhere(target: Target, where: Predicate): string {
  if (target.each === true && useTexts(target, where, 'every')) return compileEach(target, where);
  const found = target.lookUp?.(target, where) ?? null;
  if (found !== null) return found;
  switch (where.op) {
    case 'and':
      return where.of.length === 0
        ? '(1=1)'
        : `(${where.of.map((each) => compileWhere(target, each)).join(' AND ')})`;
    case 'or':
      return where.of.length === 0
        ? '(1=0)'
        : `(${where.of.map((each) => compileWhere(target, each)).join(' OR ')})`;
    case 'not':
      return `NOT ${compileWhere(target, where.of)}`;
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${toCompared(target, where.field, { column: toColumn(target, where.field), values: [where.value] })} ${COMPARISONS[where.op]} ${toParam(target, where.value)}`;
    case 'in':
      return compileIn(target, where);
    case 'contains':
      return target.dialect.contains(
        toSearched(target, where.field),
        target.params.add(target.dialect.toPart(where.text)),
      );
    case 'equalsFolded':
      return `${toCompared(target, where.field, { column: toFolded(target, where.field), values: [where.text] })} = ${toParam(target, where.text)}`;
    case 'hasAny':
    case 'hasAll':
      return compileList(target, where);
    default:
      return fail(where);
  }
}
