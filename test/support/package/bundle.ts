import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

/** Folders that import nothing optional and read no file next to themselves, so that one file may take the place of many. */
const FOLDERS = ['lib', 'registry'];
const PLUGINS = 'registry/plugins';
/** Entries that need a part of these folders, which stands in files of its own. */
const LIGHT = { cli: 'adapters/cli/bin.js', plugin: 'registry/plugin.js' };

/** Modules of a file, and those that they import at once. */
interface Chunk {
  readonly name: string;
  readonly test: (id: string) => boolean;
}

function listModules(dist: string): Readonly<Record<string, string>> {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name.slice(0, -'.js'.length), join(dist, name)]),
  );
}

/** The modules below a folder that are loaded with one of them, which are not those that it loads later. */
function listLoaded(entry: string, folder: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (!file.startsWith(folder) || loaded.has(file)) return;
    loaded.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g))
      visit(join(dirname(file), specifier));
  };
  visit(entry);
  return loaded;
}

/** The modules that a light entry loads and none before it. */
function toLight(dist: string, [name, entry]: readonly [string, string]): readonly Chunk[] {
  const loaded = listLoaded(join(dist, entry), dist);
  return FOLDERS.map((folder) => ({
    name: `${folder}/${name}.bundle`,
    test: (id) => loaded.has(id) && id.startsWith(join(dist, folder, '/')),
  }));
}

/** What a plugin declares, and its code, which only a site with the plugin loads. */
function toChunks(dist: string, plugin: string): readonly Chunk[] {
  const folder = join(dist, PLUGINS, plugin, '/');
  const declared = listLoaded(join(folder, 'plugin.js'), folder);
  return [
    { name: `${PLUGINS}/${plugin}/declared.bundle`, test: (id) => declared.has(id) },
    { name: `${PLUGINS}/${plugin}/bundle`, test: (id) => id.startsWith(folder) },
  ];
}

/** The files of the bundle, from below: a module goes to the first one that wants it or imports it. Those of the defaults import every plugin. */
function listChunks(dist: string): readonly Chunk[] {
  const defaults = new Set(['index', 'defaults', 'plugins'].map((name) => join(dist, `registry/${name}.js`)));
  const isBelow = (folder: string) => (id: string) => id.startsWith(join(dist, folder, '/'));
  const isRegistry = isBelow('registry');
  const isPlugin = isBelow(PLUGINS);
  return [
    ...Object.entries(LIGHT).flatMap((light) => toLight(dist, light)),
    { name: 'lib/bundle', test: isBelow('lib') },
    { name: 'registry/bundle', test: (id) => isRegistry(id) && !isPlugin(id) && !defaults.has(id) },
    ...readdirSync(join(dist, PLUGINS)).flatMap((plugin) => toChunks(dist, plugin)),
    { name: 'registry/defaults.bundle', test: (id) => defaults.has(id) },
  ];
}

/** Moves the code of modules into few files; each module only exports from one. Node then reads these in place of hundreds. */
export async function bundle(dist: string): Promise<void> {
  // An older bundle is no module.
  for (const folder of FOLDERS)
    for (const file of readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' }))
      if (/(?:^|[/.])bundle\.js$/.test(file)) rmSync(join(dist, folder, file));
  const chunks = listChunks(dist);
  const bundled = await rolldown({
    input: listModules(dist),
    platform: 'neutral',
    external: /^[^./]/,
    treeshake: false,
    preserveEntrySignatures: 'strict',
  });
  await bundled.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: chunks.map((chunk, index) => Object.assign({ priority: chunks.length - index }, chunk)),
    },
  });
  await bundled.close();
}
