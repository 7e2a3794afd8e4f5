import type { RecordChange } from '../../../lib/store/change-rows.ts';
import { findTarget, resolveValues, type CheckedOperation } from '../../../lib/store/check-operations.ts';
import { eq } from '../../../lib/store/query.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
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

async function create(locked: Locked, operation: Create, { session, ids }: Progress): Promise<StoredRecord> {
  const id = operation.id ?? locked.lastId + 1;
  const record = await locked.writer.insert(session, id, resolveValues(operation.values, ids));
  locked.lastId = Math.max(locked.lastId, id);
  if (operation.as !== undefined) ids.set(operation.as, id);
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
  const [found] = await writer.find(session, eq('id', operation.id));
  const before = findTarget(found, operation);
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
