import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import { findPostgres, nameSchema, skipPostgres } from '../../../../support/postgres.ts';

const THINGS = { name: 'things', fields: { name: { type: 'text' } } } as const;
const NAME = 'migrations of PostgreSQL';

function migrates(url: string): void {
  const migrations = suite(NAME);

  migrations('name a new unique key that records violate, and change nothing', async () => {
    const place = { url, schema: nameSchema(), durability: 'relaxed' } as const;
    const before = await createPostgresStore({ ...place, collections: [THINGS] });
    await before.commit([
      { op: 'create', collection: 'things', values: { name: 'a' } },
      { op: 'create', collection: 'things', values: { name: 'a' } },
    ]);
    await before.close();
    const refused = await rejectsStore(
      createPostgresStore({ ...place, collections: [{ ...THINGS, unique: [{ fields: ['name'] }] }] }),
      'unavailable',
    );
    assert.match(
      refused.message,
      /Collection things: several records of the store have the same name, which is now declared a unique key\. Change these records/,
    );
    const again = await createPostgresStore({ ...place, collections: [THINGS] });
    assert.is((await again.find({ collection: 'things', total: true })).total, 2);
    await again.close();
  });

  migrations.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres(NAME);
else migrates(server.url);
