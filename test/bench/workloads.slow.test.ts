// Runs alone: the server of Hono replaces the global Request and Response.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareAnswers } from './compare-answers.ts';
import { createCorpus, NEW_POST } from './corpus.ts';
import { runLoad } from './load/run-load.ts';
import { Content } from './peers/content.ts';
import type { Running } from './peers/peer.ts';
import { PEERS } from './peers/peers.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

const POSTS = 60;

const workloads = suite('workloads of the benchmark');

const corpus = await createCorpus(POSTS);

/** Starts the peers of a workload, runs the test, stops the peers. */
async function withPeers(
  { peers, etag = false }: Workload,
  test: (running: readonly (Running & { readonly name: string })[]) => Promise<void>,
): Promise<void> {
  const running = await Promise.all(
    peers.map(async (name) => ({ name, ...(await PEERS[name](corpus, { etag })) })),
  );
  try {
    await test(running);
  } finally {
    await Promise.all(running.map(({ close }) => close()));
  }
}

for (const workload of WORKLOADS) {
  workloads(`${workload.name}: all peers give the same responses, and the load runs on each`, () =>
    withPeers(workload, async (running) => {
      await compareAnswers(workload, running, POSTS);
      for (const { name, port } of running) {
        const result = await runLoad({
          workload: workload.name,
          port,
          posts: POSTS,
          connections: 2,
          seconds: 0.03,
          seed: 1,
        });
        assert.is(result.firstWrong, '', name);
        assert.ok(result.requests > 0, name);
      }
    }),
  );
}

workloads('a new post of a peer appears in its lists', () => {
  const content = new Content(corpus);
  const { id } = content.create(NEW_POST);
  const [category] = NEW_POST.categories;
  for (const filter of [{}, { categories: [category] }, { author: [1] }, { after: '2023-01-01T00:00:00' }]) {
    const newest = content.list({ page: 1, per_page: 10, order: 'desc', ...filter });
    assert.is(newest.posts[0]?.['id'], id);
    assert.is(newest.posts.length, Math.min(10, newest.total));
  }
  const oldest = content.list({ page: 7, per_page: 10, order: 'asc' });
  assert.equal([oldest.total, oldest.posts.map((post) => post['id'])], [POSTS + 1, [id]]);
});

workloads.run();
