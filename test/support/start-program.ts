import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A busy machine needs a multiple of the usual second: with 24 busy programs, three workers on PostgreSQL took more than a minute. */
const START_MS = 300_000;
const STOP_MS = 15_000;

export interface Program {
  /** The origin that the program printed: `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly pid: number;
  /** Everything that the program has printed so far, on both outputs. */
  written(): string;
  /** Sends SIGTERM and returns the exit code; null when the program had to be killed. */
  stop(): Promise<number | null>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Starts a compiled program of this tree (`examples/server.js`) and waits until it listens. */
export function startProgram(file: string, args: readonly string[]): Promise<Program> {
  return startNode(file, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...args]);
}

/** Runs node with the arguments, and waits until the program listens. `name`: for messages; `cwd`: default the directory of the package. */
export async function startNode(name: string, args: readonly string[], cwd = ROOT): Promise<Program> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const origin = await new Promise<string>((resolve, reject) => {
    const give = (reason: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${name} ${reason}\n${output}`));
    };
    const timer = setTimeout(() => give(`did not listen within ${START_MS} ms`), START_MS);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      // With `--log json`, the line is an object on standard error.
      const [, address] = /listening on (http:\/\/[^/\s"]+)\S*\n/.exec(output) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void closed.then((code) => {
      clearTimeout(timer);
      give(`ended with ${String(code)}`);
      return undefined;
    });
  });
  return {
    origin,
    pid: child.pid ?? 0,
    written: () => output,
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.kill('SIGTERM');
      const code = await closed;
      clearTimeout(timer);
      return code;
    },
  };
}

/** Starts an example, passes on its origin, and always stops it. @returns the exit code */
export async function withProgram(
  file: string,
  args: readonly string[],
  use: (origin: string) => Promise<void>,
): Promise<number | null> {
  const running = await startProgram(file, args);
  try {
    await use(running.origin);
  } finally {
    await running.stop();
  }
  return running.stop();
}
