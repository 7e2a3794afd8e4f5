import { AsyncLocalStorage } from 'node:async_hooks';
import { finallyMaybe, type MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { inTime, withoutDeadline } from '../deadline.ts';
import { guard } from '../errors.ts';
import type { RunSql } from '../run-read.ts';
import { CrashNoticed, LIFE, SELECT_LIFE, toLife } from '../server-epoch.ts';

/** A request that asks for revisions. `since`: when it began, on the clock of `performance.now()`; null: it has ended, and work that it left behind goes on. */
interface OpenRequest {
  since: number | null;
}

const requests = new AsyncLocalStorage<OpenRequest>();

/** Runs a part of a request that began at `since`. Within another one it belongs to that. */
export function runInRequest<T>(since: number, run: () => MaybePromise<T>): MaybePromise<T> {
  if (requestStart() !== null) return run();
  const request: OpenRequest = { since };
  return requests.run(request, () =>
    finallyMaybe(run, () => {
      request.since = null;
    }),
  );
}

/** When the present request began; null: there is none. */
function requestStart(): number | null {
  return requests.getStore()?.since ?? null;
}

/** The revision of each collection. It grows with every change. */
type RevisionTable = ReadonlyMap<string, number>;

/** With the life of the server, so that a crash also ends what depends on no collection. */
function addUp(table: RevisionTable, names: readonly string[]): number {
  return names.reduce((total, name) => total + toRevision(table, name), toRevision(table, LIFE));
}

/**
 * Reads the revisions from the database: any copy could be older than a commit that another process has just acknowledged.
 * Only one query runs at a time. All callers that arrive meanwhile share the next one. The parts of a request share what was
 * read since it began.
 */
export class Revisions {
  readonly #run: RunSql;
  /** Begins the next life of the server after a crash. */
  readonly #beginLife: () => Promise<void>;
  #next: Promise<RevisionTable> | null = null;
  #running: Promise<RevisionTable> | null = null;
  /** What was read last, and when the query was sent: it has every commit that was acknowledged before. */
  #last: { readonly table: RevisionTable; readonly began: number } = { table: new Map(), began: -Infinity };
  /** By collection: when something of it was last returned to a caller, who must not be told of an older state. */
  readonly #shownAt = new Map<string, number>();

  constructor(run: RunSql, beginLife: () => Promise<void>) {
    this.#run = run;
    this.#beginLife = beginLife;
  }

  read(): Promise<RevisionTable> {
    this.#next ??= this.#load();
    return this.#next;
  }

  /** What was read since the present request began will do for it. @throws StoreError `unavailable`, also when it takes longer than `callMs` */
  sum(names: readonly string[], callMs: number): MaybePromise<number> {
    const since = requestStart();
    if (
      since !== null &&
      this.#last.began >= Math.max(since, ...names.map((name) => this.#shownAt.get(name) ?? -Infinity))
    )
      return addUp(this.#last.table, names);
    const sum = inTime(callMs, () => guard(async () => addUp(await this.read(), names)));
    // A caller that does not await the result must not end the process.
    sum.catch(() => undefined);
    return sum;
  }

  /** Must be called when a read or a commit of these collections has ended, before its caller learns of it. */
  noteShown(names: readonly string[]): void {
    const now = performance.now();
    for (const name of names) this.#shownAt.set(name, now);
  }

  async #load(): Promise<RevisionTable> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    try {
      // If the running query fails, the next one would fail just as late, so it is not started.
      await this.#running;
    } finally {
      this.#next = null;
    }
    this.#running = withoutDeadline(() => this.#query()).finally(() => {
      this.#running = null;
    });
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
    const began = performance.now();
    const rows = await this.#run({
      text: `SELECT "collection", "revision", ${SELECT_LIFE} FROM "store:collections"`,
      values: [],
    });
    toLife(rows[0]);
    const table = new Map(rows.map((row) => [String(row['collection']), Number(row['revision'])]));
    this.#last = { table, began };
    return table;
  }
}

/** @throws StoreError `invalid` when there is no such collection. */
export function toRevision(table: RevisionTable, name: string): number {
  const revision = table.get(name);
  if (revision === undefined)
    throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
  return revision;
}
