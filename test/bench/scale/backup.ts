// How long does a backup of the file store hold up the process, and how much longer do reads take meanwhile?
// `node dist/test/bench/scale/backup.js [--megabytes 500]`; wanted: no turn of the event loop longer than 50 ms.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { inFolder } from '../../support/temporary.ts';
import { watchTurns } from '../../support/turns.ts';
import { unsearchedPosts } from '../words.ts';
import { toList, toPost } from './posts.ts';
import { medianOf } from './stores.ts';

const TEXT = `<p>${'The harbour wakes before the town does. '.repeat(500)}</p>`;
/** A post and its folded text. */
const BYTES = 2 * TEXT.length;

const {
  values: { megabytes },
} = parseArgs({ options: { megabytes: { type: 'string', default: '500' } } });
await inFolder(async (folder) => {
  const store = await createSqliteStore({
    directory: join(folder, 'site'),
    collections: unsearchedPosts,
    durability: 'relaxed',
  });
  const posts = Math.ceil((Number(megabytes) * 1_000_000) / BYTES);
  for (let first = 0; first < posts; first += 100)
    await store.commit(Array.from({ length: 100 }, (_each, at) => toPost(first + at, { content: TEXT })));
  const read = (): Promise<unknown> => store.find({ ...toList(1), limit: 1 });
  const alone = await medianOf(50, read);
  const turns = watchTurns();
  const began = performance.now();
  const state = { isDone: false };
  const times: number[] = [];
  const copying = store.backup(join(folder, 'copy')).finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  await copying;
  const longest = turns.stop();
  const beside = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  console.log(
    `${(statSync(join(folder, 'copy', 'site.db')).size / 1e6).toFixed(0)} MB in ${((performance.now() - began) / 1000).toFixed(1)} s; longest turn ${longest.toFixed(1)} ms; reads ${alone.toFixed(2)} -> ${beside.toFixed(2)} ms  x${(beside / alone).toFixed(1)}`,
  );
  await store.close();
});
