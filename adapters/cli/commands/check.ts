import { groupBy } from '../../../lib/core/objects.ts';
import {
  exportItems,
  findDangling,
  listMediaPaths,
  listUnknownRoles,
  Parents,
  type Dangling,
} from '../../../registry/transfer/index.ts';
import { defineCommand } from '../frame/command.ts';
import { print, printJson } from '../frame/output.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { findUploadsDirectory } from '../site/uploads-directory.ts';
import { withStore, type CommandStore } from '../site/with-store.ts';
import {
  addMentioned,
  checkLibrary,
  repairLibrary,
  type LibraryFindings,
} from '../transfer/check-library.ts';
import { isSqlite } from '../transfer/copies.ts';

/** What a check found. */
interface Findings extends LibraryFindings {
  /** Damage of the file of the store. */
  readonly damage: readonly string[];
  /** Texts that were changed outside of the store. */
  readonly texts: readonly string[];
  readonly dangling: readonly Dangling[];
  /** Records that are below themselves. */
  readonly circles: readonly string[];
  /** Users with a role that the site does not have. */
  readonly roles: readonly string[];
  /** Files that were removed. */
  readonly removed: readonly string[];
}

async function checkSite(
  { store, collections }: CommandStore,
  {
    media,
    isChosen,
    repairs,
  }: { readonly media: string; readonly isChosen: boolean; readonly repairs: boolean },
): Promise<Findings> {
  const [named, mentioned] = [new Set<string>(), new Set<string>()];
  const [circles, roles, parents]: [string[], string[], Parents] = [[], [], new Parents()];
  const [damage, texts] = isSqlite(store) ? [store.checkIntegrity(), store.checkTexts()] : [[], []];
  const dangling = await findDangling(
    exportItems(store, { collections, everything: true }),
    collections,
    (item) => {
      for (const path of listMediaPaths(item)) named.add(path);
      if (repairs) addMentioned(item.values, mentioned);
      if (!parents.add(item))
        circles.push(
          `${item.collection} ${item.id}: parent is ${String(item.values['parent'])}, so that it is below itself`,
        );
      for (const role of listUnknownRoles(item))
        roles.push(`users ${item.id} (${String(item.values['login'])}): the role ${role} does not exist`);
    },
  );
  const library = await checkLibrary(media, named, isChosen);
  // A library of which no record names a file is that of another site.
  const removed =
    repairs && named.size > 0 && library.library.length === 0
      ? await repairLibrary(
          media,
          library.orphaned.filter((path) => !mentioned.has(path)),
        )
      : [];
  return {
    damage,
    texts,
    dangling,
    circles,
    roles,
    ...library,
    orphaned: library.orphaned.filter((path) => !removed.includes(path)),
    removed,
  };
}

const toLine = ({ collection, id, field, to, ref }: Dangling): string =>
  `${collection} ${id}: ${field} is ${ref}, which is not in ${to}`;

/** A line for each field that refers to what does not exist, with the first of them. */
function toGroups(dangling: readonly Dangling[]): readonly string[] {
  const groups = groupBy(dangling, ({ collection, field, to }) => `${collection} ${field} ${to}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [`${toLine(first)}${others.length === 0 ? '' : `; and ${others.length} more of this kind`}`],
  );
}

/** The lines of a finding. */
const toLines = (findings: Findings, name: keyof Findings): readonly string[] =>
  name === 'dangling' ? toGroups(findings.dangling) : findings[name];

const HEADINGS: readonly (readonly [keyof Findings, string])[] = [
  ['damage', 'The file of the store is damaged. Restore a backup'],
  ['texts', 'Texts that were changed outside of the store. Compare them with a backup'],
  ['dangling', 'References to records that do not exist'],
  ['circles', 'Records that are below themselves'],
  ['roles', 'Users with roles that the site does not have'],
  ['library', 'The media library was not found'],
  ['orphaned', 'Files that no record names'],
  ['missing', 'Files that a record names and that are not there'],
  ['removed', 'Removed, since the upload was cut'],
];

export const check = defineCommand({
  name: 'check',
  summary: 'Look for damage, dangling references, circles of parents, unknown roles and orphaned files',
  description: ['Nothing is changed without --repair.'],
  operands: {},
  options: {
    ...SITE_OPTIONS,
    media: { value: 'DIRECTORY', help: 'Directory of the media library. Default: the one that serve uses.' },
    repair: {
      help: 'Remove files of the library that no record and no text names, if they are an hour old.',
    },
    json: { help: 'Print JSON.' },
  },
  exitCodes: { 1: 'something was found, or the command failed' },
  async run({ values }) {
    const library = {
      media: values.media ?? (await findUploadsDirectory(values)),
      isChosen: values.media !== undefined,
      repairs: values.repair === true,
    };
    const findings = await withStore(values, (opened) => checkSite(opened, library));
    const found = HEADINGS.filter(([name]) => findings[name].length > 0);
    if (values.json) printJson({ ...findings, dangling: findings.dangling.map(toLine) });
    else
      print(
        found.length === 0
          ? 'Nothing was found.'
          : found
              .map(([name, heading]) =>
                [`${heading}:`, ...toLines(findings, name).map((line) => `  ${line}`)].join('\n'),
              )
              .join('\n'),
      );
    return found.length === 0 ? 0 : 1;
  },
});
