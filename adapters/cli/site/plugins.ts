import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { messageOf } from '../../../lib/core/thrown.ts';
import { checkPlugins, loadPlugin, loadPlugins, PLUGIN_NAMES, type Plugin } from '../../../registry/site.ts';
import { UsageError, splitList } from '../frame/options.ts';
import { failIn } from './read-json.ts';

/** Begins with the core alone, instead of the default plugins. */
const NONE = 'none';

/** The plugins that options and configuration name. */
interface PluginChoice {
  /** The default plugins of the site are part of it. */
  readonly withDefaults: boolean;
  /** The named ones, each once. */
  readonly plugins: readonly Plugin[];
}

const isFile = (name: string): boolean =>
  name.startsWith('./') || name.startsWith('../') || isAbsolute(name) || /^[^@/]+\.[cm]?[jt]s$/.test(name);

/** The entry for `import` of a package whose exports have none for `require`. */
function findImportEntry(name: string, folders: readonly string[]): string | null {
  const folder = folders
    .map((each) => join(each, name))
    .find((each) => existsSync(join(each, 'package.json')));
  if (folder === undefined) return null;
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports?: unknown;
  };
  const pick = (value: unknown): string | null => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return null;
    for (const [key, entry] of Object.entries(value))
      if (key === '.' || key === 'import' || key === 'node' || key === 'default') {
        const found = pick(entry);
        if (found !== null) return found;
      }
    return null;
  };
  const entry = pick(exports);
  return entry === null ? null : join(folder, entry);
}

/** The address of the module of a file, or of a package that is installed where the command runs. @throws UsageError if there is none */
function locate(option: string, name: string): string {
  if (isFile(name)) {
    const file = resolve(name);
    if (existsSync(file)) return pathToFileURL(file).href;
    throw new UsageError(`${option} "${name}": there is no file ${file}`);
  }
  const require = createRequire(join(process.cwd(), 'routebook'));
  try {
    return pathToFileURL(require.resolve(name)).href;
  } catch {
    const entry = findImportEntry(name, require.resolve.paths(name) ?? []);
    if (entry !== null) return pathToFileURL(entry).href;
  }
  const known = [...PLUGIN_NAMES, NONE];
  throw new UsageError(
    `${option} "${name}": must be one of ${known.join(', ')}, a file such as ./reading.mjs, or a package that is installed.${suggest(name, known)}`,
  );
}

/** The default export of a module: a plugin, or a list. @throws TypeError that names the module */
async function load(option: string, name: string): Promise<readonly Plugin[]> {
  const address = locate(option, name);
  try {
    const module = (await import(address)) as { readonly default?: unknown };
    if (!('default' in module))
      throw new TypeError(
        'the module has no default export; write export default definePlugin(…), or a list of plugins',
      );
    const plugins = Array.isArray(module.default) ? (module.default as readonly unknown[]) : [module.default];
    checkPlugins('its default export', plugins);
    return plugins;
  } catch (error) {
    throw new TypeError(`${option} "${name}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Loads the plugins that are named: built-in ones, files, and packages. `option`: where they are named, for messages. @throws UsageError, TypeError */
export async function loadNamed(option: string, names: readonly string[]): Promise<PluginChoice> {
  const plugins = new Set<Plugin>();
  for (const name of names.filter((each) => each !== NONE)) {
    const builtIn = await loadPlugin(name);
    for (const plugin of builtIn === null ? await load(option, name) : [builtIn]) plugins.add(plugin);
  }
  return { withDefaults: !names.includes(NONE), plugins: [...plugins] };
}

/** Loads the plugins that a configuration names. @throws TypeError with the file */
export const loadConfigured = (file: string, names: readonly string[]): Promise<PluginChoice> =>
  loadNamed('plugins', names).catch(failIn(file));

/** The default plugins, unless a choice leaves them out, and the chosen ones, each once. */
export async function joinPlugins(
  defaults: readonly string[],
  choices: readonly PluginChoice[],
): Promise<readonly Plugin[]> {
  const begin = choices.every(({ withDefaults }) => withDefaults) ? await loadPlugins(defaults) : [];
  return [...new Set([...begin, ...choices.flatMap(({ plugins }) => plugins)])];
}

/** The names of `--plugins`. @throws UsageError for an empty one */
export function toPluginNames(text: string): readonly string[] {
  const names = splitList(text);
  if (names.includes(''))
    throw new UsageError(
      `--plugins "${text}": must be names separated by commas, such as ./reading.mjs,changes`,
    );
  return names;
}
