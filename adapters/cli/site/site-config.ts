import { existsSync, statSync } from 'node:fs';
import { defined, isObject, own } from '../../../lib/core/objects.ts';
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

const DIRECTORIES = ['media', 'imports', 'locales', 'output'];
/** Created when something is written there. */
const MADE = 'output';

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The object at this place; empty if it is missing. @throws TypeError with the place of another value or of an unknown member */
function toMembers(place: string, value: unknown = {}, known: readonly string[]): Members {
  if (!isObject(value)) throw new TypeError(`${place}: must be an object`);
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
  return defined(choice);
}

/** @throws TypeError if only one of them is given */
function checkPair(directories: unknown): void {
  const [hasLocales, hasOutput] = ['locales', 'output'].map(
    (name) => isObject(directories) && Object.hasOwn(directories, name),
  );
  if (hasLocales !== hasOutput) throw new TypeError('directories: locales and output must be given together');
}

/** The names of plugins that a configuration has. @throws TypeError */
export function toNamedPlugins({ plugins = [] }: Members): readonly string[] {
  if (!Array.isArray(plugins) || !plugins.every((name) => typeof name === 'string' && name !== ''))
    throw new TypeError('plugins: must be a list of names, such as ["./reading.mjs", "none"]');
  return plugins as readonly string[];
}

/** The options that the value of a member gives. @throws TypeError */
type ToOptions = (value: unknown, plugins: readonly Plugin[]) => Partial<ConfiguredOptions>;

/** Languages are read together, because each depends on the others. */
const isOfLanguages: ToOptions = () => ({});

/** What a configuration can say. */
const MEMBERS: Readonly<Record<string, ToOptions>> = {
  plugins(value) {
    toNamedPlugins({ plugins: value });
    return {};
  },
  namespaces(value, plugins) {
    checkSettings('namespaces', value, plugins);
    return { config: value as NonNullable<SiteOptions['config']> };
  },
  services: (value) => ({
    upstream: createUpstream(
      toMembers('services', value, CONNECTED_SERVICES) as Readonly<Record<string, Service>>,
    ),
  }),
  directories(value) {
    const { media, imports, locales, output } = toDirectories('directories', value);
    checkPair(value);
    return defined({
      media: media === undefined ? undefined : createMediaFiles(media, { writable: true }),
      imports: imports === undefined ? undefined : createImportFiles(imports),
      files: locales === undefined || output === undefined ? undefined : createFiles({ locales, output }),
    });
  },
  content: (value) => ({ content: readContent('content', value) }),
  permalinks(value) {
    checkPermalink('permalinks', value);
    return { permalinks: value };
  },
  languages: isOfLanguages,
  prefixes: isOfLanguages,
  defaultLanguage: isOfLanguages,
  cache(value) {
    if (value !== false) checkCache('cache', value);
    return { cache: value as NonNullable<SiteOptions['cache']> };
  },
  changeLog(value) {
    checkChangeLog('changeLog', value);
    return { changeLog: value as NonNullable<SiteOptions['changeLog']> };
  },
};

/** The names of the members of a configuration. */
export const CONFIG_MEMBERS = Object.keys(MEMBERS);

function toOptions(config: Members, plugins: readonly Plugin[]): ConfiguredOptions {
  const options = { plugins, ...toLanguages(config) };
  for (const [name, value] of Object.entries(config))
    Object.assign(options, own(MEMBERS, name)?.(value, plugins));
  return options;
}

/** What is wrong with a configuration: each member is checked on its own, and those about languages together. */
export function listConfigFaults(value: unknown, plugins: readonly Plugin[]): readonly string[] {
  if (!isObject(value)) return listFaults([() => toMembers('the document', value, CONFIG_MEMBERS)]);
  const { content, namespaces, languages, prefixes, defaultLanguage, ...others } = value;
  const checks = Object.entries(others).flatMap(([name, part]): readonly (() => unknown)[] =>
    name === 'directories' && isObject(part)
      ? Object.entries(part).map(
          ([each, path]) =>
            () =>
              toDirectories(name, { [each]: path }),
        )
      : [() => toOptions(toMembers('the document', { [name]: part }, CONFIG_MEMBERS), plugins)],
  );
  const faults = [
    ...listFaults([
      ...checks,
      () => toLanguages({ languages, prefixes, defaultLanguage }),
      () => checkPair(others['directories']),
    ]),
    ...(content === undefined ? [] : listContentFaults('content', content)),
    ...(namespaces === undefined ? [] : listSettingFaults('namespaces', namespaces, plugins)),
  ];
  return [...new Set(faults)];
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
  const core = isObject(config['content']) ? config['content']['core'] : undefined;
  const plugins = await choose(
    inFile(file, () => toNamedPlugins(config)),
    { core: typeof core === 'boolean' ? core : undefined, file },
  );
  return inFile(file, () => toOptions(config, plugins));
}
