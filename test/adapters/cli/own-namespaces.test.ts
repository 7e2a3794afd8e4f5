import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRoutebook, type RoutebookOptions } from '../../../adapters/cli.ts';
import { defineNamespace } from '../../../lib/index.ts';
import { routebook } from '../../support/routebook.ts';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';

/** A program of a user. Its arguments are those of the command. */
const PROGRAM = `
import { defineNamespace } from 'routebook';
import { runRoutebook } from 'routebook/cli';
const greet = { methods: ['GET'], handler: 'greet', permission: 'public', args: { name: { type: 'string' } } };
const hello = defineNamespace({ namespace: 'hello', routes: [{ pattern: '/hello/{name}', endpoints: [greet] }] }, { greet: ({ name }) => name });
process.exitCode = await runRoutebook(process.argv.slice(1), { namespaces: [hello] });
`;

const greet = {
  methods: ['GET'],
  handler: 'greet',
  permission: 'public',
  args: { name: { type: 'string' } },
} as const;
const hello = defineNamespace(
  { namespace: 'hello', routes: [{ pattern: '/hello/{name}', endpoints: [greet] }] },
  { greet: ({ name }) => name },
);

const run = (...args: readonly string[]): ReturnType<typeof routebook> =>
  routebook(args, { own: { namespaces: [hello] } });

const own = suite('namespaces of runRoutebook');

own('are part of the site that routes, openapi and types describe', async () => {
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, '--', 'routes', '--namespace', 'hello'],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  assert.is(stdout, 'GET  read  public  /hello\nGET  read  public  /hello/(?P<name>[^/]+)\n');
  const { paths } = JSON.parse((await run('openapi', '--namespace', 'hello')).stdout) as {
    readonly paths: object;
  };
  assert.ok(Object.keys(paths).includes('/hello/{name}'), Object.keys(paths).join());
  assert.match((await run('types')).stdout, 'GET /hello/{name}');
});

own('may be renamed by a file of names', () =>
  inFolder(async (folder) => {
    const names = join(folder, 'names.json');
    writeFileSync(names, JSON.stringify({ segments: { hello: 'salut' } }));
    assert.equal(await run('validate', names), {
      code: 0,
      stdout: `${names} is a valid names file.\n`,
      stderr: '',
    });
    assert.is((await run('routes', '--names', names)).code, 0);
  }),
);

own('are refused by name unless they are namespaces', async () => {
  const refusal = (options: unknown): Promise<unknown> =>
    runRoutebook(['routes'], options as RoutebookOptions).catch((error: unknown) => error);
  for (const namespaces of [5, [5], [{}], 'hello'])
    assert.match(
      String(await refusal({ namespaces })),
      /TypeError: namespaces of the options of runRoutebook is .*must be a list of namespaces/,
    );
  assert.match(
    String(await refusal({ namespace: [] })),
    /unknown member "namespace" of the options of runRoutebook; the members are namespaces/,
  );
});

own.run();
