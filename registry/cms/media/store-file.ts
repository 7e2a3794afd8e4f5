import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { LogEvent, MediaStorage, Pictures, PictureStep } from '../../ports.ts';
import { baseOf, numbered } from './file-name.ts';
import type { MediaContext } from './media-context.ts';
import { nameOfFile, sizesOf, type MediaRecord, type StoredSize } from './media-record.ts';
import { listSizes, type WantedSize } from './picture-sizes.ts';

/** Names that are tried for a file. */
const ATTEMPTS = 10_000;

/** The folder of a path, with a slash at the end; '' for none. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Publishes an arrived file in a folder, with a number after its name if that is taken. @returns its path */
export async function publishFile(storage: MediaStorage, id: string, { folder, name }: { readonly folder: string; readonly name: string }): Promise<string> {
  for (let n = 0; n < ATTEMPTS; n += 1) {
    const path = `${folder}${numbered(name, n)}`;
    if (await storage.publish(id, path)) return path;
  }
  throw new Error(`${ATTEMPTS} files in ${folder} have the name ${name}`);
}

/** A picture of the library. */
type Picture = Pick<MediaRecord, 'file' | 'mime_type' | 'width' | 'height' | 'sizes'>;

/** The copies that the picture should have and has not. */
export function missingSizes(picture: Picture): readonly WantedSize[] {
  const made = sizesOf(picture);
  return listSizes(picture).filter(({ name }) => !Object.hasOwn(made, name));
}

async function makeSize(pictures: Pictures, { source, picture, wanted }: { readonly source: Uint8Array; readonly picture: Picture; readonly wanted: WantedSize }): Promise<{ size: StoredSize; bytes: Uint8Array }> {
  const step: PictureStep = wanted.step;
  const { bytes, width, height } = await pictures.make(source, picture.mime_type, [step]);
  const name = nameOfFile(picture);
  const base = baseOf(name);
  return { bytes, size: { file: `${base}-${width}x${height}${name.slice(base.length)}`, width, height, mime_type: picture.mime_type, filesize: bytes.length } };
}

/** Whether the host can make pictures of this type. A broken editor is logged, and counts as none. */
export async function canMake({ pictures, log }: Pick<MediaContext, 'pictures' | 'log'>, type: string): Promise<boolean> {
  try {
    return pictures !== undefined && (await pictures.types()).includes(type);
  } catch (error) {
    log({ level: 'error', message: 'the editor of pictures cannot be used', error });
    return false;
  }
}

const failureOf = (picture: Picture, name: string, error: unknown): LogEvent => ({ level: 'warn', message: `the copy ${name} of ${picture.file} could not be made`, error });

/**
 * Makes the missing copies of a picture, as far as the host has an editor. A picture that cannot be decoded keeps those that it has.
 * @returns all copies by name, and the paths that were written
 */
export async function makeSizes(context: Pick<MediaContext, 'pictures' | 'log'>, storage: MediaStorage, picture: Picture): Promise<{ readonly sizes: Readonly<Record<string, Json>>; readonly written: readonly string[] }> {
  const sizes: Record<string, Json> = { ...picture.sizes };
  const written: string[] = [];
  const missing = missingSizes(picture);
  const { pictures, log } = context;
  if (pictures === undefined || missing.length === 0 || !await canMake(context, picture.mime_type)) return { sizes, written };
  const source = await storage.load(picture.file);
  if (source === null) return { sizes, written };
  for (const wanted of missing) {
    try {
      const { size, bytes } = await makeSize(pictures, { source, picture, wanted });
      const path = `${folderOf(picture.file)}${size.file}`;
      await storage.write(path, bytes);
      written.push(path);
      sizes[wanted.name] = { ...size } as Json;
    } catch (error) {
      log(failureOf(picture, wanted.name, error));
    }
  }
  return { sizes, written };
}

/** The paths of a file and of its copies. A file at an address elsewhere has none. */
export function listFiles(media: Pick<MediaRecord, 'file' | 'sizes'>): readonly string[] {
  if (/^https?:\/\//.test(media.file)) return [];
  return [media.file, ...Object.values(sizesOf(media)).map(({ file }) => `${folderOf(media.file)}${file}`)];
}

/** Removes files that nothing refers to. A failure is logged: the response does not depend on it. */
export async function discardFiles({ log }: Pick<MediaContext, 'log'>, storage: MediaStorage, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      await storage.discard(path);
    } catch (error) {
      log({ level: 'error', message: `the file ${path} could not be removed`, error });
    }
  }
}
