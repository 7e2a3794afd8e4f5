import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT } from './sources.ts';
import { makeFolder, removeFolder } from './temporary.ts';

type Entry = typeof import('../../lib/index.ts');
type MemoryStore = typeof import('../../adapters/memory-store.ts');
type Outbound = typeof import('../../lib/ports/outbound.ts');

/** A second copy of the package, as a plugin with its own node_modules would load it. */
export interface SecondCopy extends Entry, MemoryStore, Outbound {
  /** Removes the files of the copy. Loaded modules keep working. */
  remove(): void;
}

/** Loads the compiled package from copied files, so that each of its classes exists twice. */
export async function loadSecondCopy(): Promise<SecondCopy> {
  const folder = makeFolder();
  try {
    for (const part of ['lib', 'adapters'])
      cpSync(join(PROJECT, 'dist', part), join(folder, part), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href);
    const [entry, store, outbound] = (await Promise.all([
      load('lib/index.js'),
      load('adapters/memory-store.js'),
      load('lib/ports/outbound.js'),
    ])) as [Entry, MemoryStore, Outbound];
    return { ...entry, ...store, ...outbound, remove: () => removeFolder(folder) };
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}
