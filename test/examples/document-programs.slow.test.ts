import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolder, removeFolder } from '../support/temporary.ts';

const ROOT = new URL('../../../', import.meta.url);
const TIMEOUT_MS = 60_000;

const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

interface Program {
  readonly file: string;
  readonly code: string;
  /** The comments behind its `console.log` lines, and below the commands that it runs. */
  readonly output: readonly string[];
}

const WRITES = /^console\.log\(.*\); *\/\/ (.*)$|^await runRoutebook\(.*\);\n((?:\/\/ .*\n)+)/gm;

function listPrograms(file: string): readonly Program[] {
  return [...read(file).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => ({
    file,
    code,
    output: [...code.matchAll(WRITES)].flatMap(([, line, lines = '']) =>
      line === undefined
        ? lines
            .trimEnd()
            .split('\n')
            .map((text) => text.slice('// '.length))
        : [line],
    ),
  }));
}

const programs = readdirSync(new URL('docs/', ROOT))
  .filter((file) => file.endsWith('.md'))
  .sort()
  .flatMap((file) => listPrograms(`docs/${file}`));

const running = suite('programs of documents');

running('are there', () => {
  const counts: Record<string, number> = {};
  for (const { file } of programs) counts[file] = (counts[file] ?? 0) + 1;
  assert.equal(counts, {
    'docs/calls.md': 3,
    'docs/collections.md': 1,
    'docs/content-types.md': 1,
    'docs/extending.md': 4,
    'docs/hosting.md': 6,
    'docs/identity.md': 1,
    'docs/stores.md': 1,
    'docs/test-your-routes.md': 2,
    'docs/two-writers.md': 1,
    'docs/typed-client.md': 1,
    'docs/users.md': 3,
    'docs/write-a-store.md': 2,
  });
});

for (const { file, code, output } of programs) {
  running(`${file}: runs as it stands and writes what it says`, () => {
    assert.ok(output.length > 0);
    const directory = makeFolder();
    try {
      const own = code.replaceAll("'./data'", JSON.stringify(directory));
      const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', own], {
        cwd: fileURLToPath(ROOT),
        encoding: 'utf8',
        timeout: TIMEOUT_MS,
      });
      assert.equal([stdout.trimEnd().split('\n'), status], [output, 0], stderr);
    } finally {
      removeFolder(directory);
    }
  });
}

running.run();
