import type { Json } from '../lib/schema/schema-dialect.ts';
import { checkKept, loggedNames, mergeChanges, type RecordChange } from '../lib/store/change-rows.ts';
import { toSource } from '../lib/store/change-source.ts';
import type { ChangeSource } from '../lib/store/change.ts';
import { checkCollections } from '../lib/store/check-collections.ts';
import {
  type CheckedOperation,
  checkOperations,
  findTarget,
  resolveValues,
  type Target,
} from '../lib/store/check-operations.ts';
import { type CheckedQuery, checkQuery } from '../lib/store/check-query.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import { asc, type Predicate } from '../lib/store/query.ts';
import type { Row } from '../lib/store/row.ts';
import {
  type FindResult,
  type Operation,
  type Snapshot,
  type Store,
  type StoredRecord,
  StoreError,
} from '../lib/store/store.ts';
import { CollectionRows } from './stores/memory/collection-rows.ts';
import { findInSlices, findRows, findSoon } from './stores/memory/find-rows.ts';

type AllRows = ReadonlyMap<string, CollectionRows>;

function rowsNamed(all: AllRows, name: string): CollectionRows {
  const rows = all.get(name);
  if (rows === undefined) throw new StoreError('invalid', `There is no collection ${JSON.stringify(name)}.`);
  return rows;
}

/** A commit in progress: the ids of labelled records, the changes of each collection, and the undo steps, which run in reverse order. */
interface Progress {
  readonly ids: Map<string, number>;
  readonly touched: Map<CollectionRows, RecordChange[]>;
  readonly undo: (() => void)[];
}

function note(
  rows: CollectionRows,
  { touched, undo }: Progress,
  step: RecordChange & { readonly undo: () => void },
): void {
  const changes = touched.get(rows) ?? [];
  changes.push(step);
  touched.set(rows, changes);
  undo.push(step.undo);
}

function create(
  rows: CollectionRows,
  operation: CheckedOperation & { op: 'create' },
  progress: Progress,
): StoredRecord {
  const { lastId } = rows;
  const id = operation.id ?? lastId + 1;
  if (operation.id !== undefined && rows.get(id) !== undefined)
    throw new StoreError('unique', `${rows.collection.name} ${id} already exists.`, { fields: ['id'] });
  const record: StoredRecord = Object.freeze(
    Object.assign(resolveValues(operation.values, progress.ids, rows.empty), { id, version: 1 }),
  );
  const row = rows.sortKeys.toRow(record);
  rows.insert(row);
  rows.lastId = Math.max(lastId, id);
  note(rows, progress, {
    before: null,
    after: record,
    undo: () => {
      rows.remove(row);
      rows.lastId = lastId;
    },
  });
  if (operation.as !== undefined) progress.ids.set(operation.as, id);
  return record;
}

function target(rows: CollectionRows, operation: Target): Row {
  const row = rows.get(operation.id);
  findTarget(row?.record, operation);
  return row as Row;
}

function update(
  rows: CollectionRows,
  operation: CheckedOperation & { op: 'update' },
  progress: Progress,
): StoredRecord {
  const row = target(rows, operation);
  const before = row.record;
  const record: StoredRecord = Object.freeze(
    Object.assign(resolveValues(operation.values, progress.ids, before), {
      id: before.id,
      version: before.version + 1,
    }),
  );
  const written = [...operation.values.names, 'version'];
  rows.replace(row, record, written);
  note(rows, progress, { before, after: record, undo: () => rows.replace(row, before, written) });
  return record;
}

function remove(rows: CollectionRows, row: Row, progress: Progress): StoredRecord {
  rows.remove(row);
  note(rows, progress, { before: row.record, after: null, undo: () => rows.insert(row) });
  return row.record;
}

function removeAll(rows: CollectionRows, where: Predicate, progress: Progress): null {
  const query: CheckedQuery = {
    collection: rows.collection,
    where,
    order: [asc('id')],
    limit: Infinity,
    offset: 0,
    fields: [],
    total: false,
    omitted: null,
  };
  for (const row of findRows(rows, query).page) remove(rows, row, progress);
  return null;
}

function apply(rows: CollectionRows, operation: CheckedOperation, progress: Progress): StoredRecord | null {
  switch (operation.op) {
    case 'create':
      return create(rows, operation, progress);
    case 'update':
      return update(rows, operation, progress);
    case 'remove':
      return remove(rows, target(rows, operation), progress);
    default:
      return removeAll(rows, operation.where, progress);
  }
}

function applyAll(
  all: AllRows,
  operations: readonly CheckedOperation[],
  source: ChangeSource,
): readonly (StoredRecord | null)[] {
  const progress: Progress = { ids: new Map(), touched: new Map(), undo: [] };
  try {
    const results = operations.map((operation) =>
      apply(rowsNamed(all, operation.collection.name), operation, progress),
    );
    for (const [rows, changes] of progress.touched) rows.count(changes, source);
    return results;
  } catch (error) {
    for (const step of progress.undo.toReversed()) step();
    throw error;
  }
}

function project({ record }: Row, fields: readonly string[]): StoredRecord {
  const part: Record<string, Json> & { id: number; version: number } = {
    id: record.id,
    version: record.version,
  };
  for (const field of fields) part[field] = record[field] ?? null;
  return part;
}

/** Records never change, so that their lists are a state of the store. */
function takeSnapshot(all: AllRows): Snapshot {
  const taken = new Map([...all].map(([name, rows]) => [name, rows.list()]));
  return {
    read: (name, after, limit) => {
      const records = taken.get(name) ?? [];
      const first = findAfter(records, after);
      return records.slice(first, first + limit);
    },
    close: async () => taken.clear(),
  };
}

/** The index of the first record with a higher id. */
function findAfter(records: readonly StoredRecord[], id: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((records[middle]?.id ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A store in the memory of this process, the default for tests and demos. The data is lost when the process ends.
 * Records are frozen, so they can be shared without copies.
 */
export function createMemoryStore(collections: readonly CollectionDescriptor[]): Store {
  const checked = checkCollections(collections);
  const all: AllRows = new Map(
    collections.map((collection) => [collection.name, new CollectionRows(collection)]),
  );
  let open = true;
  const rowsOf = (name: string): CollectionRows => {
    if (!open) throw new StoreError('closed', 'The store is closed.');
    return rowsNamed(all, name);
  };
  return {
    collections: [...checked.keys()],
    find: async (query, waiter): Promise<FindResult> => {
      const complete = checkQuery(checked, query);
      const rows = rowsOf(complete.collection.name);
      const { page, total } = findSoon(rows, complete) ?? (await findInSlices(rows, complete, waiter));
      return {
        records: page.map((row) => (query.fields === undefined ? row.record : project(row, complete.fields))),
        total,
        ...(complete.omitted === null ? {} : { incomplete: [] }),
      };
    },
    get: (collection, id) => rowsOf(collection).get(id)?.record ?? null,
    versions: (keys) => keys.map(([collection, id]) => rowsOf(collection).get(id)?.record.version ?? 0),
    commit: async (operations: readonly Operation[], _durability, source) => {
      if (!open) throw new StoreError('closed', 'The store is closed.');
      return applyAll(all, checkOperations(checked, operations), toSource(source));
    },
    flush: async () => {
      if (!open) throw new StoreError('closed', 'The store is closed.');
    },
    changes: (query) => {
      const names = loggedNames(checked, query.after);
      const logs = names.map((name) => [name, rowsOf(name).changes] as const);
      const starts = Object.fromEntries(logs.map(([name, log]) => [name, log.start]));
      checkKept(query, starts);
      return {
        changes: mergeChanges(
          logs.map(([name, log]) => log.after(query.after[name] ?? 0, query.limit)),
          query.limit,
        ),
        heads: Object.fromEntries(names.map((name) => [name, rowsOf(name).revision])),
        starts,
      };
    },
    forgetChanges: async (through) => {
      for (const name of loggedNames(checked, through)) rowsOf(name).changes.forget(through[name] ?? 0);
      return false;
    },
    revision: (names) => names.reduce((sum, name) => sum + rowsOf(name).revision, 0),
    snapshot: async () => {
      if (!open) throw new StoreError('closed', 'The store is closed.');
      return takeSnapshot(all);
    },
    close: async () => {
      open = false;
    },
  };
}
