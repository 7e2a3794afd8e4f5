import { StoreError } from '../../lib/store/store.ts';
import { inTime, withoutDeadline } from './deadline.ts';
import { guard } from './failures.ts';
import { CrashNoticed, LIFE, SELECT_LIFE, toLife } from './life.ts';
import type { RunSql } from './run-read.ts';

/** The revision of each collection. It grows with every change. */
export type RevisionTable = ReadonlyMap<string, number>;

/**
 * Reads the revisions, always from the database: any copy could be older than a commit that another process has just
 * acknowledged. Only one query runs at a time. All callers that arrive meanwhile share the next one.
 */
export class Revisions {
  readonly #run: RunSql;
  /** Begins the next life of the server after a crash. */
  readonly #beginLife: () => Promise<void>;
  #next: Promise<RevisionTable> | null = null;
  #running: Promise<RevisionTable> | null = null;

  constructor(run: RunSql, beginLife: () => Promise<void>) {
    this.#run = run;
    this.#beginLife = beginLife;
  }

  read(): Promise<RevisionTable> {
    this.#next ??= this.#load();
    return this.#next;
  }

  /** @throws StoreError `unavailable`, also when it takes longer than `callMs` */
  sum(names: readonly string[], callMs: number): Promise<number> {
    const sum = inTime(callMs, () => guard(async () => {
      const table = await this.read();
      // With the life of the server, so that a crash also ends what depends on no collection.
      return names.reduce((total, name) => total + toRevision(table, name), toRevision(table, LIFE));
    }));
    // A caller that does not await the result must not end the process.
    sum.catch(() => undefined);
    return sum;
  }

  async #load(): Promise<RevisionTable> {
    await new Promise((resolve) => { setImmediate(resolve); });
    try {
      // If the running query fails, the next one would fail just as late, so it is not started.
      await this.#running;
    } finally {
      this.#next = null;
    }
    this.#running = withoutDeadline(() => this.#query()).finally(() => { this.#running = null; });
    return this.#running;
  }

  async #query(): Promise<RevisionTable> {
    try {
      return await this.#select();
    } catch (error) {
      if (!(error instanceof CrashNoticed)) throw error;
      await this.#beginLife();
      return this.#select();
    }
  }

  async #select(): Promise<RevisionTable> {
    const rows = await this.#run({ text: `SELECT "collection", "revision", ${SELECT_LIFE} FROM "store:collections"`, values: [] });
    toLife(rows[0]);
    return new Map(rows.map((row) => [String(row['collection']), Number(row['revision'])]));
  }
}

/** @throws StoreError `invalid` when there is no such collection. */
export function toRevision(table: RevisionTable, name: string): number {
  const revision = table.get(name);
  if (revision === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
  return revision;
}
