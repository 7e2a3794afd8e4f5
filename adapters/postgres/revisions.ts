import { StoreError } from '../../lib/store/store.ts';
import type { Sql } from '../sql/compile-query.ts';
import { inTime, withoutDeadline } from './deadline.ts';
import type { SqlRow } from './connections.ts';
import { guard } from './failures.ts';

/** Runs a read. */
export type RunSql = (sql: Sql) => Promise<readonly SqlRow[]>;

/** The revision of each collection. It grows with every change. */
export type RevisionTable = ReadonlyMap<string, number>;

/**
 * Reads the revisions, always from the database: any copy could be older than a commit that another process has just
 * acknowledged. Only one query runs at a time. All callers that arrive meanwhile share the next one.
 */
export class Revisions {
  readonly #run: RunSql;
  #next: Promise<RevisionTable> | null = null;
  #running: Promise<RevisionTable> | null = null;

  constructor(run: RunSql) {
    this.#run = run;
  }

  read(): Promise<RevisionTable> {
    this.#next ??= this.#load();
    return this.#next;
  }

  /** @throws StoreError `unavailable`, also when it takes longer than `callMs` */
  sum(names: readonly string[], callMs: number): Promise<number> {
    const sum = inTime(callMs, () => guard(async () => {
      const table = await this.read();
      return names.reduce((total, name) => total + toRevision(table, name), 0);
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
    const rows = await this.#run({ text: 'SELECT "collection", "revision" FROM "store:collections"', values: [] });
    return new Map(rows.map((row) => [String(row['collection']), Number(row['revision'])]));
  }
}

/** @throws StoreError `invalid` when there is no such collection. */
export function toRevision(table: RevisionTable, name: string): number {
  const revision = table.get(name);
  if (revision === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
  return revision;
}
