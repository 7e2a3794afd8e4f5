import type { RecordChange } from '../../../lib/store/change-rows.ts';
import { resolveValues, type CheckedOperation } from '../../../lib/store/check-operations.ts';
import { eq } from '../../../lib/store/query.ts';
import { StoreError, type StoredRecord } from '../../../lib/store/store.ts';
import type { SqlSession } from './database.ts';
import type { RecordWriter } from './record-writer.ts';

/** A collection that a commit has locked. */
export interface Locked {
  readonly writer: RecordWriter;
  /** The largest id that was ever assigned. */
  lastId: number;
  /** The revision before the commit. */
  readonly revision: number;
  /** What the commit has changed. */
  readonly changes: RecordChange[];
}

interface Progress {
  readonly session: SqlSession;
  /** Ids of labelled records. */
  readonly ids: Map<string, number>;
}

type Create = CheckedOperation & { readonly op: 'create' };
type Targeted = CheckedOperation & { readonly op: 'update' | 'remove' };

async function create(locked: Locked, operation: Create, { session, ids }: Progress): Promise<StoredRecord> {
  const id = operation.id ?? locked.lastId + 1;
  const record = await locked.writer.insert(session, id, resolveValues(operation.values, ids));
  locked.lastId = Math.max(locked.lastId, id);
  if (operation.as !== undefined) ids.set(operation.as, id);
  return record;
}

async function findTarget(
  { writer }: Locked,
  { id, version }: Targeted,
  { session }: Progress,
): Promise<StoredRecord> {
  const [record] = await writer.find(session, eq('id', id));
  if (record === undefined) throw new StoreError('missing', `There is no ${writer.table.name} ${id}.`);
  if (version !== undefined && record.version !== version)
    throw new StoreError(
      'version',
      `${writer.table.name} ${id} has version ${record.version}, not ${version}.`,
    );
  return record;
}

/** Applies one operation. @returns the new record, or the removed one @throws StoreError `unique`, `version`, `missing` */
export async function applyOperation(
  locked: Locked,
  operation: CheckedOperation,
  progress: Progress,
): Promise<StoredRecord | null> {
  const { writer } = locked;
  const { session } = progress;
  if (operation.op === 'removeAll') {
    const found = await writer.find(session, operation.where);
    for (const { id } of found) await writer.remove(session, id);
    locked.changes.push(...found.map((before) => ({ before, after: null })));
    return null;
  }
  if (operation.op === 'create') {
    const after = await create(locked, operation, progress);
    locked.changes.push({ before: null, after });
    return after;
  }
  const before = await findTarget(locked, operation, progress);
  if (operation.op === 'remove') {
    await writer.remove(session, operation.id);
    locked.changes.push({ before, after: null });
    return before;
  }
  const { id: _id, version: _version, ...values } = before;
  const after = await writer.update(session, before, resolveValues(operation.values, progress.ids, values));
  locked.changes.push({ before, after });
  return after;
}
