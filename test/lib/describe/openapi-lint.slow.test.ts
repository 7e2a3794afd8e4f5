import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine, createRequest, defineNamespace, type Engine } from '../../../lib/index.ts';
import { createSite } from '../../../registry/index.ts';
import { createTestPorts } from '../../support/ports.ts';
import { inFolder } from '../../support/temporary.ts';

const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

/** The documents that an engine serves, as text by file name: of all namespaces, and of each. */
async function listDocuments(
  engine: Engine,
  name: string,
): Promise<readonly (readonly [file: string, text: string])[]> {
  const namespaces = [...new Set(engine.routes.map(({ namespace }) => namespace))].filter(
    (namespace) => namespace !== '',
  );
  const read = async (query: string): Promise<string> => {
    const { status, body } = await engine.serve(createRequest(`/openapi.json${query}`));
    assert.is(status, 200, query);
    return String(body);
  };
  return Promise.all([
    read('').then((text) => [`${name}.json`, text] as const),
    ...namespaces.map(
      async (namespace) =>
        [
          `${name}-${namespace.replaceAll('/', '-')}.json`,
          await read(`?namespace=${encodeURIComponent(namespace)}`),
        ] as const,
    ),
  ]);
}

/** The errors that the recommended rules of Redocly find, one line each. */
async function lint(
  documents: readonly (readonly [file: string, text: string])[],
): Promise<readonly string[]> {
  return inFolder(async (folder) => {
    for (const [file, text] of documents) await writeFile(join(folder, file), text);
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [
      REDOCLY,
      'lint',
      ...documents.map(([file]) => file),
      '--extends=recommended',
      '--format=github-actions',
      '--max-problems=1000',
    ];
    const { code, output } = await new Promise<{ readonly code: unknown; readonly output: string }>(
      (resolve) => {
        execFile(
          process.execPath,
          args,
          { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) =>
            resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
        );
      },
    );
    const errors = output.split('\n').filter((line) => line.startsWith('::error'));
    assert.is(code, errors.length === 0 ? 0 : 1, output);
    for (const [file] of documents) assert.match(output, `${file}: validated in`);
    return errors;
  });
}

const hello = defineNamespace(
  {
    namespace: 'hello',
    routes: [
      {
        pattern: '/hello/(?P<name>[a-z]+)',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'greet',
            permission: 'public',
            args: { times: { type: 'integer', default: 1 } },
            examples: { ada: { args: { name: 'ada', times: 2 } } },
          },
          {
            methods: ['POST', 'PUT'],
            handler: 'rename',
            permission: 'public',
            args: { to: { type: 'string', required: true } },
            deprecated: true,
            tags: ['Names'],
          },
        ],
      },
    ],
  },
  { greet: () => ({}), rename: () => ({}) },
);

const linting = suite('redocly lint');

linting(
  'finds no error in the documents of the site, of each namespace, and of an engine alone',
  async () => {
    const { engine, close } = await createSite({
      store: createTestPorts().store,
      openapi: true,
      bearer: () => null,
    });
    const documents = [
      ...(await listDocuments(engine, 'site')),
      ...(await listDocuments(createEngine({ namespaces: [hello], openapi: true }), 'alone')),
      ...(await listDocuments(createEngine({ openapi: true }), 'empty')),
    ];
    await close();
    assert.is(documents.length, 1 + 11 + 2 + 1);
    assert.equal(await lint(documents), []);
  },
);

linting('finds an error where there is one', async () => {
  const errors = await lint([
    [
      'wrong.json',
      '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"b"}],"responses":{}}}}}',
    ],
  ]);
  assert.ok(errors.length > 0);
});

linting.run();
