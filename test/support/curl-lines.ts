import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A curl line and its expected status; NaN when the line does not give one. */
export interface CurlLine {
  readonly text: string;
  readonly status: number;
}

const FENCE = /^```sh\n([^]*?)^```$/gm;
const MINI_CURL = fileURLToPath(new URL('curl.js', import.meta.url));
const TIMEOUT_MS = 60_000;

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The comment lines of an example's header that hold commands. */
export function readHeaderScript(source: string): string {
  return source
    .split('\n')
    .filter((line) => line.startsWith('//   '))
    .map((line) => line.slice(5))
    .join('\n');
}

/** All `sh` blocks of a document that call curl or set a variable, joined in order, so that later lines can use earlier variables. */
export function readDocumentScript(markdown: string): string {
  return [...markdown.matchAll(FENCE)]
    .map(([, block = '']) => block)
    .filter((block) => /\bcurl |^[A-Z]+=/m.test(block))
    .join('\n');
}

/** The curl lines of a script, in order. The expected status is in a comment at the end: `curl … # 200`. */
export function listCurlLines(script: string): readonly CurlLine[] {
  return script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /\bcurl /.test(line) && !line.startsWith('#'))
    .map((text) => ({ text, status: Number(/#\s*(\d{3})\b[^#]*$/.exec(text)?.[1]) }));
}

/** Every curl call reports its status on a line of its own, wherever its output goes. */
const REAL =
  'curl() { command curl -sS --noproxy "*" --max-time 20 -w "%{stderr}STATUS %{http_code}\\n" "$@"; }';
const STAND_IN = `curl() { "${process.execPath}" "${MINI_CURL}" "$@"; }`;

async function runScript(script: string, directory: string): Promise<string> {
  const child = spawn('bash', ['-c', `${hasCurl ? REAL : STAND_IN}\n${script}`], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return output;
}

export interface ScriptResult {
  readonly statuses: readonly number[];
  /** Standard error of the script without the statuses. */
  readonly complaints: string;
  /** Names of the files that the script left. */
  readonly left: readonly string[];
}

/** Runs the script with bash in an empty directory, with curl or its substitute, and returns the status of each call. */
export async function runCurlScript(script: string): Promise<ScriptResult> {
  const directory = await mkdtemp(join(tmpdir(), 'curl-lines-'));
  try {
    const lines = (await runScript(script, directory)).split('\n');
    return {
      statuses: lines.flatMap((line) => /^STATUS (\d{3})$/.exec(line)?.slice(1).map(Number) ?? []),
      complaints: lines.filter((line) => line !== '' && !line.startsWith('STATUS ')).join('\n'),
      left: await readdir(directory),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}
