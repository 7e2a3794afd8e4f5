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
  return [...read(file).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => (
    { file, code, output: [...code.matchAll(WRITES)].flatMap(([, line, lines = '']) => (line === undefined ? lines.trimEnd().split('\n').map((text) => text.slice('// '.length)) : [line])) }
  ));
}

const programs = readdirSync(new URL('docs/', ROOT)).filter((file) => file.endsWith('.md')).sort().flatMap((file) => listPrograms(`docs/${file}`));

const running = suite('programs of documents');

running('are there', () => {
  assert.equal(programs.map(({ file }) => file), [
    ...Array<string>(3).fill('docs/calls.md'), 'docs/collections.md', 'docs/content-types.md', ...Array<string>(4).fill('docs/extending.md'), ...Array<string>(3).fill('docs/hosting.md'), 'docs/security.md', 'docs/stores.md', ...Array<string>(3).fill('docs/users.md'), ...Array<string>(2).fill('docs/write-a-store.md'),
  ]);
});

for (const { file, code, output } of programs) {
  running(`${file}: runs as it stands and writes what it says`, () => {
    assert.ok(output.length > 0);
    const directory = makeFolder();
    try {
      const own = code.replaceAll("'./data'", JSON.stringify(directory));
      const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', own], { cwd: fileURLToPath(ROOT), encoding: 'utf8', timeout: TIMEOUT_MS });
      assert.equal([stdout.trimEnd().split('\n'), status], [output, 0], stderr);
    } finally {
      removeFolder(directory);
    }
  });
}

running.run();
