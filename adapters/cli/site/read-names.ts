import { existsSync } from 'node:fs';
import { checkNames, type Names } from '../../../lib/index.ts';
import { NEUTRAL_NAMES, registryDescriptors, WORDPRESS_NAMES } from '../../../registry/index.ts';
import { inFile, readJson } from './read-json.ts';

const PRESETS: ReadonlyMap<string, Names> = new Map([['neutral', NEUTRAL_NAMES], ['wordpress', WORDPRESS_NAMES]]);

/** Every name in the descriptors, including parameters and fields. */
function listNames(): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(registryDescriptors, (name, value: unknown) => {
    names.add(name);
    return value;
  });
  return names;
}

/** The neutral names that a map can rename. */
const WORDS: Readonly<Record<'segments' | 'params', ReadonlySet<string>>> = {
  segments: new Set(registryDescriptors.flatMap(({ namespace, routes }) => `${namespace}/${routes.map(({ pattern }) => pattern).join('/')}`.split('/'))),
  // `_nonce` is read on every route, but declared by none.
  params: new Set([...listNames(), '_nonce']),
};

/** @throws TypeError */
function checkWords(names: Names): void {
  for (const map of ['segments', 'params'] as const) {
    const unknown = Object.keys(names[map]).find((word) => !WORDS[map].has(word));
    if (unknown !== undefined) throw new TypeError(`${map}.${unknown}: no route has this neutral name`);
  }
}

/** The names map in a file; missing names are neutral. @throws TypeError with the file and the error */
async function readFrom(file: string): Promise<Names> {
  const given = await readJson(file);
  return inFile(file, () => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError('a names map must be an object');
    const names = { ...NEUTRAL_NAMES, ...given };
    checkNames(names);
    checkWords(names);
    return names;
  });
}

/** The names map of `--names`: a preset, or one in a file. @throws TypeError */
export async function readNames(names: string): Promise<Names> {
  const preset = PRESETS.get(names);
  if (preset !== undefined) return preset;
  if (!existsSync(names)) throw new TypeError(`--names "${names}": must be neutral, wordpress, or an existing file`);
  return readFrom(names);
}
