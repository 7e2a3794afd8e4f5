import { statSync } from 'node:fs';
import { createFiles } from '../../files.ts';
import { createImportFiles } from '../../import-files.ts';
import { createMediaFiles, type MediaFiles } from '../../media-files.ts';
import { createUpstream, type Service } from '../../upstream.ts';
import { checkPermalink, checkSettings, CONNECTED_SERVICES, readContent, type SiteOptions } from '../../../registry/index.ts';
import { checkLanguageChoice, type LanguageChoice } from './languages.ts';
import { inFile, readJson } from './read-json.ts';

type Members = Readonly<Record<string, unknown>>;

const MEMBERS = ['namespaces', 'services', 'directories', 'content', 'permalinks', 'languages', 'prefixes', 'defaultLanguage'];
const DIRECTORIES = ['media', 'imports', 'locales', 'output'];
/** Created when something is written there. */
const MADE = 'output';

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The object at this place; empty if it is missing. @throws TypeError with the place of another value or of an unknown member */
function toMembers(place: string, value: unknown = {}, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${place}: must be an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${place}: unknown member "${unknown}"; known are ${known.join(', ')}`);
  return value as Members;
}

function toDirectories(place: string, value: unknown): Readonly<Record<string, string>> {
  const members = Object.entries(toMembers(place, value, DIRECTORIES));
  const directories = members.map(([name, path]) => {
    if (typeof path !== 'string' || path === '') throw new TypeError(`${place}.${name}: must be the path of a directory`);
    if (name !== MADE && !isDirectory(path)) throw new TypeError(`${place}.${name}: "${path}" is not a directory`);
    return [name, path] as const;
  });
  return Object.fromEntries(directories);
}

/** What a configuration says of a site. */
export type ConfiguredOptions = Omit<SiteOptions, 'store' | 'media' | 'languages' | 'prefixes'> & { readonly media?: MediaFiles } & LanguageChoice;

/** @throws TypeError that names the wrong member */
function toLanguages({ languages, prefixes, defaultLanguage }: Members): LanguageChoice {
  if (defaultLanguage !== undefined && typeof defaultLanguage !== 'string') throw new TypeError('defaultLanguage: must be a language code');
  const choice = { languages, prefixes, defaultLanguage } as LanguageChoice;
  checkLanguageChoice(choice, 'the document');
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

function toOptions(config: Members): ConfiguredOptions {
  const { content, namespaces, permalinks, services } = config;
  if (permalinks !== undefined) checkPermalink('permalinks', permalinks);
  if (namespaces !== undefined) checkSettings('namespaces', namespaces);
  const { media, imports, locales, output } = toDirectories('directories', config['directories']);
  if ((locales === undefined) !== (output === undefined)) throw new TypeError('directories: locales and output must be given together');
  return {
    ...toLanguages(config),
    ...(permalinks === undefined ? {} : { permalinks }),
    ...(content === undefined ? {} : { content: readContent('content', content) }),
    ...(namespaces === undefined ? {} : { config: namespaces as NonNullable<SiteOptions['config']> }),
    ...(services === undefined ? {} : { upstream: createUpstream(toMembers('services', services, CONNECTED_SERVICES) as Readonly<Record<string, Service>>) }),
    ...(media === undefined ? {} : { media: createMediaFiles(media, { writable: true }) }),
    ...(imports === undefined ? {} : { imports: createImportFiles(imports) }),
    ...(locales === undefined || output === undefined ? {} : { files: createFiles({ locales, output }) }),
  };
}

/**
 * The options of a site that a file can hold; every member is optional. `content`: types, taxonomies and meta keys; `permalinks`: addresses of posts; `namespaces`: settings by namespace (see the docs of each);
 * `services`: connected services by name; `languages`, `prefixes`, `defaultLanguage`: as the options of the command line; `directories`: the directories of media, of imports, and of .mo files to read (`locales`) and to write (`output`).
 * @throws TypeError with the file, the place and the error
 */
export async function readSiteConfig(file: string | undefined): Promise<ConfiguredOptions> {
  if (file === undefined) return {};
  const value = await readJson(file);
  return inFile(file, () => toOptions(toMembers('the document', value, MEMBERS)));
}
