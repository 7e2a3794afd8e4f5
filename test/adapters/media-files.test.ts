import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMediaFiles } from '../../adapters/media-files.ts';

async function withLibrary(test: (directory: string) => Promise<void>): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'media-'));
  try {
    const root = join(base, 'uploads');
    await mkdir(join(root, '2024', '01'), { recursive: true });
    await mkdir(join(base, 'uploads-other'));
    await writeFile(join(root, '2024', '01', 'a b.png'), 'x'.repeat(1234));
    await writeFile(join(root, '.htpasswd'), 'secret');
    await writeFile(join(base, 'outside.txt'), 'secret');
    await writeFile(join(base, 'uploads-other', 'outside.txt'), 'secret');
    await symlink(join(base, 'outside.txt'), join(root, 'link.txt'));
    await symlink(join(base, 'uploads-other'), join(root, 'folder'));
    await symlink(join(root, '2024'), join(root, 'inside'));
    await test(root);
  } finally {
    await rm(base, { recursive: true });
  }
}

const ROWS: readonly (readonly [path: string, size: number | null])[] = [
  ['2024/01/a b.png', 1234],
  ['inside/01/a b.png', 1234],
  ['2024/01/none.png', null],
  ['2024/01', null],
  ['2024/01/a b.png/more', null],
  ['', null],
  ['/etc/passwd', null],
  ['../outside.txt', null],
  ['2024/../../outside.txt', null],
  ['..\\outside.txt', null],
  ['link.txt', null],
  ['folder/outside.txt', null],
  ['.htpasswd', null],
  ['./2024/01/a b.png', null],
  ['2024//01/a b.png', null],
  ['2024/01/a b.png\0', null],
  ['x'.repeat(2000), null],
];

const media = suite('createMediaFiles');
media('finds only the files of the library', () =>
  withLibrary(async (root) => {
    for (const [path, size] of ROWS)
      assert.is(await createMediaFiles(root).size(path), size, JSON.stringify(path));
  }),
);
media('a missing library has no files', async () => {
  assert.is(await createMediaFiles('/nonexistent/uploads').size('a.png'), null);
});
media.run();
