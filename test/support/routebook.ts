import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PROJECT } from './sources.ts';

/** The compiled command. */
export const ROUTEBOOK = fileURLToPath(new URL('../../adapters/cli/bin.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with which standard input a command runs. `cwd`: default the directory of the package. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs `routebook` with the arguments as a user types them, and waits until it ends. */
export function routebook(args: readonly string[], { cwd = PROJECT, input = '' }: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(process.execPath, [ROUTEBOOK, ...args], { cwd, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  child.stdin.on('error', () => undefined); // The command may end before it has read its input.
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
