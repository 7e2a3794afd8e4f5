import type { Command } from './command.ts';
import { describeOption, toColumns, type CliOption } from './options.ts';

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
export function describeCommand(command: Command): string {
  const { operands, options, description = [], examples = [] } = command;
  const rows = [
    ...Object.entries(operands).map(([name, { help }]) => [name.toUpperCase(), help] as const),
    ...Object.entries({ ...options, help: HELP }).map(describeOption),
  ];
  return [
    toUsage(command),
    `${command.summary}.`,
    ...description,
    toColumns(rows),
    ...(examples.length === 0 ? [] : [`Examples:\n${toColumns(examples)}`]),
    `Exit codes:\n${toColumns(describeExitCodes(command))}`,
  ].join('\n\n');
}

/** The list of commands. */
export function describeCommands(commands: readonly Command[]): string {
  return [
    'routebook COMMAND [options]',
    toColumns(commands.map(({ name, summary }) => [name, summary])),
    '"routebook COMMAND --help" explains a command, and "routebook --version" prints the version.',
  ].join('\n\n');
}
