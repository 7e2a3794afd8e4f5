import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collections, createSite } from '../../../../registry/index.ts';

const schedule = suite('scheduled posts');

schedule('are published once by a commit at their time, also when nobody reads', async () => {
  const store = createMemoryStore(collections);
  let time = Date.UTC(2030, 0, 1);
  const open = () => createSite({ store, now: () => time, log: () => undefined });
  const sites = [await open(), await open(), await open()];
  const at = (hour: number) => new Date(time + hour * 3_600_000).toISOString().slice(0, 19);
  const post = (values: Readonly<Record<string, string>>) =>
    ({ op: 'create', collection: 'posts', values: { type: 'post', language: 'en', ...values } }) as const;
  await store.commit([
    ...Array.from({ length: 150 }, (_each, n) => post({ slug: `n${n}`, status: 'future', date_gmt: at(1) })),
    post({ slug: 'late', status: 'future', date_gmt: at(9) }),
    post({ slug: 'draft', status: 'draft', date_gmt: at(1) }),
  ]);
  time += 2 * 3_600_000;
  // A commit wakes those that wait for the old time.
  await store.commit([post({ slug: 'wakes', status: 'draft' })]);
  const end = new AbortController();
  const published = new Map<number, number>();
  const [{ changes } = { changes: null }] = sites;
  if (changes === null) throw new Error('there is no site');
  for await (const batch of changes.follow(await changes.starts(), { signal: end.signal })) {
    for (const { collection, id, op, from, fields, before } of batch.changes)
      if (collection === 'posts' && op === 'update') {
        assert.equal([from, before?.['status'], fields['status']], ['schedule', 'future', 'publish']);
        published.set(id, (published.get(id) ?? 0) + 1);
      }
    if (published.size === 150) end.abort();
  }
  await Promise.all(sites.map((site) => site.close()));
  assert.is(
    [...published.values()].every((times) => times === 1),
    true,
  );
  assert.is((await store.changes({ after: { posts: 0 }, limit: 1000 })).changes.length, 153 + 150);
});

schedule.run();
