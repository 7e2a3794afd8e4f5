import { pathToFileURL } from 'node:url';
import type { ErrorTable } from '../../lib/core/errors.ts';
import { PROJECT, readSources } from './sources.ts';

const SECTION: Readonly<Record<string, string>> = {
  'lib/core/errors.ts': 'engine',
  'lib/ports/upstream.ts': 'connected services',
  'registry/core/content/shortcodes/shortcode-parser.ts': 'builder',
};

/** The first line of the part of `docs/errors.md` that is made from the tables. */
export const CODES_HEADING = '## Codes\n';

/** Names of the exported tables in a source, in any layout. */
export function listTableNames(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /^export const (\w+)(?: = \{(?:(?!^export ).)*?\} as const satisfies |: )ErrorTable\b/gms,
    ),
  ].map((match) => match[1] ?? '');
}

/** All exported error tables, by file. */
export async function listTables(): Promise<readonly (readonly [file: string, table: ErrorTable])[]> {
  const named = readSources('lib', 'registry', 'adapters').flatMap(({ file, text }) =>
    listTableNames(text).map((name) => [file, name] as const),
  );
  return Promise.all(
    named.map(async ([file, name]) => {
      const module = (await import(
        pathToFileURL(`${PROJECT}dist/${file.replace(/\.ts$/, '.js')}`).href
      )) as Readonly<Record<string, ErrorTable>>;
      return [file, module[name] ?? {}] as const;
    }),
  );
}

export function toStatus(status: unknown): string {
  return status === 'denied' ? '401 / 403' : String(status);
}

/** A message as the page shows it: the first sentence. */
const toShown = (message: string): string => message.replace(/(?<=\.) .*$/, '');

const toCodes = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** The codes of a namespace by status, and of a status by message. A code that several tables of a namespace have is shown once. */
function groupCodes(
  tables: readonly ErrorTable[],
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const statuses = new Map<string, Map<string, string[]>>();
  for (const [code, [status, message]] of tables.flatMap((table) => Object.entries(table))) {
    const messages = statuses.get(toStatus(status)) ?? new Map<string, string[]>();
    statuses.set(toStatus(status), messages);
    if ([...messages.values()].some((codes) => codes.includes(code))) continue;
    messages.set(message, [...(messages.get(message) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a.localeCompare(b)));
}

function toParagraph(
  [status, messages]: readonly [string, ReadonlyMap<string, readonly string[]>],
  section: string,
): string {
  if (section === 'cms' || status === toStatus('denied'))
    return `**${status}** ${toCodes([...messages.values()].flat())}`;
  return `**${status}**\n\n${[...messages].map(([message, codes]) => `- ${toCodes(codes)}: ${toShown(message)}`).join('\n')}`;
}

/** The name of the plugin; what the core has is `cms`. */
function toSection(file: string): string {
  const [top, folder = file, plugin = file] = file.split('/');
  if (top !== 'registry') return folder;
  return folder === 'plugins' ? plugin : 'cms';
}

/** The part of `docs/errors.md` that lists every code, by namespace. */
export async function describeErrors(): Promise<string> {
  const sections = new Map<string, ErrorTable[]>();
  for (const [file, table] of await listTables()) {
    const section = SECTION[file] ?? toSection(file);
    sections.set(section, [...(sections.get(section) ?? []), table]);
  }
  const parts = [...sections].map(
    ([section, tables]) =>
      `### ${section}\n\n${[...groupCodes(tables)].map((group) => toParagraph(group, section)).join('\n\n')}\n`,
  );
  return `${CODES_HEADING}\nBy plugin and status. Handlers may send a more specific message; those of \`cms\` are WordPress's and left out here. **401 / 403**: the caller does not have the right. This list is made from the code.\n\n${parts.join('\n')}`;
}
