import type { Command } from '../../adapters/cli/frame/command.ts';
import { describeOption } from '../../adapters/cli/frame/options.ts';
import { describeExitCodes, HELP, toUsage } from '../../adapters/cli/main.ts';
import { SITE_OPTIONS } from '../../adapters/cli/site/site-options.ts';

type Row = readonly [left: string, right: string];

/** Operands and options with their help, as the help, the man page and the documentation show them. */
function listArguments({ operands, options }: Command): readonly Row[] {
  return [
    ...Object.entries(operands).map(([name, { help }]): Row => [name.toUpperCase(), help]),
    ...Object.entries({ ...options, help: HELP }).map(describeOption),
  ];
}

const toList = (rows: readonly Row[]): string =>
  rows.map(([left, right]) => `- \`${left}\`: ${right}`).join('\n');

const SITE_ROWS = Object.entries(SITE_OPTIONS).map(describeOption);

const HELP_ROW = describeOption(['help', HELP]);

const isSame = (a: Row, b: Row): boolean => a[0] === b[0] && a[1] === b[1];

/** Which commands lack options of a site, and which ones. */
function toSiteSentence(commands: readonly Command[]): string {
  const names = Object.keys(SITE_OPTIONS);
  const byLack = new Map<string, string[]>();
  for (const { name, options } of commands) {
    const lacking = names.filter((option) => !Object.hasOwn(options, option));
    if (lacking.length === 0) continue;
    const lack =
      lacking.length === names.length
        ? 'none of them'
        : `not ${lacking.map((option) => `\`--${option}\``).join(', ')}`;
    byLack.set(lack, [...(byLack.get(lack) ?? []), `\`${name}\``]);
  }
  return `Every command has these options, with exceptions: ${[...byLack].map(([lack, those]) => `${those.join(', ')}: ${lack}`).join('; ')}.`;
}

/** Rows that several commands have alike stand once, above the commands. */
function listCommon(commands: readonly Command[]): readonly Row[] {
  const counts = new Map<string, { readonly row: Row; count: number }>();
  for (const row of commands.flatMap(listArguments)) {
    const seen = counts.get(row.join()) ?? { row, count: 0 };
    counts.set(row.join(), { row, count: seen.count + 1 });
  }
  return [...counts.values()]
    .filter(
      ({ row, count }) =>
        count >= 3 && !isSame(row, HELP_ROW) && !SITE_ROWS.some((site) => isSame(row, site)),
    )
    .map(({ row }) => row);
}

function toMarkdown(command: Command, common: readonly Row[]): string {
  const { name, summary, description = [], examples = [], exitCodes = {} } = command;
  const codes = Object.entries(exitCodes).map(([code, means]) => `Exit code ${code}: ${means}.`);
  const rows = listArguments(command).filter(
    (row) => !isSame(row, HELP_ROW) && !SITE_ROWS.some((site) => isSame(row, site)),
  );
  const own = rows.filter((row) => !common.some((other) => isSame(row, other)));
  const shared = rows.filter((row) => row[0].startsWith('-') && !own.includes(row));
  return [
    `## ${name}`,
    [`${summary}.`, ...description].join(' '),
    ...(Object.keys(command.operands).length === 0
      ? []
      : [`\`${toUsage(command).replace(' [options]', '')}\``]),
    ...(rows.length === 0
      ? []
      : [
          [
            ...own.map(([left, right]) => `- \`${left}\`: ${right}`),
            ...(shared.length === 0 ? [] : [`- ${shared.map(([left]) => `\`${left}\``).join(', ')}`]),
          ].join('\n'),
        ]),
    ...examples
      .slice(0, 1)
      // Without an option, it says what the usage says.
      .filter(([line]) => / --|[|>]/.test(line))
      .map(([line]) => `Example: \`${line}\``),
    ...codes,
  ].join('\n\n');
}

/** The documentation of all commands, docs/commands.md. */
export function toCommandsPage(commands: readonly Command[]): string {
  const common = listCommon(commands);
  return `${[
    '# Commands',
    '`routebook` stands for `npx routebook` in a project, and for `node dist/adapters/cli/bin.js` in a clone. This page is made from the commands.',
    'The exit code is 0 for success, 1 for a failure, which standard error explains, and 2 for wrong arguments. `NODE_DEBUG=routebook` shows where an error was thrown. Every command has `--help`; `man node_modules/routebook/man/routebook.1` shows all.',
    '## Options of a site',
    'Give `serve` and every command that opens the same store the same options, best in one file ([configuration.md](configuration.md#the-same-site-in-every-command)). [Beside a server](stores.md#commands-beside-a-server), a file store may refuse commands.',
    toSiteSentence(commands),
    toList(SITE_ROWS),
    'Several commands have these:',
    toList(common),
    ...commands.map((command) => toMarkdown(command, common)),
  ].join('\n\n')}\n`;
}

/** Text of a man page: backslashes and lines that begin with a control character are escaped. */
const toRoff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^(?=[.'])/, String.raw`\&`);

function toManSection(command: Command): readonly string[] {
  const { name, summary, description = [], examples = [] } = command;
  return [
    `.SS ${name}`,
    toRoff(`${summary}.`),
    '.PP',
    `.B ${toRoff(toUsage(command))}`,
    ...description.flatMap((paragraph) => ['.PP', toRoff(paragraph)]),
    ...[
      ...listArguments(command),
      ...examples,
      ...(Object.keys(command.exitCodes ?? {}).length === 0 ? [] : describeExitCodes(command)),
    ].flatMap(([left, right]) => ['.TP', `.B ${toRoff(left)}`, toRoff(right)]),
  ];
}

/** The man page of all commands, man/routebook.1. */
export function toManPage(commands: readonly Command[], version: string): string {
  return `${[
    `.TH ROUTEBOOK 1 "" "routebook ${version}"`,
    '.SH NAME',
    String.raw`routebook \- serve and manage a content site`,
    '.SH SYNOPSIS',
    '.B routebook',
    '.I COMMAND',
    '[options]',
    '.SH COMMANDS',
    ...commands.flatMap(toManSection),
    '.SH EXIT STATUS',
    ...describeExitCodes({}).flatMap(([code, means]) => ['.TP', `.B ${code}`, toRoff(means)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B NODE_DEBUG=routebook',
    'Shows where an error was thrown.',
  ].join('\n')}\n`;
}
