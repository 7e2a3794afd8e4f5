import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import type { Operation } from '../../../../lib/store/store.ts';
import { inFolder } from '../../../support/temporary.ts';

const PROGRAM = fileURLToPath(new URL('../../../support/exit-reader.js', import.meta.url));
const POSTS = 2000;

function run(
  directory: string,
  how: string,
  ms: number,
): Promise<readonly [code: number | null, signal: string | null]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, directory, how, String(ms)], {
      stdio: 'ignore',
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve([code, signal]));
  });
}

const exits = suite('sqlite: a process that ends while a long read is under way');

exits('ends with the requested code, whatever the thread is doing', () =>
  inFolder(async (directory) => {
    const store = await createSqliteStore({
      directory,
      collections: contractCollections,
      durability: 'relaxed',
    });
    await store.commit(
      Array.from({ length: POSTS }, (_each, at): Operation => ({
        op: 'create',
        collection: 'articles',
        values: { title: `${at} ${'some words of a text '.repeat(200)}` },
      })),
    );
    await store.close();
    // While the thread starts, and in the middle of statements.
    for (const ms of [0, 1, 5, 12, 20])
      assert.equal(await run(directory, 'exit', ms), [7, null], `after ${ms} ms`);
    assert.equal(await run(directory, 'throw', 10), [1, null]);
  }),
);

/** Threads are not permitted. A gate that stayed open would hold the process for 10 s. */
exits('ends at once if the thread could not be started', () => {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const thread = new URL('../../../../adapters/stores/sqlite/worker/reader.js', import.meta.url).href;
  const program = `import { startReading } from ${JSON.stringify(thread)}; await startReading({ path: 'none', driver: 'libsql' }).catch(({ code }) => console.log(code));`;
  const { stdout, signal } = spawnSync(
    process.execPath,
    ['--no-warnings', permission, '--allow-fs-read=*', '--input-type=module', '--eval', program],
    { encoding: 'utf8', timeout: 8000 },
  );
  assert.equal([stdout.trim(), signal], ['ERR_ACCESS_DENIED', null]);
});

exits.run();
