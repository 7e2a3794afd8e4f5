import { existsSync } from 'node:fs';
import { isObject } from '../../../lib/core/objects.ts';
import { checkNames, type Names, type Namespace, type NamespaceDescriptor } from '../../../lib/index.ts';
import {
  describeRegistry,
  loadPlugins,
  NEUTRAL_NAMES,
  type Plugin,
  WORDPRESS_NAMES,
} from '../../../registry/site.ts';
import { UsageError } from '../frame/options.ts';
import { inFile, readJson } from './read-json.ts';
import { listFaults } from './site-config.ts';

const PRESETS: ReadonlyMap<string, Names> = new Map([
  ['neutral', NEUTRAL_NAMES],
  ['wordpress', WORDPRESS_NAMES],
]);

/** Routes whose words a map can rename: those of a host and of plugins. */
interface OwnRoutes {
  readonly namespaces: readonly Namespace[];
  readonly plugins: readonly Plugin[];
}

/** Every name in the descriptors, including parameters and fields. */
function listNames(descriptors: readonly NamespaceDescriptor[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(descriptors, (name, value: unknown) => {
    names.add(name);
    return value;
  });
  return names;
}

/** The neutral names that a map can rename. */
function listWords({
  namespaces,
  plugins,
}: OwnRoutes): Readonly<Record<'segments' | 'params', ReadonlySet<string>>> {
  const descriptors = [
    ...describeRegistry(plugins),
    ...plugins.flatMap(({ descriptor }) => descriptor.extends ?? []),
    ...namespaces.map(({ descriptor }) => descriptor),
  ];
  return {
    segments: new Set(
      descriptors.flatMap(({ namespace, routes }) =>
        `${namespace}/${routes.map(({ pattern }) => pattern).join('/')}`.split('/'),
      ),
    ),
    // `_nonce` is read on every route, but declared by none.
    params: new Set([...listNames(descriptors), '_nonce']),
  };
}

/** A check for each name of the document, then one of all together. */
function* listChecks(given: Readonly<Record<string, unknown>>, own: OwnRoutes): Generator<() => void> {
  const words = listWords(own);
  const check = (name: string, value: unknown) => (): void =>
    checkNames({ ...NEUTRAL_NAMES, [name]: value } as Names);
  for (const [name, value] of Object.entries(given)) {
    if ((name !== 'segments' && name !== 'params') || !isObject(value)) {
      yield check(name, value);
      continue;
    }
    for (const [word, wire] of Object.entries(value)) {
      yield check(name, { [word]: wire });
      yield () => {
        if (!words[name].has(word)) throw new TypeError(`${name}.${word}: no route has this neutral name`);
      };
    }
  }
}

/** What is wrong with a names map. Missing names are neutral. */
export function listNameFaults(given: unknown, own: OwnRoutes): readonly string[] {
  if (!isObject(given)) return ['a names map must be an object'];
  const faults = listFaults(listChecks(given, own));
  return faults.length > 0 ? faults : listFaults([() => checkNames({ ...NEUTRAL_NAMES, ...given })]);
}

/** The names map in a file; missing names are neutral. @throws TypeError with the file and the first error */
async function readFrom(file: string, own: OwnRoutes): Promise<Names> {
  const given = await readJson(file);
  return inFile(file, () => {
    const [fault] = listNameFaults(given, own);
    if (fault !== undefined) throw new TypeError(fault);
    return { ...NEUTRAL_NAMES, ...(given as Partial<Names>) };
  });
}

/** The names map of `--names`: a preset, or one in a file, which may rename what the registry and the namespaces of the host have. @throws UsageError, or TypeError for the content of the file */
export async function readNames(
  names: string,
  own: OwnRoutes = { namespaces: [], plugins: [] },
): Promise<Names> {
  const preset = PRESETS.get(names);
  if (preset !== undefined) return preset;
  if (!existsSync(names))
    throw new UsageError(`--names "${names}": must be neutral, wordpress, or an existing file`);
  const plugins = [...new Set([...(await loadPlugins()), ...own.plugins])];
  return readFrom(names, { ...own, plugins });
}
