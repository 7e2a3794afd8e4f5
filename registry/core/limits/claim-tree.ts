import { Limiter } from '../../../lib/core/limiter.ts';
import { perObject } from '../../../lib/core/objects.ts';
import { eq } from '../../../lib/store/query.ts';
import { type Operation, type Store, StoreError, type StoredRecord } from '../../../lib/store/store.ts';

async function findMark(store: Store, name: string): Promise<StoredRecord | undefined> {
  return (await store.find({ collection: 'locks', where: eq('name', name), limit: 1 })).records[0];
}

async function createMark(store: Store, name: string): Promise<StoredRecord | undefined> {
  try {
    await store.commit([{ op: 'create', collection: 'locks', values: { name, key: '', expires: 0 } }]);
  } catch (error) {
    // Another writer has created it meanwhile.
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
  }
  return findMark(store, name);
}

/**
 * The operation by which only one of several concurrent changes of a tree succeeds: the commits of the others fail as after any lost race
 * (`retryRaces`). Two records that move below each other at the same time would otherwise become a circle, although neither move makes one.
 * A move must make it before it looks at the tree. A removal that moves records up must make it as well: a move that has looked at one of
 * these records before would not find those above the removed one. `kind`: the type or taxonomy of the records.
 */
export async function claimTree(store: Store, kind: string): Promise<Operation> {
  const name = `tree of ${kind}`;
  const mark = (await findMark(store, name)) ?? (await createMark(store, name));
  if (mark === undefined) throw new StoreError('missing', `the mark "${name}" was removed at the same time`);
  return { op: 'update', collection: 'locks', id: mark.id, version: mark.version, values: {} };
}

/** By kind: lets one change of a tree run at a time. */
const openTurns = perObject((_store: Store) => new Map<string, Limiter>());

/**
 * Runs a change of a tree when the earlier ones of this process have ended. They would lose the race for the mark to each other, and those
 * that lose too often are refused.
 */
export function inTreeTurn<T>(store: Store, kind: string, run: () => Promise<T>): Promise<T> {
  const turns = openTurns(store);
  const turn = turns.get(kind) ?? new Limiter({ atOnce: 1 });
  turns.set(kind, turn);
  return turn.run(run);
}
