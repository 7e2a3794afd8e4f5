import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore, type SqliteStore } from '../../../../adapters/sqlite-store.ts';
import { createBackground } from '../../../../registry/core/host/background.ts';
import { collections } from '../../../../registry/index.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { createTestPorts, TEST_CONFIG } from '../../../support/ports.ts';
import { inFolder } from '../../../support/temporary.ts';
import { LONGEST_TURN_MS, measureTurns, watchTurns } from '../../../support/turns.ts';
import { listIssues, PLANTED_HOST, plantSite, scan } from './planted-site.ts';
import { createSecscanSite } from './secscan-site.ts';

const open = (directory: string): Promise<SqliteStore> =>
  createSqliteStore({ directory, collections, durability: 'relaxed' });
const config = { ...TEST_CONFIG, namespaces: { secscan: PLANTED_HOST } };
const COUNT = countRuns(3000, 3000);

const test = suite('secscan on SQLite');

test('finds every planted fault and no other, and yields to other requests', async () => {
  const longest = await measureTurns(() =>
    inFolder(async (folder) => {
      const store = await open(folder);
      const ports = createTestPorts({ store, config });
      const wanted = await plantSite(store, COUNT);
      const turns = watchTurns();
      assert.is(await scan(ports), 'finished');
      const held = turns.stop();
      assert.equal(await listIssues(ports), wanted);
      await store.close();
      return held;
    }),
  );
  assert.ok(longest < LONGEST_TURN_MS, `the event loop was held up for ${longest} ms`);
});

test('a scan ends with the server; connection, settings and issues are there again after it', async () => {
  await inFolder(async (folder) => {
    const store = await open(folder);
    await plantSite(store, 600);
    await store.commit([{ op: 'update', collection: 'users', id: 1, values: { email: 'admin@site.test' } }]);
    const site = await createSecscanSite(
      { store, background: createBackground(() => undefined) },
      PLANTED_HOST,
    );
    await site.connect();
    const token = await site.token();
    await site.ask('POST', 'config', { token, body: { fields: { 'links.maxExternal': 7 } } });
    await site.ask('POST', 'scan', { token });
    while (Number((await site.ask('GET', 'scan/issues', { token })).body['count']) < 3)
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
    await site.ports.background.stop();
    const before = (await site.ask('GET', 'scan/issues?group=pending', { token })).body;
    await store.close();

    const again = await createSecscanSite({ store: await open(folder) }, PLANTED_HOST);
    const after = (await again.ask('GET', 'scan/issues?group=pending', { token })).body;
    assert.equal(after, before);
    assert.is((after['scan'] as { status: string }).status, 'stopped');
    assert.equal((await again.ask('GET', 'config?fields=links.maxExternal', { token })).body['config'], {
      'links.maxExternal': 7,
    });
    await again.ask('POST', 'scan', { token });
    assert.is((await again.waitForScan())['status'], 'finished');
    await again.ports.store.close();
  });
});

test.run();
