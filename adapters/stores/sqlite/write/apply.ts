import { type CheckedOperation, findTarget, resolveValues } from '../../../../lib/store/check-operations.ts';
import type { CountCache } from '../../../../lib/store/count-cache.ts';
import type { SortKeys } from '../../../../lib/store/row.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { compileWhere, Params } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import { sqliteDialect } from '../dialect.ts';
import type { Session } from '../session.ts';
import type { TableWriter } from './table-writer.ts';

/** One open collection of the store. */
export interface OpenCollection {
  readonly writer: TableWriter;
  readonly sortKeys: SortKeys;
  readonly counts: CountCache;
}

/** A record that a commit created (`before` is null), changed or removed (`after` is null). */
export interface Change {
  readonly collection: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

/** The results of a commit, and its changes. */
export interface Applied {
  readonly results: readonly (StoredRecord | null)[];
  readonly changes: readonly Change[];
}

function findAll(
  session: Session,
  writer: TableWriter,
  { collection, where }: CheckedOperation & { op: 'removeAll' },
): readonly StoredRecord[] {
  const params = new Params(sqliteDialect);
  const condition = compileWhere({ dialect: sqliteDialect, collection, params, gather: true }, where);
  const rows = session.all(
    `SELECT "id" FROM ${quoteName(collection.name)} WHERE ${condition} ORDER BY "id"`,
    params.values,
  );
  return rows.map(([id]) => writer.take(Number(id))).filter((record) => record !== null);
}

function applyOne(
  session: Session,
  writer: TableWriter,
  { operation, ids }: { operation: CheckedOperation; ids: Map<string, number> },
): readonly Change[] {
  const collection = writer.table.name;
  if (operation.op === 'create') {
    const after = writer.insert(operation.id, resolveValues(operation.values, ids));
    if (operation.as !== undefined) ids.set(operation.as, after.id);
    return [{ collection, before: null, after }];
  }
  if (operation.op === 'removeAll') {
    const removed = findAll(session, writer, operation);
    for (const { id } of removed) writer.remove(id);
    return removed.map((before) => ({ collection, before, after: null }));
  }
  const before = findTarget(writer.take(operation.id), operation);
  if (operation.op === 'update')
    return [{ collection, before, after: writer.update(before, resolveValues(operation.values, ids)) }];
  writer.remove(operation.id);
  return [{ collection, before, after: null }];
}

/** Applies the operations of one commit inside a transaction, which the caller ends. @throws StoreError, SqliteFailure */
export function applyOperations(
  session: Session,
  collections: ReadonlyMap<string, OpenCollection>,
  operations: readonly CheckedOperation[],
): Applied {
  const ids = new Map<string, number>();
  const changes: Change[] = [];
  const results = operations.map((operation) => {
    const { writer } = collections.get(operation.collection.name) as OpenCollection;
    const made = applyOne(session, writer, { operation, ids });
    changes.push(...made);
    return operation.op === 'removeAll' ? null : (made[0]?.after ?? made[0]?.before ?? null);
  });
  return { results, changes };
}

/** Updates totals and marks by the changes of a commit. */
export function publishCounts(open: ReadonlyMap<string, OpenCollection>, { changes }: Applied): void {
  for (const { collection, before, after } of changes) {
    const { counts, sortKeys } = open.get(collection) as OpenCollection;
    if (counts.size === 0) continue;
    if (before !== null) counts.change(sortKeys.toRow(before), -1);
    if (after !== null) counts.change(sortKeys.toRow(after), 1);
  }
}
