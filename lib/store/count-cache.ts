import type { Predicate } from './query.ts';
import { toTest, type Test } from './match.ts';
import type { SortKeys, Row } from './row.ts';

/** CountCache kept per collection; the one that was asked for longest ago goes first. */
const KEPT = 100;

/**
 * Numbers of matches that were counted once and are kept right by every later change,
 * so that a total over a million records is not counted again after each write.
 */
export class CountCache {
  readonly #sortKeys: SortKeys;
  readonly #counts = new Map<string, { readonly test: Test; count: number }>();

  constructor(sortKeys: SortKeys) {
    this.#sortKeys = sortKeys;
  }

  /** How many counts are kept. */
  get size(): number {
    return this.#counts.size;
  }

  /** The known count; null when it has to be counted. */
  get(where: Predicate): number | null {
    const key = JSON.stringify(where);
    const found = this.#counts.get(key);
    if (found === undefined) return null;
    this.#counts.delete(key);
    this.#counts.set(key, found);
    return found.count;
  }

  set(where: Predicate, count: number): void {
    this.#counts.set(JSON.stringify(where), { test: toTest(where, this.#sortKeys), count });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** A row came (+1) or went (-1). */
  change(row: Row, by: 1 | -1): void {
    for (const entry of this.#counts.values()) if (entry.test(row)) entry.count += by;
  }

  clear(): void {
    this.#counts.clear();
  }
}
