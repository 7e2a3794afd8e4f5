import { resolveValues, type CheckedOperation } from '../../lib/store/check-operations.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { compileWhere, Params } from '../sql/compile-where.ts';
import { quoteName } from '../sql/dialect.ts';
import type { Connection } from './connections.ts';
import { postgresDialect } from './dialect.ts';
import type { TableWriter } from './table-writer.ts';
import type { Change } from './totals.ts';

/** A collection that is locked for a commit, so that nobody else can change it. */
export interface Held {
  readonly writer: TableWriter;
  /** The largest id that was ever assigned. */
  lastId: number;
  /** The revision before the commit. */
  readonly revision: number;
  /** The commit has changed the collection. */
  touched: boolean;
  /** What it has changed; null when that is not known record by record. */
  changes: Change[] | null;
}

/** A commit in progress: its connection, and the ids of labelled records. */
export interface Progress {
  readonly connection: Connection;
  readonly ids: Map<string, number>;
}

export type Create = CheckedOperation & { readonly op: 'create' };
/** A create, and the commit that it belongs to. */
export interface OwnedCreate {
  readonly operation: Create;
  readonly ids: Map<string, number>;
}

type Targeted = CheckedOperation & { readonly id: number; readonly version: number | undefined };

async function findTarget({ writer }: Held, { id, version }: Targeted, { connection }: Progress): Promise<StoredRecord> {
  const record = await writer.get(connection, id);
  if (record === null) throw new StoreError('missing', `There is no ${writer.table.name} ${id}.`);
  if (version !== undefined && record.version !== version) throw new StoreError('version', `${writer.table.name} ${id} has version ${record.version}, not ${version}.`);
  return record;
}

/** Applies consecutive creates of one collection, which may belong to several commits. @throws StoreError `unique`, PostgresFailure */
export async function applyCreates(held: Held, creates: readonly OwnedCreate[], connection: Connection): Promise<readonly StoredRecord[]> {
  const records = creates.map(({ operation, ids }) => {
    const id = operation.id ?? held.lastId + 1;
    held.lastId = Math.max(held.lastId, id);
    const values = resolveValues(operation.values, ids);
    if (operation.as !== undefined) ids.set(operation.as, id);
    return { id, values };
  });
  await held.writer.insert(connection, records);
  held.touched = true;
  const made = records.map(({ id, values }): StoredRecord => Object.assign({ id, version: 1 }, values));
  held.changes?.push(...made.map((after) => ({ before: null, after })));
  return made;
}

async function removeAll(held: Held, { collection, where }: CheckedOperation & { op: 'removeAll' }, { connection }: Progress): Promise<null> {
  const params = new Params(postgresDialect);
  const condition = compileWhere({ dialect: postgresDialect, collection, params, gather: true }, where);
  const rows = await connection.query(`SELECT "id" FROM ${quoteName(collection.name)} WHERE ${condition}`, params.values);
  if (rows.length === 0) return null;
  await held.writer.remove(connection, rows.map((row) => Number(row['id'])));
  held.touched = true;
  held.changes = null;
  return null;
}

/** Applies one operation other than a create. @returns the new record, or the removed one. @throws StoreError, PostgresFailure */
export async function applyChange(held: Held, operation: Exclude<CheckedOperation, Create>, progress: Progress): Promise<StoredRecord | null> {
  if (operation.op === 'removeAll') return removeAll(held, operation, progress);
  const before = await findTarget(held, operation, progress);
  held.touched = true;
  if (operation.op === 'update') {
    const after = await held.writer.update(progress.connection, before, resolveValues(operation.values, progress.ids));
    held.changes?.push({ before, after });
    return after;
  }
  await held.writer.remove(progress.connection, [operation.id]);
  held.changes?.push({ before, after: null });
  return before;
}
