import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../../adapters/cli.ts';
import { closeServer, createServer } from '../../../adapters/node-http.ts';
import { declareTypes, toType } from '../../../lib/describe/declare-types.ts';
import { createEngine, defineNamespace } from '../../../lib/index.ts';
import { routebook } from '../../support/routebook.ts';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';

const run = promisify(execFile);
const TSC = join(PROJECT, 'node_modules/typescript/bin/tsc');

/** Compiles files strictly. Returns the errors. */
async function compile(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = [
    TSC,
    '--strict',
    '--noEmit',
    '--pretty',
    'false',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--types',
    '',
    ...Object.keys(files),
  ];
  return run(process.execPath, args, { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** Lines that fit the declarations of a site with a type of its own, and lines that do not. */
const FITS = `import type { Resources, Routes } from './site.ts';
export const query: Routes['GET /cms/v2/posts']['query'] = { per_page: 5, search: 'harbour', context: 'edit' };
export const body: NonNullable<Routes['POST /cms/v2/books']['body']> = { title: 'One', status: 'draft' };
export const path: Routes['GET /cms/v2/posts/{id}']['path'] = { id: 7 };
export const titles = (posts: Routes['GET /cms/v2/posts']['answers']['2XX']): readonly (string | undefined)[] => posts.map((post) => post.title?.rendered);
export const made: (book: Routes['POST /cms/v2/books']['answers'][201]) => number | undefined = (book: Resources['book']) => book.id;
`;
const MISFITS = [
  "export const query: Routes['GET /cms/v2/posts']['query'] = { context: 'all' };",
  "export const query: Routes['GET /cms/v2/posts']['query'] = { per_pages: 5 };",
  "export const body: NonNullable<Routes['POST /cms/v2/books']['body']> = { title: 5 };",
  "export const path: Routes['GET /cms/v2/posts/{id}']['path'] = {};",
  "export type None = Routes['GET /cms/v2/boks'];",
];

/** The program of the page about the client that reads a site. */
const readDocumented = (): string =>
  /^```ts\n([^]*?)^```$/m.exec(readFileSync(join(PROJECT, 'docs/typed-client.md'), 'utf8'))?.[1] ?? 'missing';

/** Makes the folder a project that has installed the package. */
function linkPackage(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(PROJECT, join(folder, 'node_modules', 'routebook'));
}

const types = suite('routebook types');

types('declares the content of a site, its own types included, so that it compiles strictly', () =>
  inFolder(async (folder) => {
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({
        content: { core: true, types: [{ name: 'book', base: 'books', supports: ['title', 'editor'] }] },
      }),
    );
    const { code, stdout, stderr } = await routebook(['types', '--config', 'config.json'], { cwd: folder });
    assert.equal([code, stderr], [0, '']);
    linkPackage(folder);
    const misfits = Object.fromEntries(
      MISFITS.map((line, index) => [
        `misfit-${index}.ts`,
        `import type { Routes } from './site.ts';\n${line}\n`,
      ]),
    );
    const errors = await compile(folder, {
      'site.ts': stdout,
      'fits.ts': FITS,
      'documented.ts': readDocumented(),
      ...misfits,
    });
    assert.equal(
      errors.split('\n').filter((line) => line !== '' && !/^(?:misfit-|\s)/.test(line)),
      [],
    );
    assert.equal(
      Object.keys(misfits).filter((name) => !errors.includes(name)),
      [],
      errors,
    );
  }),
);

types('declares the routes of a descriptor, and refuses one that cannot be served', () =>
  inFolder(async (folder) => {
    const shop = {
      namespace: 'shop/v1',
      routes: [
        {
          pattern: '/shop/v1/items/(?P<id>[\\d]+)',
          endpoints: [
            {
              methods: ['GET'],
              handler: 'read',
              permission: 'public',
              args: { id: { type: 'integer' }, size: { type: 'string', enum: ['s', 'm'] } },
              answers: { 200: { type: 'object', properties: { name: { type: 'string', required: true } } } },
            },
          ],
        },
      ],
    };
    writeFileSync(join(folder, 'shop.json'), JSON.stringify(shop));
    const { code, stdout, stderr } = await routebook(['types', 'shop.json'], { cwd: folder });
    assert.equal([code, stderr], [0, '']);
    const use =
      "import type { Routes } from './shop.ts';\ntype Item = Routes['GET /shop/v1/items/{id}'];\nexport const name = (item: Item['answers'][200]): string => item.name;\nexport const query: Item['query'] = { size: 'm' };\n";
    assert.is(await compile(folder, { 'shop.ts': stdout, 'use.ts': use }), '');
    writeFileSync(
      join(folder, 'wrong.json'),
      JSON.stringify({ namespace: 'shop/v1', routes: [{ pattern: '/shop/v1/a', endpoints: [], more: 1 }] }),
    );
    const wrong = await routebook(['types', 'wrong.json'], { cwd: folder });
    assert.equal([wrong.code, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /^wrong\.json: .+\n$/);
  }),
);

for (const openapi of [true, false])
  types(`--client declares a running site ${openapi ? 'from its OpenAPI document' : 'from its index'}`, () =>
    inFolder(async (folder) => {
      const read = {
        methods: ['GET'],
        handler: 'read',
        permission: 'public',
        args: { id: { type: 'integer' }, size: { type: 'string', enum: ['s', 'm'] } },
      } as const;
      const write = {
        methods: ['POST'],
        handler: 'write',
        permission: 'public',
        args: { id: { type: 'integer' }, name: { type: 'string', required: true } },
      } as const;
      const shop = defineNamespace(
        { namespace: 'shop', routes: [{ pattern: '/shop/{id}', endpoints: [read, write] }] },
        { read: () => 1, write: () => 2 },
      );
      const server = createServer(createEngine({ namespaces: [shop], openapi }));
      try {
        const { code, stdout, stderr } = await routebook([
          'types',
          '--client',
          `${await listen(server, { port: 0, host: '127.0.0.1' })}/`,
        ]);
        assert.equal([code, stderr], [0, '']);
        const use = `import { createClient } from 'routebook/client';
import type { Routes } from ${JSON.stringify('./shop.ts')};
const client = createClient<Routes>({ url: '' });
export const right = [client['GET /shop/{id}']({ id: 1, size: 's' }), client['POST /shop/{id}']({ id: 1, name: 'a' })];
// @ts-expect-error the id is a number
export const wrong = client['GET /shop/{id}']({ id: 'a' });
// @ts-expect-error the name is missing
export const missing = client['POST /shop/{id}']({ id: 1 });
`;
        linkPackage(folder);
        assert.is(await compile(folder, { 'shop.ts': stdout, 'use.ts': use }), '');
      } finally {
        await closeServer(server);
      }
    }),
  );

const schemas = suite('the type of a schema');

for (const [schema, expected] of [
  [{}, 'unknown'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'a' }, '"a"'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: 'array', items: { type: 'string' } }, 'readonly (string)[]'],
  [{ type: 'array' }, 'readonly (unknown)[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
  [{ allOf: [{ type: 'string' }, {}] }, '(string) & (unknown)'],
  [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', additionalProperties: false }, 'Readonly<Record<string, never>>'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Readonly<Record<string, number>>'],
  [{ $ref: '#/components/schemas/application-password' }, 'Resources["application-password"]'],
] as const) {
  schemas(`${JSON.stringify(schema)} is ${expected}`, () => assert.is(toType(schema), expected));
}

schemas('comments and names cannot become code', () =>
  inFolder(async (folder) => {
    const text = declareTypes({
      components: {
        schemas: {
          'a\'"`*/b': {
            type: 'object',
            properties: { '__proto__\n': { type: 'string' } },
            description: 'ends */ here\nexport const no: number = "";',
          },
        },
      },
    });
    assert.is(await compile(folder, { 'odd.ts': text }), '');
  }),
);

types.run();
schemas.run();
