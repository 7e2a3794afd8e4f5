import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../support/loopback.ts';
import { routebook } from '../support/routebook.ts';
import { startProgram, withProgram } from '../support/start-program.ts';

const server = suite('routebook serve');

server('serves the OpenAPI document and its page, unless it is told not to', async () => {
  const statuses = async (args: readonly string[]): Promise<readonly number[]> => {
    const found: number[] = [];
    await withProgram('examples/server.js', ['--store', 'memory', '--port', '0', ...args], async (origin) => {
      for (const path of ['openapi.json', 'reference', 'reference/swagger-ui-bundle.js']) {
        const response = await fetch(`${origin}/en/cms-json/${path}`);
        await response.arrayBuffer();
        found.push(response.status);
      }
    });
    return found;
  };
  assert.equal(await statuses([]), [200, 200, 200]);
  assert.equal(await statuses(['--no-openapi']), [404, 404, 404]);
});

async function countPosts(origin: string): Promise<string | null> {
  const response = await fetch(`${origin}/en/cms-json/cms/v2/posts`);
  await response.text();
  return response.headers.get('X-CMS-Total');
}

function post(address: string, body?: string): Promise<Response> {
  const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
  return fetch(address, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    headers: { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}

/** Starts the server on a free port and checks that it ends well. */
async function serve(args: readonly string[], use: (origin: string) => Promise<void>): Promise<void> {
  assert.is(await withProgram('examples/server.js', ['--port', '0', ...args], use), 0);
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'server-test-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

server('keeps what was written in its directory from start to start', () =>
  inFolder(async (folder) => {
    const store = ['--store', `file:${folder}`];
    await serve(store, async (origin) => {
      assert.is(await countPosts(origin), '15');
      assert.is((await post(`${origin}/en/cms-json/cms/v2/posts`, 'title=Kept&status=publish')).status, 201);
    });
    await serve(store, async (origin) => {
      assert.is(await countPosts(origin), '16');
    });
  }),
);

server('starts again on a store that was filled without a user', () =>
  inFolder(async (folder) => {
    const fixture = join(folder, 'site.json');
    await writeFile(fixture, JSON.stringify({ site: { name: 'Alone' } }));
    for (let start = 1; start <= 2; start += 1) {
      await serve(['--store', `file:${join(folder, 'data')}`, '--fixtures', fixture], async (origin) => {
        assert.is(
          ((await (await fetch(`${origin}/en/cms-json/`)).json()) as { readonly name: string }).name,
          'Alone',
        );
      });
    }
  }),
);

server('says once that a store that lasts holds the demo site and its published passwords', () =>
  inFolder(async (folder) => {
    const fixture = join(folder, 'site.json');
    await writeFile(fixture, JSON.stringify({ site: { name: 'Alone' } }));
    const says = async (args: readonly string[]): Promise<boolean> => {
      const running = await startProgram('examples/server.js', ['--port', '0', ...args]);
      assert.is(await running.stop(), 0);
      return running.written().includes('demo site, whose passwords are published');
    };
    const lasting = ['--store', `file:${join(folder, 'data')}`];
    assert.equal([await says(lasting), await says(lasting)], [true, false]);
    assert.is(await says(['--store', `file:${join(folder, 'own')}`, '--fixtures', fixture]), false);
    assert.is(await says(['--store', 'memory']), false);
  }),
);

server('says once that a fixture is not loaded into a store with content', () =>
  inFolder(async (folder) => {
    const fixture = join(folder, 'site.json');
    await writeFile(fixture, JSON.stringify({ site: { name: 'Alone' } }));
    const listNotes = async (data: string, ...args: readonly string[]): Promise<readonly string[]> => {
      const running = await startProgram('examples/server.js', [
        '--port',
        '0',
        '--store',
        `file:${join(folder, data)}`,
        ...args,
      ]);
      assert.is(await running.stop(), 0);
      return running
        .written()
        .split('\n')
        .filter((line) => line.includes('not loaded'));
    };
    const noteOf = (name: string): string =>
      `note: --fixtures ${name} was not loaded: the store already has content, and only an empty one is filled. "routebook import FILE" adds content to it.`;
    assert.equal(await listNotes('own', '--fixtures', fixture), []);
    assert.equal(await listNotes('own', '--fixtures', fixture), [noteOf(fixture)]);
    assert.equal(await listNotes('own', '--fixtures', 'demo'), [noteOf('demo')]);
    assert.equal(await listNotes('own'), []);
  }),
);

server('begins empty where others reach it, and warns of a password of the demo', () =>
  inFolder(async (folder) => {
    const start = async (
      data: string,
      ...args: readonly string[]
    ): Promise<{ readonly posts: number; readonly written: string }> => {
      const running = await startProgram('adapters/cli/bin.js', [
        'serve',
        '--port',
        '0',
        '--store',
        data === 'memory' ? data : `file:${join(folder, data)}`,
        ...args,
      ]);
      const posts = (await (
        await fetch(`${running.origin}/en/cms-json/cms/v2/posts`)
      ).json()) as readonly unknown[];
      assert.is(await running.stop(), 0);
      return { posts: posts.length, written: running.written() };
    };
    for (const args of [
      ['--site-url', 'https://site.example'],
      ['--address-header', 'x-real-ip'],
    ]) {
      const { posts, written } = await start('empty', ...args);
      assert.equal([args, posts], [args, 0]);
      assert.match(
        written,
        /note: the site has no users yet\. Add the first one: routebook user add LOGIN --role administrator --email ADDRESS --store file:\S+empty\./,
      );
    }
    assert.is((await start('memory', '--site-url', 'https://site.example')).posts, 0);
    assert.is((await start('memory', '--site-url', 'http://localhost:3000')).posts, 10);
    const demo = await start('demo', '--site-url', 'https://site.example', '--fixtures', 'demo');
    assert.is(demo.posts, 10);
    assert.match(
      demo.written,
      /demo site, whose passwords are published[^]*warning: everybody knows the password of admin, editor, author, contributor, /,
    );
    assert.not.match((await start('demo')).written, /warning/);
    const { code } = await routebook([
      'user',
      'add',
      'ada',
      '--role',
      'administrator',
      '--email',
      'ada@site.example',
      '--store',
      `file:${join(folder, 'empty')}`,
      '--password',
      'a long password',
    ]);
    assert.is(code, 0);
    assert.not.match((await start('empty', '--site-url', 'https://site.example')).written, /note|warning/);
  }),
);

/** What a start writes that fails. */
async function failToStart(args: readonly string[]): Promise<string> {
  const running = await startProgram('examples/server.js', args).catch(String);
  if (typeof running === 'string') return running;
  await running.stop();
  throw new Error('the server started');
}

server('closes its store when it cannot listen or its content cannot be loaded', () =>
  inFolder(async (folder) => {
    const store = ['--store', `file:${join(folder, 'data')}`];
    const broken = join(folder, 'broken.json');
    await writeFile(
      broken,
      JSON.stringify({
        site: { name: 'Broken' },
        posts: [
          { id: 1, author: 99, title: 'By nobody' },
          { id: 1, title: 'Twice' },
        ],
      }),
    );
    const other = await listen((_request, response) => response.end());
    try {
      assert.match(
        await failToStart(['--port', '0', ...store, '--fixtures', broken]),
        /Error: .* ended with 1/,
      );
      assert.match(await failToStart(['--port', String(other.port), ...store]), 'is in use');
    } finally {
      await other.close();
    }
    const running = await startProgram('examples/server.js', ['--port', '0', ...store]);
    assert.is(await running.stop(), 0);
    assert.not.match(running.written(), 'was not closed properly');
  }),
);

server('names the address of --site-url in answers and pages', async () => {
  await serve(
    ['--store', 'memory', '--fixtures', 'demo', '--site-url', 'https://site.example'],
    async (origin) => {
      const index = (await (await fetch(`${origin}/fr/cms-json/`)).json()) as {
        readonly url: string;
        readonly home: string;
      };
      assert.equal([index.url, index.home], ['https://site.example', 'https://site.example/fr']);
      assert.match(
        String((await fetch(`${origin}/`)).headers.get('Link')),
        /^<https:\/\/site\.example\/en\/cms-json\/>/,
      );
    },
  );
});

server('takes forms from its own pages and from those of --trusted-origins, and from no other', async () => {
  await serve(
    [
      '--store',
      'memory',
      '--fixtures',
      'demo',
      '--site-url',
      'https://site.example',
      '--trusted-origins',
      'https://app.example, http://localhost:5173',
    ],
    async (origin) => {
      const rows = [
        ['https://site.example', 201],
        ['https://app.example', 201],
        ['http://localhost:5173', 201],
        [origin, 403],
        ['https://evil.example', 403],
      ] as const;
      for (const [from, status] of rows) {
        const headers = {
          Origin: from,
          Authorization: `Basic ${Buffer.from('author:authorpass').toString('base64')}`,
        };
        assert.is(
          (
            await fetch(`${origin}/en/cms-json/cms/v2/posts`, {
              method: 'POST',
              headers,
              body: new URLSearchParams({ title: 'x' }),
            })
          ).status,
          status,
          from,
        );
      }
    },
  );
});

/** Statuses of 21 wrong logins under as many names, and of a right one after them. `toAddress`: what the proxy says of each. */
async function guess(origin: string, toAddress: (index: number) => string): Promise<readonly number[]> {
  const statuses = [];
  for (let index = 0; index < 22; index += 1) {
    const login = index === 21 ? 'admin:adminpass' : `nobody${index}:guess`;
    const headers = {
      Authorization: `Basic ${Buffer.from(login).toString('base64')}`,
      'X-Real-IP': toAddress(index),
    };
    statuses.push((await fetch(`${origin}/en/cms-json/cms/v2/posts`, { headers })).status);
  }
  return statuses.slice(19);
}

server('counts guesses by the header of --address-header, where that holds one address', async () => {
  await serve(
    ['--store', 'memory', '--fixtures', 'demo', '--address-header', 'X-Real-IP'],
    async (origin) => {
      assert.equal(await guess(origin, () => '192.0.2.1'), [401, 429, 429]);
      assert.equal(await guess(origin, (index) => `2001:db8:0:${index}::1`), [401, 401, 200]);
      assert.equal(
        await guess(origin, (index) => `2001:db8:1::${index}`),
        [401, 429, 429],
        'one /64 is one caller',
      );
      assert.equal(await guess(origin, (index) => `192.0.2.${index}, 192.0.2.2`), [401, 429, 429]);
    },
  );
  await serve(['--store', 'memory'], async (origin) => {
    assert.equal(await guess(origin, (index) => `192.0.2.${index}`), [401, 429, 429], 'nobody is believed');
  });
});

server('puts the content back with --test-reset, and has no such address without', async () => {
  await serve(['--store', 'memory', '--test-reset'], async (origin) => {
    await post(`${origin}/en/cms-json/cms/v2/posts`, 'title=Gone&status=publish');
    assert.is(await countPosts(origin), '16');
    assert.is((await post(`${origin}/__reset`)).status, 200);
    assert.is(await countPosts(origin), '15');
  });
  await serve(['--store', 'memory'], async (origin) => {
    assert.is((await post(`${origin}/__reset`)).status, 404);
  });
});

server('speaks the words of WordPress with --names wordpress', async () => {
  await serve(['--store', 'memory', '--names', 'wordpress'], async (origin) => {
    const response = await fetch(`${origin}/en/wp-json/wp/v2/posts?wpml_language=fr`);
    await response.text();
    assert.is(response.headers.get('X-WP-Total'), '10');
  });
});

server('shows its pages, whose first link names the API, and the pictures of the demo', async () => {
  await serve(['--store', 'memory'], async (origin) => {
    for (const path of ['/', '/fr/', '/en/market-day/']) {
      const response = await fetch(`${origin}${path}`);
      assert.is(response.status, 200, path);
      assert.match(await response.text(), /<h1>/);
      assert.match(
        String(response.headers.get('Link')),
        /^<http:[^>]+\/(?:en|fr)\/cms-json\/>; rel="cms:api"/,
      );
    }
    const picture = await fetch(`${origin}/uploads/2025/harbour.svg`);
    assert.match(await picture.text(), /^<svg/);
    assert.is(picture.headers.get('Content-Type'), 'image/svg+xml; charset=UTF-8');
    const paths = [
      '/nl/',
      '/en/no-such-post/',
      '/en/market-day/more/',
      '/uploads/2025/none.svg',
      '/uploads/2025/..%2f..%2fserver.ts',
    ];
    for (const path of paths) assert.is((await fetch(`${origin}${path}`)).status, 404, path);
    for (const path of ['/en/%zz/', '/en/%ff/'])
      assert.is((await fetch(`${origin}${path}`)).status, 400, path);
  });
});

server('embeds pictures of posts by the addresses at which it serves them', async () => {
  await serve(['--store', 'memory'], async (origin) => {
    const { _embedded: embedded } = (await (
      await fetch(`${origin}/en/cms-json/cms/v2/posts/1?_embed`)
    ).json()) as { _embedded: Record<string, readonly { source_url: string }[]> };
    const address = String(embedded['cms:featuredmedia']?.[0]?.source_url);
    assert.match(await (await fetch(address)).text(), /^<svg/, address);
  });
});

server('stops with the shell that npm puts between itself and the program', async () => {
  const program = fileURLToPath(new URL('../../examples/server.js', import.meta.url));
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" --port 0 --store memory; true`], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
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
