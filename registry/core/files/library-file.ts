import { normalize, trimEnd } from '../../../lib/core/text.ts';
import { decideType, extensionOf, isKnownExtension, mediaTypeOf, recognise } from './media-types.ts';

/** Longest name without the suffix of a taken one, in characters. */
const LONGEST = 180;
/** A name that ends like the one of a smaller copy: `a-150x150`. */
const LIKE_A_COPY = /-\d+x\d+$/;

/** Whether a name that a client sends has folders, or characters that no name may have. */
export function isPath(name: string): boolean {
  return /[/\\\0]/.test(name);
}

/** An extension in the middle of a name gets an underscore, because some servers run `a.php.jpg` as a program. */
function closeInner(parts: readonly string[]): readonly string[] {
  return parts.map((part, index) =>
    index > 0 && index < parts.length - 1 && /^[a-z]{2,5}\d?$/i.test(part) && !isKnownExtension(part)
      ? `${part}_`
      : part,
  );
}

/** Extensions of programs that servers run. */
const PROGRAM = /^(?:php\d?|phtml|phar|shtml|cgi|pl|py|asp|aspx|jsp|html?|exe|sh|js)$/i;

/** Whether a name has the extension of a program in the middle. */
export function hasOpenExtension(name: string): boolean {
  return name
    .split('.')
    .slice(1, -1)
    .some((part) => PROGRAM.test(part));
}

/** The name under which a file is stored, as WordPress cleans it: without characters that mean something in addresses or to a shell; '' if nothing remains. */
export function cleanName(name: string): string {
  const plain = normalize(name, 'NFC')
    .replaceAll(/%20|\+/g, '-')
    .replaceAll(/[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\p{Cc}]/gu, '')
    .replaceAll(/[\s\u00A0-]+/g, '-')
    .replace(/^[._-]+/, '');
  const parts = closeInner(trimEnd(plain, '._-').split('.'));
  const extension = parts.length > 1 ? `.${parts.at(-1)}` : '';
  const base = parts.slice(0, parts.length > 1 ? -1 : undefined).join('.');
  return `${base.slice(0, LONGEST).toWellFormed()}${extension}`;
}

/** A name without its extension. */
export function baseOf(name: string): string {
  return name.replace(/\.[^.]+$/, '');
}

/** The name with a number that sets it apart from a taken one: `a-1.png`. 0: the name itself, but never one of a smaller copy. */
export function numbered(name: string, n: number): string {
  const base = baseOf(name);
  const first = LIKE_A_COPY.test(base) ? 1 : 0;
  const number = n + first;
  return number === 0 ? name : `${base}-${number}${name.slice(base.length)}`;
}

/**
 * The file name of a Content-Disposition: `attachment; filename="a.png"`; the quotes are optional. As in WordPress, the type
 * does not matter and `filename*` is not understood. null: it has none.
 */
export function readDisposition(header: string): string | null {
  const [, quoted, plain = ''] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/i.exec(header) ?? [];
  const name = quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(["\\])/g, '$1');
  return name === '' ? null : name;
}

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
