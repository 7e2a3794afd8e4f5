// Opens the store in a directory, whose text index is then built. `node index-opener.js DIRECTORY`; the parent kills it.
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { contractCollections } from '../../adapters/stores/contract/collections.ts';

const store = await createSqliteStore({ directory: process.argv[2] ?? '', collections: contractCollections });
console.log('open');
// Reads keep the process alive, as a server would.
setInterval(() => void store.get('articles', 1), 5);
