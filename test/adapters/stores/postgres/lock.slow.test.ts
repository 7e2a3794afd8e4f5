import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../adapters/postgres-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collections, type Fixture } from '../../../../registry/index.ts';
import { openHttpSite } from '../../../support/http-site.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';

// Each lock is held until everything is answered: a request that waited for it would never be.

interface Got {
  readonly status: number;
  readonly retryAfter: string | null;
}

async function get(address: string): Promise<Got> {
  const response = await fetch(address);
  await response.text();
  return { status: response.status, retryAfter: response.headers.get('Retry-After') };
}

interface Sent {
  readonly responses: readonly { readonly status: number }[];
}

async function post(
  address: string,
  { body, password }: { readonly body: object; readonly password: string },
): Promise<Got & { readonly body: Sent }> {
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    body: (await response.json()) as Sent,
    status: response.status,
    retryAfter: response.headers.get('Retry-After'),
  };
}

/** Reads and changes other collections until the end. @returns how often */
async function useOthers(store: Store, goesOn: () => boolean): Promise<number> {
  let at = 0;
  for (; goesOn(); at += 1) {
    await store.find({ collection: 'terms', where: { op: 'gt', field: 'id', value: at }, total: true });
    await store.commit([{ op: 'create', collection: 'seo_links', values: {} }]);
    await wait(5);
  }
  return at;
}

function locks({ url }: TestPostgres): void {
  const test = suite('postgres: a lock');

  test('on the posts refuses requests that need them, still sends cached responses, and ends soon', async () => {
    const fixture = JSON.parse(
      await readFile(new URL('../../../../../examples/demo-site.json', import.meta.url), 'utf8'),
    ) as Fixture;
    const schema = nameSchema();
    const store = await createPostgresStore({ url, schema, collections, durability: 'relaxed' });
    const site = await openHttpSite(fixture, { store });
    const posts = `${site.origin}/en/cms-json/cms/v2/posts`;
    const admin = await openAdmin(url);
    try {
      const kept = [posts, `${posts}/1`];
      for (const address of kept) assert.is((await get(address)).status, 200);
      await admin.use(async (connection) => {
        await connection.script(`BEGIN; LOCK TABLE "${schema}".posts IN ACCESS EXCLUSIVE MODE`);
        const waiting = Promise.all(
          Array.from({ length: 100 }, (_each, index) => get(`${posts}?per_page=${index + 1}`)),
        );
        for (let round = 0; round < 5; round += 1) {
          for (const address of kept) assert.is((await get(address)).status, 200, address);
          await wait(50);
        }
        const refused = await waiting;
        assert.equal([...new Set(refused.map(({ status }) => status))], [503]);
        assert.ok(refused.every(({ retryAfter }) => retryAfter !== null));
        await connection.script('ROLLBACK');
      });
      // A locked collection is tried again after a tenth of a second.
      await wait(150);
      const after = await Promise.all([get(`${posts}?per_page=3`), get(`${posts}?per_page=4`)]);
      assert.equal(
        after.map(({ status }) => status),
        [200, 200],
      );
    } finally {
      await admin.close();
      await site.close();
      await store.close();
      await dropSchema(url, schema);
    }
  });

  test('on the posts refuses changes soon, a batch included, and does not concern other collections', async () => {
    const fixture = JSON.parse(
      await readFile(new URL('../../../../../examples/demo-site.json', import.meta.url), 'utf8'),
    ) as Fixture;
    const schema = nameSchema();
    const store = await createPostgresStore({ url, schema, collections, durability: 'relaxed' });
    const site = await openHttpSite(fixture, { store });
    const admin = await openAdmin(url);
    const send = (path: string, body: object): Promise<Got & { readonly body: Sent }> =>
      post(`${site.origin}/en/cms-json${path}`, { body, password: site.passwords['admin'] ?? '' });
    try {
      for (const lock of [
        `LOCK TABLE "${schema}".posts IN ACCESS EXCLUSIVE MODE`,
        `SELECT 1 FROM "${schema}"."store:collections" WHERE collection = 'posts' FOR UPDATE`,
      ]) {
        await admin.use(async (connection) => {
          await connection.script(`BEGIN; ${lock}`);
          let isLocked = true;
          const others = useOthers(store, () => isLocked);
          const refused = await Promise.all(
            Array.from({ length: 40 }, (_each, at) => send('/cms/v2/posts', { title: `Refused ${at}` })),
          );
          const batch = await send('/batch/v1', {
            requests: Array.from({ length: 25 }, (_each, at) => ({
              method: 'POST',
              path: '/cms/v2/posts',
              body: { title: `Refused ${at}` },
            })),
          });
          isLocked = false;
          assert.equal(
            [
              ...new Set([
                ...refused.map(({ status }) => status),
                ...batch.body.responses.map(({ status }) => status),
              ]),
            ],
            [503],
            lock,
          );
          const rounds = await others;
          assert.ok(rounds >= 10, `other collections were used ${rounds} times meanwhile`);
          await connection.script('ROLLBACK');
        });
        await wait(150);
        assert.is((await send('/cms/v2/posts', { title: 'Written' })).status, 201);
      }
    } finally {
      await admin.close();
      await site.close();
      await store.close();
      await dropSchema(url, schema);
    }
  });

  test('on the table of the revisions refuses a batch soon', async () => {
    const fixture = JSON.parse(
      await readFile(new URL('../../../../../examples/demo-site.json', import.meta.url), 'utf8'),
    ) as Fixture;
    const schema = nameSchema();
    const store = await createPostgresStore({ url, schema, collections, durability: 'relaxed' });
    const site = await openHttpSite(fixture, { store });
    const admin = await openAdmin(url);
    const changes = Array.from({ length: 25 }, (_each, at) => ({
      method: 'POST',
      path: '/cms/v2/posts/1',
      body: { title: `Refused ${at}` },
    }));
    const send = (): ReturnType<typeof post> =>
      post(`${site.origin}/en/cms-json/batch/v1`, {
        body: { requests: changes },
        password: site.passwords['admin'] ?? '',
      });
    try {
      await admin.use(async (connection) => {
        for (const how of [
          'LOCK TABLE "store:collections" IN ACCESS EXCLUSIVE MODE',
          'LOCK TABLE "store:collections" IN EXCLUSIVE MODE',
          'LOCK TABLE "revisions", "post_history" IN EXCLUSIVE MODE',
        ]) {
          await connection.script(`BEGIN; SET LOCAL search_path = "${schema}"; ${how}`);
          const { body } = await send();
          assert.equal([...new Set(body.responses.map(({ status }) => status))], [503], how);
          await connection.script('ROLLBACK');
          await wait(150);
        }
      });
      assert.equal([...new Set((await send()).body.responses.map(({ status }) => status))], [200]);
    } finally {
      await admin.close();
      await site.close();
      await store.close();
      await dropSchema(url, schema);
    }
  });

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres locks');
else locks(server);
