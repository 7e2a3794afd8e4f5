import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from './sources.ts';

/** What the compiler says of the project in a folder; empty when everything compiles. */
export function compile(folder: string): string {
  try {
    return execFileSync(
      process.execPath,
      [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
      { encoding: 'utf8' },
    );
  } catch (error) {
    return String((error as { readonly stdout: string }).stdout) || String(error);
  }
}
