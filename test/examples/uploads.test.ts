import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAll } from '../support/long-mode.ts';
import { withServer } from '../support/routebook.ts';
import { startProgram, type Program } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

const MEGABYTE = 1024 * 1024;
const UPLOAD = 60 * MEGABYTE;
const MOST = 32 * MEGABYTE;
const CHUNK = new Uint8Array(256 * 1024).fill(97);
const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
const HEADERS = {
  Authorization,
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="large.zip"',
};

/** A server, here or in a process of its own. */
type Served = Pick<Program, 'origin'>;

const mediaOf = ({ origin }: Served): string => `${origin}/en/cms-json/cms/v2/media`;
const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const withSite = (args: readonly string[], use: (server: Served) => Promise<void>): Promise<void> =>
  withServer(['serve', '--port', '0', '--content', 'core', ...args], (origin) => use({ origin }));

async function upload(
  server: Served,
  name: string,
  body: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(mediaOf(server), {
    method: 'POST',
    headers: {
      ...HEADERS,
      'Content-Type': 'text/plain',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
    body,
  });
  assert.is(response.status, 201);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

const uploads = suite('uploads of the command serve');
/** Those of 60 MB run in `npm run test:all`. */
const large = isAll ? uploads : (): void => undefined;

uploads('are served at their address, and browsers run nothing in them', () =>
  withSite(['--store', 'memory'], async (server) => {
    const { source_url: url } = await upload(server, 'notes.txt', 'words');
    const response = await fetch(String(url));
    assert.equal([response.status, await response.text()], [200, 'words']);
    assert.equal(
      ['content-type', 'x-content-type-options', 'content-length'].map((name) => response.headers.get(name)),
      ['text/plain; charset=UTF-8', 'nosniff', '5'],
    );
    const head = await fetch(String(url), { method: 'HEAD' });
    assert.equal([head.status, head.headers.get('content-length'), await head.text()], [200, '5', '']);
    const svg = await fetch(`${server.origin}/uploads/2025/harbour.svg`);
    assert.equal([svg.status, svg.headers.get('content-type')], [200, 'image/svg+xml; charset=UTF-8']);
    assert.match(svg.headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox$/);
    for (const path of [
      '/uploads/',
      '/uploads/..%2f..%2fpackage.json',
      '/uploads/.arriving',
      '/uploads/2026',
    ])
      assert.is((await fetch(`${server.origin}${path}`)).status, 404, path);
  }),
);

uploads('of a script that is there already is no script for browsers', () =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, 'a.js'), 'alert(1)');
    await withSite(['--store', 'memory', '--uploads', folder], async ({ origin }) => {
      const { headers } = await fetch(`${origin}/uploads/a.js`);
      assert.is(headers.get('content-type'), 'application/octet-stream');
    });
  }),
);

uploads('are not alone: --editor serves a built editor below /edit/', () =>
  inFolder(async (folder) => {
    const built = join(folder, 'built');
    mkdirSync(built);
    for (const name of ['index.html', 'app.js', 'app.css', '.secret'])
      writeFileSync(join(built, name), `of ${name}`);
    writeFileSync(join(folder, 'outside.js'), 'outside');
    symlinkSync(join(folder, 'outside.js'), join(built, 'link.js'));
    await withSite(['--store', 'memory', '--editor', built], async ({ origin }) => {
      const ask = async (path: string): Promise<readonly unknown[]> => {
        const response = await fetch(`${origin}${path}`);
        const text = await response.text();
        return [response.status, response.headers.get('content-type'), text.slice(0, 20)];
      };
      for (const path of ['/edit/', '/edit/?a=1', '/edit/index.html', '/edit/page/post.php?post=1'])
        assert.equal(await ask(path), [200, 'text/html; charset=UTF-8', 'of index.html'], path);
      const bare = await fetch(`${origin}/edit?post=1`, { redirect: 'manual' });
      assert.equal([bare.status, bare.headers.get('location')], [301, '/edit/?post=1']);
      assert.equal(await ask('/edit/app.js'), [200, 'text/javascript; charset=UTF-8', 'of app.js']);
      assert.equal(await ask('/edit/app.css'), [200, 'text/css; charset=UTF-8', 'of app.css']);
      for (const path of [
        '.secret',
        'none.js',
        'link.js',
        '..%2foutside.js',
        'a/%2e%2e/none.js',
        'a/.git/config',
      ])
        assert.is((await ask(`/edit/${path}`))[0], 404, path);
      const { headers } = await fetch(`${origin}/edit/`);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'self';", "connect-src 'self' ", "frame-ancestors 'none'"])
        assert.ok(policy.includes(part), part);
      assert.not.match(policy, /script-src/);
    });
  }),
);

/** Request headers, and the response: status, bytes and Content-Range. The file holds ten bytes; `{tag}` is its ETag. */
const RANGES: readonly (readonly [
  headers: Readonly<Record<string, string>>,
  status: number,
  text: string,
  range: string | null,
])[] = [
  [{}, 200, '0123456789', null],
  [{ Range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
  [{ Range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
  [{ Range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
  [{ Range: 'bytes=0-0' }, 206, '0', 'bytes 0-0/10'],
  [{ Range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
  [{ Range: 'bytes=-99' }, 206, '0123456789', 'bytes 0-9/10'],
  [{ Range: 'bytes=10-' }, 416, '', 'bytes */10'],
  [{ Range: 'bytes=-0' }, 416, '', 'bytes */10'],
  // Invalid ranges, other units and several ranges are ignored.
  ...['bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=1', 'bytes 1-2'].map(
    (range) => [{ Range: range }, 200, '0123456789', null] as const,
  ),
  [{ Range: 'bytes=2-4', 'If-Range': '{tag}' }, 206, '234', 'bytes 2-4/10'],
  [{ Range: 'bytes=2-4', 'If-Range': '"other"' }, 200, '0123456789', null],
  [{ Range: 'bytes=2-4', 'If-Range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200, '0123456789', null],
  [{ 'If-None-Match': '{tag}' }, 304, '', null],
  [{ 'If-None-Match': '"other", W/{tag}', Range: 'bytes=2-4' }, 304, '', null],
  [{ 'If-None-Match': '"other"' }, 200, '0123456789', null],
];

uploads('are sent in part, for players that seek and downloads that continue', () =>
  withSite(['--store', 'memory'], async (server) => {
    const url = String((await upload(server, 'digits.txt', '0123456789'))['source_url']);
    const { headers: facts } = await fetch(url, { method: 'HEAD', headers: { Range: 'bytes=2-4' } });
    assert.equal([facts.get('accept-ranges'), facts.get('content-length')], ['bytes', '10']);
    const tag = facts.get('etag') ?? '';
    assert.match(tag, /^"[\w-]+"$/);
    for (const [given, status, text, range] of RANGES) {
      const headers = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value.replace('{tag}', tag)]),
      );
      const response = await fetch(url, { headers });
      assert.equal(
        [
          response.status,
          await response.text(),
          response.headers.get('content-range'),
          response.headers.get('etag'),
        ],
        [status, text, range, tag],
        JSON.stringify(given),
      );
      if (status !== 304)
        assert.is(response.headers.get('content-length'), String(text.length), JSON.stringify(given));
    }
  }),
);

uploads('lie beside the data, and survive the server', () =>
  inFolder(async (folder) => {
    const data = join(folder, 'data');
    let url = '';
    await withSite(['--store', `file:${data}`], async (server) => {
      url = String((await upload(server, 'notes.txt', 'words'))['source_url']);
    });
    assert.equal(listFiles(join(data, 'uploads')), ['notes.txt']);
    await withSite(['--store', `file:${data}`], async (server) => {
      assert.is(await (await fetch(`${server.origin}${new URL(url).pathname}`)).text(), 'words');
    });
  }),
);

large('leave nothing in library and store if the server is killed while they arrive', () =>
  inFolder(async (folder) => {
    const files = join(folder, 'files');
    const args = ['--store', `file:${join(folder, 'data')}`, '--uploads', files];
    const server = await startProgram('examples/server.js', ['--port', '0', '--content', 'core', ...args]);
    await upload(server, 'first.txt', 'words');
    const { hostname, port } = new URL(server.origin);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      [
        'POST /en/cms-json/cms/v2/media HTTP/1.1',
        'Host: a',
        ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${UPLOAD}`,
        '',
        '',
      ].join('\r\n'),
    );
    socket.write('PK\u0003\u0004');
    for (let tries = 0; tries < 400 && listFiles(files).length < 2; tries += 1) {
      socket.write(CHUNK);
      await new Promise((resolve) => {
        setTimeout(resolve, 25);
      });
    }
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    socket.destroy();
    assert.equal(
      listFiles(files)
        .map((name) => name.replace(/^[\da-f-]{36}/, '*'))
        .toSorted(),
      ['*.part', 'first.txt'],
    );
    await withSite(args, async (again) => {
      const list = await fetch(mediaOf(again));
      assert.equal(
        ((await list.json()) as readonly { readonly filename: string }[])
          .filter(({ filename }) => !filename.endsWith('.svg'))
          .map(({ filename }) => filename),
        ['first.txt'],
      );
    });
  }),
);

/** Resident memory of a process, in bytes. */
const memoryOf = ({ pid }: Program): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;

/** A ZIP of 60 MB that exists only while it is sent. `look` is called every 10 MB. */
async function* createZip(look: () => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from('PK\u0003\u0004');
  for (let sent = 4; sent < UPLOAD; sent += CHUNK.length) {
    if (sent % (10 * MEGABYTE) === 4) look();
    yield CHUNK;
  }
}

large('of 60 MB keep resident memory within 32 MB of idle', () =>
  inFolder(async (folder) => {
    const args = ['--port', '0', '--content', 'core', '--store', 'memory', '--uploads', folder];
    const server = await startProgram('examples/server.js', args);
    try {
      await upload(server, 'first.txt', 'words');
      const idle = memoryOf(server);
      let most = 0;
      const look = (): void => {
        most = Math.max(most, memoryOf(server));
      };
      const init: object = { method: 'POST', headers: HEADERS, body: createZip(look), duplex: 'half' };
      const response = await fetch(mediaOf(server), init);
      look();
      const body = (await response.json()) as { readonly filesize: number };
      assert.is(response.status, 201, JSON.stringify(body));
      assert.ok(body.filesize >= UPLOAD);
      assert.ok(most - idle < MOST, `${((most - idle) / MEGABYTE).toFixed(1)} MB more than idle`);
    } finally {
      await server.stop();
    }
  }),
);

uploads.run();
