import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { collections, type Fixture } from '../../registry/index.ts';
import { openHttpSite } from '../support/http-site.ts';
import { dropSchema, findPostgres, nameSchema, openAdmin, skipPostgres, type TestPostgres } from '../support/postgres.ts';

/** A busy machine takes several times as long. */
const SOON_MS = 3000;

interface Got { readonly status: number; readonly retryAfter: string | null; readonly ms: number }

async function get(address: string): Promise<Got> {
  const started = performance.now();
  const response = await fetch(address);
  await response.text();
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), ms: performance.now() - started };
}

function locks({ url }: TestPostgres): void {
  const test = suite('postgres: a lock on the posts');

  test('refuses requests that need them, still sends cached responses, and ends at once', async () => {
    const fixture = JSON.parse(await readFile(new URL('../../../examples/demo-site.json', import.meta.url), 'utf8')) as Fixture;
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
        const waiting = Promise.all(Array.from({ length: 100 }, (_each, index) => get(`${posts}?per_page=2&page=${index + 1}`)));
        for (let round = 0; round < 5; round += 1) {
          for (const address of kept) {
            const { status, ms } = await get(address);
            assert.is(status, 200, address);
            assert.ok(ms < SOON_MS, `${address}: ${ms.toFixed(0)} ms`);
          }
          await wait(50);
        }
        const refused = await waiting;
        assert.equal([...new Set(refused.map(({ status }) => status))], [503]);
        assert.ok(refused.every(({ retryAfter }) => retryAfter !== null));
        const slowest = Math.max(...refused.map(({ ms }) => ms));
        assert.ok(slowest < 3 * SOON_MS, `refused after ${slowest.toFixed(0)} ms`);
        await connection.script('ROLLBACK');
      });
      const after = await Promise.all([get(`${posts}?per_page=3`), get(`${posts}?per_page=4`)]);
      assert.equal(after.map(({ status }) => status), [200, 200]);
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
