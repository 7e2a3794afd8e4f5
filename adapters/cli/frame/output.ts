import { codeOf } from '../../../lib/core/thrown.ts';
import { consoleFormatOf, logToConsole } from '../../../lib/engine/console-log.ts';

/** The reader of a pipe is gone, such as `head` after its last line. */
export function isClosedPipe(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(codeOf(error)));
}

/** Lets a program go on quietly when nobody reads its output any longer. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}

/** Writes a line of the result to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The option of commands that print for people, or JSON. */
export const JSON_SWITCH = { help: 'Print JSON.' } as const;

/** Writes a result as JSON to standard output. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Columns for people. The last one is not padded. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** The same, indented. */
export const toIndented = (rows: readonly (readonly string[])[]): string =>
  toTable(rows.map((row) => ['', ...row]));

const LEVEL = /^(note|warning): /;

/** Writes a line about the result to standard error, so that it is not part of what is piped. `--log json` of a server holds for it, too. */
export function note(text: string): void {
  if (consoleFormatOf() === 'json') {
    const level = text.startsWith('warning: ') ? 'warn' : 'info';
    logToConsole({ level, message: text.replace(LEVEL, '') });
    return;
  }
  process.stderr.write(`${text}\n`);
}
