/** A type of file that can be uploaded. */
interface FileType {
  readonly type: string;
  /** The first one is the extension of files that are stored under another one than they were sent with. */
  readonly extensions: readonly string[];
  /** What files of the type must begin with. */
  readonly content: Content;
}

/**
 * The types of files that can be uploaded: those that WordPress allows by default and that the bytes themselves can prove.
 * No type of which browsers run scripts is in it: no HTML, no SVG, no JavaScript.
 */
const ROWS: readonly (readonly [type: string, extensions: string, content: Content])[] = [
  ['image/jpeg', 'jpg jpeg jpe', 'jpeg'],
  ['image/png', 'png', 'png'],
  ['image/gif', 'gif', 'gif'],
  ['image/webp', 'webp', 'webp'],
  ['image/avif', 'avif', 'avif'],
  ['video/mp4', 'mp4 m4v', 'isom'],
  ['video/quicktime', 'mov qt', 'isom'],
  ['video/webm', 'webm', 'matroska'],
  ['video/x-matroska', 'mkv', 'matroska'],
  ['video/ogg', 'ogv', 'ogg'],
  ['audio/mpeg', 'mp3', 'mp3'],
  ['audio/mpeg', 'm4a m4b', 'isom'],
  ['audio/ogg', 'ogg oga opus', 'ogg'],
  ['audio/flac', 'flac', 'flac'],
  ['audio/wav', 'wav', 'wav'],
  ['text/plain', 'txt asc srt', 'text'],
  ['text/csv', 'csv', 'text'],
  ['text/tab-separated-values', 'tsv', 'text'],
  ['text/calendar', 'ics', 'text'],
  ['text/vtt', 'vtt', 'text'],
  ['application/pdf', 'pdf', 'pdf'],
  ['application/rtf', 'rtf', 'rtf'],
  ['application/zip', 'zip', 'zip'],
  ['application/x-gzip', 'gz gzip', 'gzip'],
  ['application/msword', 'doc', 'ole'],
  ['application/vnd.ms-excel', 'xls', 'ole'],
  ['application/vnd.ms-powerpoint', 'ppt pps', 'ole'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx', 'zip'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx', 'zip'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx', 'zip'],
  ['application/vnd.oasis.opendocument.text', 'odt', 'zip'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods', 'zip'],
  ['application/vnd.oasis.opendocument.presentation', 'odp', 'zip'],
];

export const FILE_TYPES: readonly FileType[] = ROWS.map(([type, extensions, content]) => ({
  type,
  extensions: extensions.split(' '),
  content,
}));

const BY_EXTENSION = new Map(
  FILE_TYPES.flatMap((type) => type.extensions.map((extension) => [extension, type] as const)),
);

/** Bytes from the beginning of a file that `recognise` looks at. */
export const LOOK_BYTES = 64 * 1024;

/** Content by its signature: offset and bytes, as Latin-1 text. The first row that fits decides. */
const SIGNATURES = [
  ['jpeg', 0, '\xFF\xD8\xFF'],
  ['png', 0, '\x89PNG\r\n\x1A\n'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
  ['webp', 8, 'WEBP'],
  ['wav', 8, 'WAVE'],
  ['avif', 4, 'ftypavif'],
  ['avif', 4, 'ftypavis'],
  ['isom', 4, 'ftyp'],
  ['matroska', 0, '\x1A\x45\xDF\xA3'],
  ['ogg', 0, 'OggS'],
  ['flac', 0, 'fLaC'],
  ['mp3', 0, 'ID3'],
  ['mp3', 0, '\xFF\xFB'],
  ['mp3', 0, '\xFF\xF3'],
  ['mp3', 0, '\xFF\xF2'],
  ['pdf', 0, '%PDF-'],
  ['rtf', 0, '{\\rtf'],
  ['zip', 0, 'PK\x03\x04'],
  ['zip', 0, 'PK\x05\x06'],
  ['ole', 0, '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['gzip', 0, '\x1F\x8B'],
  ['program', 0, 'MZ'],
  ['program', 0, '\x7FELF'],
] as const satisfies readonly (readonly [content: string, offset: number, bytes: string])[];

/** Texts by what they contain. The first row that fits decides. */
const TEXTS = [
  ['script', /^(?:\xEF\xBB\xBF)?#!|<\?(?:php|=)/i],
  ['markup', /^(?:\xEF\xBB\xBF)?\s*<(?:[a-z!?])|<(?:html|head|body|script|svg|iframe)[\s>/]/i],
] as const satisfies readonly (readonly [content: string, pattern: RegExp])[];

/** What the first bytes of a file show. `markup`: HTML, SVG or other XML. `script`: a program in text. */
export type Content = (typeof SIGNATURES | typeof TEXTS)[number][0] | 'text' | 'unknown';

const ESCAPE = 27;
/** Control characters that no text has. */
const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== ESCAPE);

/** What the bytes at the beginning of a file show, whatever its name says. */
export function recognise(head: Uint8Array): Content {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, LOOK_BYTES)).toString(
    'latin1',
  );
  const [content] = SIGNATURES.find(([, offset, bytes]) => text.startsWith(bytes, offset)) ?? [];
  if (content === undefined && head.subarray(0, LOOK_BYTES).some(isControl)) return 'unknown';
  return content ?? TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
}

/** The extension of a file name in lower case; '' if it has none. */
export function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** The media type of a file that is served under this name; undefined: not known. */
export function mediaTypeOf(name: string): string | undefined {
  return BY_EXTENSION.get(extensionOf(name))?.type;
}

/** The name and the media type under which a file is stored. */
interface NamedType {
  readonly name: string;
  readonly type: string;
}

/**
 * The name and the type of a file with this content. As in WordPress, a picture that was sent under the extension of another kind of
 * picture gets its own one. null: files with this extension cannot be uploaded, or this is none.
 */
export function decideType(name: string, content: Content): NamedType | null {
  const extension = extensionOf(name);
  const named = BY_EXTENSION.get(extension);
  if (named === undefined) return null;
  if (named.content === content) return { name, type: named.type };
  const actual = FILE_TYPES.find((type) => type.content === content);
  const arePictures = [named, actual].every((type) => type?.type.startsWith('image/') === true);
  return arePictures && actual !== undefined
    ? { name: `${name.slice(0, -extension.length)}${actual.extensions[0]}`, type: actual.type }
    : null;
}

/** Whether a part of a name is the extension of a file that can be uploaded. */
export const isKnownExtension = (extension: string): boolean => BY_EXTENSION.has(extension.toLowerCase());
