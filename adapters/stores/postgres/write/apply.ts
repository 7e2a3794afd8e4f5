import { isLogged } from '../../../../lib/store/change-rows.ts';
import type { ChangeSource } from '../../../../lib/store/change.ts';
import {
  type CheckedOperation,
  findTarget,
  resolveValues,
  type Target,
} from '../../../../lib/store/check-operations.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { compileTables, compileWhere, Params } from '../../sql/compile-where.ts';
import type { Connection } from '../connections.ts';
import type { Change } from '../count-cache.ts';
import { postgresDialect } from '../dialect.ts';
import type { TableWriter } from './table-writer.ts';
import type { WriteSet } from './write-set.ts';

/** A collection that is locked for a commit, so that nobody else can change it. */
export interface CommitState {
  readonly writer: TableWriter;
  /** The largest id that was ever assigned. */
  lastId: number;
  /** The revision before the commit. */
  readonly revision: number;
  /** The smallest version that an update gives: smaller ones may have been given before a crash, which has undone them. */
  readonly leastVersion: number;
  /** The commit has changed the collection. */
  touched: boolean;
  /** The records as the commit sees them, as far as they were read or written; null: there is none. */
  readonly known: Map<number, StoredRecord | null>;
  /** What it has changed; null when that is not known record by record, in a collection without a log. */
  changes: SourcedChange[] | null;
}

/** A change, and who made it. */
interface SourcedChange extends Change {
  readonly source: ChangeSource;
}

/** A commit in progress: its connection, what it writes, and the ids of labelled records. */
export interface Progress {
  readonly connection: Connection;
  readonly writes: WriteSet;
  readonly ids: Map<string, number>;
  readonly source: ChangeSource;
}

export type Create = CheckedOperation & { readonly op: 'create' };
/** A create, and the commit that it belongs to. */
interface OwnedCreate {
  readonly operation: Create;
  readonly ids: Map<string, number>;
  readonly source: ChangeSource;
}

async function getRecord(
  { writer, known }: CommitState,
  id: number,
  { connection, writes }: Progress,
): Promise<StoredRecord | null> {
  const found = known.get(id);
  if (found !== undefined) return found;
  await writes.flush();
  return writer.get(connection, id);
}

async function readTarget(held: CommitState, operation: Target, progress: Progress): Promise<StoredRecord> {
  const record = await getRecord(held, operation.id, progress);
  // What came before it may be refused first.
  if (record === null || (operation.version ?? record.version) !== record.version)
    await progress.writes.flush();
  return findTarget(record, operation);
}

/** Applies consecutive creates of one collection, which may belong to several commits. @throws StoreError `unique`, PostgresFailure */
export async function applyCreates(
  held: CommitState,
  creates: readonly OwnedCreate[],
  writes: WriteSet,
): Promise<readonly StoredRecord[]> {
  const records = creates.map(({ operation, ids }) => {
    const id = operation.id ?? held.lastId + 1;
    held.lastId = Math.max(held.lastId, id);
    const values = resolveValues(operation.values, ids);
    if (operation.as !== undefined) ids.set(operation.as, id);
    return { id, values };
  });
  await writes.add(held.writer.insert(records));
  held.touched = true;
  const made = records.map(({ id, values }): StoredRecord => Object.assign({ id, version: 1 }, values));
  for (const [at, after] of made.entries())
    held.changes?.push({ before: null, after, source: (creates[at] as OwnedCreate).source });
  for (const record of made) held.known.set(record.id, record);
  return made;
}

async function removeAll(
  held: CommitState,
  { collection, where }: CheckedOperation & { op: 'removeAll' },
  { connection, writes, source }: Progress,
): Promise<null> {
  await writes.flush();
  const params = new Params(postgresDialect);
  const target = { dialect: postgresDialect, collection, params, gather: true };
  // The log names what was removed. Of other collections only the ids are needed.
  const columns = isLogged(collection) ? held.writer.columns : '"id"';
  const rows = await connection.query(
    `SELECT ${columns} FROM ${compileTables(target, { where, orders: [], hint: '' })} WHERE ${compileWhere(target, where)} ORDER BY "id"`,
    params.values,
  );
  if (rows.length === 0) return null;
  await writes.add(held.writer.remove(rows.map((row) => Number(row['id']))));
  await writes.flush();
  held.known.clear();
  held.touched = true;
  if (isLogged(collection))
    held.changes?.push(...rows.map((row) => ({ before: held.writer.read(row), after: null, source })));
  else held.changes = null;
  return null;
}

/** Applies one operation other than a create. @returns the new record, or the removed one. @throws StoreError, PostgresFailure */
export async function applyChange(
  held: CommitState,
  operation: Exclude<CheckedOperation, Create>,
  progress: Progress,
): Promise<StoredRecord | null> {
  if (operation.op === 'removeAll') return removeAll(held, operation, progress);
  const before = await readTarget(held, operation, progress);
  held.touched = true;
  if (operation.op === 'update') {
    const { write, after } = held.writer.update(
      before,
      resolveValues(operation.values, progress.ids),
      held.leastVersion,
    );
    await progress.writes.add(write);
    held.known.set(operation.id, after);
    held.changes?.push({ before, after, source: progress.source });
    return after;
  }
  await progress.writes.add(held.writer.remove([operation.id]));
  held.known.set(operation.id, null);
  held.changes?.push({ before, after: null, source: progress.source });
  return before;
}
