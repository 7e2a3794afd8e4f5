// Start and memory of a process with all plugins, some, none, and with the engine alone: `node dist/test/bench/plugins.js [rounds]`.
// The files are those of the package: bundled, in a folder of their own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../support/package/bundle.ts';
import { PROJECT } from '../support/sources.ts';
import { toMedian } from './median.ts';

/** Prints what the process has used until it listens. */
const REPORT = `
const { user, system } = process.cpuUsage();
globalThis.gc();
const { rss, heapUsed } = process.memoryUsage();
console.log(JSON.stringify([ms, (user + system) / 1000, rss / 1e6, heapUsed / 1e6]));
process.exit();`;

const LISTEN = (engine: string) => `
const server = createServer(${engine});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const ms = performance.now();`;

const withSite = (names: string, content: string): string => `
  import { CORE_PLUGINS, SEED_PLUGINS, collectionsOf, createContentModel, createSite, loadPlugins } from './dist/registry/site.js';
  import { createMemoryStore } from './dist/adapters/memory-store.js';
  import { createServer } from './dist/adapters/node-http.js';
const plugins = await loadPlugins(${names});
const content = '${content}';
const store = createMemoryStore(collectionsOf(createContentModel(content), plugins));
const site = await createSite({ store, content, plugins });
${LISTEN('site.engine')}${REPORT}`;

/** Programs by what they have. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'seed, all its plugins': withSite('SEED_PLUGINS', 'seed'),
  'core, its default plugins': withSite('CORE_PLUGINS', 'core'),
  'core, no plugins': withSite('[]', 'core'),
  'cms alone': withSite('[]', 'seed'),
  'engine alone': `
  import { createEngine, defineNamespace } from './dist/lib/index.js';
  import { createServer } from './dist/adapters/node-http.js';
const notes = { namespace: 'notes/v1', routes: [{ pattern: '/notes/v1/all', endpoints: [{ methods: ['GET'], handler: 'notes.list', permission: 'public', args: {} }] }] };
const engine = createEngine({ namespaces: [defineNamespace(notes, { 'notes.list': () => [] })] });
${LISTEN('engine')}${REPORT}`,
  fastify: `
  import fastify from 'fastify';
const app = fastify();
app.get('/notes', { schema: { querystring: { type: 'object', properties: {} } } }, async () => []);
await app.listen({ port: 0, host: '127.0.0.1' });
const ms = performance.now();${REPORT}`,
  node: `
  import http from 'node:http';
const createServer = (handler) => http.createServer(handler);
${LISTEN('() => undefined')}${REPORT}`,
};

function run(folder: string, program: string): readonly number[] {
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })) as number[];
}

const folder = mkdtempSync(join(tmpdir(), 'routebook-plugins-'));
try {
  for (const part of ['lib', 'registry', 'adapters'])
    cpSync(join(PROJECT, 'dist', part), join(folder, 'dist', part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  await bundle(join(folder, 'dist'));
  const found = new Map<string, (readonly number[])[]>(Object.keys(PROGRAMS).map((name) => [name, []]));
  for (let round = 0; round < Number(process.argv[2] ?? 15); round += 1)
    for (const [name, program] of Object.entries(PROGRAMS)) found.get(name)?.push(run(folder, program));
  console.log('| | until it listens | processor | memory | heap |\n|---|---|---|---|---|');
  for (const [name, all] of found) {
    const [ms = 0, cpu = 0, rss = 0, heap = 0] = [0, 1, 2, 3].map((at) =>
      toMedian(all.map((each) => each[at] ?? 0)),
    );
    console.log(
      `| ${name} | ${ms.toFixed(0)} ms | ${cpu.toFixed(0)} ms | ${rss.toFixed(0)} MB | ${heap.toFixed(1)} MB |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
