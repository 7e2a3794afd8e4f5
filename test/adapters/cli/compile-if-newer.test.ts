import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';

const compile = suite('npm start');

const OLD = new Date('2025-01-01T00:00:00Z');
const NEW = new Date('2025-01-02T00:00:00Z');

/** Writes a clone without a compiler, with one source, and runs what `npm start` runs first. `compiled`: the time of the compiled files; null for none. */
function start(folder: string, compiled: Date | null): readonly [code: number | null, says: string] {
  for (const name of [
    'scripts',
    'lib',
    'registry',
    'adapters',
    'examples',
    ...(compiled === null ? [] : ['dist/lib', 'dist/adapters/cli']),
  ])
    mkdirSync(`${folder}/${name}`, { recursive: true });
  copyFileSync(`${PROJECT}scripts/compile-if-newer.mjs`, `${folder}/scripts/compile-if-newer.mjs`);
  const files: readonly (readonly [file: string, time: Date])[] = [
    ['lib/a.ts', OLD],
    ...(compiled === null
      ? []
      : ([
          ['dist/lib/a.js', compiled],
          ['dist/adapters/cli/bin.js', compiled],
        ] as const)),
  ];
  for (const [file, time] of files) {
    writeFileSync(`${folder}/${file}`, '');
    utimesSync(`${folder}/${file}`, time, time);
  }
  const { status, stderr } = spawnSync(process.execPath, [`${folder}/scripts/compile-if-newer.mjs`], {
    encoding: 'utf8',
  });
  return [status, stderr];
}

compile('compiles nothing when nothing is newer', () =>
  inFolder(async (folder) => assert.equal(start(folder, NEW), [0, ''])),
);

compile('starts the compiled program when it is older and there is no compiler, and says so', () =>
  inFolder(async (folder) => {
    const [code, says] = start(folder, new Date('2024-01-01T00:00:00Z'));
    assert.is(code, 0);
    assert.match(
      says,
      /^note: lib\/a\.ts is newer than the compiled program, but the compiler is not installed .*; the compiled program starts\n$/,
    );
  }),
);

compile('says what is missing where nothing was compiled', () =>
  inFolder(async (folder) => {
    const [code, says] = start(folder, null);
    assert.is(code, 1);
    assert.match(
      says,
      /^The program has not been compiled, and the compiler is not installed \("npm ci --ignore-scripts" installs it\)\.\n$/,
    );
  }),
);

compile.run();
