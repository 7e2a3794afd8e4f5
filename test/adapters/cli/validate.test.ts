import { readFile, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routebook } from '../../support/routebook.ts';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';

const GUESTBOOK = `${PROJECT}examples/guestbook.json`;

const validate = suite('routebook validate');

/** A document, further arguments, the exit code, and what is said. */
const FILES: readonly (readonly [document: unknown, args: readonly string[], code: number, says: RegExp])[] =
  [
    [{ site: { name: 'A' } }, [], 0, /site\.json is a valid fixture file\.\n$/],
    [{ site: { name: 5 } }, [], 1, /site\.json: site\.name: 5 is not a text/],
    [
      { site: {}, posts: [{ date: '2025-01-01T00:00:00', ml_language: 'de' }] },
      ['--languages', 'en,fr'],
      1,
      /posts\[0\]\.ml_language: "de" is not one of the site's languages en, fr/,
    ],
    [{ apiSegment: 'api' }, [], 0, /is a valid names file/],
    [{ services: { kwtol: {} } }, [], 1, /site\.json: services: unknown member "kwtol"; known are kwtool/],
    [
      { content: { types: [{ name: 'constructor', base: 'constructor' }] } },
      ['--as', 'config'],
      1,
      /site\.json: content\.types\[0\]\.base: "constructor" is not a path segment of /,
    ],
    [
      { content: { types: [{ name: 'book', base: 'toString' }] } },
      ['--as', 'config'],
      0,
      /is a valid config file/,
    ],
    [{ permalinks: '/%year%/%postname%/' }, [], 0, /is a valid config file/],
    [{ permalinks: '/%yeer%/%postname%/' }, [], 1, /site\.json: permalinks: %yeer% is not a tag/],
    [
      { permalink: '/%postname%/' },
      ['--as', 'config'],
      1,
      /unknown member "permalink"; known are .*permalinks/,
    ],
    [{ types: 5 }, [], 1, /site\.json: content\.types/],
    [
      {
        namespace: 'a/v1',
        routes: [
          {
            pattern: '/a/v1/x',
            endpoints: [
              { methods: ['GET'], handler: 'x', permission: 'public', args: { n: { type: 'strng' } } },
            ],
          },
        ],
      },
      [],
      1,
      /GET, parameter n: unknown type "strng"/,
    ],
    [{ title: 'other' }, [], 2, /cannot be told from its members\. Say it with --as: descriptor, fixture, /],
    [{ title: 'other' }, ['--as', 'fixtur'], 2, /--as "fixtur": must be one of .*Did you mean "fixture"\?/],
  ];

for (const [document, args, code, says] of FILES) {
  validate(`${JSON.stringify(document).slice(0, 60)} ${args.join(' ')} exits with ${code}`, () =>
    inFolder(async (folder) => {
      await writeFile(`${folder}/site.json`, JSON.stringify(document));
      const result = await routebook(['validate', `${folder}/site.json`, ...args]);
      assert.is(result.code, code, result.stderr);
      assert.match(code === 0 ? result.stdout : result.stderr, says);
    }),
  );
}

validate('prints its finding as JSON, and names a file that is missing', async () => {
  const valid = await routebook(['validate', GUESTBOOK, '--json']);
  assert.equal(
    [valid.code, JSON.parse(valid.stdout)],
    [0, { file: GUESTBOOK, kind: 'descriptor', valid: true }],
  );
  const missing = await routebook(['validate', '/nonexistent/site.json', '--json']);
  assert.is(missing.code, 1);
  assert.match(
    (JSON.parse(missing.stdout) as { readonly message: string }).message,
    /\/nonexistent\/site\.json: there is no such file or directory/,
  );
});

validate('names all mistakes of a fixture, and the first one of each route', () =>
  inFolder(async (folder) => {
    await writeFile(
      `${folder}/site.json`,
      JSON.stringify({
        site: {},
        posts: [
          { id: 1, status: 'publihs' },
          { id: 'x', author: -1 },
        ],
        users: [{ login: 'a', rolle: 'x' }],
      }),
    );
    const fixture = await routebook(['validate', `${folder}/site.json`]);
    assert.equal(
      [
        fixture.code,
        fixture.stderr
          .replace(`${folder}/site.json: `, '')
          .split('\n')
          .map((line) => line.split(':')[0]),
      ],
      [1, ['users[0].rolle', 'posts[0].status', 'posts[1].id', 'posts[1].author', '']],
    );
    const endpoint = { handler: 'x', permission: 'public' };
    await writeFile(
      `${folder}/routes.json`,
      JSON.stringify({
        namespace: 'a/v1',
        routes: [
          { pattern: '/x', endpoints: [{ ...endpoint, methods: ['GET'], args: { a: { type: 'strnig' } } }] },
          { pattern: '/y', endpoints: [{ ...endpoint, methods: ['GTE'], args: {} }] },
        ],
      }),
    );
    const routes = await routebook(['validate', `${folder}/routes.json`]);
    assert.is(routes.code, 1);
    assert.match(routes.stderr, /\/x GET, parameter a: unknown type "strnig"[^\n]*\n[^\n]*\/y /);
  }),
);

validate('names all mistakes of names, a configuration and content types', () =>
  inFolder(async (folder) => {
    const faultsOf = async (document: unknown, kind: string): Promise<readonly string[]> => {
      await writeFile(`${folder}/f.json`, JSON.stringify(document));
      const { code, stderr } = await routebook(['validate', `${folder}/f.json`, '--as', kind]);
      assert.is(code, 1, stderr);
      return stderr.replace(`${folder}/f.json: `, '').trim().split('\n');
    };
    const expect = (found: readonly string[], wanted: readonly RegExp[]): void => {
      assert.is(found.length, wanted.length, found.join('\n'));
      for (const [index, pattern] of wanted.entries()) assert.match(String(found[index]), pattern);
    };
    expect(
      await faultsOf({ apiSegment: 5, segments: { cms: 'a b', nosuch: 'x' }, params: { page: 7 } }, 'names'),
      [
        /^apiSegment of names is 5; it must be/,
        /^cms of segments of names/,
        /^segments\.nosuch: no route/,
        /^page of params of names/,
      ],
    );
    expect(await faultsOf({ segments: { cms: 'x', ml: 'x' } }, 'names'), [
      /segments holds the same wire name twice/,
    ]);
    expect(
      await faultsOf(
        {
          langages: ['en'],
          languages: 'en',
          directories: { media: '/nonexistent', imports: 5, locales: folder },
          permalinks: 'x',
          namespaces: { seo: { mediaHosts: 1 }, oembed: 5 },
          content: { types: [{ name: 'A' }, { base: 'b/' }] },
        },
        'config',
      ),
      [
        /unknown member "langages"/,
        /^directories\.media: "\/nonexistent" is not a directory/,
        /^directories\.imports: must be the path/,
        /^permalinks/,
        /^languages of the document/,
        /locales and output must be given together/,
        /^content\.types\[0\]\.base is missing/,
        /^content\.types\[0\]\.name: "A" is not/,
        /^content\.types\[1\]\.base: "b\/" is not/,
        /^content\.types\[1\]\.name is missing/,
        /^namespaces\.oembed/,
        /^namespaces\.seo\.mediaHosts/,
      ],
    );
    expect(await faultsOf({ directories: { locales: folder } }, 'config'), [
      /locales and output must be given together/,
    ]);
    expect(
      await faultsOf(
        {
          types: [
            { name: 'book', base: 'books', supports: ['titel'] },
            { name: 'post', base: 'x', hierarchical: 1 },
          ],
        },
        'content',
      ),
      [/^content\.types\[0\]\.supports\[0\]/, /^content\.types\[1\]\.hierarchical/],
    );
    expect(await faultsOf({ types: [{ name: 'post', base: 'x' }] }, 'content'), [/"post" is taken/]);
  }),
);

validate.run();

const diff = suite('routebook diff');

diff('exits with 1 where a client breaks, and with 0 otherwise', () =>
  inFolder(async (folder) => {
    const text = await readFile(GUESTBOOK, 'utf8');
    await writeFile(`${folder}/less.json`, text.replace('"maximum": 1000', '"maximum": 10'));
    const [less, more, same] = [
      await routebook(['diff', GUESTBOOK, `${folder}/less.json`]),
      await routebook(['diff', `${folder}/less.json`, GUESTBOOK]),
      await routebook(['diff', GUESTBOOK, GUESTBOOK]),
    ];
    assert.equal(less, {
      code: 1,
      stderr: '',
      stdout: 'breaks  changed  GET /guestbook/v1/entries: args.page.maximum: 1000 -> 10\n',
    });
    assert.equal(more, {
      code: 0,
      stderr: '',
      stdout: 'fits    changed  GET /guestbook/v1/entries: args.page.maximum: 10 -> 1000\n',
    });
    assert.equal(same, { code: 0, stderr: 'The routes are the same for clients.\n', stdout: '' });
    await writeFile(`${folder}/none.json`, '{}');
    const none = await routebook(['diff', GUESTBOOK, `${folder}/none.json`]);
    assert.is(none.code, 1);
    assert.match(
      none.stderr,
      /none\.json: the document: must be a descriptor with namespace \(a text\) and routes \(a list\)\n$/,
    );
  }),
);

diff.run();
