import { toTest, type Test } from './match.ts';
import { PageMarks } from './page-marks.ts';
import type { Predicate } from './query.ts';
import type { SortKeys, Row } from './row.ts';

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
