import { readFile } from 'node:fs/promises';
import { createFiles } from '../adapters/files.ts';
import { createImportFiles } from '../adapters/import-files.ts';
import { createMediaFiles } from '../adapters/media-files.ts';
import { createUpstream, type Service } from '../adapters/upstream.ts';
import { CONFIGURED_NAMESPACES, type SiteOptions } from '../registry/index.ts';

/**
 * What stands in the file of `--config`; every member may be missing.
 * `namespaces`: members by namespace (docs of each); `services`: connected services by name (docs/upstream.md);
 * `directories`: where media lie, where imports are read, where .mo files are read (`locales`) and written (`output`).
 */
interface ConfigFile {
  readonly namespaces?: SiteOptions['config'];
  readonly services?: Readonly<Record<string, Service>>;
  readonly directories?: { readonly media?: string; readonly imports?: string; readonly locales?: string; readonly output?: string };
}

const MEMBERS = ['namespaces', 'services', 'directories'];
const DIRECTORIES = ['media', 'imports', 'locales', 'output'];

function checkMembers(where: string, value: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(value ?? {}).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new TypeError(`${where}: unknown member "${unknown}"; known are ${known.join(', ')}`);
}

/** Reads a JSON file. @throws TypeError naming the file and what is wrong with it. */
export async function readJson(file: string | URL): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new TypeError(`${String(file)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The part of a site's options that a file can say. @throws TypeError for a file that can not be read, or an unknown member. */
export async function readSiteConfig(file: string | undefined): Promise<Omit<SiteOptions, 'store'>> {
  if (file === undefined) return {};
  const config = await readJson(file) as ConfigFile;
  checkMembers(file, config, MEMBERS);
  const { namespaces, services, directories = {} } = config;
  checkMembers(`${file}: namespaces`, namespaces, CONFIGURED_NAMESPACES);
  checkMembers(`${file}: directories`, directories, DIRECTORIES);
  if ((directories.locales === undefined) !== (directories.output === undefined)) throw new TypeError(`${file}: directories: locales and output go together`);
  const { media, imports, locales, output } = directories;
  return {
    ...(namespaces === undefined ? {} : { config: namespaces }),
    ...(services === undefined ? {} : { upstream: createUpstream(services) }),
    ...(media === undefined ? {} : { media: createMediaFiles(media) }),
    ...(imports === undefined ? {} : { imports: createImportFiles(imports) }),
    ...(locales === undefined || output === undefined ? {} : { files: createFiles({ locales, output }) }),
  };
}
