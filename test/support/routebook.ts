import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type RoutebookOptions, runRoutebook } from '../../adapters/cli.ts';
import { readOptions } from '../../adapters/cli/frame/options.ts';
import { SERVE_OPTIONS, toServeOptions } from '../../adapters/cli/serve/serve-options.ts';
import { startListening } from '../../adapters/cli/serve/start-server.ts';
import { PROJECT } from './sources.ts';

/** The compiled command. */
export const ROUTEBOOK = fileURLToPath(new URL('../../adapters/cli/bin.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with which standard input a command runs. `cwd`: default the directory of the package; `own`: what a program of a user passes to `runRoutebook`. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** The lines that somebody types at a terminal, one for each question. */
  readonly typed?: readonly string[];
  readonly own?: RoutebookOptions;
}

type Stream = typeof process.stdout | typeof process.stderr;

/** What listens to a stream, by event. */
const listenersOf = (stream: Stream): readonly (readonly [event: string | symbol, listener: () => void])[] =>
  stream
    .eventNames()
    .flatMap((event) => stream.listeners(event).map((listener) => [event, listener as () => void] as const));

/** Collects what is written to the stream. */
function catchOutput(stream: Stream): { readonly text: () => string; readonly restore: () => void } {
  const { write } = stream;
  const before = new Set(listenersOf(stream).map(([, listener]) => listener));
  const chunks: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    chunks.push(Buffer.from(chunk));
    const done = rest.find((each) => typeof each === 'function');
    if (done !== undefined) process.nextTick(done as () => void);
    return true;
  }) as typeof process.stdout.write;
  const restore = (): void => {
    stream.write = write;
    // The streams of a process of its own would end with it.
    for (const [event, listener] of listenersOf(stream))
      if (!before.has(listener)) stream.off(event, listener);
  };
  return { text: () => Buffer.concat(chunks).toString('utf8'), restore };
}

/** A terminal at which the next line is typed whenever the command asks. */
function openTerminal(typed: readonly string[]): Readable {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const left = [...typed];
  const { write } = process.stderr;
  process.stderr.write = ((chunk: string | Uint8Array, ...rest: readonly never[]): boolean => {
    if (String(chunk).endsWith(': ')) setImmediate(() => terminal.write(`${left.shift() ?? ''}\r`));
    return write.call(process.stderr, chunk, ...rest);
  }) as typeof process.stderr.write;
  return terminal;
}

/** The log of this process tells a second later how often an earlier command repeated a line. */
const COUNTED = /^\w+ \(\d+ times\): .*\n/gm;

/** Runs the function of the command with its own input, output and directory in place of those of the process. */
async function runHere(
  args: readonly string[],
  { cwd = PROJECT, input = '', typed, own = {} }: CommandOptions,
): Promise<CommandResult> {
  const directory = process.cwd();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const [stdout, stderr] = [catchOutput(process.stdout), catchOutput(process.stderr)];
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value:
      typed === undefined ? Readable.from([Buffer.from(input)], { objectMode: false }) : openTerminal(typed),
  });
  process.chdir(cwd);
  try {
    const code = await runRoutebook(args, own);
    return { code, stdout: stdout.text(), stderr: stderr.text().replaceAll(COUNTED, '') };
  } finally {
    process.chdir(directory);
    Object.defineProperty(process, 'stdin', stdin);
    for (const { restore } of [stdout, stderr]) restore();
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `routebook` with the arguments as a user types them, and waits until it ends. It runs in this process, which is ten times as fast
 * as a process of its own; one at a time, because input and output are those of the process.
 */
export function routebook(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const result = last.then(() => runHere(args, options));
  last = result.catch(() => undefined);
  return result;
}

/** The same in a process of its own: for its exit code, its pipes and its signals. */
export function routebookProcess(
  args: readonly string[],
  { cwd = PROJECT, input = '' }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [ROUTEBOOK, ...args], { cwd, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => undefined); // The command may end before it has read its input.
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A server that runs in this process. */
export interface ServerHere {
  readonly origin: string;
  /** What it had printed when it listened. */
  readonly written: string;
  stop(): Promise<void>;
}

/**
 * What `routebook` does with the arguments (`['serve', '--port', '0']`), in this process: it takes a fifth of the time of a process of its own.
 * @throws what the command would print
 */
export function serveHere(args: readonly string[]): Promise<ServerHere> {
  const starting = last.then(async () => {
    const [stdout, stderr] = [catchOutput(process.stdout), catchOutput(process.stderr)];
    try {
      const values = readOptions(SERVE_OPTIONS, args.slice(1));
      const listening = await startListening({
        ...toServeOptions(values),
        namespaces: [],
        ownPlugins: [],
      });
      const { stop } = await listening.open();
      return { origin: listening.origin, written: stdout.text() + stderr.text(), stop };
    } finally {
      for (const { restore } of [stdout, stderr]) restore();
    }
  });
  last = starting.catch(() => undefined);
  return starting;
}

/** Serves in this process while `use` runs. */
export async function withServer(
  args: readonly string[],
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const { origin, stop } = await serveHere(args);
  try {
    await use(origin);
  } finally {
    await stop();
  }
}
