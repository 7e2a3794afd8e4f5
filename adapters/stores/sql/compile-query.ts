import { type CheckedQuery, EVERYTHING } from '../../../lib/store/check-query.ts';
import { fieldOf, type CollectionDescriptor } from '../../../lib/store/collection.ts';
import { toFixedValues } from '../../../lib/store/query-plan.ts';
import {
  type Direction,
  LONG_TEXT_BYTES,
  type Order,
  type Predicate,
  type Scalar,
} from '../../../lib/store/query.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import {
  compileTables,
  compileWhere,
  Params,
  type Target,
  toColumn,
  toCompared,
  toFolded,
  toKey,
} from './compile-where.ts';
import { type Dialect, quoteName, type SqlValue } from './dialect.ts';
import { toSortColumns } from './names.ts';
import { compileAfter, listSelected, type MarkedColumn, type PageQuery } from './page-query.ts';

/** A statement. Its text depends on the shape of the query, never on its values. */
export interface Sql {
  /** With placeholders. */
  readonly text: string;
  /** One for each placeholder, in order. */
  readonly values: readonly SqlValue[];
  /** It returns at most one row. */
  readonly single?: true;
}

const WORDS: Readonly<Record<Direction, string>> = { asc: 'ASC', desc: 'DESC' };

function compileRank(target: Target, predicates: readonly Predicate[]): string {
  if (predicates.length === 0) return '0';
  return `CASE ${predicates.map((each, index) => `WHEN ${compileWhere(target, each)} THEN ${index}`).join(' ')} ELSE ${predicates.length} END`;
}

/** The columns that implement an order by fields. */
function orderColumns(target: Target, orders: readonly Order[]): readonly string[] {
  return orders.flatMap((order) => ('field' in order ? toSortColumns(target.collection, order.field) : []));
}

function compileOrder(target: Target, order: Order): string {
  const direction = WORDS[order.direction];
  if ('rank' in order) return `(${compileRank(target, order.rank)}) ${direction}`;
  if ('list' in order) {
    const { field, values } = order.list;
    const { dialect, params } = target;
    const place = dialect.placeInList(
      toColumn(target, field),
      params.add(dialect.toListParam(values)),
      fieldOf(target.collection, field)?.type ?? 'text',
    );
    return `coalesce(${place}, ${params.add(values.length)}) ${direction}`;
  }
  const [first = order.field, ...rest] = orderColumns(target, [order]).map(quoteName);
  // The indexed form comes first, so that an index in this order can be used. The text itself follows, because the indexed form is only its beginning.
  return [...new Set([toKey(target, order.field, first), first, ...rest])]
    .map((column) => `${column} ${direction}`)
    .join(', ');
}

// `ORDER BY` reads a literal number as the position of a column, so the constant rank of no predicates is left out.
function isVariable(order: Order): boolean {
  return !('rank' in order) || order.rank.length > 0;
}

function compileOrders(target: Target, orders: readonly Order[]): string {
  return orders
    .filter(isVariable)
    .map((each) => compileOrder(target, each))
    .join(', ');
}

/** How the records are reached. It affects the speed of a query, never its result. */
export interface Access {
  /** Follows the name of the table: SQLite's `INDEXED BY`. */
  readonly hint: string;
  /** List fields are looked up once before the query, instead of once per record. */
  readonly gather: boolean;
  /** Texts in a table of their own are looked up for each record that matches the rest. */
  readonly each?: boolean;
  /** See Target. */
  readonly lookUp?: NonNullable<Target['lookUp']>;
  /** Leading fields of an index that the predicate fixes to values. They are written out so that the index can be used. */
  readonly leading: readonly string[];
  /** At most one record is reached, and it is wanted. The statement then needs no ORDER BY and no LIMIT. */
  readonly single: boolean;
  /** All matches are found first, and then ordered. */
  readonly apart: boolean;
  /** The ids of the page are found first, without the other columns of the records before it. Only for orders by fields. */
  readonly late?: boolean;
  /** Most records that are read, as far as that is known. Work inside an index hardly counts. */
  readonly reads: number;
  /** Ordered index ranges that are read side by side instead. When it is empty, there is one, described by the members above. */
  readonly walks: readonly Walk[];
}

/** One index range, in the order of the query. The ranges of a query do not overlap and together contain every match. */
export interface Walk {
  /** See Access. */
  readonly hint: string;
  /** Fields with known values. */
  readonly fixed: readonly (readonly [field: string, values: readonly Scalar[]])[];
  /** What remains to be tested. */
  readonly rest: Predicate;
}

/** Leaves the choice to the planner of the database. */
export const PLAIN_ACCESS: Access = {
  hint: '',
  gather: false,
  leading: [],
  single: false,
  apart: false,
  reads: Infinity,
  walks: [],
};

function compileFixed(target: Target, field: string, values: readonly Scalar[]): string {
  const { dialect, params } = target;
  const type = fieldOf(target.collection, field)?.type ?? 'text';
  const test = (raw: string, wanted: readonly Scalar[]): string => {
    const [only] = wanted;
    const column = toCompared(target, field, { column: raw, values: wanted });
    return only !== undefined && wanted.length === 1
      ? `${column} = ${params.add(dialect.toParam(only))}`
      : dialect.inList(column, params.add(dialect.toListParam(wanted)), type);
  };
  const isFolded = fieldOf(target.collection, field)?.folded === true;
  return [
    ...(isFolded
      ? [
          test(
            toFolded(target, field),
            values.map((value) => fold(String(value))),
          ),
        ]
      : []),
    test(toColumn(target, field), values),
  ].join(' AND ');
}

/** Whether the predicate fixes the field to one value explicitly, in the only form that indexes hold. */
function isPlain(collection: CollectionDescriptor, where: Predicate, field: string): boolean {
  if (where.op === 'and') return where.of.some((each) => isPlain(collection, each, field));
  return (
    (where.op === 'eq' || (where.op === 'in' && where.values.length === 1)) &&
    where.field === field &&
    fieldOf(collection, field)?.folded !== true
  );
}

/** All matches as one range. Values of leading fields are written beside the predicate only if it merely implies them: written twice, they hide from SQLite that a key names one record. */
function toWhole(
  { collection, where }: Pick<CheckedQuery, 'collection' | 'where'>,
  { leading, hint }: Pick<Access, 'leading' | 'hint'>,
): Walk {
  const fixed = toFixedValues(where);
  const implied = leading.filter((field) => !isPlain(collection, where, field));
  return { hint, fixed: implied.map((field) => [field, fixed.get(field) ?? []]), rest: where };
}

function compileFrom(target: Target, { hint, fixed, rest }: Walk, query?: PageQuery): string {
  const conditions = fixed.map(([field, values]) => compileFixed(target, field, values));
  const where = compileWhere(target, rest);
  const toSql = ({ field, name }: MarkedColumn): string =>
    toKey(target, field, name === field ? toColumn(target, field) : toFolded(target, field));
  const after =
    query === undefined ? [] : compileAfter(query, { dialect: target.dialect, params: target.params, toSql });
  return `FROM ${compileTables(target, { where: rest, orders: query?.order ?? [], hint })} WHERE ${[...conditions, where, ...after].join(' AND ')}`;
}

/** The same records, found before anything else is done with them. */
function apart(target: Target, orders: readonly Order[], from: string): string {
  const id = `${quoteName(target.collection.name)}."id"`;
  return `FROM ${compileTables(target, { where: EVERYTHING, orders, hint: '' })} WHERE ${id} IN (WITH "m" AS MATERIALIZED (SELECT ${id} ${from}) SELECT "id" FROM "m")`;
}

/** The records of a page whose ids are found first. */
function late(target: Target, orders: readonly Order[], page: string): string {
  return joinPage(target, orders, `SELECT ${quoteName(target.collection.name)}."id" AS "page:id" ${page}`);
}

function joinPage(target: Target, orders: readonly Order[], ids: string): string {
  const table = quoteName(target.collection.name);
  return `FROM ${compileTables(target, { where: EVERYTHING, orders, hint: '' })} JOIN (${ids}) AS p ON ${table}."id" = p."page:id"`;
}

/** The column of a field, named after the field. Unwanted long texts become NULL. `prefix`: prefix of the column, such as `r.`. */
export function showColumn(field: string, omitted: CheckedQuery['omitted'], prefix = ''): string {
  const name = quoteName(field);
  const column = `${prefix}${name}`;
  if (omitted?.includes(field) === true)
    return `CASE WHEN octet_length(${column}) <= ${LONG_TEXT_BYTES} THEN ${column} END AS ${name}`;
  return prefix === '' ? column : `${column} AS ${name}`;
}

function toTarget(
  dialect: Dialect,
  of: Pick<Target, 'collection' | 'params'>,
  { gather, each = false, lookUp }: Access,
): Target {
  return { ...of, dialect, gather, each, ...(lookUp === undefined ? {} : { lookUp }) };
}

/** One page of records: `id`, `version` and the fields of the query, and behind them what the mark of the page needs. */
export function compileFind(dialect: Dialect, query: PageQuery, access: Access): Sql {
  const { collection, order, limit, offset, omitted } = query;
  const params = new Params(dialect);
  const target = toTarget(dialect, { collection, params }, access);
  const walks = access.walks.length === 0 ? [toWhole(query, access)] : access.walks;
  const [only] = walks;
  const shown = listSelected(query);
  const select = `SELECT ${shown.map((name) => showColumn(name, omitted)).join(', ')}`;
  const page = (): string =>
    `LIMIT ${limit === Infinity ? dialect.noLimit : params.add(limit)} OFFSET ${params.add(offset)}`;
  if (only !== undefined && walks.length === 1) {
    const from = access.apart
      ? apart(target, order, compileFrom(target, only, query))
      : compileFrom(target, only, query);
    if (access.single) return { text: `${select} ${from}`, values: params.values, single: true };
    if (access.late === true)
      return {
        text: `${select} ${late(target, order, `${from} ORDER BY ${compileOrders(target, order)} ${page()}`)} ORDER BY ${compileOrders(target, order)}`,
        values: params.values,
      };
    return {
      text: `${select} ${from} ORDER BY ${compileOrders(target, order)} ${page()}`,
      values: params.values,
    };
  }
  // Only the index is read up to the page, and the records of the page alone.
  const keys = [...new Set(['id', ...orderColumns(target, order)])].map((name) => showColumn(name, null));
  const sorted = `ORDER BY ${compileOrders(target, order)}`;
  const end = (): string => (limit === Infinity ? '' : ` LIMIT ${params.add(offset + limit)}`);
  // Where indexes hold texts in full, the order has no expressions, so a union can have it: its parts are merged, and all of them together are read up to the page.
  const isMerged = dialect.keyLength === Infinity;
  const parts = walks
    .map((walk) => {
      const part = `SELECT ${keys.join(', ')} ${compileFrom(target, walk, query)}`;
      return isMerged ? part : `SELECT * FROM (${part} ${sorted}${end()}) AS p`;
    })
    .join(' UNION ALL ');
  const paged = `${sorted} ${page()}`;
  const ids = `SELECT "id" AS "page:id" FROM (${isMerged ? `${parts} ${paged}) AS u` : `${parts}) AS u ${paged}`}`;
  return {
    text: `${select} ${joinPage(target, order, ids)} ${sorted}`,
    values: params.values,
  };
}

/** An aggregate over all matches, as the column `n`. */
export function compileAggregate(
  dialect: Dialect,
  { collection, where }: Pick<CheckedQuery, 'collection' | 'where'>,
  { access, aggregate }: { readonly access: Access; readonly aggregate: string },
): Sql {
  const params = new Params(dialect);
  const from = compileFrom(
    toTarget(dialect, { collection, params }, access),
    toWhole({ collection, where }, access),
  );
  return { text: `SELECT ${aggregate} AS "n" ${from}`, values: params.values };
}

/** The number of matches, as the column `n`. */
export function compileCount(
  dialect: Dialect,
  query: Pick<CheckedQuery, 'collection' | 'where'>,
  access: Access,
): Sql {
  return compileAggregate(dialect, query, { access, aggregate: 'count(*)' });
}

/** Counts the records with these values of the leading fields, within the bounds on the next field; at most `most`. */
export function compileProbe(
  dialect: Dialect,
  { collection, where }: Pick<CheckedQuery, 'collection' | 'where'>,
  { leading, bounds, hint, most }: Probe,
): Sql {
  const params = new Params(dialect);
  const target: Target = { dialect, collection, params, gather: false };
  const fixed = toFixedValues(where);
  const conditions = leading
    .map((field) => compileFixed(target, field, fixed.get(field) ?? []))
    .concat(bounds.map((part) => compileWhere(target, part)));
  return {
    text: `SELECT count(*) AS "n" FROM (SELECT 1 FROM ${quoteName(collection.name)}${hint} WHERE ${conditions.join(' AND ')} LIMIT ${params.add(most)}) AS p`,
    values: params.values,
  };
}

/** The parameters of a probe. `bounds`: on the field after the leading ones, unless it is folded. */
interface Probe {
  readonly leading: readonly string[];
  readonly bounds: readonly Predicate[];
  readonly hint: string;
  readonly most: number;
}
