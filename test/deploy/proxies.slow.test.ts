import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROJECT } from '../support/sources.ts';
import { withProgram } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

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

async function pickPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Sends GET for the host of the examples. */
const askAt =
  (send: typeof httpsRequest, port: number): Ask =>
  async (path, headers = {}) => {
    const outgoing = send({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      rejectUnauthorized: false,
      servername: 'site.example',
      headers: { Host: 'site.example', ...headers },
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [
      AsyncIterable<Buffer> & { statusCode: number; headers: IncomingHttpHeaders },
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    return {
      status: incoming.statusCode,
      headers: incoming.headers,
      text: Buffer.concat(chunks).toString('latin1'),
    };
  };

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}

interface Proxy {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly port: number;
}

/** Runs a proxy in front of the site for as long as the test needs it. */
async function withProxy({ command, args, env, port }: Proxy, use: () => Promise<void>): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, 'close');
  try {
    for (let tries = 0; !(await isListening(port)); tries += 1) {
      assert.ok(tries < 100 && child.exitCode === null, output);
      await sleep(100);
    }
    await use();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

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
const has = (command: string, arg: string): boolean => spawnSync(command, [arg]).error === undefined;

function writeNginx(folder: string, site: string, port: number): string {
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${folder}/key.pem`,
    '-out',
    `${folder}/cert.pem`,
    '-days',
    '2',
    '-subj',
    '/CN=site.example',
  ]);
  assert.is(made.status, 0, String(made.stderr));
  const example = readFileSync(`${PROJECT}deploy/nginx.conf`, 'utf8')
    .replace('/var/cache/nginx/routebook', `${folder}/cache`)
    .replace('/etc/ssl/site.example.pem', `${folder}/cert.pem`)
    .replace('/etc/ssl/site.example.key', `${folder}/key.pem`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('127.0.0.1:8787', new URL(site).host);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  // As root, nginx gives its workers another user, who could not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    `${folder}/nginx.conf`,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths}\n${example}\n}`,
  );
  mkdirSync(`${folder}/cache`);
  return `${folder}/nginx.conf`;
}

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
