import type { Durability } from '../../../../lib/store/store.ts';
import { quoteConstant, quoteName } from '../../sql/dialect.ts';
import { listTables } from '../../sql/tables.ts';
import type { Connection, SqlRow } from '../connections.ts';
import type { Totals } from '../count-cache.ts';
import { limitToCall } from '../deadline.ts';
import { PostgresFailure } from '../errors.ts';
import type { Locks } from '../locks.ts';
import { type Life, SELECT_LIFE, toLife } from '../server-epoch.ts';
import type { CommitState } from './apply.ts';
import type { LaterCommits } from './later-commits.ts';
import type { TableWriter } from './table-writer.ts';

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
interface HeldTables {
  readonly held: ReadonlyMap<string, CommitState>;
  readonly life: number;
}

/** What to lock, which records to read, and whether the commit waits for the disk. */
interface Holding {
  readonly names: readonly string[];
  /** By collection: ids. */
  readonly targets: ReadonlyMap<string, readonly number[]>;
  readonly durability: Durability;
}

/** How long to wait for a lock that was not released in time before. Milliseconds. */
const PROBE_MS = 200;

function selectRows(names: readonly string[]): string {
  return `SELECT "collection", "newest_id", "revision", ${SELECT_LIFE} FROM "store:collections" WHERE "collection" IN (${names.map(quoteConstant).join(', ')}) ORDER BY "collection"`;
}

/** The rows that a statement returns which locks something; null if that is locked. Gives up what was locked before. */
async function tryLock(connection: Connection, statement: string): Promise<readonly SqlRow[] | null> {
  try {
    return (await connection.script(`ROLLBACK TO held; ${statement}`)).rows;
  } catch (error) {
    if (error instanceof PostgresFailure && error.isLocked) return null;
    throw error;
  }
}

/** The collections whose tables or rows somebody else has locked. Must be called in the transaction of `hold`. */
async function findLocked(
  connection: Connection,
  writers: Writers,
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await tryLock(
    connection,
    `SET LOCAL lock_timeout = ${limitToCall(PROBE_MS)}; ${selectRows(names)} FOR UPDATE SKIP LOCKED`,
  );
  if (rows === null) return names;
  const free = new Set(rows.map((row) => row['collection']));
  if (free.size < names.length) return names.filter((name) => !free.has(name));
  const locked: string[] = [];
  for (const name of names) {
    const { table } = (writers.get(name) as OpenTable).writer;
    const tables = listTables(table).map(quoteName).join(', ');
    if ((await tryLock(connection, `LOCK TABLE ${tables} IN ROW EXCLUSIVE MODE NOWAIT`)) === null)
      locked.push(name);
  }
  return locked.length === 0 ? names : locked;
}

/** Adds to the failure of `run`, which uses several collections, which of them are locked. */
export async function nameLocked<T>(
  connection: Connection,
  { writers, names }: { readonly writers: Writers; readonly names: readonly string[] },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PostgresFailure) || !error.isLocked) throw error;
    error.collections = await findLocked(connection, writers, names);
    throw error;
  }
}

/**
 * Begins a transaction and locks the rows of the collections, which hold the next ids and the revisions. Only the holder of
 * the locks may change the collections, across all processes. Locks are always taken in the same order. Then reads the records
 * that are to be changed.
 * @throws CrashNoticed, PostgresFailure
 */
export async function hold(
  connection: Connection,
  { writers, locks }: Tables,
  { names, targets, durability }: Holding,
): Promise<HeldTables> {
  const writerOf = (name: string): TableWriter => (writers.get(name) as OpenTable).writer;
  const begin = [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    ...(durability === 'later' ? ['SET LOCAL synchronous_commit = off'] : []),
    ...(locks.areSuspect(names) ? [`SET LOCAL lock_timeout = ${limitToCall(PROBE_MS)}`] : []),
    'SAVEPOINT held',
  ];
  const gets = [...targets].map(([name, ids]) => writerOf(name).describeGet(ids));
  const { all } = await connection.script([...begin, `${selectRows(names)} FOR UPDATE`, ...gets].join('; '));
  const rows = all[begin.length] ?? [];
  const life = toLife(rows[0]);
  const held = new Map(
    rows.map((row): [string, CommitState] => {
      const name = String(row['collection']);
      return [
        name,
        {
          writer: writerOf(name),
          lastId: Number(row['newest_id']),
          revision: Number(row['revision']),
          leastVersion: life,
          touched: false,
          changes: [],
          known: new Map(),
        },
      ];
    }),
  );
  for (const [at, [name, ids]] of [...targets].entries()) {
    const { writer, known } = held.get(name) as CommitState;
    for (const id of ids) known.set(id, null);
    for (const row of all[begin.length + 1 + at] ?? []) known.set(Number(row['id']), writer.read(row));
  }
  return { held, life };
}
