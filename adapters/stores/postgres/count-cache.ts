import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { CountCache } from '../../../lib/store/count-cache.ts';
import type { Predicate } from '../../../lib/store/query.ts';
import type { SortKeys } from '../../../lib/store/row.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { keepMark, type PageQuery, toPageQuery } from '../sql/page-query.ts';
import { withoutDeadline } from './deadline.ts';
import { postgresDialect } from './dialect.ts';

/** A record that a commit created (`before` is null), changed or removed (`after` is null). */
export interface Change {
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

/** The outcome of a commit for one collection: the revisions before and after it, and its changes. Null: it failed, or not all changes are known. */
type Outcome = {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly Change[];
} | null;

/**
 * The totals of a collection at one revision, and the marks of its deep pages. A commit of this process changes them and leads to the next revision. After a
 * commit of another process they are counted again.
 */
export class Totals {
  readonly #sortKeys: SortKeys;
  readonly #counts: CountCache;
  /** The counts that are being made, so that callers of the same revision share them. */
  readonly #running = new Map<string, Promise<number>>();
  #revision = -1;
  /** Settles when the commit of this process that was sent last has ended. */
  #sent: Promise<void> = Promise.resolve();

  constructor(sortKeys: SortKeys) {
    this.#sortKeys = sortKeys;
    this.#counts = new CountCache(sortKeys);
  }

  /** The total at a revision that was read from the database. `count`: counts it, and tells the revision of the state that was counted. */
  async get(
    revision: number,
    where: Predicate,
    count: () => Promise<{ readonly revision: number; readonly total: number }>,
  ): Promise<number> {
    const known = this.find(revision, where);
    if (known !== null) return known;
    // The database may show the result of a commit before this process knows that it succeeded.
    await this.#sent;
    const total = this.find(revision, where);
    if (total !== null) return total;
    const key = `${revision} ${JSON.stringify(where)}`;
    const running =
      this.#running.get(key) ??
      withoutDeadline(() => this.#count(where, count)).finally(() => {
        this.#running.delete(key);
      });
    this.#running.set(key, running);
    return running;
  }

  /** The deep page as it is read at a revision: from the nearest mark, if the marks are of that revision. */
  async toPage(revision: number, query: CheckedQuery): Promise<PageQuery> {
    if (revision !== this.#revision) await this.#sent;
    return revision === this.#revision
      ? toPageQuery(query, this.#counts.marks, postgresDialect)
      : { ...query, after: null };
  }

  /** Keeps the end of a page that was read at a revision. */
  keepMark(revision: number, page: PageQuery, end: Parameters<typeof keepMark>[2]): void {
    if (revision === this.#revision) keepMark(this.#counts.marks, page, end);
  }

  /** Must be called before a commit ends, one at a time. Returns the function to call when its outcome is known. */
  expect(): (outcome: Outcome) => void {
    let tell: () => void = () => undefined;
    this.#sent = new Promise((resolve) => {
      tell = resolve;
    });
    return (outcome) => {
      if (outcome !== null && outcome.from === this.#revision) {
        this.#revision = outcome.to;
        for (const { before, after } of this.#counts.size === 0 ? [] : outcome.changes) {
          if (before !== null) this.#counts.change(this.#sortKeys.toRow(before), -1);
          if (after !== null) this.#counts.change(this.#sortKeys.toRow(after), 1);
        }
      }
      tell();
    };
  }

  /** The total at a revision; null: it is not known. */
  find(revision: number, where: Predicate): number | null {
    return revision === this.#revision ? this.#counts.get(where) : null;
  }

  /** The total as it was last known. It may belong to an earlier state. */
  recall(where: Predicate): number | null {
    return this.#counts.get(where);
  }

  async #count(
    where: Predicate,
    count: () => Promise<{ readonly revision: number; readonly total: number }>,
  ): Promise<number> {
    const { revision, total } = await count();
    if (revision > this.#revision) {
      this.#counts.clear();
      this.#revision = revision;
    }
    if (revision === this.#revision) this.#counts.set(where, total);
    return total;
  }
}
