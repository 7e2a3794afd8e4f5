// Writes posts with their revisions one after the other and reports each, while strace traces it or injects errors.
// `node power-writer.js DIRECTORY full|relaxed|late COUNT`; late commits as batches do, which sync once for all of their items.
import { writeSync } from 'node:fs';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { postCollections } from '../../registry/core/records/collections.ts';

const [directory = '', durability, count] = process.argv.slice(2);
const BATCH = 5;
const untold: string[] = [];
const store = await createSqliteStore({
  directory,
  collections: postCollections,
  durability: durability === 'relaxed' ? 'relaxed' : 'full',
});
for (let number = 1; number <= Number(count); number += 1) {
  const isStored = await store
    .commit(
      [
        {
          op: 'create',
          collection: 'posts',
          as: 'post',
          values: {
            type: 'post',
            language: 'en',
            status: 'publish',
            slug: `post-${number}`,
            title: `Title ${number}`,
            content: 'x'.repeat((number * 37) % 3000),
          },
        },
        {
          op: 'create',
          collection: 'revisions',
          values: { parent: { $ref: 'post' }, title: `Title ${number}` },
        },
      ],
      durability === 'late' ? 'later' : 'now',
    )
    .then(
      () => true,
      () => false,
    );
  untold.push(isStored ? `acknowledged ${number}\n` : `refused ${number}\n`);
  if (durability === 'late' && number % BATCH > 0) continue;
  if (durability === 'late') await store.flush();
  for (const line of untold.splice(0)) writeSync(1, line);
}
// Does not close the store, because a power failure would not do so either.
process.kill(process.pid, 'SIGKILL');
