import type { Predicate } from '../../../../lib/store/query.ts';
import { GRAM, toTextCondition, type TextCondition } from '../../../../lib/store/text-condition.ts';
import { quoteName } from '../../sql/dialect.ts';
import { toPending, toTerms, toWords, type TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import { intersect, NO_IDS, parseIds, subtract, unite, type IdList } from './id-list.ts';

/** Which records may match, and which of these do for certain. The others must be tested. */
export interface Bounds {
  readonly most: IdList;
  readonly least: IdList;
}

/** Shortest text that the index of trigrams can look up, in code points: as the beginning of trigrams. */
const SHORTEST = 2;
/** Most trigrams whose lists of records are united, however long they are, and else, and then most steps of that. Beyond that a scan is as fast. */
const MOST = { longTerms: 60, terms: 1000, steps: 5_000_000 } as const;
const WORD = /^[0-9a-z\u0080-\u{10FFFF}]+$/u;

const quoteTerm = (term: string): string => `"${term.replaceAll('"', '""')}"`;

type Search = Extract<Predicate, { readonly text: string }>;

const isSearch = (where: Predicate): where is Search => where.op === 'contains';

/** The text that is searched in all indexed fields; null for other conditions. */
function toWholeText(where: Predicate, fields: readonly string[]): string | null {
  const parts = where.op === 'or' ? where.of.filter(isSearch) : [];
  const [first] = parts;
  if (
    first === undefined ||
    where.op !== 'or' ||
    parts.length < where.of.length ||
    parts.some(({ text }) => text !== first.text)
  )
    return null;
  const searched = new Set(parts.map(({ field }) => field));
  return searched.size === fields.length && fields.every((field) => searched.has(field)) ? first.text : null;
}

/** Looks up the texts of one search in the index. */
export class TextMatches {
  readonly #session: Session;
  readonly #index: Pick<TextIndex, 'name' | 'fields'>;
  /** The records that the index does not have in their present state. */
  readonly #pending: IdList;
  /** What was selected, by table and FTS5 query. */
  readonly #selected = new Map<string, IdList>();
  /** The FTS5 queries of two letters. */
  readonly #beginnings = new Map<string, string | null>();

  constructor(session: Session, index: Pick<TextIndex, 'name' | 'fields'>) {
    this.#session = session;
    this.#index = index;
    this.#pending = parseIds(session.get(`SELECT group_concat("record") FROM ${toPending(index.name)}`)?.[0]);
  }

  /** The records that may satisfy the condition; null: any of them may. */
  find(where: Predicate): IdList | null {
    const condition = toTextCondition({ search: this.#index.fields }, where, SHORTEST);
    const match = condition === null ? null : this.#toMatch(condition);
    return match === null ? null : unite(this.#select(quoteName(this.#index.name), match), this.#pending);
  }

  /** The records of a list that may satisfy the condition, and those that do. */
  toBounds(where: Predicate, among: IdList): Bounds {
    const whole = toWholeText(where, this.#index.fields);
    const found = whole === null ? null : this.#lookUp(whole);
    if (found !== null) return { most: intersect(among, found.most), least: intersect(among, found.least) };
    switch (where.op) {
      case 'not': {
        const { most, least } = this.toBounds(where.of, among);
        return { most: subtract(among, least), least: subtract(among, most) };
      }
      case 'and':
        return this.#join(where.of, among, { first: { most: among, least: among }, by: intersect });
      case 'or':
        return this.#join(where.of, among, { first: { most: NO_IDS, least: NO_IDS }, by: unite });
      case 'contains':
      case 'equalsFolded': {
        const part = this.#index.fields.includes(where.field) ? this.#lookUp(where.text) : null;
        return { most: part === null ? among : intersect(among, part.most), least: NO_IDS };
      }
      default:
        return { most: among, least: NO_IDS };
    }
  }

  #join(
    parts: readonly Predicate[],
    among: IdList,
    { first, by }: { readonly first: Bounds; readonly by: typeof unite },
  ): Bounds {
    return parts
      .map((each) => this.toBounds(each, among))
      .reduce(
        (left, right) => ({ most: by(left.most, right.most), least: by(left.least, right.least) }),
        first,
      );
  }

  /** The records with a text in some indexed field; null: the index cannot tell. */
  #lookUp(text: string): Bounds | null {
    const match = this.#toMatch({ text });
    return match === null ? null : this.#toKnown(text, this.#select(quoteName(this.#index.name), match));
  }

  #toKnown(text: string, found: IdList): Bounds {
    const listed = subtract(found, this.#pending);
    return { most: unite(listed, this.#pending), least: this.#prove(text, listed) };
  }

  #prove(text: string, found: IdList): IdList {
    // A line feed may be the one between two fields.
    if (text.includes('\n')) return NO_IDS;
    if (Array.from(text).length <= GRAM) return found;
    return WORD.test(text)
      ? intersect(found, this.#select(toWords(this.#index.name), `${quoteTerm(text)} *`))
      : NO_IDS;
  }

  #select(table: string, match: string): IdList {
    const key = `${table} ${match}`;
    // The hidden column of an FTS5 table has its name.
    const found =
      this.#selected.get(key) ??
      parseIds(
        this.#session.get(`SELECT group_concat(rowid) FROM ${table} WHERE ${table} MATCH ?`, [match])?.[0],
      );
    this.#selected.set(key, found);
    return found;
  }

  /** The FTS5 query of a condition; null: there is none that is fast. */
  #toMatch(condition: TextCondition): string | null {
    if ('text' in condition) return this.#toTerms(Array.from(condition.text));
    const parts = condition.of.map((each) => this.#toMatch(each));
    const known = parts.filter((part) => part !== null);
    if (known.length === 0 || (condition.op === 'or' && known.length < parts.length)) return null;
    return `(${known.join(condition.op === 'and' ? ' AND ' : ' OR ')})`;
  }

  #toTerms(points: readonly string[]): string | null {
    if (points.length < SHORTEST) return null;
    if (points.length === SHORTEST) return this.#findBeginnings(points.join(''));
    const grams = new Set(
      points.slice(0, points.length - GRAM + 1).map((_, at) => points.slice(at, at + GRAM).join('')),
    );
    return `(${[...grams].map(quoteTerm).join(' AND ')})`;
  }

  #findBeginnings(text: string): string | null {
    const known = this.#beginnings.get(text);
    if (known !== undefined) return known;
    const found = this.#toBeginnings(text);
    this.#beginnings.set(text, found);
    return found;
  }

  /** All trigrams that begin with two letters. */
  #toBeginnings(text: string): string | null {
    const terms = this.#session.all(
      `SELECT term, doc FROM ${toTerms(this.#index.name)} WHERE term >= ? AND term <= ? LIMIT ?`,
      [text, `${text}\u{10FFFF}`, MOST.terms + 1],
    );
    const records = terms.reduce((sum, [, doc]) => sum + Number(doc), 0);
    if (terms.length > MOST.terms || (terms.length > MOST.longTerms && terms.length * records > MOST.steps))
      return null;
    // The text itself is too short for a trigram, and matches nothing.
    return `(${[text, ...terms.map(([term]) => String(term))].map(quoteTerm).join(' OR ')})`;
  }
}
