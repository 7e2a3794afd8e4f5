import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { postCollections } from '../../../../registry/core/records/collections.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { createRandom, hasStrace } from '../../../support/power-loss.ts';
import { inFolder } from '../../../support/temporary.ts';

/** Runs of the sweep. */
const RUNS = countRuns(12, 120);
const WRITER = fileURLToPath(new URL('../../../support/power-writer.js', import.meta.url));
/** System call, error, and roughly how often a run makes the call, opening included. */
const FAULTS = [
  ['pwrite64', 'EIO', 400],
  ['pwrite64', 'ENOSPC', 400],
  ['fsync', 'EIO', 30],
  ['fdatasync', 'EIO', 30],
] as const;

/** Numbers of the posts whose commit was acknowledged while one system call failed. */
async function write(directory: string, fault: string): Promise<readonly number[]> {
  const child = spawn(
    'strace',
    [
      '-f',
      '-o',
      '/dev/null',
      '-e',
      'trace=pwrite64,fsync,fdatasync',
      '-e',
      fault,
      process.execPath,
      '--no-warnings',
      WRITER,
      directory,
      'full',
      '20',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  return [...output.matchAll(/^acknowledged (\d+)$/gm)].map(([, number]) => Number(number));
}

const sweep = suite('sqlite: an error of the disk at any call');
if (hasStrace()) {
  sweep(`${RUNS} runs: what was acknowledged is there as a whole, and the store opens again`, () =>
    inFolder(async (folder) => {
      const random = createRandom(RUNS);
      let interrupted = 0;
      for (let count = 0; count < RUNS; count += 1) {
        const [call, error, calls] = FAULTS[count % FAULTS.length] ?? FAULTS[0];
        const fault = `inject=${call}:error=${error}:when=${1 + Math.floor(random() * calls)}`;
        const directory = join(folder, String(count));
        const acknowledged = await write(directory, fault);
        const store = await createSqliteStore({ directory, collections: postCollections });
        const { records: posts } = await store.find({ collection: 'posts', fields: ['slug'] });
        const { records: revisions } = await store.find({ collection: 'revisions', fields: ['parent'] });
        await store.close();
        const slugs = new Set(posts.map((post) => post['slug']));
        assert.equal(
          acknowledged.filter((number) => !slugs.has(`post-${number}`)),
          [],
          fault,
        );
        assert.equal(
          revisions.map((revision) => revision['parent']),
          posts.map((post) => post.id),
          fault,
        );
        interrupted += acknowledged.length < 20 ? 1 : 0;
      }
      // Faults that come too late to hit a call prove nothing.
      assert.ok(interrupted >= RUNS / 4, `${interrupted} of ${RUNS} runs met their fault`);
    }),
  );
} else {
  sweep('SKIPPED: strace is missing or may not trace', () => {
    console.warn('the errors of a disk are not swept: no strace');
  });
}
sweep.run();
