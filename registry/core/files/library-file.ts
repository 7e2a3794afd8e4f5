import { hasOpenExtension } from './file-name.ts';
import { decideType, extensionOf, mediaTypeOf, recognise } from './media-types.ts';

/** Pictures that are served without scripts. They come with imports alone, because the logos of many sites are such files. */
const SVG = 'svg';
const SVG_TYPE = 'image/svg+xml';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path of the library: plain names, without steps to other folders. */
export function isPlainPath(path: string): boolean {
  return (
    path !== '' &&
    path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\0]/.test(part))
  );
}

/** The media type of a file that the library can have; undefined: it cannot have the file. */
export function libraryTypeOf(path: string): string | undefined {
  return extensionOf(path) === SVG ? SVG_TYPE : mediaTypeOf(path);
}

/** Why the library cannot have a file of this name; undefined if it can. */
export function findNameFault(path: string): string | undefined {
  if (!isPlainPath(path)) return 'its path is not a path of the media library';
  const extension = extensionOf(path);
  if (libraryTypeOf(path) === undefined)
    return extension === ''
      ? 'its name has no extension'
      : `files with the extension .${extension.slice(0, 20)} cannot be uploaded`;
  return hasOpenExtension(nameOf(path))
    ? 'its name has the extension of a program in the middle, and some servers run such files'
    : undefined;
}

/** Why the library cannot have a file with this beginning under this name; undefined if it can. */
export function findContentFault(path: string, head: Uint8Array): string | undefined {
  const content = recognise(head);
  const fits = extensionOf(path) === SVG ? content === 'markup' : decideType(nameOf(path), content) !== null;
  return fits ? undefined : `its content is not that of a .${extensionOf(path)} file`;
}
