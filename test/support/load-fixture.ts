import type { Store } from '../../lib/store/store.ts';
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
