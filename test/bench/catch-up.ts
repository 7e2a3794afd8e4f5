import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { createRequest } from '../../lib/index.ts';
import type { Store } from '../../lib/store/store.ts';
import { collectionsOf, createContentModel, createSite } from '../../registry/index.ts';
import { changes, seedPlugins } from '../../registry/plugins.ts';
import { inFolder } from '../support/temporary.ts';

/**
 * How long a reader of the feed that was off takes for what has happened meanwhile, and how much memory:
 * node --expose-gc dist/test/bench/catch-up.js [changes] [store]. The store is a new SQLite file, or `postgres://…`.
 */
const [count = '100000', address = ''] = process.argv.slice(2);
const PART = 500;
const plugins = [...seedPlugins, changes];
const collections = collectionsOf(createContentModel(), plugins);

async function fill(store: Store): Promise<void> {
  const values = { type: 'post', language: 'en', status: 'publish', author: 1, parent: 0, password: '' };
  const text = 'Words of a post.';
  for (let at = 0; at < Number(count); at += PART)
    await store.commit(
      Array.from({ length: PART }, (_each, index) => ({
        op: 'create' as const,
        collection: 'posts',
        values: { ...values, slug: `p${at + index}`, title: `P ${at + index}`, content: text },
      })),
    );
}

async function measure(store: Store): Promise<void> {
  const site = await createSite({ store, plugins });
  const target = '/changes/v1/changes';
  await fill(store);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  for (let turn = 0; turn < 2; turn += 1) {
    const began = performance.now();
    const cpu = process.cpuUsage();
    const { stream } = await site.engine.serve(
      createRequest(`${target}?collections=posts&after=-1`, { headers: { accept: 'application/x-ndjson' } }),
    );
    let bytes = 0;
    let lines = 0;
    for (let part = await stream?.next(); part?.done === false; part = await stream?.next()) {
      const text = part.value as Uint8Array;
      bytes += text.length;
      for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines += 1;
    }
    const { user, system } = process.cpuUsage(cpu);
    console.log(
      `${lines - 1} changes, ${(bytes / 1e6).toFixed(1)} MB, ${Math.round(performance.now() - began)} ms, processor ${Math.round((user + system) / 1000)} ms, ${Math.round((most - before) / 2 ** 20)} MiB more`,
    );
  }
  clearInterval(timer);
  await site.close();
}

if (address !== '') {
  const store = await createPostgresStore({ url: address, collections });
  await measure(store);
  await store.close();
} else
  await inFolder(async (folder) => {
    const store = await createSqliteStore({ directory: folder, collections });
    await measure(store);
    await store.close();
  });
