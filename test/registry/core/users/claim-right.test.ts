import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createPostgresStore } from '../../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { eq } from '../../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../../lib/store/store.ts';
import { collections, createSite, type Site, toIdentity } from '../../../../registry/index.ts';
import type { SiteOptions } from '../../../../registry/site-options.ts';
import { type Fixture, loadFixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { TEST_NOW } from '../../../support/ports.ts';
import { dropSchema, findPostgres, nameSchema, skipPostgres } from '../../../support/postgres.ts';
import { inFolder } from '../../../support/temporary.ts';
import { type Asking, toRequest } from '../../../support/whole-site.ts';

// The right of the caller is part of the commit: of two callers who take away each other's rights at the same time, exactly one succeeds.
const LOGINS = ['ada', 'bo', 'cy'] as const;
const [ADA, BO] = [1, 2];
const PASSWORD = 'a-generated-PASSWORD-123';
const FIXTURE: Fixture = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: LOGINS.map((login, at) => ({
    id: at + 1,
    login,
    name: login,
    slug: login,
    role: 'administrator',
    password: PASSWORD,
  })),
} as unknown as Fixture;

type Deed = (id: number) => Omit<Asking, 'as'>;
const demote: Deed = (id) => ({ method: 'POST', target: `/cms/v2/users/${id}`, body: { roles: ['editor'] } });
const remove: Deed = (id) => ({ method: 'DELETE', target: `/cms/v2/users/${id}?force=true&reassign=3` });
const setPassword: Deed = (id) => ({
  method: 'POST',
  target: `/cms/v2/users/${id}`,
  body: { password: 'Another-one-of-24-chars-1' },
});
const addPassword: Deed = (id) => ({
  method: 'POST',
  target: `/cms/v2/users/${id}/application-passwords`,
  body: { name: 'Phone' },
});
const removePasswords: Deed = (id) => ({
  method: 'DELETE',
  target: `/cms/v2/users/${id}/application-passwords`,
});
const create: Deed = () => ({
  method: 'POST',
  target: '/cms/v2/users',
  body: { username: 'dee', email: 'dee@site.test', password: PASSWORD, roles: ['administrator'] },
});

const basic = (login: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString('base64')}`,
});

/** A site whose callers log in with the passwords of their records. */
const openSite = (store: Store, options: Partial<SiteOptions> = {}): Promise<Site> =>
  createSite({
    now: () => TEST_NOW,
    secret: new Uint8Array(32).fill(7),
    content: 'core',
    log: () => undefined,
    ...options,
    store,
  });

async function ask(site: Site, login: string, deed: Omit<Asking, 'as'>): Promise<number> {
  return (await site.engine.serve(toRequest({ ...deed, headers: basic(login) }))).status;
}

/** A site whose first change of users or passwords comes right after one by another writer, who has a site of his own. */
async function openContested(
  goFirst: (other: Site, store: Store) => Promise<unknown>,
  options: (store: Store) => Partial<SiteOptions> = () => ({}),
): Promise<{ readonly site: Site; readonly store: Store; close(): Promise<void> }> {
  const store = createMemoryStore(collections);
  await loadFixture(store, FIXTURE, { content: 'core' });
  const other = await openSite(store);
  const site = await openSite(
    createContested(store, () => goFirst(other, store)),
    options(store),
  );
  return {
    site,
    store,
    close: async () => {
      await Promise.all([site.close(), other.close()]);
      await store.close();
    },
  };
}

/** A store in which another writer goes first when users or passwords are changed. */
function createContested(store: Store, goFirst: () => Promise<unknown>): Store {
  let isOver = false;
  return {
    ...store,
    commit: async (operations, durability) => {
      const isDeed =
        !isOver &&
        operations.some(
          (operation) =>
            operation.op !== 'removeAll' &&
            ['users', 'credentials'].includes(operation.collection) &&
            !('values' in operation && 'last_used_gmt' in operation.values),
        );
      if (isDeed) {
        isOver = true;
        await goFirst();
      }
      return store.commit(operations, durability);
    },
  };
}

const race = suite('a caller who loses the right while the commit begins');

const RIGHTS: readonly (readonly [name: string, adas: Omit<Asking, 'as'>, status: number])[] = [
  ['demotes', demote(BO), 403],
  ['removes', remove(BO), 403],
  ['gives a password to', setPassword(BO), 403],
  ['adds an application password to', addPassword(BO), 403],
  ['removes the application passwords of', removePasswords(BO), 403],
  ['creates', create(0), 403],
  [
    'promotes again',
    { method: 'POST', target: `/cms/v2/users/${ADA}`, body: { roles: ['administrator'] } },
    403,
  ],
];

for (const [name, adas, status] of RIGHTS) {
  race(`nobody ${name} anybody`, async () => {
    const { site, store, close } = await openContested(async (other) =>
      assert.is(await ask(other, 'bo', demote(ADA)), 200),
    );
    assert.is(await ask(site, 'ada', adas), status);
    assert.equal(
      [(await store.get('users', ADA))?.['role'], (await store.get('users', BO))?.['role']],
      ['editor', 'administrator'],
    );
    assert.is((await store.find({ collection: 'users' })).records.length, LOGINS.length);
    assert.is((await store.find({ collection: 'credentials' })).records.length, LOGINS.length);
    await close();
  });
}

race('a password that is replaced gives no application password', async () => {
  const { site, store, close } = await openContested(async (other) =>
    assert.is(await ask(other, 'bo', setPassword(ADA)), 200),
  );
  assert.is(await ask(site, 'ada', addPassword(ADA)), 401);
  assert.is((await store.find({ collection: 'credentials', where: eq('user', ADA) })).records.length, 1);
  await close();
});

race('an identity of the host that was made of a record counts as the record', async () => {
  const authenticate = (store: Store) => async () =>
    toIdentity((await store.get('users', ADA)) as StoredRecord);
  const { site, close } = await openContested(
    (_other, store) =>
      store.commit([{ op: 'update', collection: 'users', id: ADA, values: { role: 'editor' } }]),
    (store) => ({ authenticate: authenticate(store) }),
  );
  assert.is(await ask(site, 'ada', demote(BO)), 403);
  await close();
});

race('one caller may change many users at once', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, FIXTURE, { content: 'core' });
  const site = await openSite(store);
  const statuses = await Promise.all(Array.from({ length: 60 }, () => ask(site, 'ada', addPassword(BO))));
  assert.equal(new Set(statuses), new Set([201]));
  await site.close();
});

race.run();

/** Rounds in which both deeds begin at the same time. */
const ROUNDS = 15;

async function raceBetween(stores: readonly [Store, Store]): Promise<void> {
  await loadFixture(stores[0], FIXTURE, { content: 'core' });
  const [first, second] = [await openSite(stores[0]), await openSite(stores[1])];
  for (let round = 0; round < ROUNDS; round += 1) {
    const statuses = await Promise.all([ask(first, 'ada', demote(BO)), ask(second, 'bo', demote(ADA))]);
    assert.equal(statuses.toSorted(), [200, 403], `round ${round}`);
    await stores[0].commit(
      [ADA, BO].map((id) => ({ op: 'update', collection: 'users', id, values: { role: 'administrator' } })),
    );
  }
  await Promise.all([first.close(), second.close()]);
}

const between = suite('two administrators who demote each other at the same time: one succeeds');

between('in one process', async () => {
  const store = createMemoryStore(collections);
  await raceBetween([store, store]);
});

between('on SQLite', () =>
  inFolder(async (directory) => {
    const store = await createSqliteStore({
      directory,
      collections,
      durability: 'relaxed',
      log: () => undefined,
    });
    await raceBetween([store, store]);
    await store.close();
  }),
);

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres: administrators who demote each other');
else {
  between('on PostgreSQL, in two processes', async () => {
    const schema = nameSchema();
    const open = (): Promise<Store> =>
      createPostgresStore({ url: server.url, schema, collections, durability: 'relaxed' });
    const stores = [await open(), await open()] as const;
    try {
      await raceBetween(stores);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await dropSchema(server.url, schema);
    }
  });
}

between.run();
