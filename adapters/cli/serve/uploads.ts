import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporary } from '../../backup/own-files.ts';
import { createMediaFiles, type FoundFile, type MediaFiles } from '../../media-files.ts';
import { DEMO_UPLOADS, toUploadsDirectory } from '../site/uploads-directory.ts';

/** The files of the site, and how they are removed. */
interface OpenedUploads {
  readonly media: MediaFiles;
  /** Removes all files, if they belong to this process alone. */
  clear(): Promise<void>;
  /** Removes the directory, if it was made for this process. */
  close(): Promise<void>;
}

/** The library, and behind it the pictures of the demo. */
function withDemo(library: MediaFiles): MediaFiles {
  const demo = createMediaFiles(DEMO_UPLOADS);
  const find = async (path: string): Promise<FoundFile | null> =>
    (await library.find(path)) ?? demo.find(path);
  return { find, size: async (path) => (await find(path))?.size ?? null, storage: library.storage };
}

const kept = (directory: string): OpenedUploads => ({
  media: withDemo(createMediaFiles(directory, { writable: true })),
  clear: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Files that live as long as the process. */
async function openTemporary(): Promise<OpenedUploads> {
  const directory = makeTemporary('uploads');
  const uploads = join(directory, 'uploads');
  return {
    media: withDemo(createMediaFiles(uploads, { writable: true })),
    clear: () => rm(uploads, { recursive: true, force: true }),
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The directory of uploads: the one that is named, else beside the data of a file store, else `./uploads`; for a memory store one that is removed with it. */
export function openUploads({
  uploads,
  store,
}: {
  readonly uploads: string | undefined;
  readonly store: string;
}): Promise<OpenedUploads> {
  if (uploads !== undefined) return Promise.resolve(kept(uploads));
  if (store === 'memory') return openTemporary();
  return Promise.resolve(kept(toUploadsDirectory(store)));
}
