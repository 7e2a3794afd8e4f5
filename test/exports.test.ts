import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, PROJECT } from './support/sources.ts';

/** All public exports. Adding or removing one is a decision: change it here, and document it in the changelog. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'ANONYMOUS', 'ENGINE_ERRORS', 'JsonText', 'RawBody', 'RecordList', 'RestError', 'RestResponse', 'StoreError', 'and', 'can', 'checkIfMatch', 'checkNames', 'createEngine', 'createErrors', 'createRequest', 'defineNamespace',
    'engineError', 'eq', 'fold', 'invalidParams', 'logToConsole', 'not', 'oneOf', 'or', 'pageHeaders', 'renamePath', 'statusOf', 'toJsonList', 'toNamespace',
  ],
  './registry': [
    'CAPABILITIES', 'CONFIGURED_NAMESPACES', 'CONNECTED_SERVICES', 'DEFAULT_LANGUAGES', 'ENGINE_STATUS', 'NEUTRAL_NAMES', 'OutboundRefused', 'ROLES', 'WORDPRESS_NAMES', 'capabilitiesOf', 'catalogues', 'checkFixture', 'checkSettings', 'clearSite', 'collections', 'collectionsOf', 'createCommonArgs',
    'createContentModel', 'createRegistry', 'createSite', 'defineContentType', 'defineTaxonomy', 'hashPassword', 'isEmptySite', 'joinContent', 'loadFixture', 'readContent', 'registryDescriptors', 'toIdentity', 'upstreamError', 'verifyPassword',
  ],
  './node-http': ['HTTP_LIMITS', 'LoadShedder', 'closeServer', 'createListener', 'createServer'],
  './fetch': ['createFetchHandler'],
  './memory-store': ['createMemoryStore'],
  './sqlite-store': ['createSqliteStore'],
  './postgres-store': ['createPostgresStore'],
  './outbound': ['createOutbound'],
  './upstream': ['createUpstream'],
  './files': ['createFiles'],
  './media-files': ['createMediaFiles'],
  './import-files': ['MAX_LINE', 'createImportFiles'],
  './cli': ['describeOptions', 'readOptions', 'toCount', 'toOrigins', 'toSiteUrl'],
};

interface Entry { readonly types: string; readonly default: string }
interface Manifest { readonly exports: Readonly<Record<string, Entry>>; readonly files: readonly string[]; readonly dependencies: object; readonly scripts: Readonly<Record<string, string>> }
type Module = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const manifest = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as Manifest;
const run = promisify(execFile);

function load(folder: string, entry: string): Promise<Module> {
  return import(pathToFileURL(join(folder, manifest.exports[entry]?.default ?? '')).href) as Promise<Module>;
}

const OUTSIDE = /from '(?:\.\.\/)+test\//;
/** The examples are part of the package, but no other file imports them. */
const OUTSIDE_OR_EXAMPLE = /from '(?:\.\.\/)+(?:test|examples)\//;

const entries = suite('entries of the package');

entries('are the reviewed ones', () => assert.equal(Object.keys(manifest.exports), Object.keys(NAMES)));

for (const [entry, names] of Object.entries(NAMES)) {
  entries(`${entry} exists with its types, and has the reviewed exports`, async () => {
    const paths = manifest.exports[entry];
    assert.ok(paths !== undefined && existsSync(join(PROJECT, paths.default)) && existsSync(join(PROJECT, paths.types)));
    assert.is(paths.types, paths.default.replace(/\.js$/, '.d.ts'));
    assert.equal(Object.keys(await load(PROJECT, entry)).toSorted(), names);
  });
}

entries('declare only types of the package', () => {
  const packed = ['dist/lib', 'dist/registry', 'dist/adapters', 'dist/examples'];
  for (const file of packed.flatMap((folder) => listFiles(folder, '.d.ts'))) {
    assert.not.match(readFileSync(`${PROJECT}${file}`, 'utf8'), file.startsWith('dist/examples') ? OUTSIDE : OUTSIDE_OR_EXAMPLE, file);
  }
});

entries.run();

/** Runs with the unpacked tarball and its dependencies. */
async function withPackage(check: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'routebook-pack-'));
  try {
    await run('npm', ['pack', '--silent', '--ignore-scripts', '--offline', '--pack-destination', folder], { cwd: PROJECT });
    const [tarball = ''] = await readdir(folder);
    await run('tar', ['-xzf', join(folder, tarball), '-C', folder]);
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await check(join(folder, 'package'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tarball = suite('the packed package');

tarball('contains code, types, examples and documents, but no sources twice, and works on its own', async () => {
  await withPackage(async (folder) => {
    const files = await readdir(folder, { recursive: true });
    assert.equal(files.filter((file) => /^(?:dist\/)?test(?:\/|$)|^(?:lib|registry|adapters)\/|\.map$|demo-uploads/.test(file)), []);
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/errors.md', 'dist/lib/engine/engine.js', 'dist/lib/engine/engine.d.ts', 'examples/server.ts']) assert.ok(files.includes(name), name);
    for (const [entry, names] of Object.entries(NAMES)) assert.equal(Object.keys(await load(folder, entry)).toSorted(), names, entry);
    const { createEngine, createRequest } = await load(folder, '.');
    const { NEUTRAL_NAMES } = await load(folder, './registry');
    const engine = createEngine?.({ names: NEUTRAL_NAMES, prefixes: ['en'], describeSite: async () => ({ name: 'Packed' }) }) as { serve(request: unknown): Promise<{ status: number; body: string }> };
    const wire = await engine.serve(createRequest?.('/?_fields=name'));
    assert.equal([wire.status, wire.body], [200, '{"name":"Packed"}']);
  });
});

tarball('contains examples that run', async () => {
  await withPackage(async (folder) => {
    const { stdout } = await run(process.execPath, [join(folder, 'dist/examples/routes.js'), '--openapi']);
    assert.ok((JSON.parse(stdout) as { openapi: string }).openapi.startsWith('3.1'));
    // The programs that serve the demo site read these files next to themselves.
    for (const name of ['examples/demo-site.json', 'examples/guestbook.json']) assert.ok(existsSync(join(folder, name)), name);
  });
});

tarball('has entries that every resolver of modules finds, with their types', async () => {
  const { messages } = await publint({ pkgDir: PROJECT, strict: true, pack: 'npm' });
  assert.equal(messages, []);
  await withPackage(async (folder) => {
    await run(process.execPath, [join(PROJECT, 'node_modules/@arethetypeswrong/cli/dist/index.js'), join(folder, '../routebook-0.1.0.tgz'), '--profile', 'esm-only', '--format', 'ascii']);
  });
});

tarball('does not run a script at installation', () => {
  assert.equal(Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name)), []);
});

tarball.run();
