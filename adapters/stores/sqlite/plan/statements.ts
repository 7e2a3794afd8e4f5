import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { isEverything, searchesTexts } from '../../../../lib/store/query-plan.ts';
import type { Predicate } from '../../../../lib/store/query.ts';
import { GRAM, type TextCondition, toTextCondition } from '../../../../lib/store/text-condition.ts';
import { type Access, compileCount, compileFind, PLAIN_ACCESS, type Sql } from '../../sql/compile-query.ts';
import { compileWhere, type Target } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import { countReads } from '../../sql/ordered-walks.ts';
import type { PageQuery } from '../../sql/page-query.ts';
import type { TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { type ListIndex, listListIndexes } from '../schema/migrate.ts';
import { type TextIndex, toPending, toTerms, toWords } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import {
  AccessChooser,
  compileRangeCount,
  compileRangeFind,
  type ListIndexRange,
  listListIndexRanges,
} from './access-path.ts';

const quoteTerm = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The FTS5 query for the records that may contain a text of at least three characters. */
function toGrams(text: string): string {
  const points = Array.from(text);
  const grams = new Set(
    points.slice(0, points.length - GRAM + 1).map((_, at) => points.slice(at, at + GRAM).join('')),
  );
  return [...grams].map(quoteTerm).join(' AND ');
}

function toMatch(condition: TextCondition): string {
  if ('text' in condition) return `(${toGrams(condition.text)})`;
  return `(${condition.of.map(toMatch).join(condition.op === 'and' ? ' AND ' : ' OR ')})`;
}

/** SQL for the ids of the records that may match an FTS5 query. Listed records are not in the index in their present state. */
const candidates = ({ name }: TextIndex, match: string): string =>
  `SELECT rowid FROM ${quoteName(name)} WHERE ${quoteName(name)} MATCH ${match} UNION ALL SELECT "record" FROM ${toPending(name)}`;

type Search = Extract<Predicate, { readonly text: string }>;

/** The parts of a search for one text in several fields, or in one. */
function toSearches(where: Predicate): readonly Search[] {
  const parts: readonly Predicate[] = where.op === 'or' ? where.of : [where];
  const searches = parts.filter((part): part is Search => part.op === 'contains');
  const [first] = searches;
  const isOne = searches.length === parts.length && searches.every(({ text }) => text === first?.text);
  return isOne ? searches : [];
}

/** Whether the index can look up a text. Two letters begin trigrams of all fields together. */
function isKnown(where: Predicate, text: string, index: TextIndex): boolean {
  return (
    toTextCondition({ search: index.fields }, where) !== null ||
    (Array.from(text).length === GRAM - 1 && toProof(index, where, text) !== null)
  );
}

/** Each text that the index can look up, by the condition that searches it. */
function listLookups(where: Predicate, index: TextIndex): readonly (readonly [Predicate, string])[] {
  const [{ text = '' } = {}] = toSearches(where);
  if (text !== '') return isKnown(where, text, index) ? [[where, text]] : [];
  if (where.op === 'not') return listLookups(where.of, index);
  return 'field' in where ? [] : where.of.flatMap((each) => listLookups(each, index));
}

const WORD = /^[0-9a-z\u0080-\u{10FFFF}]+$/u;

/** The records that contain a text for certain: a part of the index, what it is asked, and whether it finds all of them. Null: each record must be tested. */
function toProof(
  { name, fields }: TextIndex,
  where: Predicate,
  text: string,
): { readonly sql: string; readonly values: readonly string[]; readonly isExact: boolean } | null {
  const searched = new Set(toSearches(where).map(({ field }) => field));
  // A line feed may be the one between two fields.
  if (searched.size < fields.length || text.includes('\n')) return null;
  const match = (part: string): string => `SELECT rowid FROM ${part} WHERE ${part} MATCH ?`;
  const length = Array.from(text).length;
  if (length < GRAM)
    return {
      sql: `SELECT doc FROM ${toTerms(name)} WHERE term >= ? AND term <= ?`,
      values: [text, `${text}\u{10FFFF}`],
      isExact: true,
    };
  if (length === GRAM) return { sql: match(quoteName(name)), values: [quoteTerm(text)], isExact: true };
  return WORD.test(text)
    ? { sql: match(toWords(name)), values: [`${quoteTerm(text)} *`], isExact: false }
    : null;
}

type LookUp = NonNullable<Target['lookUp']>;

const compilePlain = (target: Target, where: Predicate): string =>
  compileWhere({ ...target, lookUp: () => null }, where);

/** Looks up each searched text, for a search that many records match. */
export function lookUpTexts(index: TextIndex, where: Predicate): LookUp {
  const lookups = new Map(listLookups(where, index));
  return (target, each) => {
    const text = lookups.get(each);
    if (text === undefined) return null;
    const id = `${quoteName(target.collection.name)}."id"`;
    const isListed = `${id} IN (SELECT "record" FROM ${toPending(index.name)})`;
    const proof = toProof(index, each, text);
    const addAll = (values: readonly string[]): void => values.forEach((value) => target.params.add(value));
    if (proof?.isExact === true) {
      addAll(proof.values);
      return `((${id} IN (${proof.sql}) AND NOT ${isListed}) OR (${isListed} AND ${compilePlain(target, each)}))`;
    }
    const among = `${id} IN (${candidates(index, target.params.add(toGrams(text)))})`;
    addAll(proof?.values ?? []);
    const proven = proof === null ? '' : `(${id} IN (${proof.sql}) AND NOT ${isListed}) OR `;
    return `(${among} AND (${proven}${compilePlain(target, each)}))`;
  };
}

/** Reaches the records by the index, for a search that few records match. Null: the index cannot tell any. */
export function reachByTexts(index: TextIndex, where: Predicate): LookUp | null {
  const condition = toTextCondition({ search: index.fields }, where);
  return condition === null
    ? null
    : (target, each) =>
        each === where
          ? `(${quoteName(target.collection.name)}."id" IN (${candidates(index, target.params.add(toMatch(condition)))}) AND ${compilePlain(target, each)})`
          : null;
}

/** Counts the records that may match, at most `most`. Null: the index cannot tell. */
export function compileTextProbe(index: TextIndex, where: Predicate, most: number): Sql | null {
  const condition = toTextCondition({ search: index.fields }, where);
  return condition === null
    ? null
    : {
        text: `SELECT count(*) FROM (${candidates(index, '?')} LIMIT ?)`,
        values: [toMatch(condition), most],
      };
}

/** A statement, and the most records that it reads. */
interface Priced {
  readonly sql: Sql;
  readonly reads: number;
}

/** The statements of a query. null: the total is not wanted or already known; the query asks for no records. */
export interface Statements {
  readonly count: Priced | null;
  readonly page: Priced | null;
}

/** Most records that are read while everything else waits, which takes some milliseconds. Searched texts may be long. */
const SHORT = { fields: 1000, texts: 50 } as const;

/** Whether a query may take so long that it delays others noticeably. */
export function isLong(query: CheckedQuery, { count, page }: Statements): boolean {
  const most = searchesTexts(query) ? SHORT.texts : SHORT.fields;
  return (count !== null && count.reads > most) || (page !== null && page.reads > most);
}

/** The statements of a read. Null: not wanted. */
interface ReadStatements {
  readonly count: Sql | null;
  readonly page: Sql | null;
}

/** Statements for another thread, and others for the case that `probe` counts fewer than `below`. */
export interface SearchStatements extends ReadStatements {
  readonly few: (ReadStatements & { readonly probe: Sql; readonly below: number }) | null;
}

/** A search with fewer candidates than this reads all of them. With more, it reads the page in its order. */
const FEW_CANDIDATES = 1000;

/** By the ids that the index of texts gives. */
const REACHED: Access = { ...PLAIN_ACCESS, hint: ' NOT INDEXED' };

/** Whether every record of the ranges matches. */
function isExact({ ranges }: ListIndexRange): boolean {
  return ranges.every(({ rest }) => isEverything(rest));
}

/** Compiles the queries of one collection. */
export class Compiler {
  readonly #chooser: AccessChooser;
  readonly #listIndexes: readonly ListIndex[];
  readonly #few: number;

  constructor(session: Session, table: TableShape, few?: number) {
    this.#few = few ?? FEW_CANDIDATES;
    this.#chooser = new AccessChooser(session, table, few);
    this.#listIndexes = listListIndexes(table);
  }

  page(query: PageQuery): Priced {
    const range = this.#findRange(query, true);
    if (range !== null)
      return { sql: compileRangeFind(range, query), reads: isExact(range) ? countReads(query, 0) : Infinity };
    const access = this.#chooser.toFind(query);
    return { sql: compileFind(sqliteDialect, query, access), reads: access.reads };
  }

  total(query: CheckedQuery): Priced {
    const range = this.#findRange(query, false);
    if (range !== null) return { sql: compileRangeCount(range, query), reads: isExact(range) ? 0 : Infinity };
    const access = this.#chooser.toCount(query);
    return { sql: compileCount(sqliteDialect, query, access), reads: access.reads };
  }

  /** The statements of a search for texts. */
  search(query: PageQuery, index: TextIndex): SearchStatements {
    const { where, limit, total } = query;
    const compile = (access: (of: 'toFind' | 'toCount') => Access): ReadStatements => ({
      count: total ? compileCount(sqliteDialect, query, access('toCount')) : null,
      page: limit === 0 ? null : compileFind(sqliteDialect, query, access('toFind')),
    });
    const [lookUp, probe] = [reachByTexts(index, where), compileTextProbe(index, where, this.#few)];
    return {
      ...compile((of) => ({ ...this.#chooser[of](query), lookUp: lookUpTexts(index, where) })),
      few:
        lookUp === null || probe === null
          ? null
          : { ...compile(() => ({ ...REACHED, lookUp })), probe, below: this.#few },
    };
  }

  /** An intersection of several lists begins with the item that the fewest records have. */
  #findRange(query: CheckedQuery, ordered: boolean): ListIndexRange | null {
    const ranges = listListIndexRanges(this.#listIndexes, query, ordered);
    if (ranges.length < 2) return ranges[0] ?? null;
    const sizeOf = ({ index: { field }, item }: ListIndexRange): number =>
      this.#chooser.countItem(field, item);
    return ranges.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null;
  }
}
