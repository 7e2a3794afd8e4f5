import type { Predicate } from '../../../../lib/store/query.ts';
import { GRAM, toTextCondition, type TextCondition } from '../../../../lib/store/text-condition.ts';
import type { Sql } from '../../sql/compile-query.ts';
import { compileWhere, type Target } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import { toPending, toTerms, toWords, type TextIndex } from '../schema/text-index.ts';

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
