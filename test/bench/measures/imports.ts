import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../support/package/bundle.ts';
import { PROJECT } from '../../support/sources.ts';
import { inFolder } from '../../support/temporary.ts';
import { toMedian } from '../median.ts';

/** What a process used that did nothing but import a package: processor time in milliseconds, resident memory in bytes. */
export interface ImportFigures {
  readonly cpu: number;
  readonly resident: number;
}

const PACKAGES = {
  'routebook, packed': './dist/lib/index.js',
  fastify: 'fastify',
  hono: 'hono',
  express: 'express',
};
const REPORT =
  'const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, resident: process.memoryUsage.rss() }))';

function importOnce(folder: string, name: string): ImportFigures {
  const output = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `import '${name}'; ${REPORT}`],
    { cwd: folder, encoding: 'utf8' },
  );
  return JSON.parse(output) as ImportFigures;
}

/** Median of the rounds, each with new processes. Package -> figures. */
export function measureImports(rounds: number): Promise<ReadonlyMap<string, ImportFigures>> {
  return inFolder(async (folder) => {
    for (const part of ['lib', 'registry', 'adapters'])
      cpSync(join(PROJECT, 'dist', part), join(folder, 'dist', part), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await bundle(join(folder, 'dist'));
    const seen = new Map(Object.keys(PACKAGES).map((name): [string, ImportFigures[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, entry] of Object.entries(PACKAGES)) seen.get(name)?.push(importOnce(folder, entry));
    }
    return new Map(
      [...seen].map(([name, all]) => [
        name,
        { cpu: toMedian(all.map(({ cpu }) => cpu)), resident: toMedian(all.map(({ resident }) => resident)) },
      ]),
    );
  });
}
