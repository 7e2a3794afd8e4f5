import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { chooseDriver } from '../../../adapters/stores/sqlite/drivers.ts';
import { routebook } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const driver = await chooseDriver();

/** Runs SQL on a file. */
function change(path: string, sql: string): void {
  const connection = driver.open(path, 0);
  connection.exec(sql);
  connection.close();
}

/** What a directory with the store of a site is turned into, and the line that every command then ends with. */
const STORES: Readonly<
  Record<string, readonly [spoil: (directory: string) => void | Promise<void>, says: RegExp]>
> = {
  newer: [
    (directory) => change(join(directory, 'site.db'), 'PRAGMA user_version = 99'),
    /^newer\/site\.db has layout 99, .* written by a newer version of routebook\. Use that version, or restore a backup of this one; nothing was changed\.\n$/,
  ],
  older: [
    async (directory) => {
      rmSync(directory, { recursive: true });
      await (
        await createSqliteStore({
          directory,
          collections: [{ name: 'posts', fields: { title: { type: 'integer' } } }],
        })
      ).close();
    },
    /^older\/site\.db: Field title of posts is stored as INTEGER and is now declared text\. .* Give the new field another name\.\n$/,
  ],
  foreign: [
    (directory) => {
      rmSync(join(directory, 'site.db'));
      change(join(directory, 'site.db'), 'CREATE TABLE theirs (a)');
    },
    /^foreign\/site\.db is an SQLite file of another program\. Choose another directory; nothing was changed\.\n$/,
  ],
  cut: [
    (directory) => truncateSync(join(directory, 'site.db'), 30_000),
    /^cut\/site\.db is damaged or is not an SQLite file \(.*\)\. Restore a backup; nothing was changed\.\n$/,
  ],
  text: [
    (directory) => writeFileSync(join(directory, 'site.db'), 'a text that someone saved here\n'.repeat(99)),
    /^text\/site\.db is damaged or is not an SQLite file \(.*\)\. Restore a backup; nothing was changed\.\n$/,
  ],
  emptied: [
    (directory) => truncateSync(join(directory, 'site.db')),
    /^emptied\/site\.db is empty \(0 bytes\), although the directory held a site\. Restore a backup \(.*\), or remove the directory to begin a new site; nothing was changed\.\n$/,
  ],
  folder: [
    (directory) => {
      rmSync(join(directory, 'site.db'));
      mkdirSync(join(directory, 'site.db'));
    },
    /^folder\/site\.db cannot be written \(.*\)\. Give this user the right to write to the directory and its files\.\n$/,
  ],
};

/** The commands that open a store. `$` is its directory. */
const COMMANDS = [
  'user add bob --role editor --email bob@site.example --password x --store file:$',
  'setting set default_comment_status closed --store file:$',
  'export --store file:$',
  'import empty.ndjson --store file:$',
  'check --store file:$',
  'backup copy --store file:$',
  'restore $ --store file:elsewhere',
  'serve --port 0 --store file:$',
].map((line) => line.split(' '));

const stores = suite('a store that a command cannot use');

/** Runs in a folder with a site in `good`. */
async function withSite(
  use: (run: (args: readonly string[]) => ReturnType<typeof routebook>, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const run = (args: readonly string[]): ReturnType<typeof routebook> => routebook(args, { cwd: folder });
    assert.is(
      (
        await run([
          'user',
          'add',
          'eve',
          '--role',
          'editor',
          '--email',
          'eve@site.example',
          '--password',
          'of eve',
          '--store',
          'file:good',
        ])
      ).code,
      0,
    );
    writeFileSync(join(folder, 'empty.ndjson'), '{"routebook":"export","version":1}\n{"end":0}\n');
    await use(run, folder);
  });
}

stores('is refused in one line with its file and the remedy, and stays as it is', () =>
  withSite(async (run, folder) => {
    for (const [name, [spoil, says]] of Object.entries(STORES)) {
      const directory = join(folder, name);
      cpSync(join(folder, 'good'), directory, { recursive: true });
      await spoil(directory);
      // Collections before the refused one get their new fields (docs/stores.md).
      const read = (): string =>
        name === 'folder' || name === 'older' ? '' : readFileSync(join(directory, 'site.db'), 'latin1');
      const before = read();
      const { code, stdout, stderr } = await run(['user', 'list', '--store', `file:${name}`]);
      assert.equal([code, stdout], [1, ''], name);
      assert.match(stderr, says);
      assert.ok(read() === before, `${name} was changed`);
    }
  }),
);

stores('is refused by every command in the same words', () =>
  withSite(async (run, folder) => {
    cpSync(join(folder, 'good'), join(folder, 'newer'), { recursive: true });
    await STORES['newer']?.[0](join(folder, 'newer'));
    for (const args of COMMANDS) {
      const { code, stderr } = await run(args.map((arg) => arg.replace('$', 'newer')));
      assert.is(code, 1, args.join(' '));
      assert.match(stderr.replace(/^info: Store .*\n/, ''), STORES['newer']?.[1] ?? /^$/, args.join(' '));
    }
  }),
);

stores('is refused while a process uses it that cannot share it', () =>
  withSite(async (run, folder) => {
    const lock = driver.open(join(folder, 'good', 'lock'), 0);
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(join(folder, 'good', 'running-4711-abcd'), '');
    try {
      const { code, stderr } = await run(['user', 'list', '--store', 'file:good']);
      assert.is(code, 1);
      assert.match(
        stderr,
        /^good is in use by another process \(4711\), .* Stop that process first, or .*\n$/,
      );
    } finally {
      lock.close();
    }
  }),
);

stores('is refused when the directory is a file, and when there is no server', () =>
  withSite(async (run, folder) => {
    writeFileSync(join(folder, 'file'), '');
    const file = await run(['import', 'empty.ndjson', '--store', 'file:file']);
    assert.equal(
      [file.code, file.stderr],
      [
        1,
        "file cannot be made: EEXIST: file already exists, mkdir 'file'. Choose a directory that this user may write to\n",
      ],
    );
    const server = await run(['user', 'list', '--store', 'postgres://ann:secret@127.0.0.1:1/site']);
    assert.equal(
      [server.code, server.stderr],
      [
        1,
        '--store postgres://127.0.0.1:1/site: The store cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check that the server runs, and the address, login and database of --store\n',
      ],
    );
  }),
);

stores.run();
