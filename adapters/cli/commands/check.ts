import { existsSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { groupBy } from '../../../lib/core/objects.ts';
import { codeOf } from '../../../lib/core/thrown.ts';
import {
  type Dangling,
  exportItems,
  findDangling,
  listMediaPaths,
  listUnknownRoles,
  Parents,
} from '../../../registry/transfer/index.ts';
import { defineCommand } from '../frame/command.ts';
import { JSON_SWITCH, print, printJson } from '../frame/output.ts';
import { DEMO_UPLOADS, findUploadsDirectory } from '../site/open-store.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { type CommandStore, withStore } from '../site/with-store.ts';
import { isSqlite } from '../transfer/backup-files.ts';

/** What is wrong with the files of a media library. */
interface LibraryFindings {
  /** Why the files could not be checked. */
  readonly library: readonly string[];
  /** Files that no record names. */
  readonly orphaned: readonly string[];
  /** Files that a record names and that are not there. */
  readonly missing: readonly string[];
}

/** Age in milliseconds from which a file belongs to an upload that has ended. */
const SETTLED_AFTER = 3_600_000;
/** Where uploads arrive. */
const ARRIVING = '.arriving';

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** The paths of all files. Hidden ones are not part of the library. null: there is no such directory. */
async function listFiles(directory: string): Promise<readonly string[] | null> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep));
    return paths
      .filter((parts) => parts.every((part) => !part.startsWith('.')))
      .map((parts) => parts.join('/'));
  } catch (error) {
    if (MISSING.has(codeOf(error))) return null;
    throw error;
  }
}

/** Compares the files in a directory with those that records name. `isChosen`: the operator named the directory, so it must exist. */
async function checkLibrary(
  directory: string,
  named: ReadonlySet<string>,
  isChosen: boolean,
): Promise<LibraryFindings> {
  const found = await listFiles(directory);
  const files = new Set(found);
  const demo = new Set(await listFiles(DEMO_UPLOADS));
  const missing = [...named].filter((file) => !files.has(file) && !demo.has(file));
  if (found !== null)
    return { library: [], orphaned: [...files].filter((file) => !named.has(file)), missing };
  const isNeeded = isChosen || missing.length > 0;
  return {
    library: isNeeded
      ? [
          `${directory}: there is no such directory, so that ${missing.length} files of records were not looked for. Name the directory of the uploads with --media`,
        ]
      : [],
    orphaned: [],
    missing: [],
  };
}

/** Adds the paths below the uploads that a text of a record has: a page may show a file that is not in the library. */
function addMentioned(values: object, mentioned: Set<string>): void {
  for (const [, path = ''] of JSON.stringify(values).matchAll(/\/uploads\/([^"'\\\s()<>?#,]+)/g)) {
    mentioned.add(path);
    mentioned.add(
      path.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
    );
  }
}

/** Removes files that uploads have left whose process was killed: orphaned ones that no text mentions, and those that still arrive. Files of the last hour may belong to an upload that is going on. @returns what was removed */
async function repairLibrary(directory: string, orphaned: readonly string[]): Promise<readonly string[]> {
  const arriving = existsSync(join(directory, ARRIVING)) ? await readdir(join(directory, ARRIVING)) : [];
  const removed: string[] = [];
  for (const path of [...orphaned, ...arriving.map((name) => `${ARRIVING}/${name}`)]) {
    const facts = statSync(join(directory, path), { throwIfNoEntry: false });
    if (facts === undefined || Date.now() - facts.mtimeMs < SETTLED_AFTER) continue;
    await rm(join(directory, path), { force: true });
    removed.push(path);
  }
  return removed;
}

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
  description: ['Nothing is changed without --repair.'],
  operands: {},
  options: {
    ...SITE_OPTIONS,
    media: { value: 'DIRECTORY', help: 'Directory of the media library. Default: the one that serve uses.' },
    repair: {
      help: 'Remove files of the library that no record and no text names, if they are an hour old.',
    },
    json: JSON_SWITCH,
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
