import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { isPlainPath, libraryTypeOf } from '../../core/files/library-file.ts';

/** The path of a file below the uploads: the one that the source names, else that of its address; '' if neither is one. */
export function toLibraryPath(named: string, url: string): string {
  const [, path = ''] = /\/uploads\/(?:sites\/\d+\/)?([^?#]+)/.exec(url) ?? [];
  return [named, path].find(isPlainPath) ?? '';
}

/** Pixels or bytes; 0 for anything else. PHP also writes numbers as texts. */
const toSize = (value: unknown): number =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : 0;

/** The smaller copies of a picture. The format of exports and the interface spell the media type differently. */
function toCopies(sizes: unknown): Json {
  const copies = Object.entries(isObject(sizes) ? sizes : {}).flatMap(([name, size]) => {
    const file = isObject(size) ? own(size, 'file') : undefined;
    if (!isObject(size) || typeof file !== 'string' || !isPlainPath(file) || name === 'full') return [];
    const { width, height, filesize, mime_type: type = own(size, 'mime-type') } = size;
    const copy = {
      file,
      width: toSize(width),
      height: toSize(height),
      mime_type: typeof type === 'string' ? type : (libraryTypeOf(file) ?? ''),
      ...(toSize(filesize) === 0 ? {} : { filesize: toSize(filesize) }),
    };
    return [[name, copy] as const];
  });
  return Object.fromEntries(copies);
}

/** What WordPress says of a file. `details`: the meta of an attachment, or what the interface shows of it. */
export function toFileFacts(
  details: unknown,
): Readonly<Record<'width' | 'height' | 'filesize' | 'sizes', Json>> {
  const { width, height, filesize, sizes } = isObject(details) ? details : ({} as Record<string, unknown>);
  return {
    width: toSize(width),
    height: toSize(height),
    filesize: toSize(filesize),
    sizes: toCopies(sizes),
  };
}

/** The status of a file that is neither private nor in the trash is that of its post. */
export const toMediaStatus = (status: string): string =>
  status === 'private' || status === 'trash' ? status : 'inherit';
