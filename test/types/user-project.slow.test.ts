import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../support/compile.ts';
import { listFiles, PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

const { exports } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
};

/** The entries by the file that examples import: `routebook/fetch` for `adapters/fetch.ts`. */
const ENTRIES = new Map(
  Object.entries(exports).map(([entry, { default: file }]) => [
    file.replace('./dist/', '').replace(/\.js$/, '.ts'),
    `routebook${entry.slice(1)}`,
  ]),
);

/** An example as a user writes it, who has installed the package. */
function toUserCode(text: string): string {
  return text.replaceAll(/ from '\.\.\/([^']+)';/g, (found, file: string) =>
    ENTRIES.has(file) ? ` from '${ENTRIES.get(file) ?? ''}';` : found,
  );
}

/** Makes the project of a user in the folder: all examples, and a file that imports every entry. */
function makeProject(
  folder: string,
  lib: readonly string[],
  options: Readonly<Record<string, boolean>> = {},
): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(PROJECT, join(folder, 'node_modules/routebook'));
  for (const name of ['@types', 'mariadb'])
    symlinkSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name));
  mkdirSync(join(folder, 'src'));
  for (const file of listFiles('examples', '.ts'))
    writeFileSync(join(folder, 'src', basename(file)), toUserCode(readFileSync(`${PROJECT}${file}`, 'utf8')));
  const entries = [...ENTRIES.values()];
  writeFileSync(
    join(folder, 'src/entries.ts'),
    `${entries.map((entry, index) => `import * as e${index} from '${entry}';`).join('\n')}\nexport const all = [${entries.map((_, index) => `e${index}`).join(', ')}];\n`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'ES2023',
    lib,
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
}

const project = suite('project of a user');

for (const lib of [['ES2023'], ['ES2023', 'DOM']]) {
  project(`compiles the examples and the types of every entry with the libraries ${lib.join(' and ')}`, () =>
    inFolder(async (folder) => {
      makeProject(folder, lib);
      assert.is(compile(folder), '');
    }),
  );
}

project('need not be stricter than `strict`', () =>
  inFolder(async (folder) => {
    makeProject(folder, ['ES2023'], { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false });
    assert.is(compile(folder), '');
  }),
);

project('is held to its types', () =>
  inFolder(async (folder) => {
    makeProject(folder, ['ES2023', 'DOM']);
    writeFileSync(
      join(folder, 'src/mistake.ts'),
      "import { createEngine } from 'routebook';\ncreateEngine({ base: 5 });\n",
    );
    assert.match(compile(folder), /src\/mistake\.ts\(2,16\): error TS2322/);
  }),
);

project.run();
