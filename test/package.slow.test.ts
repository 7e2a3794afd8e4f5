import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from './support/package/bundle.ts';
import { PROJECT } from './support/sources.ts';
import { startNode } from './support/start-program.ts';
import { inFolder } from './support/temporary.ts';

interface Entry {
  readonly default: string;
}
interface Installed {
  readonly dev?: true;
  readonly hasInstallScript?: true;
}
interface Manifest {
  readonly exports: Readonly<Record<string, Entry>>;
  readonly scripts: Readonly<Record<string, string>>;
}
type Module = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const manifest = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as Manifest;
const run = promisify(execFile);

/** The packages that npm installs with this one, optional ones included, by their places below the project. */
const RUNTIME = Object.entries(
  (
    JSON.parse(readFileSync(`${PROJECT}package-lock.json`, 'utf8')) as {
      readonly packages: Readonly<Record<string, Installed>>;
    }
  ).packages,
).filter(([place, { dev }]) => place !== '' && dev !== true);

function load(folder: string, entry: string): Promise<Module> {
  return import(pathToFileURL(join(folder, manifest.exports[entry]?.default ?? '')).href) as Promise<Module>;
}

/** Unpacks the tarball into a folder that is empty, and bundles it as `prepack` does. */
async function unpack(folder: string): Promise<void> {
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--offline', '--pack-destination', folder], {
    cwd: PROJECT,
  });
  const [tarball = ''] = await readdir(folder);
  await run('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  await bundle(join(folder, 'package/dist'));
}

/** Installs the tarball as npm does without development packages, but from the packages of the project. Returns where it is. */
async function install(folder: string): Promise<string> {
  await unpack(folder);
  for (const [place] of RUNTIME.filter(([each]) => existsSync(join(PROJECT, each))))
    await cp(join(PROJECT, place), join(folder, place), { recursive: true });
  const installed = join(folder, 'node_modules/routebook');
  await rename(join(folder, 'package'), installed);
  return installed;
}

/** Runs with the unpacked tarball and its dependencies. */
async function withPackage(check: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'routebook-pack-'));
  try {
    await unpack(folder);
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await check(join(folder, 'package'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tarball = suite('the packed package');

tarball(
  'contains code, types, examples and documents, but no sources twice, and works on its own',
  async () => {
    await withPackage(async (folder) => {
      const files = await readdir(folder, { recursive: true });
      assert.equal(
        files.filter((file) =>
          /^(?:dist\/)?test(?:\/|$)|^(?:lib|registry|adapters)\/|\.map$|demo-uploads/.test(file),
        ),
        [],
      );
      for (const name of [
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'docs/errors.md',
        'dist/lib/engine/engine.js',
        'dist/lib/engine/engine.d.ts',
        'examples/server.ts',
      ])
        assert.ok(files.includes(name), name);
      for (const entry of Object.keys(manifest.exports))
        assert.equal(Object.keys(await load(folder, entry)), Object.keys(await load(PROJECT, entry)), entry);
      const { createEngine, createRequest } = await load(folder, '.');
      const { NEUTRAL_NAMES } = await load(folder, './registry');
      const engine = createEngine?.({
        names: NEUTRAL_NAMES,
        prefixes: ['en'],
        describeSite: async () => ({ name: 'Packed' }),
      }) as { serve(request: unknown): Promise<{ status: number; body: string }> };
      const wire = await engine.serve(createRequest?.('/?_fields=name'));
      assert.equal([wire.status, wire.body], [200, '{"name":"Packed"}']);
    });
  },
);

tarball('holds the engine in few files, which its modules export from', async () => {
  await withPackage(async (folder) => {
    for (const [file, from] of [
      ['lib/index.js', './bundle.js'],
      ['lib/core/objects.js', '../cli.bundle.js'],
      ['lib/core/memo.js', '../plugin.bundle.js'],
      ['registry/plugin.js', './plugin.bundle.js'],
      ['registry/index.js', './bundle.js'],
    ] as const) {
      const sources = [...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/ from "([^"]+)"/g)].map(
        ([, source]) => source,
      );
      assert.ok(sources.includes(from), file);
      assert.equal(
        sources.filter((source) => !source?.endsWith('bundle.js')),
        [],
        file,
      );
    }
    // Each needs those below it at most: the command line starts without the engine, and a plugin without the site.
    for (const [file, below] of [
      ['lib/cli', []],
      ['lib/plugin', ['./cli.bundle.js']],
      ['lib/', ['./cli.bundle.js', './plugin.bundle.js']],
      ['registry/plugin', ['../lib/cli.bundle.js', '../lib/plugin.bundle.js']],
    ] as const) {
      const text = readFileSync(join(folder, `dist/${file}.bundle.js`.replace('/.', '/')), 'utf8');
      const found = [...text.matchAll(/^import .* from "(\.[^"]*)"/gm)].map(([, source]) => source);
      assert.equal(found.toSorted(), below, file);
    }
  });
});

tarball('contains examples that run', async () => {
  await withPackage(async (folder) => {
    const { stdout } = await run(process.execPath, [join(folder, 'dist/adapters/cli/bin.js'), 'openapi'], {
      maxBuffer: 1e7,
    });
    assert.ok((JSON.parse(stdout) as { openapi: string }).openapi.startsWith('3.1'));
    // The programs that serve the demo site read these files next to themselves.
    for (const name of ['examples/demo-site.json', 'examples/guestbook.json'])
      assert.ok(existsSync(join(folder, name)), name);
  });
});

tarball('has entries that every resolver of modules finds, with their types', async () => {
  const { messages } = await publint({ pkgDir: PROJECT, strict: true, pack: 'npm' });
  assert.equal(messages, []);
  await withPackage(async (folder) => {
    await run(process.execPath, [
      join(PROJECT, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      join(folder, '../routebook-0.2.0.tgz'),
      '--profile',
      'esm-only',
      '--format',
      'ascii',
    ]);
  });
});

tarball('does not run a script at installation, and none of its packages does', () => {
  assert.equal(
    Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name)),
    [],
  );
  assert.equal(
    RUNTIME.filter(([, { hasInstallScript }]) => hasInstallScript === true),
    [],
  );
});

tarball(
  'serves and keeps people in the default store, with the packages that npm installs for it alone',
  async () => {
    await inFolder(async (folder) => {
      const bin = join(await install(folder), 'dist/adapters/cli/bin.js');
      const cli = async (...args: readonly string[]): Promise<string> =>
        (await run(process.execPath, [bin, ...args], { cwd: folder })).stdout;
      const served = await startNode('the packed command', [
        bin,
        'serve',
        '--port',
        '0',
        '--store',
        `file:${folder}/data`,
      ]);
      const response = await fetch(`${served.origin}/en/cms-json/cms/v2/posts?_fields=id`).finally(() =>
        served.stop(),
      );
      assert.is(response.status, 200);
      assert.is(
        await cli(
          'user',
          'add',
          'eve',
          '--role',
          'editor',
          '--email',
          'eve@site.example',
          '--password',
          'of eve',
        ),
        'Added eve with the role editor (id 8).\n',
      );
      assert.match(await cli('user', 'list'), /\n8 +eve +editor /);
    });
  },
);

tarball.run();
