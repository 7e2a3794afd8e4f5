import type { Durability } from '../../lib/store/store.ts';
import { quoteConstant } from '../sql/dialect.ts';
import type { Held } from './apply.ts';
import { limitToCall } from './deadline.ts';
import { PostgresFailure } from './postgres-failure.ts';
import type { Connection } from './connections.ts';
import type { LaterCommits } from './later-commits.ts';
import { SELECT_LIFE, toLife, type Life } from './life.ts';
import type { Locks } from './locks.ts';
import type { TableWriter } from './table-writer.ts';
import type { Totals } from './totals.ts';

/** What commits need of each collection. */
export interface OpenTable {
  readonly writer: TableWriter;
  readonly totals: Totals;
}

export type Writers = ReadonlyMap<string, OpenTable>;

/** The open collections, and what is known of locks on them. */
export interface Tables {
  readonly writers: Writers;
  readonly locks: Locks;
  readonly life: Life;
  readonly later: LaterCommits;
}

/** The locked collections of a commit, and the life of the server that it belongs to. */
export interface HeldTables {
  readonly held: ReadonlyMap<string, Held>;
  readonly life: number;
}

/** What to lock, and whether the commit waits for the disk. */
export interface Holding {
  readonly names: readonly string[];
  readonly durability: Durability;
}

/** How long to wait for a lock that was not released in time before. Milliseconds. */
const PROBE_MS = 200;

function selectRows(names: readonly string[]): string {
  return `SELECT "collection", "last_id", "revision", ${SELECT_LIFE} FROM "store:collections" WHERE "collection" IN (${names.map(quoteConstant).join(', ')}) ORDER BY "collection"`;
}

/** Adds to the failure of `run`, which locks the rows of several collections, which of them are locked. */
async function nameLocked<T>(connection: Connection, names: readonly string[], run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PostgresFailure && error.isLocked) {
      const { rows } = await connection.script(`ROLLBACK TO held; ${selectRows(names)} FOR UPDATE SKIP LOCKED`);
      const free = new Set(rows.map((row) => row['collection']));
      error.collections = names.filter((name) => !free.has(name));
    }
    throw error;
  }
}

/**
 * Begins a transaction and locks the rows of the collections, which hold the next ids and the revisions. Only the holder of
 * the locks may change the collections, across all processes. Locks are always taken in the same order.
 * @throws CrashNoticed, PostgresFailure
 */
export async function hold(connection: Connection, { writers, locks }: Tables, { names, durability }: Holding): Promise<HeldTables> {
  const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; ${durability === 'later' ? 'SET LOCAL synchronous_commit = off; ' : ''}${locks.areSuspect(names) ? `SET LOCAL lock_timeout = ${limitToCall(PROBE_MS)}; ` : ''}`;
  const { rows } = await nameLocked(connection, names, () => connection.script(`${begin}SAVEPOINT held; ${selectRows(names)} FOR UPDATE`));
  const held = new Map(rows.map((row): [string, Held] => {
    const name = String(row['collection']);
    return [name, { writer: (writers.get(name) as OpenTable).writer, lastId: Number(row['last_id']), revision: Number(row['revision']), touched: false, changes: [] }];
  }));
  return { held, life: toLife(rows[0]) };
}
