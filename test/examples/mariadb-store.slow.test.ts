import { createPool } from 'mariadb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectsStore } from '../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../adapters/stores/contract/collections.ts';
import { createMariadbStore, type MariadbPool } from '../../examples/mariadb-store.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Store } from '../../lib/store/store.ts';
import { startMariadb, type TestMariadb } from '../support/mariadb.ts';
import { storeContract } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';
import { createReferenceStore } from '../support/store-reference.ts';

const server = await startMariadb();

function openPool({ socketPath, user }: TestMariadb, database?: string): ReturnType<typeof createPool> {
  return createPool({
    socketPath,
    user,
    connectionLimit: 4,
    ...(database === undefined ? {} : { database }),
  });
}

/** Creating tables takes long, so each case gets the tables of the one before, emptied. */
async function openEmpty(known: TestMariadb, collections: readonly CollectionDescriptor[]): Promise<Store> {
  const store = await createMariadbStore({
    pool: openPool(known, 'contract') as unknown as MariadbPool,
    collections,
  });
  return {
    ...store,
    close: async () => {
      await store.close();
      const pool = openPool(known, 'contract');
      const tables = (await pool.query({
        sql: 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()',
        rowsAsArray: true,
      })) as readonly (readonly [string])[];
      for (const [name] of tables)
        await pool.query(
          name === 'store:collections'
            ? 'UPDATE `store:collections` SET revision = 0, last_id = 0'
            : `DELETE FROM \`${name}\``,
        );
      await pool.end();
    },
  };
}

if (server === null) {
  const skipped = suite('MariaDB example');
  skipped('SKIPPED: MariaDB is not installed', () => {
    console.error('SKIPPED: mariadbd is not on PATH');
  });
  skipped.run();
} else {
  const admin = openPool(server);
  await admin.query('CREATE DATABASE contract');
  await admin.end();
  storeContract('MariaDB', (collections) => openEmpty(server, collections));

  const more = suite('MariaDB example');
  more('random lives go as in the plainest store', () =>
    fuzzStores(
      30,
      async (collections) => createReferenceStore(collections),
      (collections) => openEmpty(server, collections),
    ),
  );
  more('a collection whose fields have changed is refused', async () => {
    const [articles] = contractCollections;
    const changed = { ...articles, fields: { ...articles.fields, more: { type: 'text' as const } } };
    const { message } = await rejectsStore(openEmpty(server, [changed]), 'unavailable');
    assert.match(message, 'articles');
  });
  more('ends its server', () => server.stop());
  more.run();
}
