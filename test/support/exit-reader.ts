// Exits while its store reads in the other thread. `node exit-reader.js DIRECTORY exit|throw MILLISECONDS`; the exit code is 7, or that of Node.
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { contractCollections } from '../../adapters/stores/contract/collections.ts';

const [directory = '', how, ms] = process.argv.slice(2);
const store = await createSqliteStore({ directory, collections: contractCollections });
const read = (): Promise<unknown> =>
  store.find({
    collection: 'articles',
    where: { op: 'contains', field: 'title', text: 'nowhere' },
    limit: 1,
    total: true,
  });
if (Number(ms) > 0) await read();
for (let count = 0; count < 20; count += 1) void read();
setTimeout(() => {
  if (how === 'throw') throw new Error('as asked for');
  process.exit(7);
}, Number(ms));
