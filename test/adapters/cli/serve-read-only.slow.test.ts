import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../adapters/postgres-store.ts';
import { collections } from '../../../registry/index.ts';
import { fillDisk } from '../../support/fill-disk.ts';
import { dropSchema, findPostgres, nameSchema, skipPostgres } from '../../support/postgres.ts';
import { withServer } from '../../support/routebook.ts';
import { startProgram } from '../../support/start-program.ts';
import { inFolder } from '../../support/temporary.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

const argsOf = (store: string): readonly string[] => [
  'serve',
  '--port',
  '0',
  '--store',
  store,
  '--uploads',
  '/nonexistent',
];

/** Starts the server and stops it. */
const onServer = (
  store: string,
  use: (api: string) => Promise<void> = async () => undefined,
): Promise<void> => withServer(argsOf(store), (origin) => use(`${origin}/en/cms-json/cms/v2`));

/** Reads, and tries to write something that needs space. */
async function expectReads(api: string, [status, code]: readonly [number, string]): Promise<void> {
  for (const path of ['/posts', '/posts/1', '/posts?search=harbour'])
    assert.is((await fetch(api + path)).status, 200, path);
  const headers = {
    authorization: `Basic ${Buffer.from('admin:adminpass').toString('base64')}`,
    'content-type': 'application/json',
  };
  const refused = await fetch(`${api}/posts`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'x', content: 'x'.repeat(100_000) }),
  });
  assert.equal([refused.status, ((await refused.json()) as { code: string }).code], [status, code]);
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  assert.is(status, 0, stderr);
}

/** Makes a directory read-only while it is used. Root may write everywhere but on a file system that is read-only. */
async function whileReadOnly(directory: string, use: () => Promise<void>): Promise<void> {
  if (isRoot) {
    mount('--bind', directory, directory);
    mount('-o', 'remount,bind,ro', directory);
  } else chmodSync(directory, 0o500);
  try {
    await use();
  } finally {
    if (isRoot) spawnSync('umount', ['--lazy', directory]);
    else chmodSync(directory, 0o700);
  }
}

/** Starts the server, and ends it as a crash does. */
async function crash(store: string): Promise<void> {
  const program = await startProgram('adapters/cli/bin.js', argsOf(store));
  process.kill(program.pid, 'SIGKILL');
  await program.stop();
}

const start = suite('serve where nothing can be written');

if (isRoot) {
  start(
    'on a full disk, also without the reserve that the last start has used: reads are served, writes are 507',
    () =>
      inFolder(async (folder) => {
        mount('-t', 'tmpfs', '-o', 'size=12m', 'none', folder);
        try {
          const store = `file:${join(folder, 'store')}`;
          await onServer(store);
          fillDisk(join(folder, 'filler'));
          for (let turn = 0; turn < 2; turn += 1) {
            await onServer(store, (api) => expectReads(api, [507, 'rest_storage_full']));
            fillDisk(join(folder, 'filler'));
          }
        } finally {
          spawnSync('umount', ['--lazy', folder]);
        }
      }),
  );
} else
  start('SKIPPED a full disk: only root can mount one', () => console.error('SKIPPED serve on a full disk'));

for (const [title, end] of [
  ['closed', onServer],
  ['killed', crash],
] as const) {
  start(`on a file that is read-only and was ${title}: reads are served, writes are 503`, () =>
    inFolder(async (folder) => {
      const directory = join(folder, 'store');
      mkdirSync(directory);
      await end(`file:${directory}`);
      await whileReadOnly(directory, () =>
        onServer(`file:${directory}`, (api) => expectReads(api, [503, 'rest_storage_unavailable'])),
      );
    }),
  );
}

const server = await findPostgres({ fsync: true });
if (server === null) skipPostgres('serve on a read-only PostgreSQL');
else {
  start(
    'on a PostgreSQL that takes no writes: reads are served, writes are 503, and no revision changes',
    async () => {
      const schema = nameSchema();
      const address = (...options: readonly string[]): string => {
        const url = new URL(server.url);
        for (const [name, value] of [
          ['schema', schema],
          ...options.map((option) => ['options', `-c ${option}`]),
        ] as const)
          url.searchParams.set(String(name), String(value));
        return String(url);
      };
      const revisionOf = async (): Promise<number> => {
        const store = await createPostgresStore({ url: server.url, schema, collections });
        try {
          return await store.revision(collections.map(({ name }) => name));
        } finally {
          await store.close();
        }
      };
      try {
        await onServer(address());
        const before = await revisionOf();
        await onServer(address('default_transaction_read_only=on'), (api) =>
          expectReads(api, [503, 'rest_storage_unavailable']),
        );
        await onServer(address());
        assert.is(await revisionOf(), before);
      } finally {
        await dropSchema(server.url, schema);
      }
    },
  );
}

start.run();
