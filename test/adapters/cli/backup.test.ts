import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseDriver } from '../../../adapters/stores/sqlite/drivers.ts';
import { isAll } from '../../support/long-mode.ts';
import { findPostgres, skipPostgres } from '../../support/postgres.ts';
import { type CommandResult, routebook, ROUTEBOOK } from '../../support/routebook.ts';
import { createFolders } from '../../support/temporary.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const DUMP = toWxr([
  toItem({ id: 5, title: 'Hello', slug: 'greeting', terms: [['category', 'news']], comments: [[1, 0, '1']] }),
]);

async function run(...args: readonly string[]): Promise<CommandResult> {
  return routebook([...args, '--content', 'core']);
}

async function fill(store: string): Promise<void> {
  assert.is(
    (await routebook(['import', '-', '--as', 'dump', '--store', store, '--content', 'core'], { input: DUMP }))
      .code,
    0,
  );
}

const toLines = async (store: string): Promise<readonly string[]> =>
  (await run('export', '--store', store)).stdout.split('\n');

/** Newer versions of SQLite add a hint to the name of a column that is not there. */
const withoutHint = (result: CommandResult): CommandResult => ({
  ...result,
  stderr: result.stderr.replace(/"(\w+)" - should this be a string literal in single-quotes\?/, '$1'),
});

const test = suite('backup, restore and check');
const openFolder = createFolders(test);

test('a copy of a directory is checked, and brings the site back', async () => {
  const folder = openFolder();
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
  const folder = openFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  const before = await toLines(store);
  await run('backup', copy, '--store', store);
  await rm(join(copy, 'site.db.sha256'));
  for (const length of [20_000, 0]) {
    await truncate(join(copy, 'site.db'), length);
    const cut = await run('restore', copy, '--store', store, '--replace');
    assert.is(cut.code, 1);
    assert.match(cut.stderr, /the backup is damaged \(/);
  }
  await mkdir(join(folder, 'lines'));
  await writeFile(join(folder, 'lines/site.ndjson'), `${before.slice(0, 4).join('\n')}\n`);
  const { code, stderr } = await run('restore', join(folder, 'lines'), '--store', store, '--replace');
  assert.is(code, 1);
  assert.match(stderr, /the backup is damaged at end of the file: the file was cut off/);
  assert.match(
    (await run('restore', join(folder, 'nothing'), '--store', store, '--replace')).stderr,
    /there is no backup/,
  );
  assert.equal(await toLines(store), before);
  assert.equal(
    (await readdir(folder)).filter((name) => name.includes('restore')),
    [],
  );
});

test('a store or backup that has lost a column is named as what is damaged', async () => {
  const folder = openFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  await run('backup', copy, '--store', store);
  for (const directory of [join(folder, 'data'), copy]) {
    const connection = (await chooseDriver()).open(join(directory, 'site.db'), 1000);
    connection.exec('ALTER TABLE ml_glossary DROP COLUMN case_sensitive');
    connection.close();
  }
  // As backups of older versions are, which have no sum.
  await rm(join(copy, 'site.db.sha256'));
  assert.equal(withoutHint(await run('check', '--store', store)), {
    code: 1,
    stdout: '',
    stderr: `--store "${store}": The file of the store is damaged (no such column: case_sensitive). Restore a backup.\n`,
  });
  assert.equal(withoutHint(await run('restore', copy, '--store', `file:${join(folder, 'other')}`)), {
    code: 1,
    stdout: '',
    stderr: `${copy}: the backup is damaged (no such column: case_sensitive). Use another backup; nothing was restored from this one.\n`,
  });
});

test('a backup is restored as it is, and check names circles and unknown roles in it', async () => {
  const folder = openFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = [
    { routebook: 'export', version: 1 },
    {
      collection: 'users',
      id: 3,
      values: { login: 'eve', slug: 'eve', role: 'constructor', more_roles: ['__proto__'] },
    },
    {
      collection: 'terms',
      id: 1,
      values: { taxonomy: 'category', language: 'en', slug: 'a', name: 'A', parent: 2 },
    },
    {
      collection: 'terms',
      id: 2,
      values: { taxonomy: 'category', language: 'en', slug: 'b', name: 'B', parent: 1 },
    },
    { end: 3 },
  ];
  await mkdir(join(folder, 'copy'));
  await writeFile(join(folder, 'copy/site.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const restored = await run('restore', join(folder, 'copy'), '--store', store);
  assert.is(restored.code, 0, restored.stderr);
  const { code, stdout } = await run('check', '--store', store);
  assert.equal(
    [code, stdout],
    [
      1,
      [
        'Records that are below themselves:',
        '  terms 2: parent is 1, so that it is below itself',
        'Users with roles that the site does not have:',
        '  users 3 (eve): the role constructor does not exist',
        '  users 3 (eve): the role __proto__ does not exist',
        '',
      ].join('\n'),
    ],
  );
});

test('check names dangling references, orphaned and missing files', async () => {
  const folder = openFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = [
    '{"routebook":"export","version":1}',
    '{"collection":"posts","id":1,"values":{"title":"A","author":99}}',
    '{"collection":"posts","id":3,"values":{"title":"B","slug":"b","author":98}}',
    '{"collection":"media","id":2,"values":{"file":"a/b.jpg","sizes":{"s":{"file":"b-1.jpg"}}}}',
    '{"end":3}',
  ];
  await routebook(['import', '-', '--as', 'lines', '--store', store, '--content', 'core'], {
    input: lines.join('\n'),
  });
  await mkdir(join(folder, 'media/a'), { recursive: true });
  await writeFile(join(folder, 'media/a/b.jpg'), '');
  await writeFile(join(folder, 'media/a/c.jpg'), '');
  const { code, stdout } = await run('check', '--store', store, '--media', join(folder, 'media'), '--json');
  assert.is(code, 1);
  const text = await run('check', '--store', store, '--media', join(folder, 'media'));
  assert.match(
    text.stdout,
    /^References to records that do not exist:\n  posts 1: author is 99, which is not in users; and 1 more of this kind\nFiles/,
  );
  assert.equal(JSON.parse(stdout), {
    damage: [],
    texts: [],
    dangling: [
      'posts 1: author is 99, which is not in users',
      'posts 3: author is 98, which is not in users',
    ],
    circles: [],
    roles: [],
    library: [],
    orphaned: ['a/c.jpg'],
    missing: ['a/b-1.jpg'],
    removed: [],
  });
});

test('check --repair removes what cut uploads have left, unless a text shows it or it is new', async () => {
  const folder = openFolder();
  const [store, media] = [`file:${join(folder, 'data')}`, join(folder, 'media')];
  const lines = [
    '{"routebook":"export","version":1}',
    '{"collection":"posts","id":1,"values":{"title":"A","content":"<img src=\\"/en/uploads/a/sh%C3%B6n.jpg\\">"}}',
    '{"collection":"media","id":2,"values":{"file":"a/b.jpg"}}',
    '{"end":2}',
  ];
  await routebook(['import', '-', '--as', 'lines', '--store', store, '--content', 'core'], {
    input: lines.join('\n'),
  });
  await mkdir(join(media, 'a'), { recursive: true });
  await mkdir(join(media, '.arriving'));
  const longAgo = new Date(Date.UTC(2020, 0, 1));
  for (const name of ['a/b.jpg', 'a/cut.jpg', 'a/shön.jpg', '.arriving/x.part', 'a/new.jpg']) {
    await writeFile(join(media, name), '');
    if (name !== 'a/new.jpg') await utimes(join(media, name), longAgo, longAgo);
  }
  const { stdout } = await run('check', '--repair', '--store', store, '--media', media, '--json');
  const { orphaned, removed } = JSON.parse(stdout) as Record<string, readonly string[]>;
  assert.equal(
    [[...(orphaned ?? [])].toSorted(), removed],
    [
      ['a/new.jpg', 'a/shön.jpg'],
      ['a/cut.jpg', '.arriving/x.part'],
    ],
  );
  assert.equal(
    [(await readdir(join(media, 'a'))).toSorted(), await readdir(join(media, '.arriving'))],
    [['b.jpg', 'new.jpg', 'shön.jpg'], []],
  );
});

test('check names a text in which one letter was changed on the disk', async () => {
  const folder = openFolder();
  const [store, path] = [`file:${join(folder, 'data')}`, join(folder, 'data/site.db')];
  const texts = toWxr([
    toItem({ id: 5, title: 'Hello', slug: 'hello', content: 'Quibblewick in the harbour' }),
    toItem({ id: 6, title: 'Föhn', slug: 'foehn', content: 'ÀÉÎ İstanbul ﬁne ①' }),
  ]);
  assert.is(
    (
      await routebook(['import', '-', '--as', 'dump', '--store', store, '--content', 'core'], {
        input: texts,
      })
    ).code,
    0,
  );
  const look = async (): Promise<unknown> => {
    const { code, stdout } = await run('check', '--store', store, '--json');
    return [code, ...['damage', 'texts'].map((name) => JSON.parse(stdout)[name])];
  };
  const before = await look();
  assert.equal(before, [(before as readonly unknown[])[0], [], []]);
  const bytes = await readFile(path);
  const place = bytes.indexOf('Quibblewick');
  assert.ok(place > 0);
  bytes[place + 4] = 'p'.charCodeAt(0);
  await writeFile(path, bytes);
  assert.equal(await look(), [1, [], ['posts 5: content']]);
  assert.match(
    (await run('check', '--store', store)).stdout,
    'Texts that were changed outside of the store. Compare them with a backup:\n  posts 5: content\n',
  );
});

test('a backup with destroyed bytes is named as what is damaged', async () => {
  const folder = openFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  await run('backup', copy, '--store', store);
  const bytes = await readFile(join(copy, 'site.db'));
  await rm(join(copy, 'site.db.sha256'));
  for (const [from, to] of [
    [0, 16],
    [4096, 60_000],
  ] as const) {
    await writeFile(join(copy, 'site.db'), Buffer.from(bytes).fill(0xaa, from, Math.min(to, bytes.length)));
    const { code, stdout, stderr } = await run('restore', copy, '--store', store, '--replace');
    assert.equal([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(`${copy}: the backup is damaged (`), stderr);
    assert.not.match(stderr, /Restore a backup/);
  }
});

/** Changes a text in a file without changing its length. */
async function overwrite(path: string, from: string, to: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf(from);
  assert.ok(at > 0 && from.length === to.length);
  bytes.write(to, at);
  await writeFile(path, bytes);
}

/** The bytes of every file of a directory. */
async function readAll(directory: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(directory)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'latin1')])),
  );
}

test('a backup of a damaged store leaves the older one, and says what is damaged', async () => {
  const folder = openFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  await run('backup', copy, '--store', store);
  const before = await readAll(copy);
  assert.equal(Object.keys(before), ['lock', 'site.db', 'site.db.sha256']);
  // Slugs are in an index, whose pages follow the ones of the table, and not in that of searches.
  await overwrite(join(folder, 'data/site.db'), 'greeting', 'grfeting');
  const { code, stdout, stderr } = await run('backup', copy, '--store', store);
  assert.equal([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^The store is damaged \(.*index.*\), and so would be its backup\. The older backup in .*copy is still there\./,
  );
  assert.equal(await readAll(copy), before);
  assert.is((await run('restore', copy, '--store', store, '--replace')).code, 0);
  assert.equal(await readAll(copy), before);
});

test('a text that changed in a backup is noticed by its sum, and one without a sum is restored with a note', async () => {
  const folder = openFolder();
  const [store, copy, other] = [
    `file:${join(folder, 'data')}`,
    join(folder, 'copy'),
    `file:${join(folder, 'other')}`,
  ];
  await fill(store);
  // A text that is in no index: only the sum can tell.
  await run('setting', 'set', 'title', 'Harbour news', '--store', store);
  await run('backup', copy, '--store', store);
  await overwrite(join(copy, 'site.db'), 'Harbour', 'Hxrbour');
  const refused = await run('restore', copy, '--store', other);
  assert.equal([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /^.*copy\/site\.db is not the file that backup wrote: .* Use another backup, .* nothing was restored/,
  );
  assert.equal((await readdir(folder)).sort(), ['copy', 'data']);
  await rm(join(copy, 'site.db.sha256'));
  const { code, stderr } = await run('restore', copy, '--store', other);
  assert.is(code, 0);
  assert.match(stderr, /^.*copy\/site\.db has no SHA-256 beside it, .*\n$/);
});

test('a backup that was opened as a site since is refused', async () => {
  const folder = openFolder();
  const [store, copy, other] = [
    `file:${join(folder, 'data')}`,
    join(folder, 'copy'),
    `file:${join(folder, 'other')}`,
  ];
  await fill(store);
  await run('backup', copy, '--store', store);
  await writeFile(join(copy, 'site.db-wal'), 'later');
  assert.match(
    (await run('restore', copy, '--store', other)).stderr,
    /site\.db-wal holds changes that were made after the backup/,
  );
});

test('lines of a backup that are not UTF-8 are refused', async () => {
  const folder = openFolder();
  const copy = join(folder, 'copy');
  await mkdir(copy);
  await writeFile(
    join(copy, 'site.ndjson'),
    Buffer.from(
      '{"routebook":"export","version":1}\n{"collection":"terms","id":1,"values":{"taxonomy":"category","language":"en","slug":"a","name":"\u00FF"}}\n{"end":1}\n',
      'latin1',
    ),
  );
  const { code, stderr } = await run('restore', copy, '--store', `file:${join(folder, 'data')}`);
  assert.is(code, 1);
  assert.match(stderr, /is damaged: a text is not valid UTF-8/);
});

test('a directory keeps one kind of backup', async () => {
  const folder = openFolder();
  const [store, copy] = [`file:${join(folder, 'data')}`, join(folder, 'copy')];
  await fill(store);
  await mkdir(copy);
  await writeFile(join(copy, 'site.ndjson'), '{"routebook":"export","version":1}\n{"end":0}\n');
  const refused = await run('backup', copy, '--store', store);
  assert.equal([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /holds site\.ndjson, the backup of another kind of store; .* nothing was written/,
  );
  assert.equal(await readdir(copy), ['site.ndjson']);
  await writeFile(join(copy, 'site.db'), '');
  assert.match(
    (await run('restore', copy, '--store', store, '--replace')).stderr,
    /holds two backups, site\.db and site\.ndjson/,
  );
});

/** Ends the process as kill -9 does, before the call with this number that changes a name. */
const KILL = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let calls = 0;
for (const name of ['renameSync', 'rmSync', 'writeFileSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    if (String(path).includes('.sha256') || (name === 'renameSync' && String(path).includes('.new-'))) {
      calls += 1;
      if (calls === Number(process.env.KILL_BEFORE)) process.kill(process.pid, 'SIGKILL');
    }
    return real(path, ...rest);
  };
}
syncBuiltinESMExports();
`;

/** What kills processes runs in `npm run test:all`. */
const crash = isAll ? test : (): void => undefined;

crash('a backup that is killed at any step leaves one whose sum fits', async () => {
  const folder = openFolder();
  const [store, copy, kill] = [
    `file:${join(folder, 'data')}`,
    join(folder, 'copy'),
    join(folder, 'kill.mjs'),
  ];
  await fill(store);
  await writeFile(kill, KILL);
  await run('backup', copy, '--store', store);
  const contents = new Set<string>();
  let step = 1;
  for (; step < 9; step += 1) {
    await run('setting', 'set', 'title', `Killed before step ${step}`, '--store', store);
    const { signal, status } = spawnSync(
      process.execPath,
      ['--import', kill, ROUTEBOOK, 'backup', copy, '--store', store, '--content', 'core'],
      { env: { ...process.env, KILL_BEFORE: String(step) } },
    );
    contents.add(
      createHash('sha256')
        .update(await readFile(join(copy, 'site.db')))
        .digest('hex'),
    );
    const restored = await run('restore', copy, '--store', `file:${join(folder, 'other')}`, '--replace');
    assert.equal([restored.code, restored.stderr], [0, ''], `step ${step}`);
    if (signal === null) {
      assert.is(status, 0);
      break;
    }
  }
  // The new sum, the file and the old sum; then what the killed ones have left.
  assert.ok(step > 3 && step < 9, `ended after step ${step}`);
  assert.ok(contents.size > 1);
  assert.equal((await readdir(copy)).sort(), ['lock', 'site.db', 'site.db.sha256']);
});

test('check looks where the server keeps uploads, and reports a missing directory beside the other findings', async () => {
  const folder = openFolder();
  const store = `file:${join(folder, 'data')}`;
  const lines = [
    '{"routebook":"export","version":1}',
    '{"collection":"posts","id":1,"values":{"title":"A","author":99}}',
    '{"collection":"media","id":2,"values":{"file":"b.jpg"}}',
    '{"collection":"media","id":3,"values":{"file":"2025/harbour.svg"}}',
    '{"end":3}',
  ];
  await routebook(['import', '-', '--as', 'lines', '--store', store, '--content', 'core'], {
    input: lines.join('\n'),
  });
  const check = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run('check', '--store', store, ...args);
    assert.equal([code, stderr], [1, '']);
    return stdout;
  };
  const notFound =
    /^References .*\n  posts 1: author is 99.*\nThe media library was not found:\n  (.*): there is no such directory, so that 1 files of records were not looked for\./;
  assert.is(notFound.exec(await check())?.[1], join(folder, 'data/uploads'));
  assert.is(notFound.exec(await check('--media', './nowhere'))?.[1], './nowhere');
  await mkdir(join(folder, 'data/uploads/.arriving'), { recursive: true });
  await writeFile(join(folder, 'data/uploads/.arriving/x'), '');
  await writeFile(join(folder, 'data/uploads/c.jpg'), '');
  assert.match(
    await check(),
    /\nFiles that no record names:\n  c\.jpg\nFiles that a record names and that are not there:\n  b\.jpg\n$/,
  );
  await writeFile(
    join(folder, 'site.json'),
    JSON.stringify({ directories: { media: join(folder, 'data') } }),
  );
  assert.match(await check('--config', join(folder, 'site.json')), /  uploads\/c\.jpg\n/);
});

test('check finds nothing on a sound site', async () => {
  const store = `file:${join(openFolder(), 'data')}`;
  await fill(store);
  const { code, stdout } = await run('check', '--store', store);
  assert.equal([code, stdout], [0, 'Nothing was found.\n']);
});

const server = await findPostgres({ fsync: true });
if (server === null) {
  skipPostgres('backup and restore of PostgreSQL');
} else {
  test('PostgreSQL: a backup is restored into another schema and into a directory', async () => {
    const folder = openFolder();
    const name = (schema: string): string =>
      `${server.url}${server.url.includes('?') ? '&' : '?'}schema=${schema}_${process.pid}`;
    const [from, to, copy] = [name('backup_from'), name('backup_to'), join(folder, 'copy')];
    await fill(from);
    const before = await toLines(from);
    assert.is((await run('backup', copy, '--store', from)).code, 0);
    assert.match(await readFile(join(copy, 'site.ndjson'), 'utf8'), /"Hello"/);
    assert.equal((await readdir(copy)).sort(), ['site.ndjson', 'site.ndjson.sha256']);
    await cp(copy, join(folder, 'changed'), { recursive: true });
    await overwrite(join(folder, 'changed/site.ndjson'), 'Hello', 'Hallo');
    assert.match(
      (await run('restore', join(folder, 'changed'), '--store', to)).stderr,
      /changed\/site\.ndjson is not the file that backup wrote/,
    );
    assert.is((await run('restore', copy, '--store', to)).code, 0);
    assert.equal(await toLines(to), before);
    assert.match((await run('restore', copy, '--store', to)).stderr, /the store has content/);
    const directory = `file:${join(folder, 'data')}`;
    assert.is((await run('restore', copy, '--store', directory)).code, 0);
    assert.equal(await toLines(directory), before);
    assert.match(
      (await run('backup', copy, '--store', directory)).stderr,
      /holds site\.ndjson, the backup of another kind of store/,
    );
    const [files, again] = [join(folder, 'files'), name('backup_files')];
    assert.is((await run('backup', files, '--store', directory)).code, 0);
    const bytes = await readAll(files);
    const into = await run('restore', files, '--store', again);
    assert.is(into.code, 0, into.stderr);
    assert.equal(await toLines(again), before);
    assert.equal(await readAll(files), bytes);
  });
}

test.run();
