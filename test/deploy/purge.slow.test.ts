import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countRuns } from '../support/long-mode.ts';
import { askAt, has, pickPort, withProxy, writeNginx, type Ask } from '../support/proxy.ts';
import { createRandom } from '../support/random.ts';
import { PROJECT } from '../support/sources.ts';
import { startNode } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';

const SECRET = 'a secret of many letters';
const API = '/en/cms-json/cms/v2';
const CACHE = { tags: 'xkey', sharedMaxAge: 3600 };

/** Runs the purge receiver and a site that sends events to it, with these settings in the environment of both. */
async function withSite(
  folder: string,
  env: Readonly<Record<string, string>>,
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const config = join(folder, 'site.json');
  writeFileSync(config, JSON.stringify({ cache: CACHE, content: { core: true } }));
  const all = { ROUTEBOOK_NOTIFY_SECRET: SECRET, PORT: '0', ...env };
  Object.assign(process.env, all);
  const started: Awaited<ReturnType<typeof startNode>>[] = [];
  try {
    const purge = await startNode('purge.mjs', [`${PROJECT}deploy/purge.mjs`]);
    started.push(purge);
    const serve = ['serve', '--store', 'memory', '--fixtures', 'demo', '--port', '0', '--config', config];
    const site = await startNode('serve', [
      `${PROJECT}dist/adapters/cli/bin.js`,
      ...serve,
      '--site-url',
      'https://site.example',
      '--notify',
      `${purge.origin}/`,
    ]);
    started.push(site);
    await use(site.origin);
  } finally {
    for (const name of Object.keys(all)) Reflect.deleteProperty(process.env, name);
    for (const program of started.toReversed()) await program.stop();
  }
}

const ADMIN = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;

async function write(origin: string, path: string, body: unknown): Promise<number> {
  const response = await fetch(`${origin}${API}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: ADMIN },
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return Number(((await response.json()) as { readonly id?: number }).id);
}

/** Random writes. After each of them, what the cache sends becomes what the site sends. */
async function checkPurges(origin: string, ask: Ask, rounds: number): Promise<void> {
  const random = createRandom(31);
  const ids: number[] = [];
  const direct = async (target: string): Promise<string> => (await fetch(`${origin}${target}`)).text();
  const writes: readonly (() => Promise<unknown>)[] = [
    async () => ids.push(await write(origin, '/posts', { title: `New ${ids.length}`, status: 'publish' })),
    () => write(origin, `/posts/${random.pick(ids)}`, { title: `T ${random.below(1000)}` }),
    () =>
      write(origin, `/posts/${random.pick(ids)}`, { status: random.pick(['draft', 'publish', 'private']) }),
    () => write(origin, `/posts/${random.pick(ids)}`, { password: random.pick(['', 'x']) }),
    () => write(origin, `/posts/${random.pick(ids)}`, { ml_language: random.pick(['en', 'fr']) }),
    () => write(origin, '/categories', { name: `C ${random.below(100_000)}` }),
    () => write(origin, '/settings', { title: `Site ${random.below(1000)}` }),
    () => write(origin, '/users/1', { name: `Ada ${random.below(1000)}` }),
  ];
  for (let round = 0; round < rounds; round += 1) {
    const targets = [
      `${API}/posts`,
      `/fr${API.slice(3)}/posts`,
      `${API}/categories`,
      `${API}/users`,
      `${API}/search?search=new`,
      ...ids.slice(-5).map((id) => `${API}/posts/${id}`),
    ];
    for (const target of targets) await ask(target);
    await (round === 0 ? writes[0] : random.pick(writes))?.();
    for (const target of targets) {
      const wanted = await direct(target);
      await until(async () => (await ask(target)).text === Buffer.from(wanted).toString('latin1'), target);
    }
  }
}

const purges = suite('purges by events');

purges('varnish.vcl and purge.mjs: what a write has changed is gone, and the rest stays', () =>
  inFolder(async (folder) => {
    if (!has('varnishd', '-V')) {
      console.log('SKIPPED deploy/varnish.vcl: varnish and varnish-modules are not installed');
      return;
    }
    const [port, purgePort] = [await pickPort(), await pickPort()];
    await withSite(folder, { PURGE_VARNISH: `http://127.0.0.1:${purgePort}/` }, async (origin) => {
      const vcl = join(folder, 'varnish.vcl');
      writeFileSync(
        vcl,
        readFileSync(`${PROJECT}deploy/varnish.vcl`, 'utf8').replace('"8787"', `"${new URL(origin).port}"`),
      );
      const places = [
        '-a',
        `127.0.0.1:${port}`,
        '-a',
        `purge=127.0.0.1:${purgePort}`,
        '-n',
        join(folder, 'v'),
      ];
      const args = ['-j', 'none', '-F', '-f', vcl, '-s', 'malloc,64m', ...places];
      await withProxy({ command: 'varnishd', args, port }, async () => {
        const ask = askAt(httpRequest as typeof httpsRequest, port);
        await ask(`${API}/posts`);
        const again = await ask(`${API}/posts`);
        assert.equal(
          [
            String(again.headers['x-varnish']).split(' ').length,
            again.headers['xkey'],
            again.headers['cache-control'],
          ],
          [2, undefined, 'max-age=0, must-revalidate'],
        );
        const purge = await fetch(`http://127.0.0.1:${port}/`, {
          method: 'PURGE',
          headers: { 'xkey-purge': 'posts:en' },
        });
        assert.is(purge.status, 405, 'a stranger purges nothing');
        await checkPurges(origin, ask, countRuns(100, 5000));
        const one = await write(origin, '/posts', { title: 'Kept', status: 'publish' });
        await until(async () => (await ask(`${API}/posts`)).text.includes('Kept'), 'its own event');
        // The purge of the post itself may come after that of the list, so the first try may meet it.
        let stays = false;
        for (let tries = 0; tries < 3 && !stays; tries += 1) {
          await ask(`${API}/posts/${one}`);
          await write(origin, `/posts`, { title: `Other ${tries}`, status: 'publish' });
          await until(async () => (await ask(`${API}/posts`)).text.includes(`Other ${tries}`), 'the list');
          const kept = await ask(`${API}/posts/${one}`);
          stays = String(kept.headers['x-varnish']).split(' ').length === 2;
        }
        assert.ok(stays, 'another post stays');
      });
    });
  }),
);

purges('nginx.conf and purge.mjs: files of what a write has changed are removed', () =>
  inFolder(async (folder) => {
    if (!has('nginx', '-v')) {
      console.log('SKIPPED purges of nginx: nginx is not installed');
      return;
    }
    await withSite(folder, { PURGE_NGINX: join(folder, 'cache') }, async (origin) => {
      const port = await pickPort();
      await withProxy(
        { command: 'nginx', args: ['-c', writeNginx(folder, origin, port)], port },
        async () => {
          const ask = askAt(httpsRequest, port);
          await ask(`${API}/posts`);
          assert.is((await ask(`${API}/posts`)).headers['x-cache'], 'HIT');
          await checkPurges(origin, ask, countRuns(30, 1000));
        },
      );
    });
  }),
);

purges.run();
