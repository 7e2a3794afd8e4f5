import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../support/compile.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';
import { HEAD, RIGHT, WRONG } from '../support/types/client-uses.ts';

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
  },
  include: ['uses.ts'],
};

const types = suite('types of the client');

types('60 right uses compile, and 60 wrong ones do not', () =>
  inFolder(async (folder) => {
    assert.equal([new Set(RIGHT).size, new Set(WRONG).size], [60, 60]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(PROJECT, join(folder, 'node_modules', 'routebook'));
    const first = HEAD.split('\n').length;
    const lines = [...RIGHT, ...WRONG].map(
      (line, at) => `export async function use${at}(): Promise<void> { ${line}; }`,
    );
    writeFileSync(join(folder, 'uses.ts'), `${HEAD}\n${lines.join('\n')}\n`);
    const failed = new Map<number, string>();
    for (const [, line, message = ''] of compile(folder).matchAll(/uses\.ts\((\d+),\d+\): (.*)$/gm))
      failed.set(Number(line) - first - 1, message);
    assert.equal(
      [...failed].filter(([at]) => at < RIGHT.length).map(([at, message]) => `${RIGHT[at]}: ${message}`),
      [],
    );
    assert.equal(
      WRONG.filter((_line, at) => !failed.has(RIGHT.length + at)),
      [],
    );
  }),
);

types.run();
