import { AsyncLocalStorage } from 'node:async_hooks';
import type { Operation, Reference, Store } from '../../../lib/store/store.ts';
import { withCommit } from '../host/with-commit.ts';

/** What plugins write beside a record. */
export interface PlannedWrite {
  /** The collection of the record. */
  readonly collection: string;
  /** The operations for a record. */
  readonly plan: (id: number | Reference) => Promise<readonly Operation[]>;
  /** A commit had them. */
  isDone: boolean;
}

const planned = new AsyncLocalStorage<PlannedWrite>();
/** Label of the new record in a commit. */
const LABEL = 'written-record';

/** Runs a handler. The first commit that writes a record of the collection gets the operations. */
export const runWithWrites = <T>(write: PlannedWrite, run: () => T): T => planned.run(write, run);

async function commitBoth(
  store: Store,
  write: PlannedWrite,
  [operations, ...more]: Parameters<Store['commit']>,
): ReturnType<Store['commit']> {
  const at = operations.findIndex(
    ({ op, collection }) => collection === write.collection && (op === 'create' || op === 'update'),
  );
  const found = operations[at];
  if (found === undefined || found.op === 'remove' || found.op === 'removeAll' || write.isDone)
    return store.commit(operations, ...more);
  const labelled: Operation = found.op === 'create' ? { ...found, as: found.as ?? LABEL } : found;
  const id = labelled.op === 'create' ? { $ref: labelled.as ?? LABEL } : found.op === 'update' ? found.id : 0;
  const results = await store.commit([...operations.with(at, labelled), ...(await write.plan(id))], ...more);
  write.isDone = true;
  return results.slice(0, operations.length);
}

/** A store whose commits take what plugins write beside a record. */
export function withPlannedWrites(store: Store): Store {
  return withCommit(store, (...args) => {
    const write = planned.getStore();
    return write === undefined ? store.commit(...args) : commitBoth(store, write, args);
  });
}
