import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSite } from '../../registry/index.ts';
import { hasClients, skipClient } from '../support/clients/installed.ts';
import { compile } from '../support/compile.ts';
import { createTestPorts } from '../support/ports.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

const PACKAGES = `${PROJECT}test/clients/node_modules`;
const QUERIES = [
  '{ categories: [2, 4], tags: [11], categories_exclude: [3], tags_exclude: [12] }',
  "{ 'categories[operator]': 'AND', 'categories[terms]': [2], 'tags[include_children]': true }",
  '{ per_page: 5, _fields: ["id"] }',
];
const MISTAKES = [
  "{ categories: '[2]' }",
  "{ categories: ['two'] }",
  '{ tags: 11 }',
  '{ categories_exclude: { terms: [2] } }',
  "{ 'categories[operator]': 'NEITHER' }",
  '{ per_page: "5" }',
];

/** A project with the types that openapi-typescript makes of the document of a site, and these queries. */
async function makeProject(folder: string, queries: readonly string[]): Promise<void> {
  const { engine, close } = await createSite({ store: createTestPorts().store });
  writeFileSync(
    join(folder, 'api.json'),
    JSON.stringify(
      engine.describeOpenApi({ title: 'Site', version: '1', language: 'en', siteUrl: 'http://site.test' }),
    ),
  );
  await close();
  execFileSync(
    process.execPath,
    [
      join(PACKAGES, 'openapi-typescript/bin/cli.js'),
      join(folder, 'api.json'),
      '-o',
      join(folder, 'api.d.ts'),
    ],
    { stdio: 'pipe' },
  );
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(PACKAGES, name), join(folder, 'node_modules', name));
  const calls = queries.map(
    (query, index) =>
      `export const q${index} = await client.GET('/cms/v2/posts', { params: { query: ${query} } });`,
  );
  writeFileSync(
    join(folder, 'queries.ts'),
    [
      "import createClient from 'openapi-fetch';",
      "import type { paths } from './api.d.ts';",
      "const client = createClient<paths, 'application/json'>({ baseUrl: 'http://site.test' });",
      ...calls,
      'export const titles: readonly (string | undefined)[] | undefined = q0.data?.map((post) => post.title?.rendered);',
    ].join('\n'),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2023',
        lib: ['ES2023', 'DOM'],
        module: 'NodeNext',
        types: [],
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
      include: ['queries.ts'],
    }),
  );
}

function documentSuite(): void {
  const types = suite('types that openapi-typescript makes of the document');
  types('take the lists of ids that posts are filtered by', () =>
    inFolder(async (folder) => {
      await makeProject(folder, QUERIES);
      assert.is(compile(folder), '');
    }),
  );
  types('refuse other values', () =>
    inFolder(async (folder) => {
      await makeProject(folder, MISTAKES);
      const faults = compile(folder).match(/\bqueries\.ts\(\d+(?=,\d+\): error TS(?:2322|2353))/g) ?? [];
      assert.equal(
        [...new Set(faults)],
        MISTAKES.map((_query, index) => `queries.ts(${4 + index}`),
      );
    }),
  );
  types.run();
}

if (hasClients()) documentSuite();
else skipClient('openapi-typescript');
