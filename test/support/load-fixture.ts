import type { Operation, Store, StoredRecord } from '../../lib/store/store.ts';
import { collections } from '../../registry/index.ts';
import { type Fixture, type FixtureOptions, loadFixture } from '../../registry/transfer/fixture/fixture.ts';

type Commit = Parameters<Store['commit']>;

/** By fixture and content, as text: what was committed when it was loaded for the first time. */
const loaded = new Map<string, Commit>();

/** Loads a fixture into an empty store. It is validated, and its passwords are hashed, once in the process: that takes most of the time. */
export async function loadFixtureOnce(
  store: Store,
  fixture: Fixture,
  options: Pick<FixtureOptions, 'content'> = {},
): Promise<void> {
  const text = JSON.stringify([fixture, options.content]);
  const known = loaded.get(text);
  if (known !== undefined) {
    await store.commit(...known);
    return;
  }
  const commits: Commit[] = [];
  const recorded = {
    commit: (...commit: Commit): ReturnType<Store['commit']> => {
      commits.push(commit);
      return store.commit(...commit);
    },
  };
  await loadFixture(Object.assign(Object.create(store) as Store, recorded), fixture, options);
  const [commit, ...others] = commits;
  if (commit === undefined || others.length > 0) throw new Error('a fixture is loaded by one commit');
  loaded.set(text, commit);
}

/** The records of all collections, by id. */
async function readAll(store: Store): Promise<ReadonlyMap<string, ReadonlyMap<number, StoredRecord>>> {
  const snapshot = await store.snapshot?.();
  if (snapshot === undefined) throw new Error('the store takes no snapshot');
  const all = new Map<string, ReadonlyMap<number, StoredRecord>>();
  for (const { name } of collections)
    all.set(name, new Map((await snapshot.read(name, 0, 10_000)).map((record) => [record.id, record])));
  await snapshot.close();
  return all;
}

/**
 * Remembers what a store holds. The returned function restores it in one commit. It writes what differs, because clearing a site and
 * loading its fixture takes longer than most tests of it, and one record of each collection, so that no cache takes the next test for this one.
 */
export async function remember(store: Store): Promise<() => Promise<void>> {
  const known = await readAll(store);
  return async () => {
    const removed: Operation[] = [];
    const created: Operation[] = [];
    for (const [collection, records] of await readAll(store)) {
      const old = known.get(collection) ?? new Map<number, StoredRecord>();
      const [first] = old.keys();
      const isSame = (id: number): boolean =>
        id !== first &&
        (old.get(id) === records.get(id) || JSON.stringify(old.get(id)) === JSON.stringify(records.get(id)));
      for (const id of records.keys()) if (!isSame(id)) removed.push({ op: 'remove', collection, id });
      for (const { version: _version, ...values } of old.values())
        if (!isSame(values.id)) created.push({ op: 'create', collection, values });
    }
    await store.commit([...removed, ...created]);
  };
}
