import { toDocText, toName, toSignature } from './doc-text.ts';
import type { Declaration, Entry } from './read-entries.ts';

/** File name -> Markdown. */
export type Pages = ReadonlyMap<string, string>;

const keyOf = (declaration: Declaration): string => `${declaration.fileUrlPath ?? ''} ${toName(declaration)}`;
const fileOf = (module: string): string => `${module.replaceAll('/', '-')}.md`;
const toCell = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
/** Angle brackets outside of code would be read as HTML. */
const escape = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('`');

/** The members that no other docstring explains stand in the table as well, with what they are. */
function writeMembers({ members = [] }: Declaration): readonly string[] {
  const shown = members.filter(({ kind }) => kind !== 'CallSignature' && !kind.startsWith('Constructor'));
  if (shown.length === 0) return [];
  return [
    '| Member | Meaning |',
    '|---|---|',
    ...shown.map(
      (member) =>
        `| \`${toCell(toSignature(member).replace(/;$/, ''))}\` | ${toCell(escape(toDocText(member)))} |`,
    ),
    '',
  ];
}

function writeDeclaration(declaration: Declaration): readonly string[] {
  const built = (declaration.members ?? [])
    .filter(({ kind }) => kind.startsWith('Constructor'))
    .map(toSignature);
  return [
    `### ${toName(declaration)}`,
    '',
    escape(toDocText(declaration)),
    '',
    '```ts',
    toSignature(declaration),
    ...built,
    '```',
    '',
    ...writeMembers(declaration),
  ];
}

/** One page. `used`: declarations that no entry exports, but those of this page mention. */
function writePage(module: string, exported: readonly Declaration[], used: readonly Declaration[]): string {
  const byName = (left: Declaration, right: Declaration): number => (toName(left) < toName(right) ? -1 : 1);
  const rest =
    used.length === 0
      ? []
      : [
          '## Types that these use',
          '',
          'No entry exports them by name.',
          '',
          ...used.toSorted(byName).flatMap(writeDeclaration),
        ];
  return [
    `# ${module}`,
    '',
    '## Exports',
    '',
    ...exported.toSorted(byName).flatMap(writeDeclaration),
    ...rest,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/** The reference: a page for each entry, and an index. Each declaration stands once, on the page of the first entry that exports or uses it. */
export function writePages(entries: readonly Entry[]): Pages {
  const exported = new Set(
    entries.flatMap(({ declarations }) =>
      declarations.filter((each) => each.isExported !== false).map(keyOf),
    ),
  );
  const done = new Set<string>();
  const take = (declarations: readonly Declaration[]): readonly Declaration[] =>
    declarations.filter((each) => !done.has(keyOf(each)) && done.add(keyOf(each)));
  const pages = new Map<string, string>();
  for (const { module, declarations } of entries) {
    const own = take(declarations.filter((each) => each.isExported !== false));
    pages.set(
      fileOf(module),
      writePage(
        module,
        own,
        take(declarations.filter((each) => each.isExported === false && !exported.has(keyOf(each)))),
      ),
    );
  }
  const rows = entries.map(
    ({ module, declarations }) =>
      `- [${module}](${fileOf(module)}): ${declarations
        .filter((each) => each.isExported !== false)
        .map((each) => `\`${toName(each)}\``)
        .join(', ')}`,
  );
  return pages.set(
    'index.md',
    [
      '# API reference',
      '',
      'Made from the docstrings, a page for each entry of the package.',
      '',
      ...rows,
      '',
    ].join('\n'),
  );
}
