import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFiles } from '../../adapters/files.ts';
import type { Files } from '../../registry/core/host/ports.ts';

/** Runs with two fresh directories, which are removed afterwards. */
async function withDirectories(
  run: (
    files: Files,
    directories: { readonly root: string; readonly locales: string; readonly output: string },
  ) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'routebook-files-'));
  const directories = { root, locales: join(root, 'locales'), output: join(root, 'output') };
  mkdirSync(join(directories.locales, 'plugins/shop/languages'), { recursive: true });
  writeFileSync(join(directories.locales, 'plugins/shop/languages/shop-fr_FR.mo'), 'fr');
  writeFileSync(join(root, 'secret'), 'secret');
  try {
    await run(createFiles(directories), directories);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const files = suite('createFiles');
files('lists and reads', () =>
  withDirectories(async (disk) => {
    assert.equal(await disk.list('locales', 'plugins/'), ['plugins/shop/languages/shop-fr_FR.mo']);
    assert.equal(await disk.list('locales', 'themes/'), []);
    assert.is(
      Buffer.from((await disk.read('locales', 'plugins/shop/languages/shop-fr_FR.mo', 10)) ?? []).toString(),
      'fr',
    );
    assert.is(await disk.read('locales', 'plugins/shop/languages/other.mo', 10), null);
  }),
);
files('writes whole files and leaves nothing else', () =>
  withDirectories(async (disk, { output }) => {
    await disk.write('output', 'shop-fr_FR.mo', Buffer.from('one'));
    await disk.write('output', 'shop-fr_FR.mo', Buffer.from('two'));
    assert.equal(readdirSync(output), ['shop-fr_FR.mo']);
    assert.is(readFileSync(join(output, 'shop-fr_FR.mo'), 'utf8'), 'two');
  }),
);
files('a file that is too large is not read', () =>
  withDirectories(async (disk) => {
    const outcome = await disk
      .read('locales', 'plugins/shop/languages/shop-fr_FR.mo', 1)
      .catch((error: unknown) => error);
    assert.instance(outcome, RangeError);
  }),
);
files('links are not followed when listing', () =>
  withDirectories(async (disk, { root, locales }) => {
    symlinkSync(join(root, 'secret'), join(locales, 'plugins/shop/link.mo'));
    symlinkSync(root, join(locales, 'plugins/root'));
    assert.equal(await disk.list('locales', 'plugins/'), ['plugins/shop/languages/shop-fr_FR.mo']);
  }),
);
files('a failed write does not leave a partial file', () =>
  withDirectories(async (disk, { output }) => {
    mkdirSync(join(output, 'a.mo'), { recursive: true });
    assert.instance(
      await disk.write('output', 'a.mo', Buffer.from('x')).catch((error: unknown) => error),
      Error,
    );
    assert.equal(readdirSync(output), ['a.mo']);
    chmodSync(output, 0o755);
  }),
);
const NAMES = [
  '../secret',
  '..',
  '/etc/passwd',
  'a/../../secret',
  '.hidden',
  'a//b',
  'a\\..\\b',
  'a\0b',
  'ü.mo',
  '',
  'a/b/c/d/e',
  `${'a'.repeat(200)}`,
];
for (const name of NAMES) {
  files(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, () =>
    withDirectories(async (disk) => {
      assert.instance(await disk.read('locales', name, 10).catch((error: unknown) => error), TypeError);
      assert.instance(
        await disk.write('output', name, Buffer.from('x')).catch((error: unknown) => error),
        TypeError,
      );
    }),
  );
}
files.run();
