import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Folders that import nothing optional and read no file next to themselves, so that one file may take the place of many. */
const FOLDERS = ['lib', 'registry'];

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

/** Moves the code of all modules of a folder into its `bundle.js`; each module only exports from it. Node then reads one file in place of hundreds. */
export async function bundle(dist: string): Promise<void> {
  // An older bundle is no module.
  for (const folder of FOLDERS) rmSync(join(dist, folder, 'bundle.js'), { force: true });
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
      groups: FOLDERS.map((folder) => ({
        name: `${folder}/bundle`,
        test: (id) => id.startsWith(join(dist, folder)),
      })),
    },
  });
  await bundled.close();
}
