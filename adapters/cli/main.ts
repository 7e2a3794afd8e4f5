import { readFileSync } from 'node:fs';
import { debuglog } from 'node:util';
import { checkOptions } from '../../lib/core/check-options.ts';
import { suggest } from '../../lib/core/did-you-mean.ts';
import { COMMANDS, loadCommands } from './commands.ts';
import { type Command, ROUTEBOOK_OPTIONS, type RoutebookOptions } from './frame/command.ts';
import { type CliOption, describeOption, UsageError } from './frame/options.ts';
import { ignoreClosedPipes, isClosedPipe, note, print, toIndented } from './frame/output.ts';
import { describeError } from './frame/system-errors.ts';

/** The option that every command has. */
export const HELP: CliOption = { help: 'Show this.' };

/** `routebook validate FILE [options]` */
export function toUsage({ name, operands }: Pick<Command, 'name' | 'operands'>): string {
  const words = Object.entries(operands).map(([operand, { optional }]) =>
    optional === true ? `[${operand.toUpperCase()}]` : operand.toUpperCase(),
  );
  return ['routebook', name, ...words, '[options]'].join(' ');
}

/** What the exit codes of a command mean. */
export function describeExitCodes({
  exitCodes = {},
}: Pick<Command, 'exitCodes'>): readonly (readonly [code: string, means: string])[] {
  const codes: Readonly<Record<number, string>> = {
    0: 'success',
    1: 'failure; the message says why',
    2: 'wrong arguments',
    ...exitCodes,
  };
  return Object.entries(codes);
}

/** The help of one command. */
function describeCommand(command: Command): string {
  const { operands, options, description = [], examples = [] } = command;
  const rows = [
    ...Object.entries(operands).map(([name, { help }]) => [name.toUpperCase(), help] as const),
    ...Object.entries({ ...options, help: HELP }).map(describeOption),
  ];
  return [
    toUsage(command),
    `${command.summary}.`,
    ...description,
    toIndented(rows),
    ...(examples.length === 0 ? [] : [`Examples:\n${toIndented(examples)}`]),
    `Exit codes:\n${toIndented(describeExitCodes(command))}`,
  ].join('\n\n');
}

/** The list of the commands whose names begin so. */
function describeCommands(beginning = ''): string {
  return [
    'routebook COMMAND [options]',
    toIndented([...COMMANDS].filter(([name]) => name.startsWith(beginning))),
    '"routebook COMMAND --help" explains a command, and "routebook --version" prints the version.',
  ].join('\n\n');
}

const MANIFEST = new URL('../../../package.json', import.meta.url);
const FAILED = 1;
const WRONG_ARGUMENTS = 2;

/** `NODE_DEBUG=routebook` shows where an error was thrown. */
const debug = debuglog('routebook');

const isHelp = (arg: string | undefined): boolean => arg === '--help' || arg === '-h' || arg === 'help';

/** The version of the package. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string }).version;
}

/** @throws UsageError that names the nearest command */
function refuseCommand(words: readonly string[], known: readonly string[]): never {
  const name = words.join(' ');
  throw new UsageError(
    `"${name}" is not a command.${suggest(name, known)} The commands are ${known.join(', ')}.`,
  );
}

/** Runs the command that the first words name: `user add`, or `routes`. */
async function startCommand(
  name: string,
  args: readonly string[],
  options: RoutebookOptions,
): Promise<number> {
  const [command] = await loadCommands([name]);
  if (command === undefined) throw new Error(`the command ${name} is not there`);
  const end = args.indexOf('--');
  if (args.slice(0, end === -1 ? args.length : end).some((arg) => arg === '--help' || arg === '-h')) {
    print((await command.help?.(args, options)) ?? describeCommand(command));
    return 0;
  }
  return command.start(args, options, loadCommands);
}

/** Runs the arguments. @throws what the command throws */
async function run(args: readonly string[], options: RoutebookOptions): Promise<number> {
  const [first, second] = args;
  if (first === '--version') print(readVersion());
  else if (first === undefined || (isHelp(first) && second === undefined)) print(describeCommands());
  if (first === undefined) return WRONG_ARGUMENTS;
  if (first === '--version' || (isHelp(first) && second === undefined)) return 0;
  if (isHelp(first)) return run([...args.slice(1), '--help'], options);
  const pair = `${first} ${second ?? ''}`;
  if (COMMANDS.has(pair)) return startCommand(pair, args.slice(2), options);
  if (COMMANDS.has(first)) return startCommand(first, args.slice(1), options);
  const group = [...COMMANDS.keys()].filter((name) => name.startsWith(`${first} `));
  if (group.length === 0) refuseCommand([first], [...COMMANDS.keys()]);
  if (second !== undefined && !isHelp(second)) refuseCommand([first, second], group);
  print(describeCommands(`${first} `));
  return second === undefined ? WRONG_ARGUMENTS : 0;
}

/**
 * The command `routebook`: runs the command that the arguments name, and resolves with the exit code. Writes to standard output,
 * and errors in one sentence to standard error. 0: success, 1: failure, 2: wrong arguments. With `--workers` every process runs the program again.
 * @throws TypeError for options of the program that are not valid
 */
export async function runRoutebook(args: readonly string[], options: RoutebookOptions = {}): Promise<number> {
  checkOptions('the options of runRoutebook', options, ROUTEBOOK_OPTIONS);
  ignoreClosedPipes();
  try {
    return await run(args, options);
  } catch (error) {
    debug('%o', error);
    if (isClosedPipe(error)) return 0;
    note(describeError(error));
    return error instanceof UsageError ? WRONG_ARGUMENTS : FAILED;
  }
}
