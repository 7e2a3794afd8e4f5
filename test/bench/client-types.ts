// What the types of a client cost the compiler, beside those of Hono's `hc`: node dist/test/bench/client-types.js [ROUTES]
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';
import { toClientProgram, toHonoProgram } from '../support/types/client-programs.ts';
import { toMedian } from './median.ts';

const ROUTES = Number(process.argv[2] ?? 300);
const ROUNDS = 3;

interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Compiles one program, and reads what the compiler says of itself. */
function measure(folder: string, file: string): Cost {
  const report = execFileSync(
    process.execPath,
    [
      join(PROJECT, 'node_modules/typescript/bin/tsc'),
      ...'--strict --noEmit --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable'.split(
        ' ',
      ),
      '--types',
      '',
      '--extendedDiagnostics',
      file,
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(report)?.[1]);
  return { seconds: read('Check time'), megabytes: read('Memory used') / 1000 };
}

await inFolder(async (folder) => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['hono', 'node_modules/hono'],
    ['routebook', ''],
  ] as const)
    symlinkSync(join(PROJECT, target), join(folder, 'node_modules', name));
  const programs = {
    client: toClientProgram(ROUTES),
    hono: toHonoProgram(ROUTES),
    nothing: toClientProgram(0),
  };
  const costs = new Map<string, Cost[]>(Object.keys(programs).map((name) => [name, []]));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, list] of costs) list.push(measure(folder, `${name}.ts`));
  const of = (name: string, member: keyof Cost): number =>
    toMedian((costs.get(name) ?? []).map((cost) => cost[member]));
  for (const name of costs.keys())
    console.log(
      `${name.padEnd(8)} check ${of(name, 'seconds').toFixed(3)} s, memory ${of(name, 'megabytes').toFixed(0)} MB`,
    );
  for (const member of ['seconds', 'megabytes'] as const)
    console.log(`client / hono, ${member}: ${(of('client', member) / of('hono', member)).toFixed(2)}`);
});
