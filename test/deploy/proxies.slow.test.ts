import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askAt, has, pickPort, withProxy, writeNginx, type Ask } from '../support/proxy.ts';
import { PROJECT } from '../support/sources.ts';
import { withProgram } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

const SERVE = [
  'serve',
  '--store',
  'memory',
  '--fixtures',
  'demo',
  '--port',
  '0',
  '--names',
  'wordpress',
  '--site-url',
  'https://site.example',
  '--address-header',
  'x-real-ip',
];
const POSTS = '/en/wp-json/wp/v2/posts?per_page=1';

/** What every proxy must do: pass the site's addresses, keep ETags, compress, rewrite old addresses, and tell the caller's address. */
async function checkProxy(ask: Ask): Promise<void> {
  const first = await ask(POSTS);
  assert.equal([first.status, first.headers['x-wp-total'] !== undefined], [200, true]);
  assert.match(first.text, 'https://site.example/');
  assert.is((await ask(POSTS, { 'If-None-Match': String(first.headers.etag) })).status, 304);
  assert.is((await ask(POSTS, { 'Accept-Encoding': 'gzip' })).headers['content-encoding'], 'gzip');
  assert.equal(
    [
      (await ask(`/blog${POSTS}`)).status,
      (await ask('/blog/wp-json/')).status,
      (await ask('/blog/other')).status,
    ],
    [200, 200, 404],
  );
  assert.equal([(await ask('/healthz')).status], [200]);
  const statuses: number[] = [];
  for (let index = 0; index < 22; index += 1) {
    const Authorization = `Basic ${Buffer.from(`nobody${index}:guess`).toString('base64')}`;
    statuses.push((await ask(POSTS, { Authorization, 'X-Real-IP': `192.0.2.${index}` })).status);
  }
  assert.equal(
    statuses.slice(19),
    [401, 429, 429],
    'the client does not choose the address that its guesses are counted by',
  );
}

const proxies = suite('deploy');
proxies('nginx.conf: TLS, cache by ETag, compression, address of the caller', () =>
  inFolder(async (folder) => {
    if (!has('nginx', '-v')) {
      console.log('SKIPPED deploy/nginx.conf: nginx is not installed');
      return;
    }
    await withProgram('adapters/cli/bin.js', SERVE, async (origin) => {
      const port = await pickPort();
      await withProxy(
        { command: 'nginx', args: ['-c', writeNginx(folder, origin, port)], port },
        async () => {
          const ask = askAt(httpsRequest, port);
          assert.is((await ask(POSTS)).headers['x-cache'], 'MISS');
          await sleep(2100);
          assert.is((await ask(POSTS)).headers['x-cache'], 'REVALIDATED');
          const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
          const edit = await ask(`${POSTS}&context=edit`, { Authorization });
          assert.equal([edit.status, edit.headers['x-cache']], [200, 'BYPASS']);
          assert.is(
            (await ask(`${POSTS}&context=edit`)).status,
            401,
            'what a login may read is not kept for others',
          );
          await checkProxy(ask);
        },
      );
    });
  }),
);

proxies('Caddyfile: compression, rewrites, address of the caller', () =>
  inFolder(async (folder) => {
    if (!has('caddy', 'version')) {
      console.log('SKIPPED deploy/Caddyfile: caddy is not installed');
      return;
    }
    await withProgram('adapters/cli/bin.js', SERVE, async (origin) => {
      const port = await pickPort();
      // Certificates are Caddy's own business and need a public name.
      const example = readFileSync(`${PROJECT}deploy/Caddyfile`, 'utf8')
        .replace(/^site\.example \{/m, `http://site.example:${port} {\n\tbind 127.0.0.1`)
        .replace('127.0.0.1:8787', new URL(origin).host);
      writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n}\n${example}`);
      const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      await withProxy(
        {
          command: 'caddy',
          args: ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`],
          env,
          port,
        },
        () => checkProxy(askAt(httpRequest, port)),
      );
    });
  }),
);

proxies('routebook.service passes systemd-analyze verify', () => {
  const { error, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', `${PROJECT}deploy/routebook.service`],
    { encoding: 'utf8' },
  );
  if (error !== undefined) console.log(`SKIPPED deploy/routebook.service: ${error.message}`);
  else assert.not.match(stderr, /routebook\.service:(?!.*is not executable)/);
});

proxies.run();
