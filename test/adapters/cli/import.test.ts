import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPrivateOutbound } from '../../../adapters/cli/transfer/open-source.ts';
import { createMediaTarget } from '../../../adapters/media-target.ts';
import { createOutbound } from '../../../adapters/outbound.ts';
import { chooseDriver } from '../../../adapters/stores/sqlite/drivers.ts';
import { FILE_NAME } from '../../../adapters/stores/sqlite/schema/open-file.ts';
import { Session } from '../../../adapters/stores/sqlite/session.ts';
import type { ImportReport } from '../../../registry/transfer/items/report.ts';
import { routebook, withServer } from '../../support/routebook.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'routebook-import-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DUMP = toWxr([
  toItem({ id: 5, title: 'Hello', terms: [['category', 'news']] }),
  toItem({ id: 6, title: 'Menu', type: 'nav_menu_item' }),
  toItem({
    id: 7,
    title: 'File',
    slug: 'file',
    type: 'attachment',
    status: 'inherit',
    url: 'https://old.example/uploads/2024/a.txt',
    meta: [['_wp_attached_file', '2024/a.txt']],
  }),
]);

const test = suite('routebook import');

test('imports a dump with its files, tells what was left out, and does nothing the second time', () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, 'old/2024'), { recursive: true });
    await writeFile(join(folder, 'old/2024/a.txt'), 'a file');
    await writeFile(join(folder, 'dump.xml'), DUMP);
    const args = [
      'import',
      join(folder, 'dump.xml'),
      '--content',
      'core',
      '--store',
      `file:${join(folder, 'data')}`,
      '--uploads',
      join(folder, 'old'),
      '--media',
      join(folder, 'media'),
    ];
    const first = await routebook([...args, '--report', join(folder, 'report.json')]);
    assert.is(first.stderr, '');
    assert.equal(
      [first.code, first.stdout],
      [
        3,
        [
          'Imported: 1 options, 1 users, 1 terms, 1 posts of all types, 1 media.',
          'Already there: nothing.',
          'Left out:',
          '  1 × nav_menu_item: menus need the plugin "menus" (item 2 (line 10), post 6)',
          '',
        ].join('\n'),
      ],
    );
    assert.is(await readFile(join(folder, 'media/2024/a.txt'), 'utf8'), 'a file');
    assert.is(
      (JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as ImportReport).leftOut.length,
      1,
    );
    const second = JSON.parse((await routebook([...args, '--json'])).stdout) as ImportReport;
    assert.equal([second.created, second.unchanged['posts'], second.complete], [{}, 1, true]);
  }));

test('what was imported is in the index for searches when the command ends', () =>
  inFolder(async (folder) => {
    await writeFile(
      join(folder, 'dump.xml'),
      toWxr(
        Array.from({ length: 600 }, (_each, at) =>
          toItem({ id: at + 5, title: `Lamp ${at}`, slug: `lamp-${at}` }),
        ),
      ),
    );
    assert.is(
      (
        await routebook([
          'import',
          join(folder, 'dump.xml'),
          '--content',
          'core',
          '--store',
          `file:${join(folder, 'data')}`,
        ])
      ).code,
      0,
    );
    const session = new Session((await chooseDriver()).open(join(folder, 'data', FILE_NAME), 0));
    const [pending] =
      session.get(`SELECT "name" FROM "sqlite_master" WHERE "name" LIKE 'text-index:posts:% pending'`) ?? [];
    const left = session.number(`SELECT count(*) FROM "${String(pending)}"`, []);
    session.close();
    assert.is(left, 0);
  }));

test('files of two sites with one name are two sources, and a file of another name is the same one', () =>
  inFolder(async (folder) => {
    const args = ['--content', 'core', '--store', `file:${join(folder, 'data')}`, '--json'];
    const importText = async (name: string, site: string, title: string): Promise<number> => {
      const file = join(folder, name);
      await writeFile(
        file,
        toWxr([toItem({ id: 5, title, slug: title })], `<wp:base_blog_url>${site}</wp:base_blog_url>`),
      );
      return (
        (JSON.parse((await routebook(['import', file, ...args])).stdout) as ImportReport).created['posts'] ??
        0
      );
    };
    assert.equal(
      [
        await importText('dump.xml', 'https://one.example/', 'one'),
        await importText('dump.xml', 'https://two.example', 'two'),
        await importText('newer.xml', 'http://one.example', 'one'),
      ],
      [1, 1, 0],
    );
  }));

test('records without a language get the default language of the site', () =>
  inFolder(async (folder) => {
    const store = ['--content', 'core', '--store', `file:${join(folder, 'data')}`, '--languages', 'fr,de'];
    assert.is(
      (await routebook(['import', '-', ...store], { input: toWxr([toItem({ id: 1, title: 'A' })]) })).code,
      0,
    );
    assert.match((await routebook(['export', ...store, '--types', 'post'])).stdout, /"language":"fr"/);
  }));

const SHOP = toWxr(
  [
    toItem({ id: 1, title: 'Hello', status: 'wc-completed' }),
    ...['1', '1965', ''].map((year, at) =>
      toItem({
        id: at + 2,
        title: `Book ${at}`,
        slug: `book-${at}`,
        type: 'book',
        terms: [['genre', 'poems']],
        meta: [
          ['year', year],
          ['isbn', `978-${at}`],
          ['_price', '9.5'],
          ['_edit_lock', '1:1'],
          ['lent', at === 0 ? '1' : ''],
          ['tags', 'a:2:{i:0;s:1:"a";i:1;s:1:"b";}'],
        ],
      }),
    ),
  ],
  ['ada', 'bob']
    .map((login) => `<wp:author><wp:author_login>${login}</wp:author_login></wp:author>`)
    .join(''),
);

test('a dry run writes nothing, and suggests what a second import needs', () =>
  inFolder(async (folder) => {
    const store = ['--content', 'core', '--store', `file:${join(folder, 'data')}`, '--json'];
    const config = join(folder, 'site.json');
    const read = async (args: readonly string[]): Promise<ImportReport> =>
      JSON.parse(
        (await routebook(['import', '-', ...store, ...args], { input: SHOP })).stdout,
      ) as ImportReport;
    const dry = await read(['--dry-run', '--suggest', config, '--status', 'wc-completed=private']);
    assert.equal([dry.dryRun, dry.created['posts'], dry.created['users']], [true, 1, 2]);
    assert.equal(await readdir(folder), ['site.json']);
    const { content } = JSON.parse(await readFile(config, 'utf8')) as {
      readonly content: {
        readonly types: readonly { readonly name: string }[];
        readonly taxonomies: readonly { readonly name: string; readonly types: readonly string[] }[];
        readonly meta: readonly {
          readonly key: string;
          readonly type: string;
          readonly show?: boolean;
        }[];
      };
    };
    assert.equal(
      content.types.map(({ name }) => name),
      ['book'],
    );
    assert.equal(
      content.taxonomies.map(({ name, types }) => [name, types]),
      [['genre', ['book']]],
    );
    assert.equal(
      content.meta.map(({ key, type, show }) => [key, type, show]),
      [
        ['year', 'integer', undefined],
        ['isbn', 'string', undefined],
        ['_price', 'number', false],
        ['lent', 'boolean', undefined],
        ['tags', 'array', undefined],
      ],
    );
    const given = [
      '--config',
      config,
      '--status',
      'wc-completed=private',
      '--role',
      'author,ada=editor,eve=editor',
    ];
    assert.equal((await read([...given, '--dry-run'])).created['posts'], 4);
    const report = await read(given);
    assert.equal(
      [report.created['posts'], report.leftOut.map(({ what, place }) => `${place}: ${what}`)],
      [4, ['item 4 (line 30), post 4: meta key year', 'eve: role editor']],
    );
    assert.equal((await read([...given, '--dry-run'])).created, {});
    const users = await routebook(['user', 'list', ...store]);
    assert.equal(
      (JSON.parse(users.stdout) as readonly { readonly roles: readonly string[] }[]).map(
        ({ roles }) => roles,
      ),
      [['editor'], ['author']],
    );
  }));

test('reads standard input', () =>
  inFolder(async (folder) => {
    const { code, stdout } = await routebook(
      ['import', '-', '--content', 'core', '--store', `file:${join(folder, 'data')}`, '--json'],
      { input: toWxr([toItem({ id: 1, title: 'A' })]) },
    );
    assert.equal([code, (JSON.parse(stdout) as ImportReport).created['posts']], [0, 1]);
  }));

test('refuses what it cannot read in one sentence', () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'x.txt'), 'hello');
    const store = ['--store', `file:${join(folder, 'data')}`];
    for (const [args, code, says] of [
      [['import', join(folder, 'none.xml'), ...store], 2, /none\.xml: there is no such file\n$/],
      [['import', folder, ...store], 2, /is a directory\n$/],
      [
        ['import', join(folder, 'x.txt'), ...store],
        1,
        /x\.txt: is not an export of WordPress \(WXR\), NDJSON or a fixture\n$/,
      ],
      [['import'], 2, /^SOURCE is missing/],
      [['import', 'x', '--fetch', ...store], 2, /need --media/],
      [['import', join(folder, 'x.txt'), '--role', 'editr', ...store], 2, /Did you mean "editor"/],
      [['import', join(folder, 'x.txt'), '--role', 'a=,b', ...store], 2, /must be pairs such as a=b/],
      [['import', join(folder, 'x.txt'), '--status', 'x', ...store], 2, /--status "x": must be/],
    ] as const) {
      const result = await routebook(args);
      assert.is(result.code, code, args.join(' '));
      assert.match(result.stderr, says);
    }
  }));

test('names the file and the line of NDJSON without its header', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'copy.ndjson');
    for (const text of [
      '{"collection": "terms", "id": 1, "values": {}}\n{"end": 1}\n',
      '{"routebook": "export", "version": 2}\n',
    ]) {
      await writeFile(file, text);
      const { code, stdout, stderr } = await routebook([
        'import',
        file,
        '--content',
        'core',
        '--store',
        `file:${join(folder, 'data')}`,
      ]);
      assert.equal([code, stdout], [1, '']);
      assert.is(
        stderr.startsWith(
          `${file}: ${text.includes('end') ? 'line 1 must be the header {"routebook":"export","version":1}' : 'the file has version 2'}`,
        ),
        true,
        stderr,
      );
    }
  }));

test('a time zone that does not exist costs its line only', () =>
  inFolder(async (folder) => {
    const lines = [
      '{"routebook":"export","version":1}',
      '{"collection":"options","id":1,"values":{"group":"site","key":"timezone_string","value":"Mars/Olympus"}}',
      '{"collection":"options","id":2,"values":{"group":"site","key":"name","value":"Site"}}',
      '{"end":2}',
    ];
    await writeFile(join(folder, 'a.ndjson'), lines.join('\n'));
    const args = ['--content', 'core', '--store', `file:${join(folder, 'data')}`];
    const { code, stdout } = await routebook(['import', join(folder, 'a.ndjson'), ...args]);
    assert.is(code, 3);
    assert.match(
      stdout,
      /setting timezone_string: "Mars\/Olympus" is not a time zone such as Europe\/Paris or \+02:00 \(line 2, options 1\)/,
    );
    assert.is((await routebook(['setting', 'get', 'title', ...args])).stdout, 'Site\n');
  }));

test('files are asked for only where the source names them', () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'a.ndjson'), '{"routebook":"export","version":1}\n{"end":0}\n');
    const { code, stderr } = await routebook([
      'import',
      join(folder, 'a.ndjson'),
      '--content',
      'core',
      '--store',
      `file:${join(folder, 'data')}`,
      '--media',
      join(folder, 'media'),
      '--fetch',
    ]);
    assert.is(code, 2);
    assert.match(
      stderr,
      /--uploads and --fetch are for exports of WordPress and live sites: a file of the format ndjson does not name files/,
    );
  }));

test('imports a live site of a private network only if it may, and never sends the login elsewhere', () =>
  inFolder(async (folder) => {
    await withServer(
      ['serve', '--store', 'memory', '--port', '0', '--names', 'wordpress', '--content', 'core'],
      async (origin) => {
        const args = [
          'import',
          `${origin}/en/wp-json`,
          '--store',
          `file:${join(folder, 'data')}`,
          '--content',
          'core',
          '--user',
          'admin',
          '--report',
          join(folder, 'report.json'),
        ];
        const refused = await routebook(args, { input: 'adminpass\n' });
        assert.equal([refused.code, refused.stdout], [1, '']);
        assert.match(
          refused.stderr,
          /cannot be read: 127\.0\.0\.1, an address of 127\.0\.0\.1, is not public\. --private allows it for the host of the site\n$/,
        );
        const first = await routebook([...args, '--private'], { input: 'adminpass\n' });
        assert.equal(
          [first.code, first.stdout],
          [
            3,
            'Imported: 2 options, 7 users, 26 terms, 3 media, 30 posts of all types.\nAlready there: nothing.\nNew administrators: admin.\nLeft out:\n  3 × file: it is not stored, because no directory for files is given (--media) (media 1: 2025/harbour.svg; media 2: 2025/lighthouse.svg; media 3: 2025/lanterns.svg)\n',
          ],
          first.stderr,
        );
        const second = await routebook([...args, '--private'], { input: 'adminpass\n' });
        assert.match(second.stdout, /^Imported: nothing\.\nAlready there: 2 options, 7 users/);
        const redirected: (string | undefined)[] = [];
        const elsewhere = createServer((request, response) => {
          redirected.push(request.headers.authorization);
          if (request.url === '/other') response.end('{"namespaces": []}');
          else
            response
              .writeHead(302, {
                Location: `http://localhost:${(elsewhere.address() as AddressInfo).port}/other`,
              })
              .end();
        });
        await new Promise<void>((resolve) => {
          elsewhere.listen(0, resolve);
        });
        const other = await routebook(
          [
            'import',
            `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
            ...args.slice(2),
            '--private',
          ],
          { input: 'adminpass\n' },
        );
        elsewhere.close();
        assert.match(other.stderr, /cannot be read: .+, an address of localhost, is not public\n$/);
        assert.equal(
          new Set(redirected),
          new Set([`Basic ${Buffer.from('admin:adminpass').toString('base64')}`]),
        );
      },
    );
    for (const [args, message] of [
      [['https://a:b@old.example/wp-json'], /A login belongs to --user/],
      [['https://old.example/wp-json', '--password', 'x'], /--password needs --user/],
      [['dump.xml', '--private'], /^--private needs the address of a live site/],
    ] as const) {
      const { code, stderr } = await routebook([
        'import',
        ...args,
        '--store',
        `file:${join(folder, 'data')}`,
      ]);
      assert.is(code, 2);
      assert.match(stderr, message);
    }
  }));

test.run();

const files = suite('files of an import');

files('are fetched through the guarded client, kept when they are there, and never leave the library', () =>
  inFolder(async (folder) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/a.bin' ? 200 : 404).end('bytes');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      const directory = join(folder, 'media');
      const guarded = createMediaTarget({ directory, outbound: createOutbound({ ports: [port] }) });
      const url = `http://127.0.0.1:${port}/a.bin`;
      assert.match(
        String(await guarded.put({ path: 'a/b.bin', url })),
        /could not be fetched: 127\.0\.0\.1, .* is not public/,
      );
      const open = createMediaTarget({
        directory,
        outbound: createOutbound({ ports: [port], isAllowed: () => true }),
      });
      assert.is(await open.put({ path: 'a/b.bin', url }), undefined);
      assert.is(await readFile(join(directory, 'a/b.bin'), 'utf8'), 'bytes');
      assert.is(await open.put({ path: 'a/b.bin', url: `${url}-gone` }), undefined);
      assert.match(String(await open.put({ path: 'c.bin', url: `${url}-gone` })), /answers 404/);
      for (const path of ['../x', 'a/../../x', '/etc/x', '.htaccess', 'a\\b'])
        assert.match(String(await open.put({ path, url })), /not a path of the media library/);
      assert.match(
        String(await open.put({ path: '', url })),
        /is not below \/uploads\/; the record keeps that address/,
      );
    } finally {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    }
  }),
);

files('that are being fetched are ended by the signal, and nothing of them stays', () =>
  inFolder(async (folder) => {
    const stop = new AbortController();
    const server = createServer((_request, response) => {
      response.writeHead(200).write('the beginning', () => stop.abort());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      const target = createMediaTarget({
        directory: folder,
        outbound: createOutbound({ ports: [port], isAllowed: () => true }),
      });
      assert.match(
        String(await target.put({ path: 'a.bin', url: `http://127.0.0.1:${port}/a.bin` }, stop.signal)),
        /could not be fetched/,
      );
      assert.equal(await readdir(folder), []);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    }
  }),
);

files('of a private network are fetched from the host of the old site alone', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/away')
      response.writeHead(302, {
        Location: `http://127.0.0.2:${(server.address() as AddressInfo).port}/a.bin`,
      });
    response.end('bytes');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    const outbound = await createPrivateOutbound(`http://127.0.0.1:${port}/wp-json`);
    const get = (url: string): Promise<string> =>
      outbound({ url, accept: [] }).then(
        ({ body }) => Buffer.from(body).toString(),
        (error: unknown) => String((error as Error).cause),
      );
    assert.is(await get(`http://127.0.0.1:${port}/a.bin`), 'bytes');
    for (const url of [
      `http://127.0.0.2:${port}/a.bin`,
      `http://localhost:${port}/a.bin`,
      `http://127.0.0.1:${port}/away`,
      `http://[::1]:${port}/`,
      'http://169.254.169.254/',
      'http://10.0.0.1/',
    ]) {
      assert.match(await get(url), /, an address of .+, is not public$/, url);
    }
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
});

files.run();
