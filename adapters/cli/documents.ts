import type { Command } from './command.ts';
import { describeExitCodes, HELP, toUsage } from './help.ts';
import { describeOption } from './options.ts';

type Row = readonly [left: string, right: string];

/** Operands and options with their help, as the help, the man page and the documentation show them. */
function listArguments({ operands, options }: Command): readonly Row[] {
  return [...Object.entries(operands).map(([name, { help }]): Row => [name.toUpperCase(), help]), ...Object.entries({ ...options, help: HELP }).map(describeOption)];
}

const escapeCell = (text: string): string => text.replaceAll('|', String.raw`\|`);

function toMarkdown(command: Command): string {
  const { name, summary, description = [], examples = [], exitCodes = {} } = command;
  const codes = Object.entries(exitCodes).map(([code, means]) => `Exit code ${code}: ${means}.`);
  return [
    `## ${name}`, `${summary}.`, ...description, `\`${toUsage(command)}\``,
    ['| Argument | Meaning |', '|---|---|', ...listArguments(command).map(([left, right]) => `| \`${escapeCell(left)}\` | ${escapeCell(right)} |`)].join('\n'),
    ...examples.length === 0 ? [] : [['```sh', ...examples.map(([line, does]) => `${line}    # ${does}`), '```'].join('\n')],
    ...codes,
  ].join('\n\n');
}

/** The documentation of all commands, docs/commands.md. */
export function toCommandsPage(commands: readonly Command[]): string {
  const list = commands.map(({ name, summary }) => `| [${name}](#${name.replaceAll(' ', '-')}) | ${summary} |`);
  return `${[
    '# Commands',
    'This page is made from the commands themselves, as `--help` and the man page are. In an installed package they are called with `npx routebook`, in a clone with `node dist/adapters/cli/bin.js`; `npm start` is `routebook serve`.',
    ['| Command | Purpose |', '|---|---|', ...list].join('\n'),
    'The exit code is 0 for success, 1 for a failure, which one sentence on standard error explains, and 2 for wrong arguments. `NODE_DEBUG=routebook` shows where an error was thrown.',
    ...commands.map(toMarkdown),
  ].join('\n\n')}\n`;
}

/** Text of a man page: backslashes and lines that begin with a control character are escaped. */
const toRoff = (text: string): string => text.replaceAll('\\', String.raw`\e`).replaceAll('-', String.raw`\-`).replace(/^(?=[.'])/, String.raw`\&`);

function toManSection(command: Command): readonly string[] {
  const { name, summary, description = [], examples = [] } = command;
  return [
    `.SS ${name}`, toRoff(`${summary}.`), '.PP', `.B ${toRoff(toUsage(command))}`,
    ...description.flatMap((paragraph) => ['.PP', toRoff(paragraph)]),
    ...[...listArguments(command), ...examples, ...Object.keys(command.exitCodes ?? {}).length === 0 ? [] : describeExitCodes(command)].flatMap(([left, right]) => ['.TP', `.B ${toRoff(left)}`, toRoff(right)]),
  ];
}

/** The man page of all commands, man/routebook.1. */
export function toManPage(commands: readonly Command[], version: string): string {
  return `${[
    `.TH ROUTEBOOK 1 "" "routebook ${version}"`, '.SH NAME', String.raw`routebook \- serve and manage a content site`, '.SH SYNOPSIS', '.B routebook', '.I COMMAND', '[options]',
    '.SH COMMANDS', ...commands.flatMap(toManSection),
    '.SH EXIT STATUS', ...describeExitCodes({}).flatMap(([code, means]) => ['.TP', `.B ${code}`, toRoff(means)]),
    '.SH ENVIRONMENT', '.TP', '.B NODE_DEBUG=routebook', 'Shows where an error was thrown.',
  ].join('\n')}\n`;
}
