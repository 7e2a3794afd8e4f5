import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXCEPTIONS } from '../../conformance/recorded-run.ts';
import { isAll, isLong } from '../../support/long-mode.ts';
import { routebook, withServer } from '../../support/routebook.ts';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';

const verify = suite('routebook verify');
const SERVE = ['serve', '--store', 'memory', '--port', '0'];
const OWN = (
  JSON.parse(readFileSync(`${PROJECT}conformance/cases.json`, 'utf8')) as {
    readonly scenarios: readonly { readonly steps: readonly { readonly method: string }[] }[];
  }
).scenarios;

verify('passes its own cases with the names of WordPress, and they only read', async () => {
  assert.ok(OWN.length > 100, String(OWN.length));
  assert.equal(
    OWN.flatMap(({ steps }) => steps).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method)),
    [],
  );
  await withServer([...SERVE, '--names', 'wordpress', '--content', 'core'], async (origin) => {
    const { code, stdout } = await routebook(['verify', `${origin}/en/wp-json/`, '--names', 'wordpress']);
    assert.equal([code, stdout], [0, `${OWN.length} passed, 0 failed, 0 skipped.\n`]);
  });
});

verify('says why links differ when the server has another address', async () => {
  await withServer([...SERVE, '--site-url', 'http://localhost:9'], async (origin) => {
    const { code, stderr } = await routebook(['verify', `${origin}/en/cms-json/`]);
    assert.equal(
      [code, stderr],
      [
        1,
        'note: the server says that its address is http://localhost:9/en/cms-json. Links will differ unless that address is asked.\n',
      ],
    );
  });
});

if (isAll || isLong)
  verify('passes all of its own cases', async () => {
    await withServer(SERVE, async (origin) => {
      const { code, stdout } = await routebook(['verify', `${origin}/en/cms-json/`, '--json']);
      assert.equal(
        [code, JSON.parse(stdout)],
        [0, { passed: OWN.length, skipped: 0, failed: 0, failures: [] }],
      );
    });
  });

verify('passes all of its own cases on a site with types, taxonomies and meta keys of its own', () =>
  inFolder(async (folder) => {
    const meta = [{ of: 'post', key: 'subtitle', type: 'string' }];
    const content = {
      core: true,
      seo: true,
      types: [{ name: 'book', base: 'books', taxonomies: ['genre'] }],
      taxonomies: [{ name: 'genre', base: 'genres', types: ['post'] }],
      meta,
    };
    await writeFile(`${folder}/site.json`, JSON.stringify({ content }));
    await withServer([...SERVE, '--config', `${folder}/site.json`], async (origin) => {
      const { code, stdout } = await routebook(['verify', `${origin}/en/cms-json/`, '--json']);
      assert.equal(
        [code, JSON.parse(stdout)],
        [0, { passed: OWN.length, skipped: 0, failed: 0, failures: [] }],
      );
    });
  }),
);

verify('runs recorded cases with users and a reset, and names those that differ', async () => {
  const fixture = `${PROJECT}test/conformance/fixture.json`;
  const cases = ['--cases', `${PROJECT}test/conformance/given.json`];
  await withServer([...SERVE, '--fixtures', fixture, '--test-reset', '--jsonp'], async (origin) => {
    const all = await routebook([
      'verify',
      `${origin}/en/cms-json`,
      ...cases,
      '--fixture',
      fixture,
      '--reset',
      `${origin}/__reset`,
      '--area',
      'delete',
      '--json',
    ]);
    const { passed, failed, skipped, failures } = JSON.parse(all.stdout) as {
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      readonly failures: readonly { readonly id: string }[];
    };
    assert.equal(
      [all.code, passed, failed, skipped, failures.map(({ id }) => id)],
      [1, 29, 1, 0, Object.keys(EXCEPTIONS).filter((id) => id.startsWith('delete'))],
    );
    const readOnly = await routebook(['verify', `${origin}/en/cms-json`, ...cases, '--area', 'delete']);
    assert.equal(
      [readOnly.code, readOnly.stderr],
      [2, 'No case can be run. Cases that write need --reset, and cases of users --fixture.\n'],
    );
  });
});

/** Answers every request with this text. */
async function withAnswer(answer: string, use: (origin: string) => Promise<void>): Promise<void> {
  const server: Server = createServer((_request, response) => response.end(answer));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

verify('tells in one sentence what is wrong with its arguments and with the server', () =>
  inFolder(async (folder) => {
    await writeFile(
      `${folder}/bad.json`,
      '{"scenarios": [{"id": "a", "area": "a", "title": "a", "steps": [{"method": "GET"}]}]}',
    );
    const check = async (args: readonly string[], code: number, message: RegExp): Promise<void> => {
      const { code: found, stderr, stdout } = await routebook(['verify', ...args]);
      assert.equal([args, found, stdout], [args, code, '']);
      assert.match(stderr, message);
      assert.is(stderr.split('\n').length, 2, stderr);
    };
    await check([], 2, /^URL is missing: Address of the index/);
    await check(['site.example'], 2, /^URL "site\.example": must be an address such as http/);
    await check(['http://127.0.0.1:9/x', '--area', 'nope'], 2, /^No case fits\. The areas are index, /);
    await check(
      ['http://127.0.0.1:9/x', '--cases', `${folder}/bad.json`],
      1,
      /bad\.json: scenarios\[0\]: must have id, area, title/,
    );
    await check(
      ['http://127.0.0.1:1/x'],
      1,
      /^http:\/\/127\.0\.0\.1:1\/x cannot be reached: connect ECONNREFUSED/,
    );
    await withAnswer('<p>hello', (origin) =>
      check([origin], 1, /answers 200 without an index of routes\. Give the address of the index/),
    );
  }),
);

verify('reports each answer that differs, with its place', () =>
  withAnswer('{"routes": {}}', async (origin) => {
    const { code, stdout } = await routebook(['verify', origin, '--area', 'list-page']);
    assert.is(code, 1);
    assert.match(stdout, /^list-page-\d+, step 1 \(.+\):\n {2}status: 400 expected, got 200\n/);
    assert.match(stdout, /\n0 passed, \d+ failed, 0 skipped\.\n$/);
  }),
);

/** Answers every request with an index, and notes its method and address. */
async function withLog(use: (origin: string, log: readonly string[]) => Promise<void>): Promise<void> {
  const log: string[] = [];
  const server: Server = createServer((request, response) => {
    log.push(`${request.method} ${request.url}`);
    response.end('{"routes": {}, "name": "_method", "path": "1?_method=DELETE"}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, log);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

const read = { method: 'GET', path: '/posts/1', as: null, expect: { status: 200 } };
const WRITES: readonly object[] = [
  { method: 'DELETE' },
  { method: 'get' },
  { query: 'force=true&_method=delete' },
  { query: '_method=D%45LETE' },
  { query: '_m%65thod=PUT' },
  { query: 'a=1;_method=PUT' },
  { query: '.method=PUT' },
  { query: '_METHOD=GET' },
  { path: '/posts/1?_method=DELETE' },
  { path: '/posts/1?force=true', query: '_method=' },
  { path: '/posts/1#?_method=DELETE' },
  ...[
    'X-HTTP-Method-Override',
    'x-http-method-override',
    'X-Http-METHOD-Override',
    'X_HTTP_Method_Override',
    'X-Method-Override',
    'Content-Length',
    'transfer-encoding',
  ].map((name) => ({ headers: { [name]: 'GET' } })),
];

verify('sends no request that may write without a reset, however it is written', () =>
  inFolder(async (folder) =>
    withLog(async (origin, log) => {
      const file = `${folder}/cases.json`;
      const scenarios = [...WRITES, { query: 'search=_method' }].map((step, index) => ({
        id: `case-${index}`,
        area: 'a',
        title: 'a',
        steps: [{ ...read, ...step }],
      }));
      await writeFile(file, JSON.stringify({ scenarios }));
      const { code, stdout } = await routebook(['verify', origin, '--cases', file]);
      assert.equal(
        [code, stdout, log],
        [0, `1 passed, 0 failed, ${WRITES.length} skipped.\n`, ['GET /', 'GET /posts/1?search=_method']],
      );
    }),
  ),
);

verify('sends no request either whose address becomes another method by a saved value', () =>
  inFolder(async (folder) =>
    withLog(async (origin, log) => {
      const file = `${folder}/cases.json`;
      const save = { name: '/name', path: '/path' };
      const scenarios = [{ query: '${name}=DELETE' }, { path: '/posts/${path}' }].map((step, index) => ({
        id: `case-${index}`,
        area: 'a',
        title: 'a',
        steps: [
          { ...read, save },
          { ...read, ...step },
        ],
      }));
      await writeFile(file, JSON.stringify({ scenarios }));
      const { code, stdout } = await routebook(['verify', origin, '--cases', file]);
      assert.equal([code, log], [1, ['GET /', 'GET /posts/1', 'GET /posts/1']]);
      assert.match(
        stdout,
        /^case-0, step 2 \(a\):\n {2}connection: "an answer" expected, got "not sent, because it may write; cases that write need --reset"\ncase-1, step 2/,
      );
    }),
  ),
);

verify.run();
