import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from './options.ts';

/** Asks at the terminal without showing what is typed. @throws UsageError when it is left with Ctrl-C or Ctrl-D */
async function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now the terminal no longer shows what is typed.
  process.stderr.write(question);
  try {
    const left = new AbortController();
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => left.abort());
    const [line] = (await once(lines, 'line', { signal: left.signal })) as [string];
    return line;
  } catch (error) {
    throw new UsageError('No password was given. Nothing was changed.', { cause: error });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/**
 * The password of the option, else what is typed twice at the terminal without echo, else the first line of standard input.
 * @throws UsageError without a password, or if the two differ
 */
export async function readPassword(given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) {
    const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
    if (line === '')
      throw new UsageError(
        '--password is missing: give it, type it at a terminal, or send it as the first line of standard input',
      );
    return line;
  }
  const password = await askHidden('Password: ');
  if ((await askHidden('Again: ')) !== password)
    throw new UsageError('The two passwords differ. Nothing was changed.');
  return password;
}
