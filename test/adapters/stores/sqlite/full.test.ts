import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore, type SqliteStore } from '../../../../adapters/sqlite-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections as collections } from '../../../../adapters/stores/contract/collections.ts';
import type { Operation } from '../../../../lib/store/store.ts';
import { fillDisk } from '../../../support/fill-disk.ts';
import { inFolder } from '../../../support/temporary.ts';

const DISK = '8m';

/** A file system of a few megabytes, and what fills it. */
interface Disk {
  readonly store: string;
  fill(): void;
  free(): void;
}

function openDisk(folder: string): Disk {
  const filler = join(folder, 'filler');
  return {
    store: join(folder, 'store'),
    fill: () => fillDisk(filler),
    free: () => rmSync(filler),
  };
}

/** Only root can mount a file system. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

async function onDisk(run: (disk: Disk) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'none', folder], {
      encoding: 'utf8',
    });
    if (mounted.status !== 0) {
      console.error(`SKIPPED a full disk: ${mounted.stderr.trim()}`);
      return;
    }
    try {
      await run(openDisk(folder));
    } finally {
      // The engine may keep files open until its objects are collected.
      spawnSync('umount', ['--lazy', folder]);
    }
  });
}

const article = (title: string): Operation => ({
  op: 'create',
  collection: 'articles',
  values: { title, tags: [1, 2], extra: { text: 'x'.repeat(3000) } },
});
const open = (disk: Disk): Promise<SqliteStore> => createSqliteStore({ directory: disk.store, collections });
const count = async (store: SqliteStore): Promise<number> =>
  (await store.find({ collection: 'articles', total: true, limit: 0 })).total;

/** The log has each record that there is, and none that was refused. */
async function checkLog(store: SqliteStore): Promise<void> {
  const { records } = await store.find({ collection: 'articles', fields: [] });
  const { changes } = await store.changes({ after: { articles: 0 }, limit: 100 });
  assert.equal(
    changes.map(({ id }) => id),
    records.map(({ id }) => id),
  );
}

/** Writes as if a second had passed. */
async function writeASecondLater(store: SqliteStore): Promise<void> {
  const { now } = performance;
  performance.now = () => now.call(performance) + 1000;
  try {
    await store.commit([article('again')]);
  } finally {
    performance.now = now;
  }
}

async function onWritten(disk: Disk, run: (store: SqliteStore) => Promise<void>): Promise<void> {
  const store = await open(disk);
  try {
    for (let at = 0; at < 20; at += 1) await store.commit([article(`kept ${at}`)]);
    await run(store);
  } finally {
    await store.close();
  }
}

if (!canMount) console.error('SKIPPED sqlite on a disk that is really full: only root can mount one');
const full = suite('sqlite on a disk that is really full');

if (canMount) {
  full('reads go on, and so do writes within a second after space was freed', () =>
    onDisk((disk) =>
      onWritten(disk, async (store) => {
        disk.fill();
        await rejectsStore(store.commit([article('refused')]), 'full');
        assert.is(await count(store), 20);
        disk.free();
        await writeASecondLater(store);
        assert.is(await count(store), 21);
        await checkLog(store);
      }),
    ),
  );

  full('the same after the items of a batch were lost, and the next batch is durable', () =>
    onDisk((disk) =>
      onWritten(disk, async (store) => {
        disk.fill();
        const began = performance.now();
        // Larger than the cache of the engine would need to be to write it: it fails at the end, or at an item.
        const items = await Promise.allSettled(
          Array.from({ length: 30 }, (_each, at) => store.commit([article(`lost ${at}`)], 'later')),
        );
        if (items.some(({ status }) => status === 'fulfilled'))
          assert.ok(
            await store.flush(began).then(
              () => false,
              () => true,
            ),
            'a batch that is lost is not acknowledged',
          );
        assert.is(await count(store), 20);
        disk.free();
        await writeASecondLater(store);
        const next = performance.now();
        await store.commit([article('next batch')], 'later');
        await store.flush(next);
        assert.is(await count(store), 22);
        await checkLog(store);
      }),
    ),
  );

  for (const [title, end] of Object.entries({ closed: 'close', killed: 'kill' })) {
    full(
      `a store that was ${title} is read and closed while the disk is full, and written when there is space`,
      () =>
        onDisk(async (disk) => {
          if (end === 'close') await onWritten(disk, async () => undefined);
          else killWriter(disk.store);
          disk.fill();
          const store = await open(disk);
          assert.is(await count(store), 20);
          await rejectsStore(store.commit([article('x'.repeat(100_000))]), 'full');
          assert.is(await count(store), 20);
          await store.close();
          disk.free();
          disk.fill();
          const again = await open(disk);
          assert.is(
            (await again.find({ collection: 'articles', where: { op: 'eq', field: 'id', value: 1 } })).records
              .length,
            1,
          );
          disk.free();
          await writeASecondLater(again);
          await again.close();
        }),
    );
  }
} else {
  full('SKIPPED: only root can mount a disk', () => undefined);
}

/** Writes twenty records in a process that is then killed. */
function killWriter(directory: string): void {
  const code = `const [{ createSqliteStore }, { contractCollections: collections }] = await Promise.all([import(${JSON.stringify(new URL('../../../../adapters/sqlite-store.js', import.meta.url).href)}), import(${JSON.stringify(new URL('../../../../adapters/stores/contract/collections.js', import.meta.url).href)})]);
    const store = await createSqliteStore({ directory: ${JSON.stringify(directory)}, collections });
    for (let at = 0; at < 20; at += 1) await store.commit([${JSON.stringify(article('kept'))}]);
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  assert.is(signal, 'SIGKILL', stderr);
}

full.run();
