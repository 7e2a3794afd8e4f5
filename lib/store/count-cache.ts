import type { CheckedQuery } from './check-query.ts';
import { type Compare, type Test, toCompare, toTest } from './match.ts';
import { searchesTexts } from './query-plan.ts';
import type { Order, Predicate } from './query.ts';
import type { Row, SortKeys } from './row.ts';
import type { StoredRecord } from './store.ts';

/** Pages that begin later in the result are deep. Skipping fewer records costs less than a mark. */
const DEEP = 100;
/** Most queries with marks per collection, most marks of one, and most characters of a text in a mark. The least recently used query is dropped first. */
const MOST_KEPT = { queries: 20, marks: 256, text: 1000 } as const;
/** Marks nearer to each other than this are thinned out. Skipping so many entries of an index hardly takes longer than a page. */
const SPACING = 1000;

/** A place in the result of a query: `at` matches come before it, of which the record is the last one. It may have been removed or changed since then. */
export interface PageMark {
  /** The id and the fields that the query orders by. */
  readonly record: StoredRecord;
  readonly at: number;
}

interface KeptMark extends PageMark {
  readonly row: Row;
  at: number;
}

interface Entry {
  readonly test: Test;
  readonly compare: Compare;
  /** In the order of the result. */
  readonly marks: KeptMark[];
}

/** The fields of an order without the id, which is unique. Null: it is not by fields in one direction. */
function listFields(order: readonly Order[]): readonly string[] | null {
  const fields = order.flatMap((each) =>
    'field' in each && each.direction === order[0]?.direction ? [each.field] : [],
  );
  return fields.length === order.length ? fields : null;
}

/** Whether a query reads a deep page that can begin at a mark. */
export function isDeepPage({ where, order, offset, limit }: CheckedQuery): boolean {
  return (
    offset >= DEEP && limit !== Infinity && listFields(order) !== null && !searchesTexts({ where, order })
  );
}

/**
 * The ends of deep pages that were read, so that the next page begins there and skips nothing. Their positions follow every
 * later change. Clients see page numbers only.
 */
export class PageMarks {
  readonly #sortKeys: SortKeys;
  readonly #entries = new Map<string, Entry>();

  constructor(sortKeys: SortKeys) {
    this.#sortKeys = sortKeys;
  }

  /** Number of queries with marks. */
  get size(): number {
    return this.#entries.size;
  }

  /** The last mark before a deep page; null: none is known. */
  find({ where, order, offset }: CheckedQuery): PageMark | null {
    const key = JSON.stringify([where, order]);
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const mark = entry.marks.findLast(({ at }) => at <= offset);
    return mark === undefined ? null : { record: mark.record, at: mark.at };
  }

  /** Keeps the end of a page: `at` matches end with this record. Not if the texts that it is ordered by are long. */
  add({ where, order }: CheckedQuery, { record, at }: PageMark): void {
    if (Object.values(record).some((value) => typeof value === 'string' && value.length > MOST_KEPT.text))
      return;
    const key = JSON.stringify([where, order]);
    const { compare, marks } = this.#entries.get(key) ?? this.#open(key, { where, order });
    const row = this.#sortKeys.toRow(record);
    const found = marks.findIndex((mark) => compare(row, mark.row) <= 0);
    const index = found === -1 ? marks.length : found;
    const isKnown = found !== -1 && compare(row, (marks[found] as KeptMark).row) === 0;
    marks.splice(index, isKnown ? 1 : 0, { record, at, row });
    if (index > 0 && at - (marks[index - 2]?.at ?? 0) < SPACING) marks.splice(index - 1, 1);
    if (marks.length > MOST_KEPT.marks) marks.splice(findClosest(marks), 1);
  }

  /** Moves the marks when a row is added (+1) or removed (-1). */
  change(row: Row, by: 1 | -1): void {
    for (const { test, compare, marks } of this.#entries.values()) {
      if (!test(row)) continue;
      for (let index = marks.length - 1; index >= 0; index -= 1) {
        const mark = marks[index] as KeptMark;
        if (compare(row, mark.row) > 0) break;
        mark.at += by;
      }
    }
  }

  /** Forgets all marks. */
  clear(): void {
    this.#entries.clear();
  }

  #open(key: string, { where, order }: Pick<CheckedQuery, 'where' | 'order'>): Entry {
    const entry: Entry = {
      test: toTest(where, this.#sortKeys),
      compare: toCompare(order, this.#sortKeys),
      marks: [],
    };
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST_KEPT.queries && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

/** The mark whose neighbours are closest to each other. */
function findClosest(marks: readonly PageMark[]): number {
  const gaps = marks.map((_mark, index) => (marks[index + 1]?.at ?? Infinity) - (marks[index - 1]?.at ?? 0));
  return gaps.indexOf(Math.min(...gaps));
}

/** Most counts per collection. The least recently used one is dropped first. */
const KEPT = 100;

/**
 * Numbers of matches that were counted once and are updated by every later change,
 * so that a total over a million records is not counted again after each write, and the marks of deep pages.
 */
export class CountCache {
  readonly #sortKeys: SortKeys;
  readonly #counts = new Map<string, { readonly test: Test; count: number }>();

  /** The ends of deep pages that were read. */
  readonly marks: PageMarks;

  constructor(sortKeys: SortKeys) {
    this.#sortKeys = sortKeys;
    this.marks = new PageMarks(sortKeys);
  }

  /** Number of cached counts and of queries with marks. */
  get size(): number {
    return this.#counts.size + this.marks.size;
  }

  /** The known count; null: it must be counted. */
  get(where: Predicate): number | null {
    const key = JSON.stringify(where);
    const found = this.#counts.get(key);
    if (found === undefined) return null;
    this.#counts.delete(key);
    this.#counts.set(key, found);
    return found.count;
  }

  /** Keeps a count. */
  set(where: Predicate, count: number): void {
    this.#counts.set(JSON.stringify(where), { test: toTest(where, this.#sortKeys), count });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** Updates the counts and marks when a row is added (+1) or removed (-1). */
  change(row: Row, by: 1 | -1): void {
    for (const entry of this.#counts.values()) if (entry.test(row)) entry.count += by;
    this.marks.change(row, by);
  }

  /** Forgets everything, when what has changed is not known. */
  clear(): void {
    this.#counts.clear();
    this.marks.clear();
  }
}
