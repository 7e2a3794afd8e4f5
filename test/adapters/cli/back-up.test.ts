import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER } from '../../../adapters/backup/own-files.ts';
import { backUp, verifyBackup } from '../../../adapters/cli/commands/backup.ts';
import type { CommandStore } from '../../../adapters/cli/site/with-store.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { collections } from '../../../registry/index.ts';
import { inFolder } from '../../support/temporary.ts';

/** A store of so many options, as `backUp` uses it. */
async function openStore(count: number): Promise<CommandStore> {
  const store = createMemoryStore(collections);
  await store.commit(
    Array.from({ length: count }, (_each, at) => ({
      op: 'create',
      collection: 'options',
      values: { group: 'site', key: `key${at}`, value: 'x'.repeat(at) },
    })),
  );
  return { store, collections } as Pick<CommandStore, 'store' | 'collections'> as CommandStore;
}

const backups = suite('backUp');
backups('leaves one of two backups that run at the same time, and its sum fits', () =>
  inFolder(async (directory) => {
    const [small, large] = [await openStore(50), await openStore(900)];
    const counts = await Promise.all([backUp(large, directory), backUp(small, directory)]);
    assert.equal(
      counts.map((each) => each.get('options')),
      [900, 50],
    );
    assert.is((await verifyBackup(directory)).hasSum, true);
    assert.equal(readdirSync(directory).toSorted(), ['site.ndjson', 'site.ndjson.sha256']);
  }),
);
backups('removes what a process that was killed has left, and not what another one writes', () =>
  inFolder(async (directory) => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const toName = (id: number): string =>
      `site.ndjson.${OWNER.replace(/\d+$/, String(id))}-00000000-0000-4000-8000-000000000000.part`;
    // In a container, every run may have the same id.
    for (const id of [ended, process.ppid, process.pid]) writeFileSync(join(directory, toName(id)), '');
    await backUp(await openStore(1), directory);
    assert.equal(
      readdirSync(directory).filter((name) => name.endsWith('.part')),
      [toName(process.ppid)],
    );
  }),
);
backups.run();
