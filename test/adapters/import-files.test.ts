import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createImportFiles, MAX_LINE } from '../../adapters/import-files.ts';

async function withFile(content: string, test: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    await writeFile(join(directory, 'posts.jsonl'), content);
    await test(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function readAll(directory: string, name = 'posts.jsonl'): Promise<readonly string[] | null> {
  const lines = await createImportFiles(directory).lines(name);
  if (lines === null) return null;
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const ROWS: readonly (readonly [content: string, lines: readonly string[]])[] = [
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb\n\nc', ['a', 'b', '', 'c']],
  ['é'.repeat(70_000), ['é'.repeat(MAX_LINE)]],
  [`${'x'.repeat(200_000)}\nnext\n`, ['x'.repeat(MAX_LINE), 'next']],
];

const files = suite('createImportFiles');
for (const [content, lines] of ROWS) {
  files(`${content.length} characters are ${lines.length} lines`, () =>
    withFile(content, async (directory) => {
      assert.equal(await readAll(directory), lines);
    }),
  );
}
files('reads only regular files of the directory', () =>
  withFile('a', async (directory) => {
    await mkdir(join(directory, 'folder'));
    await symlink('/etc/passwd', join(directory, 'link'));
    for (const name of [
      'none',
      'folder',
      'link',
      '../posts.jsonl',
      '/etc/passwd',
      '.',
      '..',
      '',
      'folder/x',
      'a\0',
    ])
      assert.is(await readAll(directory, name), null, name);
  }),
);
files('may be closed early', () =>
  withFile('a\nb\n', async (directory) => {
    const lines = await createImportFiles(directory).lines('posts.jsonl');
    if (lines === null) throw new Error('no lines');
    for await (const line of lines) {
      assert.is(line, 'a');
      break;
    }
  }),
);
files.run();
