import { findFreeNumber } from '../content/slug.ts';
import { numbered } from '../files/library-file.ts';
import type { Media, MediaStorage } from '../host/ports.ts';
import { type MediaRecord, sizesOf } from '../records/media-record.ts';
import type { MediaDeps } from './permissions.ts';

/** Names that are tried after the first one that seems free, because other uploads take names at the same time. */
const ATTEMPTS = 1000;

/** The folder of a path, with a slash at the end; '' for none. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Publishes an arrived file in a folder, with a number after its name if that is taken. @returns its path */
export async function publishFile(
  { storage, sizeOf }: { readonly storage: MediaStorage; readonly sizeOf: Media['size'] },
  id: string,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<string> {
  const toName = (n: number): string => `${folder}${numbered(name, n - 1)}`;
  if (await storage.publish(id, toName(1))) return toName(1);
  const free = await findFreeNumber({ slug: name, toName }, async (paths) => {
    const sizes = await Promise.all(paths.map(sizeOf));
    return new Set(paths.filter((_path, at) => sizes[at] !== null));
  });
  for (let n = free; n < free + ATTEMPTS; n += 1) if (await storage.publish(id, toName(n))) return toName(n);
  throw new Error(`${ATTEMPTS} files in ${folder} have the name ${name}`);
}

/** The paths of a file and of its copies. A file at an address elsewhere has none. */
export function listFiles(media: Pick<MediaRecord, 'file' | 'sizes'>): readonly string[] {
  if (/^https?:\/\//.test(media.file)) return [];
  return [media.file, ...Object.values(sizesOf(media)).map(({ file }) => `${folderOf(media.file)}${file}`)];
}

/** Removes files that nothing refers to. A failure is logged: the response does not depend on it. */
export async function discardFiles(
  { log }: Pick<MediaDeps, 'log'>,
  storage: MediaStorage,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    try {
      await storage.discard(path);
    } catch (error) {
      log({ level: 'error', message: `the file ${path} could not be removed`, error });
    }
  }
}
