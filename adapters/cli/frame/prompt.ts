import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from './options.ts';

/** Asks at the terminal. @throws UsageError when it is left with Ctrl-C or Ctrl-D */
async function askAtTerminal(question: string, isHidden: boolean): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? silent : process.stderr,
    terminal: true,
  });
  // Only now the terminal no longer shows what is typed.
  process.stderr.write(question);
  try {
    const left = new AbortController();
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => left.abort());
    const [line] = (await once(lines, 'line', { signal: left.signal })) as [string];
    return line;
  } catch (error) {
    throw new UsageError('The question was not answered. Nothing was changed.', { cause: error });
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
}

/** @throws UsageError if the two differ */
async function askPassword(question = 'Password: '): Promise<string> {
  const password = await askAtTerminal(question, true);
  if ((await askAtTerminal('Again: ', true)) !== password)
    throw new UsageError('The two passwords differ. Nothing was changed.');
  return password;
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
  return askPassword();
}

/** Who answers the questions of a command. */
export interface Answers {
  /** What was answered; an empty text for no answer. */
  ask(question: string): Promise<string>;
  /** As `ask`, twice and without showing it. */
  askPassword(question: string): Promise<string>;
}

/** The terminal; without one the lines of standard input, one for each question in their order. */
export async function openAnswers(): Promise<Answers> {
  if (process.stdin.isTTY)
    return { ask: async (question) => (await askAtTerminal(question, false)).trim(), askPassword };
  const lines = (await text(process.stdin)).split(/\r?\n/);
  return {
    ask: async () => (lines.shift() ?? '').trim(),
    askPassword: async () => lines.shift() ?? '',
  };
}
