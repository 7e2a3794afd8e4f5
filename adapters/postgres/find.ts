import type { CheckedQuery } from '../../lib/store/check-query.ts';
import type { FindResult } from '../../lib/store/store.ts';
import { compileCount, compileFind, PLAIN_ACCESS } from '../sql/compile-query.ts';
import { createRecordReader, tellIncomplete, type SqlValues } from '../sql/record-columns.ts';
import type { TableShape } from '../sql/tables.ts';
import { chooseAccess } from './access.ts';
import { postgresDialect } from './dialect.ts';
import { toRevision, type Revisions, type RunSql } from './revisions.ts';

/** Most cached totals per collection. */
const KEPT = 100;

/** A cache of totals. Each is valid for one revision of the collection. */
class Totals {
  readonly #totals = new Map<string, number>();
  #revision = -1;

  get(revision: number, key: string): number | undefined {
    return revision === this.#revision ? this.#totals.get(key) : undefined;
  }

  set(revision: number, key: string, total: number): void {
    if (revision !== this.#revision || this.#totals.size >= KEPT) this.#totals.clear();
    this.#revision = revision;
    this.#totals.set(key, total);
  }
}

/** Runs the checked queries of one collection. */
export function createFinder(run: RunSql, revisions: Revisions, table: TableShape): (query: CheckedQuery) => Promise<FindResult> {
  const read = createRecordReader(table);
  const totals = new Totals();
  const count = async (query: CheckedQuery): Promise<number> => {
    const revision = toRevision(await revisions.read(), table.name);
    const key = JSON.stringify(query.where);
    const known = totals.get(revision, key);
    if (known !== undefined) return known;
    const [row] = await run(compileCount(postgresDialect, query, PLAIN_ACCESS));
    const total = Number(row?.['n']);
    // If the total was counted after a change, it is cached under an old revision, which is never asked for again.
    totals.set(revision, key, total);
    return total;
  };
  const page = async (query: CheckedQuery): Promise<readonly SqlValues[]> => {
    if (query.limit === 0) return [];
    return (await run(compileFind(postgresDialect, query, chooseAccess(table, query)))).map((row) => Object.values(row));
  };
  return async (query) => {
    const [rows, total] = await Promise.all([page(query), query.total ? count(query) : -1]);
    return { records: rows.map((row) => read(row, query.fields)), total, ...tellIncomplete(query, rows) };
  };
}
