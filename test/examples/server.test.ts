import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readServerOptions } from '../../examples/server-options.ts';
import { startProgram } from '../support/start-program.ts';

const options = suite('readServerOptions');

const REFUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--prot', '1'], /--prot.*Known options: --port, --host, --store/],
  [['--port', '65536'], /--port/],
  [['--port', 'x'], /--port/],
  [['--workers', '0'], /--workers/],
  [['--test-reset'], /--test-reset needs --store memory/],
  [['extra'], /extra/],
];

for (const [args, says] of REFUSED) options(`refuses ${args.join(' ')}`, () => assert.throws(() => readServerOptions(args), says));

options('starts on port 8787 of this machine alone, with a file store', () => {
  const { host, port, store } = readServerOptions([]);
  assert.equal({ host, port, store }, { host: '127.0.0.1', port: 8787, store: 'file:./data' });
});

options.run();

const server = suite('example server');

async function countPosts(origin: string): Promise<string | null> {
  const response = await fetch(`${origin}/en/cms-json/cms/v2/posts`);
  await response.text();
  return response.headers.get('X-CMS-Total');
}

function post(address: string, body?: string): Promise<Response> {
  const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
  return fetch(address, { method: 'POST', ...(body === undefined ? {} : { body }), headers: { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' } });
}

server('keeps what was written in its directory from start to start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'server-test-'));
  const args = ['--port', '0', '--store', `file:${directory}`];
  try {
    const first = await startProgram('examples/server.js', args);
    assert.is(await countPosts(first.origin), '15');
    assert.is((await post(`${first.origin}/en/cms-json/cms/v2/posts`, 'title=Kept&status=publish')).status, 201);
    assert.is(await first.stop(), 0);
    const second = await startProgram('examples/server.js', args);
    assert.is(await countPosts(second.origin), '16');
    assert.is(await second.stop(), 0);
  } finally {
    await rm(directory, { recursive: true });
  }
});

server('puts the content back with --test-reset, and has no such address without', async () => {
  const running = await startProgram('examples/server.js', ['--port', '0', '--store', 'memory', '--test-reset']);
  await post(`${running.origin}/en/cms-json/cms/v2/posts`, 'title=Gone&status=publish');
  assert.is(await countPosts(running.origin), '16');
  assert.is((await post(`${running.origin}/__reset`)).status, 200);
  assert.is(await countPosts(running.origin), '15');
  assert.is(await running.stop(), 0);
  const plain = await startProgram('examples/server.js', ['--port', '0', '--store', 'memory']);
  assert.is((await post(`${plain.origin}/__reset`)).status, 404);
  assert.is(await plain.stop(), 0);
});

server('speaks the words of WordPress with --names wordpress', async () => {
  const running = await startProgram('examples/server.js', ['--port', '0', '--store', 'memory', '--names', 'wordpress']);
  const response = await fetch(`${running.origin}/en/wp-json/wp/v2/posts?wpml_language=fr`);
  await response.text();
  assert.is(response.headers.get('X-WP-Total'), '10');
  assert.is(await running.stop(), 0);
});

server('shows its pages, whose first link names the API', async () => {
  const running = await startProgram('examples/server.js', ['--port', '0', '--store', 'memory']);
  for (const path of ['/', '/fr/', '/en/market-day/']) {
    const response = await fetch(`${running.origin}${path}`);
    assert.is(response.status, 200, path);
    assert.match(await response.text(), /<h1>/);
    assert.match(String(response.headers.get('Link')), /^<http:[^>]+\/(?:en|fr)\/cms-json\/>; rel="cms:api"/);
  }
  for (const path of ['/nl/', '/en/no-such-post/', '/en/market-day/more/']) assert.is((await fetch(`${running.origin}${path}`)).status, 404, path);
  assert.is(await running.stop(), 0);
});

server('stops with the shell that npm puts between itself and the program', async () => {
  const program = fileURLToPath(new URL('../../examples/server.js', import.meta.url));
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" --port 0 --store memory; true`], {
    env: { ...process.env, npm_lifecycle_event: 'start' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  // Closed when the last process that holds it has ended: the server itself.
  const ended = once(shell.stdout, 'close');
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('listening on')) shell.kill('SIGTERM');
  });
  await ended;
  assert.match(output, /listening on/);
});

server.run();
