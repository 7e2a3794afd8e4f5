import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';

/** Whether a program of the system, such as `msgfmt`, can be started. */
export const hasTool = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

/** Reports a suite that needs a program where there is none. */
export function skipTool(name: string, tool: string): void {
  const test = suite(name);
  test(`SKIPPED: ${tool} is not installed`, () => {
    console.error(`SKIPPED ${name}: there is no ${tool} on PATH`);
  });
  test.run();
}

/** What a program answered. `text`: all that it wrote. */
export interface ToolAnswer {
  readonly status: number | null;
  readonly text: string;
}

/** Runs a program of the system and returns its verdict. */
export function runTool(name: string, args: readonly string[]): ToolAnswer {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8', timeout: 60_000 });
  return { status, text: `${stdout}${stderr}` };
}
