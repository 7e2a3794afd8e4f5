import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { rejectsStore } from '../../../adapters/stores/contract/cases.ts';
import { createChangeLog } from '../../../lib/changes/change-log.ts';
import { mergeChanges } from '../../../lib/store/change-rows.ts';
import type { Change } from '../../../lib/store/change.ts';

const things = [
  { name: 'things', fields: { level: { type: 'integer' } }, logged: true },
  { name: 'words', fields: {}, logged: true },
] as const;

const follow = suite('following the log');

follow('gives what is there, says that nothing is left, and waits for what comes', async () => {
  const store = createMemoryStore(things);
  const log = createChangeLog(store, ['things', 'words']);
  const create = (collection: string) => store.commit([{ op: 'create', collection, values: {} }]);
  for (const name of ['things', 'things', 'things']) await create(name);
  const end = new AbortController();
  const seen: string[] = [];
  for await (const { changes, positions } of log.follow(await log.starts(), {
    signal: end.signal,
    limit: 2,
  })) {
    seen.push(changes.map(({ collection, id }) => `${collection} ${id}`).join(', ') || 'nothing');
    if (changes.length === 0) setTimeout(() => void create('words'), 1);
    if (changes.some(({ collection }) => collection === 'words')) {
      assert.equal(positions, { things: 3, words: 1 });
      end.abort();
    }
  }
  assert.equal(seen, ['things 1, things 2', 'things 3', 'nothing', 'words 1']);
});

follow('misses no commit between a read of the changes and the wait', async () => {
  const store = createMemoryStore(things);
  let reads = 0;
  const log = createChangeLog(
    {
      ...store,
      changes: async (query) => {
        const page = await store.changes(query);
        reads += 1;
        if (reads === 1) await store.commit([{ op: 'create', collection: 'things', values: {} }]);
        return page;
      },
    },
    ['things'],
  );
  // The time is over only where the commit is missed.
  const signal = AbortSignal.timeout(3000);
  const seen: number[] = [];
  for await (const { changes } of log.follow({ things: 0 }, { signal })) {
    seen.push(changes.length);
    if (changes.length > 0) break;
  }
  assert.equal(seen, [0, 1]);
});

follow('fails when changes are no longer kept', async () => {
  const store = createMemoryStore(things);
  const log = createChangeLog(store, ['things']);
  for (let count = 0; count < 3; count += 1)
    await store.commit([{ op: 'create', collection: 'things', values: {} }]);
  await store.forgetChanges({ things: 2 });
  const { signal } = new AbortController();
  await rejectsStore(log.follow({ things: 1 }, { signal })[Symbol.asyncIterator]().next(), 'expired');
});

follow.run();

const merge = suite('merging');

merge('goes by time, but never against the order within a collection', () => {
  const at = (collection: string, times: readonly number[]): readonly Change[] =>
    times.map((time, index) => ({ collection, revision: index + 1, at: time }) as Change);
  const merged = mergeChanges([at('a', [5, 1, 9]), at('b', [2, 6]), []], 10);
  assert.equal(
    merged.map(({ collection, revision }) => `${collection}${revision}`),
    ['b1', 'a1', 'a2', 'b2', 'a3'],
  );
  assert.is(mergeChanges([at('a', [5, 1, 9]), at('b', [2, 6])], 2).length, 2);
});

merge.run();
