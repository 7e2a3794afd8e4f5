import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPostgres, skipPostgres } from '../../support/postgres.ts';
import { routebook, type CommandResult } from '../../support/routebook.ts';
import { makeFolder } from '../../support/temporary.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const DUMP = toWxr([toItem({ id: 5, title: 'Hello', terms: [['category', 'news']], comments: [[1, 0, '1']] })]);

async function run(...args: readonly string[]): Promise<CommandResult> {
  return routebook([...args, '--content', 'core']);
}

async function fill(store: string): Promise<void> {
  assert.is((await routebook(['import', '-', '--as', 'dump', '--store', store, '--content', 'core'], { input: DUMP })).code, 0);
}

const toLines = async (store: string): Promise<readonly string[]> => (await run('export', '--store', store)).stdout.split('\n');

const test = suite('backup, restore and check');

test('a copy of a directory is checked, and brings the site back', async () => {
  const folder = makeFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  const before = await toLines(store);
  assert.ok(before.length > 5);
  assert.match((await run('backup', copy, '--store', store)).stdout, /^Copied and checked \d+ records\.\n$/);
  const other = `file:${join(folder, 'other')}`;
  assert.match((await run('restore', copy, '--store', other)).stdout, /^Restored \d+ records\.\n$/);
  assert.equal(await toLines(other), before);
  const refused = await run('restore', copy, '--store', other);
  assert.equal([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /holds a site\. Add --replace/);
  assert.is((await run('restore', copy, '--store', other, '--replace')).code, 0);
  assert.equal(await toLines(other), before);
});

test('a damaged backup is refused, and the site stays as it was', async () => {
  const folder = makeFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  const before = await toLines(store);
  await run('backup', copy, '--store', store);
  await truncate(join(copy, 'site.db'), 20_000);
  assert.is((await run('restore', copy, '--store', store, '--replace')).code, 1);
  await mkdir(join(folder, 'lines'));
  await writeFile(join(folder, 'lines/site.ndjson'), `${before.slice(0, 4).join('\n')}\n`);
  const { code, stderr } = await run('restore', join(folder, 'lines'), '--store', store, '--replace');
  assert.is(code, 1);
  assert.match(stderr, /the backup is damaged at end of the file: the file was cut off/);
  assert.match((await run('restore', join(folder, 'nothing'), '--store', store, '--replace')).stderr, /there is no backup/);
  assert.equal(await toLines(store), before);
  assert.equal((await readdir(folder)).filter((name) => name.includes('restore')), []);
});

test('a backup is restored as it is, and check names circles and unknown roles in it', async () => {
  const folder = makeFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = [
    { routebook: 'export', version: 1 }, { collection: 'users', id: 3, values: { login: 'eve', slug: 'eve', role: 'constructor', more_roles: ['__proto__'] } },
    { collection: 'terms', id: 1, values: { taxonomy: 'category', language: 'en', slug: 'a', name: 'A', parent: 2 } }, { collection: 'terms', id: 2, values: { taxonomy: 'category', language: 'en', slug: 'b', name: 'B', parent: 1 } }, { end: 3 },
  ];
  await mkdir(join(folder, 'copy'));
  await writeFile(join(folder, 'copy/site.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const restored = await run('restore', join(folder, 'copy'), '--store', store);
  assert.is(restored.code, 0, restored.stderr);
  const { code, stdout } = await run('check', '--store', store);
  assert.equal([code, stdout], [1, [
    'Records that are below themselves:', '  terms 2: parent is 1, so that it is below itself', 'Users with roles that the site does not have:',
    '  users 3 (eve): the role constructor does not exist', '  users 3 (eve): the role __proto__ does not exist', '',
  ].join('\n')]);
});

test('check names dangling references, orphaned and missing files', async () => {
  const folder = makeFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = ['{"routebook":"export","version":1}', '{"collection":"posts","id":1,"values":{"title":"A","author":99}}', '{"collection":"posts","id":3,"values":{"title":"B","slug":"b","author":98}}', '{"collection":"media","id":2,"values":{"file":"a/b.jpg","sizes":{"s":{"file":"b-1.jpg"}}}}', '{"end":3}'];
  await routebook(['import', '-', '--as', 'lines', '--store', store, '--content', 'core'], { input: lines.join('\n') });
  await mkdir(join(folder, 'media/a'), { recursive: true });
  await writeFile(join(folder, 'media/a/b.jpg'), '');
  await writeFile(join(folder, 'media/a/c.jpg'), '');
  const { code, stdout } = await run('check', '--store', store, '--media', join(folder, 'media'), '--json');
  assert.is(code, 1);
  const text = await run('check', '--store', store, '--media', join(folder, 'media'));
  assert.match(text.stdout, /^References to records that do not exist:\n  posts 1: author is 99, which is not in users; and 1 more of this kind\nFiles/);
  assert.equal(JSON.parse(stdout), { damage: [], dangling: ['posts 1: author is 99, which is not in users', 'posts 3: author is 98, which is not in users'], circles: [], roles: [], library: [], orphaned: ['a/c.jpg'], missing: ['a/b-1.jpg'] });
});

test('a backup with destroyed bytes is named as what is damaged', async () => {
  const folder = makeFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  await run('backup', copy, '--store', store);
  const bytes = await readFile(join(copy, 'site.db'));
  for (const [from, to] of [[0, 16], [4096, 60_000]] as const) {
    await writeFile(join(copy, 'site.db'), Buffer.from(bytes).fill(0xAA, from, Math.min(to, bytes.length)));
    const { code, stdout, stderr } = await run('restore', copy, '--store', store, '--replace');
    assert.equal([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(`${copy}: the backup is damaged (`), stderr);
    assert.not.match(stderr, /Restore a backup/);
  }
});

test('check looks where the server keeps uploads, and reports a missing directory beside the other findings', async () => {
  const folder = makeFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = ['{"routebook":"export","version":1}', '{"collection":"posts","id":1,"values":{"title":"A","author":99}}', '{"collection":"media","id":2,"values":{"file":"b.jpg"}}', '{"collection":"media","id":3,"values":{"file":"2025/harbour.svg"}}', '{"end":3}'];
  await routebook(['import', '-', '--as', 'lines', '--store', store, '--content', 'core'], { input: lines.join('\n') });
  const check = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run('check', '--store', store, ...args);
    assert.equal([code, stderr], [1, '']);
    return stdout;
  };
  const notFound = /^References .*\n  posts 1: author is 99.*\nThe media library was not found:\n  (.*): there is no such directory, so that 1 files of records were not looked for\./;
  assert.is(notFound.exec(await check())?.[1], join(folder, 'data/uploads'));
  assert.is(notFound.exec(await check('--media', './nowhere'))?.[1], './nowhere');
  await mkdir(join(folder, 'data/uploads/.arriving'), { recursive: true });
  await writeFile(join(folder, 'data/uploads/.arriving/x'), '');
  await writeFile(join(folder, 'data/uploads/c.jpg'), '');
  assert.match(await check(), /\nFiles that no record names:\n  c\.jpg\nFiles that a record names and that are not there:\n  b\.jpg\n$/);
  await writeFile(join(folder, 'site.json'), JSON.stringify({ directories: { media: join(folder, 'data') } }));
  assert.match(await check('--config', join(folder, 'site.json')), /  uploads\/c\.jpg\n/);
});

test('check finds nothing on a sound site', async () => {
  const store = `file:${join(makeFolder(), 'data')}`;
  await fill(store);
  const { code, stdout } = await run('check', '--store', store);
  assert.equal([code, stdout], [0, 'Nothing was found.\n']);
});

const server = await findPostgres({ fsync: true });
if (server === null) {
  skipPostgres('backup and restore of PostgreSQL');
} else {
  test('PostgreSQL: a backup is restored into another schema and into a directory', async () => {
    const folder = makeFolder();
    const name = (schema: string): string => `${server.url}${server.url.includes('?') ? '&' : '?'}schema=${schema}_${process.pid}`;
    const [from, to, copy] = [name('backup_from'), name('backup_to'), join(folder, 'copy')];
    await fill(from);
    const before = await toLines(from);
    assert.is((await run('backup', copy, '--store', from)).code, 0);
    assert.match(await readFile(join(copy, 'site.ndjson'), 'utf8'), /"Hello"/);
    assert.is((await run('restore', copy, '--store', to)).code, 0);
    assert.equal(await toLines(to), before);
    assert.match((await run('restore', copy, '--store', to)).stderr, /the store has content/);
    const directory = `file:${join(folder, 'data')}`;
    assert.is((await run('restore', copy, '--store', directory)).code, 0);
    assert.equal(await toLines(directory), before);
  });
}

test.run();
