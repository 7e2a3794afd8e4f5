import { fieldOf } from '../../lib/collection-check.ts';
import { and, eq, type Direction, type Order, type Predicate } from '../../lib/query.ts';
import { EVERYTHING, type CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isOrdered, toFixedValues, toPieces } from '../../lib/query-plan.ts';
import { compileWhere, Params, toColumn, type Target } from './compile-where.ts';
import { quoteName, type Dialect, type SqlValue } from './dialect.ts';
import { foldedName } from './tables.ts';

/** A statement: its text depends on the shape of the query, never on its values. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Most stretches of an index that one statement reads side by side. */
const MOST_PIECES = 20;

const WORDS: Readonly<Record<Direction, string>> = { asc: 'ASC', desc: 'DESC' };

function compileRank(target: Target, predicates: readonly Predicate[]): string {
  if (predicates.length === 0) return '0';
  return `CASE ${predicates.map((each, index) => `WHEN ${compileWhere(target, each)} THEN ${index}`).join(' ')} ELSE ${predicates.length} END`;
}

/** The columns that fields are ordered by. */
function orderColumns(target: Target, orders: readonly Order[]): readonly string[] {
  return orders.flatMap((order) => ('field' in order ? [...(fieldOf(target.collection, order.field)?.folded ? [foldedName(order.field)] : []), order.field] : []));
}

function compileOrder(target: Target, order: Order): string {
  const direction = WORDS[order.direction];
  if ('rank' in order) return `(${compileRank(target, order.rank)}) ${direction}`;
  if ('list' in order) {
    const { field, values } = order.list;
    const { dialect, params } = target;
    const place = dialect.placeInList(toColumn(target, field), params.add(dialect.toListParam(values)), fieldOf(target.collection, field)?.type ?? 'text');
    return `coalesce(${place}, ${params.add(values.length)}) ${direction}`;
  }
  return orderColumns(target, [order]).map((column) => `${quoteName(column)} ${direction}`).join(', ');
}

// A literal number is a column's position to `ORDER BY`; the constant rank of no predicates is therefore left out.
function isVariable(order: Order): boolean {
  return !('rank' in order) || order.rank.length > 0;
}

function compileOrders(target: Target, orders: readonly Order[]): string {
  return orders.filter(isVariable).map((each) => compileOrder(target, each)).join(', ');
}

/** The predicate as disjoint ones, each of which one index answers in the order of the query; itself where that does not help. */
function splitWhere({ collection, where, order, limit }: CheckedQuery): readonly Predicate[] {
  const fixed = toFixedValues(where);
  if (limit === Infinity || fixed.has('id')) return [where];
  const indexes = (collection.indexes ?? []).filter((fields) => isOrdered(fields, countFixed(fields, fixed, MOST_PIECES), order));
  const [longest] = indexes.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return [where];
  const leading = longest.slice(0, countFixed(longest, fixed, MOST_PIECES));
  const pieces = toPieces(where, leading, { last: undefined, fixed });
  if (pieces.length < 2) return [where];
  return pieces.map(({ values, rest }) => and(...values.map((value, at) => eq(leading[at] ?? 'id', value)), ...(rest === EVERYTHING ? [] : [rest])));
}

/** How a query is run. `gather`: see Target. */
export interface CompileOptions {
  readonly gather: boolean;
}

/** One page of records: `id`, `version` and the fields of the query. */
export function compileFind(dialect: Dialect, query: CheckedQuery, { gather }: CompileOptions): Sql {
  const { collection, order, limit, offset, fields } = query;
  const params = new Params(dialect);
  const target: Target = { dialect, collection, params, gather };
  const pieces = gather ? [query.where] : splitWhere(query);
  const names = [...new Set(['id', 'version', ...fields, ...(pieces.length > 1 ? orderColumns(target, order) : [])])];
  const select = `SELECT ${names.map(quoteName).join(', ')} FROM ${quoteName(collection.name)}`;
  const page = (): string => `LIMIT ${limit === Infinity ? dialect.noLimit : params.add(limit)} OFFSET ${params.add(offset)}`;
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) {
    const where = compileWhere(target, only);
    return { text: `${select} WHERE ${where} ORDER BY ${compileOrders(target, order)} ${page()}`, values: params.values };
  }
  const parts = pieces.map((piece) => `SELECT * FROM (${select} WHERE ${compileWhere(target, piece)} ORDER BY ${compileOrders(target, order)} LIMIT ${params.add(offset + limit)}) AS p`);
  return { text: `SELECT * FROM (${parts.join(' UNION ALL ')}) AS u ORDER BY ${compileOrders(target, order)} ${page()}`, values: params.values };
}

/** The number of matches, as `n`. */
export function compileCount(dialect: Dialect, { collection, where }: Pick<CheckedQuery, 'collection' | 'where'>): Sql {
  const params = new Params(dialect);
  const text = `SELECT count(*) AS "n" FROM ${quoteName(collection.name)} WHERE ${compileWhere({ dialect, collection, params, gather: true }, where)}`;
  return { text, values: params.values };
}
