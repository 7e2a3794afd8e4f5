import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { contractCollections as collections } from '../../adapters/stores/contract/collections.ts';
import { type Durability, type Operation, StoreError } from '../../lib/store/store.ts';

// One of several processes that write to one store concurrently. `node process-writer.js STORE NUMBER COMMITS [SCHEMA]`; STORE: a directory, or postgres://….
// Prints a JSON line with the number of successful commits of each kind and the codes of the failed ones.
const [address = '', number = '0', commits = '0', schema = ''] = process.argv.slice(2);
const store =
  schema === ''
    ? await createSqliteStore({ directory: address, collections })
    : await createPostgresStore({ url: address, schema, collections, durability: 'relaxed' });
const done = { created: [] as number[], slugs: 0, increments: 0, errors: [] as string[] };

async function attempt(operations: readonly Operation[], durability: Durability): Promise<number | string> {
  try {
    const [record] = await store.commit(operations, durability);
    return record?.id ?? 0;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

for (let count = 0; count < Number(commits); count += 1) {
  // Ten commits as the items of a batch, then ten single ones.
  const durability = count % 20 < 10 ? 'later' : 'now';
  const created = await attempt(
    [
      {
        op: 'create',
        collection: 'articles',
        as: 'a',
        values: { title: `${number}-${count}`, tags: [Number(number)] },
      },
      { op: 'create', collection: 'notes', values: { article: { $ref: 'a' }, text: `${number}-${count}` } },
    ],
    durability,
  );
  if (typeof created === 'number') done.created.push(created);
  else done.errors.push(created);
  // All processes try the same slugs; each slug is used once.
  const slug = await attempt(
    [{ op: 'create', collection: 'articles', values: { slug: `slug-${count}` } }],
    durability,
  );
  if (typeof slug === 'number') done.slugs += 1;
  else if (slug !== 'unique') done.errors.push(slug);
  const counter = await store.get('articles', 1);
  const incremented = await attempt(
    [
      {
        op: 'update',
        collection: 'articles',
        id: 1,
        values: { level: Number(counter?.['level']) + 1 },
        version: counter?.version ?? 0,
      },
    ],
    durability,
  );
  if (typeof incremented === 'number') done.increments += 1;
  else if (incremented !== 'version') done.errors.push(incremented);
  if (count % 20 === 9) await store.flush();
}
await store.close();
console.log(JSON.stringify(done));
