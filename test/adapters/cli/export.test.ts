import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook, type CommandResult } from '../../support/routebook.ts';
import { createFolders } from '../../support/temporary.ts';

const test = suite('routebook export');
const openFolder = createFolders(test);

const CONFIG = {
  content: {
    types: [
      { name: 'book', base: 'books', supports: ['title'], meta: { isbn: { type: 'string', indexed: true } } },
    ],
  },
};
const BOOK = {
  type: 'book',
  language: 'en',
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
};
const RECORDS = [
  { collection: 'users', id: 3, values: { login: 'eve', slug: 'eve', role: 'editor' } },
  { collection: 'credentials', id: 1, values: { user: 3, hash: 'x' } },
  { collection: 'posts', id: 5, values: { ...BOOK, title: 'Dune', slug: 'dune', meta: { isbn: '970' } } },
  { collection: 'posts', id: 6, values: { ...BOOK, title: 'Emma', slug: 'emma' } },
  { collection: 'posts', id: 7, values: { ...BOOK, type: 'post', title: 'Hello', slug: 'hello' } },
];
const LINES = [{ routebook: 'export', version: 1 }, ...RECORDS, { end: RECORDS.length }]
  .map((line) => JSON.stringify(line))
  .join('\n');

/** A site with books, in a new folder with its configuration. */
async function openLibrary(): Promise<{
  readonly folder: string;
  readonly exportWith: (...args: readonly string[]) => Promise<CommandResult>;
}> {
  const folder = openFolder();
  await writeFile(join(folder, 'site.json'), JSON.stringify(CONFIG));
  const site = ['--content', 'core', '--store', `file:${join(folder, 'data')}`];
  const { code, stdout } = await routebook(
    ['import', '-', ...site, '--as', 'lines', '--config', 'site.json'],
    { cwd: folder, input: LINES },
  );
  assert.is(code, 0, stdout);
  return { folder, exportWith: (...args) => routebook(['export', ...site, ...args], { cwd: folder }) };
}

test('a format tells what it leaves out', async () => {
  const { exportWith } = await openLibrary();
  const others = 'note: the format fixture does not contain 1 credentials. The format ndjson is complete.\n';
  const plain = await exportWith('--format', 'fixture');
  assert.equal(
    [plain.code, plain.stderr],
    [
      0,
      `warning: left out with their revisions and comments: 2 posts of the type book. The site does not declare them: give the --config of its server.\n${others}`,
    ],
  );
  assert.not.match(plain.stdout, /Dune/);
  const declared = await exportWith('--format', 'fixture', '--config', 'site.json');
  assert.equal([declared.code, declared.stderr], [0, others]);
  assert.match(declared.stdout, /Dune/);
  const complete = await exportWith();
  assert.equal([complete.code, complete.stderr], [0, '']);
  assert.match(complete.stdout, /Dune/);
});

test('unknown types are refused, and those of records are known without a configuration', async () => {
  const { exportWith } = await openLibrary();
  const { code, stdout, stderr } = await exportWith('--types', 'post,bok');
  assert.equal([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^--types "bok": is not a type, a taxonomy or a collection of the site\. Did you mean "book"\? Types and taxonomies: post, page, attachment, category, post_tag, book\. Collections: users, /,
  );
  assert.not.match(stderr, /locks/);
  const locks = await exportWith('--types', 'locks');
  assert.equal([locks.code, locks.stdout], [2, '']);
  assert.match(locks.stderr, /^--types "locks": is not a type, a taxonomy or a collection/);
  assert.match((await exportWith('--types', 'book')).stdout, /^.*\n.*Dune.*\n.*Emma.*\n\{"end":2\}\n$/);
});

test('an existing file is refused in one line and stays', async () => {
  const { folder, exportWith } = await openLibrary();
  await writeFile(join(folder, 'a.ndjson'), 'mine');
  assert.equal(await exportWith('--output', 'a.ndjson'), {
    code: 2,
    stdout: '',
    stderr:
      '--output "a.ndjson": the file exists already, and is not replaced. Name another one, or remove it first\n',
  });
  assert.is(await readFile(join(folder, 'a.ndjson'), 'utf8'), 'mine');
});

test.run();
