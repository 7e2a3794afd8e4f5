import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { fieldOf, type CollectionDescriptor } from '../../../../lib/store/collection.ts';
import {
  countFixed,
  type FixedValues,
  type IndexRange,
  isEverything,
  isOrdered,
  listBounds,
  listCombinations,
  toFixedValues,
  toIndexRanges,
} from '../../../../lib/store/query-plan.ts';
import type { Predicate, Scalar } from '../../../../lib/store/query.ts';
import { fold } from '../../../../lib/store/stored-text.ts';
import { type Access, compileProbe, PLAIN_ACCESS, showColumn, type Sql } from '../../sql/compile-query.ts';
import { compileWhere, Params } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import { listName, toSortColumns } from '../../sql/names.ts';
import { countMisses, countReads, findOrderedIndex, toOrderedAccess } from '../../sql/ordered-walks.ts';
import { compileAfter, listSelected, type PageQuery } from '../../sql/page-query.ts';
import type { IndexShape, TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import type { ListIndex } from '../schema/migrate.ts';
import type { Session } from '../session.ts';

/** Fewer records than this are read and sorted. With more, an index in the order of the query is read until the page is full. */
const FEW = 1000;
/** Items of more records than this count as equally frequent. */
const MANY = 20_000;
/** Reading and sorting this many records is faster than looking for a better way. */
const HANDFUL = 20;
/** Most combinations of values that are looked up in an index. */
const MOST_COMBINATIONS = 200;
/** Most cached sizes per collection. */
const KEPT = 1000;
/** How often a cached size is used before it is measured again. */
const TRUSTED = { few: 50, many: 5000 };

const BY_ID = ' NOT INDEXED';
const byIndex = (index: IndexShape): string => ` INDEXED BY ${quoteName(index.name)}`;

type ListCondition = Extract<Predicate, { op: 'hasAny' | 'hasAll' }>;

function listConditions(where: Predicate): readonly ListCondition[] {
  if (where.op === 'and') return where.of.flatMap(listConditions);
  return where.op === 'hasAny' || where.op === 'hasAll' ? [where] : [];
}

/** The fields that a predicate tests, but for the id, which every index has. An index with all of them tells the total without reading the records. */
function listTested(where: Predicate): readonly string[] {
  if (where.op === 'not') return listTested(where.of);
  if (!('field' in where)) return where.of.flatMap(listTested);
  return where.field === 'id' ? [] : [where.field];
}

interface Candidate {
  readonly access: Access;
  /** null: the table of a list field. */
  readonly index: IndexShape | null;
  /** How many records it reaches, or FEW if there are more. */
  readonly size: () => number;
  readonly depth: number;
}

/**
 * Chooses how the records of a query are reached. SQLite's own planner has averages at best, and nothing about a file that
 * has just grown. A probe of an index shows whether there are few records with these exact values. Its result is cached for a while.
 */
export class AccessChooser {
  readonly #session: Session;
  readonly #table: TableShape;
  readonly #indexes: readonly IndexShape[];
  readonly #known = new Map<string, { readonly size: number; left: number }>();
  readonly #few: number;

  constructor(session: Session, table: TableShape, few = FEW) {
    this.#few = few;
    this.#session = session;
    this.#table = table;
    // The index of a key with exceptions does not contain all records.
    this.#indexes = table.indexes.filter((index) => index.except === null);
  }

  /** The access for a page of records. */
  toFind(query: CheckedQuery): Access {
    const fixed = toFixedValues(query.where);
    const ids = fixed.get('id')?.length;
    const isWanted = query.offset === 0 && query.limit > 0;
    if (ids !== undefined && this.#isFew(ids))
      return { ...PLAIN_ACCESS, hint: BY_ID, single: ids === 1 && isWanted, reads: ids };
    // A unique key gives one record at most, so there is nothing to compare.
    const key = this.#indexes.find(
      ({ unique, fields }) => unique && fields.every((field) => fixed.get(field)?.length === 1),
    );
    if (key !== undefined)
      return { ...PLAIN_ACCESS, hint: byIndex(key), leading: key.fields, single: isWanted, reads: 1 };
    const candidates = this.#listCandidates(query, fixed);
    const few = this.#findFew(candidates);
    if (few !== null && few.size <= HANDFUL) return few.access;
    const ordered = this.#findOrdered(query, fixed);
    // An ordered range may end early and needs no sorting, so it may read some more records.
    if (few !== null && (ordered === null || ordered.size() > 4 * few.size)) return few.access;
    return this.#bounded(ordered?.access ?? deepest(candidates)?.access ?? PLAIN_ACCESS);
  }

  /** The access for a total. */
  toCount(query: CheckedQuery): Access {
    const fixed = toFixedValues(query.where);
    const ids = fixed.get('id')?.length;
    if (ids !== undefined && this.#isFew(ids)) return { ...PLAIN_ACCESS, hint: BY_ID, reads: ids };
    const candidates = this.#listCandidates(query, fixed);
    const few = this.#findFew(candidates);
    if (few !== null) return few.access;
    const tested = listTested(query.where);
    const covering = deepest(
      candidates.filter(
        ({ index }) => index !== null && tested.every((field) => index.fields.includes(field)),
      ),
    );
    if (covering !== undefined) return this.#bounded(covering.access);
    const { access = PLAIN_ACCESS, index = null } = deepest(candidates) ?? {};
    if (index === null) return this.#bounded(access);
    // Conditions that the index decides are counted without reading the records.
    const misses = countMisses(query.collection, {
      where: query.where,
      fields: index.fields,
      leading: access.leading,
      fixed,
    });
    return this.#bounded(misses === Infinity ? access : { ...access, reads: 0 });
  }

  /** How many records contain the item, or MANY if there are more. */
  countItem(field: string, item: Scalar): number {
    const text = `SELECT count(*) AS "n" FROM (SELECT 1 FROM ${quoteName(listName(this.#table.name, field))} WHERE "value" = ? LIMIT ${MANY})`;
    return this.#remember(`item ${field}:${JSON.stringify(item)}`, () =>
      this.#session.number(text, [sqliteDialect.toParam(item)]),
    );
  }

  #isFew(size: number): boolean {
    return size < this.#few;
  }

  /** Limits the reads to the number of records that exist. */
  #bounded(access: Access): Access {
    return access.reads === Infinity ? { ...access, reads: this.#countAll() } : access;
  }

  #countAll(): number {
    const size = this.#remember('', () =>
      this.#session.number(
        `SELECT count(*) FROM (SELECT 1 FROM ${quoteName(this.#table.name)} LIMIT ${this.#few})`,
      ),
    );
    return this.#isFew(size) ? size : Infinity;
  }

  #listCandidates(query: CheckedQuery, fixed: FixedValues): readonly Candidate[] {
    const lists = listConditions(query.where).map((condition): Candidate => ({
      access: { ...PLAIN_ACCESS, hint: BY_ID, gather: true },
      index: null,
      depth: 1,
      size: () => this.#probeList(condition),
    }));
    const indexes = this.#indexes.flatMap((index): readonly Candidate[] => {
      const depth = countFixed(index.fields, fixed, MOST_COMBINATIONS);
      if (depth === 0) return [];
      const leading = index.fields.slice(0, depth);
      // A complete unique key names at most as many records as it has value combinations.
      const size =
        index.unique && depth === index.fields.length
          ? () => listCombinations(leading, fixed).length
          : () => this.#probeIndex(index, { query, leading, fixed });
      return [{ access: { ...PLAIN_ACCESS, hint: byIndex(index), leading }, index, depth, size }];
    });
    return [...lists, ...indexes];
  }

  #findFew(candidates: readonly Candidate[]): { readonly access: Access; readonly size: number } | null {
    let best: { readonly access: Access; readonly size: number } | null = null;
    for (const { access, size } of candidates.toSorted((a, b) => b.depth - a.depth)) {
      const found = size();
      if (found < (best?.size ?? this.#few)) best = { access: { ...access, reads: found }, size: found };
      if (best !== null && best.size <= HANDFUL) break;
    }
    return best;
  }

  #findOrdered(query: CheckedQuery, fixed: FixedValues): Pick<Candidate, 'access' | 'size'> | null {
    const found = findOrderedIndex(this.#indexes, query);
    if (found !== null) {
      const { index, leading } = found;
      return {
        access: toOrderedAccess(this.#indexes, query, { found, hintOf: byIndex }),
        size: () => (leading.length === 0 ? Infinity : this.#probeIndex(index, { query, leading, fixed })),
      };
    }
    if (query.limit === Infinity || !isOrdered(['id'], 0, query.order)) return null;
    const misses = countMisses(query.collection, { where: query.where, fields: ['id'], leading: [], fixed });
    return {
      access: { ...PLAIN_ACCESS, hint: BY_ID, reads: countReads(query, misses) },
      size: () => Infinity,
    };
  }

  #probeIndex(
    index: IndexShape,
    { query, leading, fixed }: { query: CheckedQuery; leading: readonly string[]; fixed: FixedValues },
  ): number {
    const name = index.fields[leading.length];
    const next = name === undefined || fieldOf(this.#table.collection, name)?.folded ? undefined : name;
    const bounds = listBounds(query.where).filter(({ field }) => field === next);
    return this.#remember(
      JSON.stringify([leading.map((field) => [field, ...(fixed.get(field) ?? [])]), bounds]),
      () => {
        const sql = compileProbe(sqliteDialect, query, {
          leading,
          bounds,
          hint: byIndex(index),
          most: this.#few,
        });
        return this.#session.number(sql.text, sql.values);
      },
    );
  }

  #probeList({ op, field, values }: ListCondition): number {
    // An empty list of values matches all records, or none.
    if (values.length === 0) return op === 'hasAll' ? this.#few : 0;
    const list = sqliteDialect.toListParam(values);
    const text = `SELECT count(*) AS "n" FROM (SELECT 1 FROM ${quoteName(listName(this.#table.name, field))} WHERE ${sqliteDialect.inList('"value"', '?', 'integer')} LIMIT ${this.#few})`;
    return this.#remember(`${field}:${String(list)}`, () => this.#session.number(text, [list]));
  }

  #remember(key: string, probe: () => number): number {
    const known = this.#known.get(key);
    if (known !== undefined && known.left > 0) {
      known.left -= 1;
      return known.size;
    }
    const size = probe();
    // A stale size only costs time, so it is enough to clear the cache when it is full.
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(key, { size, left: size < this.#few ? TRUSTED.few : TRUSTED.many });
    return size;
  }
}

function deepest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.toSorted((a, b) => b.depth - a.depth)[0];
}

/** Most ranges of an index that are read side by side, such as those of several languages. */
const MOST_RANGES = 20;

/** The ranges of an index that together contain the matches of a query. Their `rest` has only conditions on other lists, which are looked up by the id of the record. */
export interface ListIndexRange {
  readonly index: ListIndex;
  readonly item: Scalar;
  /** How many leading fields have known values. `values`: the item, then those values. */
  readonly depth: number;
  readonly ranges: readonly IndexRange[];
}

function listItems(where: Predicate, field: string): readonly Scalar[] {
  if (where.op === 'and') return where.of.flatMap((each) => listItems(each, field));
  return (where.op === 'hasAny' || where.op === 'hasAll') &&
    where.field === field &&
    where.values.length === 1
    ? where.values
    : [];
}

function toListIndexRange(index: ListIndex, { collection, where }: CheckedQuery): ListIndexRange | null {
  const [item] = listItems(where, index.field);
  if (item === undefined) return null;
  const fixed = new Map([...toFixedValues(where), [index.field, [item]]]);
  const depth = countFixed(index.sortedBy, fixed, MOST_RANGES);
  const next = index.sortedBy[depth];
  // A bound is on the text itself, but a folded field is sorted by its folded text.
  const last = next === undefined || fieldOf(collection, next)?.folded ? undefined : next;
  const ranges = toIndexRanges(where, [index.field, ...index.sortedBy.slice(0, depth)], {
    last,
    fixed,
  });
  return ranges.length > 0 && ranges.every(({ rest }) => isAboutLists(rest))
    ? { index, item, depth, ranges }
    : null;
}

function isAboutLists(rest: Predicate): boolean {
  if (rest.op === 'not') return isAboutLists(rest.of);
  return 'field' in rest ? rest.op === 'hasAny' || rest.op === 'hasAll' : rest.of.every(isAboutLists);
}

/** The index ranges that contain the matches, in the order of the query if `ordered`. */
export function listListIndexRanges(
  indexes: readonly ListIndex[],
  query: CheckedQuery,
  ordered: boolean,
): readonly ListIndexRange[] {
  return indexes.flatMap((index) => {
    const range = toListIndexRange(index, query);
    return range !== null && (!ordered || isOrdered(index.sortedBy, range.depth, query.order)) ? [range] : [];
  });
}

type Condition = readonly [text: string, value: Scalar];

function toConditions(
  { index, depth }: ListIndexRange,
  { values: [item = 0, ...values], lower, upper }: IndexRange,
  collection: CollectionDescriptor,
): readonly Condition[] {
  const equal = index.sortedBy.slice(0, depth).flatMap((field, at): readonly Condition[] => {
    const value = values[at] ?? '';
    return toSortColumns(collection, field).map((column) => [
      `${quoteName(column)} = ?`,
      column === field ? value : fold(String(value)),
    ]);
  });
  const next = quoteName(index.sortedBy[depth] ?? 'record');
  return [
    ['"value" = ?', item],
    ...equal,
    ...(lower === null ? [] : [[`${next} ${lower.open ? '>' : '>='} ?`, lower.value] as const]),
    ...(upper === null ? [] : [[`${next} ${upper.open ? '<' : '<='} ?`, upper.value] as const]),
  ];
}

function compileFrom(
  walk: ListIndexRange,
  range: IndexRange,
  { collection, page }: { readonly collection: CollectionDescriptor; readonly page?: PageQuery },
): Sql {
  const conditions = toConditions(walk, range, collection);
  const params = new Params(sqliteDialect);
  const id = `${quoteName(walk.index.name)}."record"`;
  const target = { dialect: sqliteDialect, collection, params, gather: false, id };
  const others = isEverything(range.rest) ? [] : [compileWhere(target, range.rest)];
  const after =
    page === undefined
      ? []
      : compileAfter(page, {
          dialect: sqliteDialect,
          params,
          toSql: ({ name }) => quoteName(name === 'id' ? 'record' : name),
        });
  return {
    text: `FROM ${quoteName(walk.index.name)} WHERE ${[...conditions.map(([text]) => text), ...others, ...after].join(' AND ')}`,
    values: [...conditions.map(([, value]) => sqliteDialect.toParam(value)), ...params.values],
  };
}

/** One page of index ranges in the order of the query. Only the records of the page are looked up, not those before it. */
export function compileRangeFind(walk: ListIndexRange, query: PageQuery): Sql {
  const {
    collection,
    order: [first],
    limit,
    offset,
    omitted,
  } = query;
  const last = walk.index.sortedBy.at(-1);
  const isByLast = last !== undefined && first !== undefined && 'field' in first && first.field === last;
  const keys = [...(isByLast ? toSortColumns(collection, last) : []), 'record'].map(quoteName);
  const orderBy = (prefix: string): string =>
    `ORDER BY ${keys.map((key) => `${prefix}${key} ${first?.direction === 'desc' ? 'DESC' : 'ASC'}`).join(', ')}`;
  const all = limit === Infinity ? -1 : limit;
  const toPage = (from: string): string => `SELECT ${keys.join(', ')} ${from} ${orderBy('')} LIMIT ?`;
  const parts = walk.ranges.map((range) => compileFrom(walk, range, { collection, page: query }));
  const [only] = parts;
  // Each range ends where the page does.
  const end = limit === Infinity ? -1 : offset + limit;
  const { text, values }: Sql =
    parts.length === 1 && only !== undefined
      ? only
      : {
          text: `FROM (${parts.map((part) => `SELECT * FROM (${toPage(part.text)})`).join(' UNION ALL ')})`,
          values: parts.flatMap((part) => part.values.concat(end)),
        };
  const columns = listSelected(query).map((name) => showColumn(name, omitted, 'r.'));
  return {
    text: `SELECT ${columns.join(', ')} FROM (${toPage(text)} OFFSET ?) AS p CROSS JOIN ${quoteName(collection.name)} AS r ON r."id" = p."record" ${orderBy('p.')}`,
    values: [...values, all, offset],
  };
}

/** The number of records in index ranges. */
export function compileRangeCount(walk: ListIndexRange, { collection }: CheckedQuery): Sql {
  const parts = walk.ranges.map((range) => compileFrom(walk, range, { collection }));
  return {
    text: `SELECT ${parts.map(({ text }) => `(SELECT count(*) ${text})`).join(' + ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}
