import { existsSync, statSync } from 'node:fs';
import {
  checkCache,
  checkChangeLog,
  checkPermalink,
  checkSettings,
  CONNECTED_SERVICES,
  listContentFaults,
  listSettingFaults,
  loadPlugins,
  type Plugin,
  readContent,
  SEED_PLUGINS,
  type SiteOptions,
} from '../../../registry/site.ts';
import { createFiles } from '../../files.ts';
import { createImportFiles } from '../../import-files.ts';
import { createMediaFiles, type MediaFiles } from '../../media-files.ts';
import { createUpstream, type Service } from '../../upstream.ts';
import { checkLanguageChoice, type LanguageChoice } from './languages.ts';
import { inFile, readJson } from './read-json.ts';

/** Runs all checks, and returns the messages of those that fail, each once. */
export function listFaults(checks: Iterable<() => unknown>): readonly string[] {
  const faults = new Set<string>();
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      faults.add(error.message);
    }
  }
  return [...faults];
}

type Members = Readonly<Record<string, unknown>>;

/** The file of the working directory that is read where `--config` is not given. */
export const CONFIG_FILE = 'routebook.json';

/** The configuration of a command: the one that is named, or that of the working directory if there is one. */
export const findConfig = (given: string | undefined): string | undefined =>
  given ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);

/** What a configuration can say. */
export const CONFIG_MEMBERS: readonly string[] = [
  'plugins',
  'namespaces',
  'services',
  'directories',
  'content',
  'permalinks',
  'languages',
  'prefixes',
  'defaultLanguage',
  'cache',
  'changeLog',
];
const DIRECTORIES = ['media', 'imports', 'locales', 'output'];
/** Created when something is written there. */
const MADE = 'output';

const isMap = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The object at this place; empty if it is missing. @throws TypeError with the place of another value or of an unknown member */
function toMembers(place: string, value: unknown = {}, known: readonly string[]): Members {
  if (!isMap(value)) throw new TypeError(`${place}: must be an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`${place}: unknown member "${unknown}"; known are ${known.join(', ')}`);
  return value;
}

function toDirectories(place: string, value: unknown): Readonly<Record<string, string>> {
  const members = Object.entries(toMembers(place, value, DIRECTORIES));
  const directories = members.map(([name, path]) => {
    if (typeof path !== 'string' || path === '')
      throw new TypeError(`${place}.${name}: must be the path of a directory`);
    if (name !== MADE && !isDirectory(path))
      throw new TypeError(
        `${place}.${name}: "${path}" is not a directory; make it, or correct the path, which is relative to the working directory`,
      );
    return [name, path] as const;
  });
  return Object.fromEntries(directories);
}

/** What a configuration says of a site. */
export type ConfiguredOptions = Omit<
  SiteOptions,
  'store' | 'media' | 'languages' | 'prefixes' | 'plugins'
> & {
  readonly plugins: readonly Plugin[];
  readonly media?: MediaFiles;
} & LanguageChoice;

/** @throws TypeError that names the wrong member */
function toLanguages({ languages, prefixes, defaultLanguage }: Members): LanguageChoice {
  if (defaultLanguage !== undefined && typeof defaultLanguage !== 'string')
    throw new TypeError('defaultLanguage: must be a language code');
  const choice = { languages, prefixes, defaultLanguage } as LanguageChoice;
  checkLanguageChoice(choice, 'the document');
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** @throws TypeError if only one of them is given */
function checkPair(directories: unknown): void {
  const [hasLocales, hasOutput] = ['locales', 'output'].map(
    (name) => isMap(directories) && Object.hasOwn(directories, name),
  );
  if (hasLocales !== hasOutput) throw new TypeError('directories: locales and output must be given together');
}

/** The names of plugins that a configuration has. @throws TypeError */
export function toNamedPlugins({ plugins = [] }: Members): readonly string[] {
  if (!Array.isArray(plugins) || !plugins.every((name) => typeof name === 'string' && name !== ''))
    throw new TypeError('plugins: must be a list of names, such as ["./reading.mjs", "none"]');
  return plugins as readonly string[];
}

function toOptions(config: Members, plugins: readonly Plugin[]): ConfiguredOptions {
  const { cache, changeLog, content, namespaces, permalinks, services } = config;
  if (permalinks !== undefined) checkPermalink('permalinks', permalinks);
  toNamedPlugins(config);
  if (cache !== undefined && cache !== false) checkCache('cache', cache);
  if (changeLog !== undefined) checkChangeLog('changeLog', changeLog);
  if (namespaces !== undefined) checkSettings('namespaces', namespaces, plugins);
  const { media, imports, locales, output } = toDirectories('directories', config['directories']);
  checkPair(config['directories']);
  return {
    plugins,
    ...toLanguages(config),
    ...(permalinks === undefined ? {} : { permalinks }),
    ...(cache === undefined ? {} : { cache: cache as NonNullable<SiteOptions['cache']> }),
    ...(changeLog === undefined ? {} : { changeLog: changeLog as NonNullable<SiteOptions['changeLog']> }),
    ...(content === undefined ? {} : { content: readContent('content', content) }),
    ...(namespaces === undefined ? {} : { config: namespaces as NonNullable<SiteOptions['config']> }),
    ...(services === undefined
      ? {}
      : {
          upstream: createUpstream(
            toMembers('services', services, CONNECTED_SERVICES) as Readonly<Record<string, Service>>,
          ),
        }),
    ...(media === undefined ? {} : { media: createMediaFiles(media, { writable: true }) }),
    ...(imports === undefined ? {} : { imports: createImportFiles(imports) }),
    ...(locales === undefined || output === undefined ? {} : { files: createFiles({ locales, output }) }),
  };
}

/** What is wrong with a configuration: each member is checked on its own, and those about languages together. */
export function listConfigFaults(value: unknown, plugins: readonly Plugin[]): readonly string[] {
  if (!isMap(value)) return listFaults([() => toMembers('the document', value, CONFIG_MEMBERS)]);
  const { content, namespaces, languages, prefixes, defaultLanguage, ...others } = value;
  const parts = Object.entries(others).flatMap(([name, part]) =>
    name === 'directories' && isMap(part)
      ? Object.entries(part).map(([each, path]) => ({ directories: { [each]: path } }))
      : [{ [name]: part }],
  );
  return [
    ...listFaults(parts.map((part) => () => toMembers('the document', part, CONFIG_MEMBERS))),
    ...listFaults(
      parts
        .filter((part) => Object.keys(part).every((name) => CONFIG_MEMBERS.includes(name)))
        .map(
          (part) => () =>
            'directories' in part
              ? toDirectories('directories', part['directories'])
              : toOptions(part, plugins),
        ),
    ),
    ...listFaults([
      () => toLanguages({ languages, prefixes, defaultLanguage }),
      () => checkPair(others['directories']),
    ]),
    ...(content === undefined ? [] : listContentFaults('content', content)),
    ...(namespaces === undefined ? [] : listSettingFaults('namespaces', namespaces, plugins)),
  ].filter((fault, index, all) => all.indexOf(fault) === index);
}

/** The plugins of a site by the names in its configuration, the file with it, and whether that has the core controllers. */
type ChoosePlugins = (
  named: readonly string[],
  site: { readonly core: boolean | undefined; readonly file: string },
) => Promise<readonly Plugin[]>;

/**
 * The options of a site that a file can hold; every member is optional. `content`: types, taxonomies and meta keys; `permalinks`: addresses of posts; `plugins`: as `--plugins`; `namespaces`: settings by plugin (see the docs of each);
 * `cache`, `changeLog`: as of `createSite`; `services`: connected services by name; `languages`, `prefixes`, `defaultLanguage`: as the options of the command line; `directories`: the directories of media, of imports, and of .mo files to read (`locales`) and to write (`output`).
 * @throws TypeError with the file, the place and the error
 */
export async function readSiteConfig(
  given: string | undefined,
  choose: ChoosePlugins = () => loadPlugins(SEED_PLUGINS),
): Promise<ConfiguredOptions> {
  const file = findConfig(given);
  if (file === undefined) return { plugins: await choose([], { core: undefined, file: '' }) };
  const value = await readJson(file);
  const config = inFile(file, () => toMembers('the document', value, CONFIG_MEMBERS));
  const core = isMap(config['content']) ? config['content']['core'] : undefined;
  const plugins = await choose(
    inFile(file, () => toNamedPlugins(config)),
    { core: typeof core === 'boolean' ? core : undefined, file },
  );
  return inFile(file, () => toOptions(config, plugins));
}
