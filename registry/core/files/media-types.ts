/** What the first bytes of a file show. `markup`: HTML, SVG or other XML. `script`: a program in text. */
export type Content =
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'isom'
  | 'matroska'
  | 'ogg'
  | 'flac'
  | 'mp3'
  | 'wav'
  | 'pdf'
  | 'rtf'
  | 'zip'
  | 'ole'
  | 'gzip'
  | 'program'
  | 'markup'
  | 'script'
  | 'text'
  | 'unknown';

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
export const FILE_TYPES: readonly FileType[] = [
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg', 'jpe'], content: 'jpeg' },
  { type: 'image/png', extensions: ['png'], content: 'png' },
  { type: 'image/gif', extensions: ['gif'], content: 'gif' },
  { type: 'image/webp', extensions: ['webp'], content: 'webp' },
  { type: 'image/avif', extensions: ['avif'], content: 'avif' },
  { type: 'video/mp4', extensions: ['mp4', 'm4v'], content: 'isom' },
  { type: 'video/quicktime', extensions: ['mov', 'qt'], content: 'isom' },
  { type: 'video/webm', extensions: ['webm'], content: 'matroska' },
  { type: 'video/x-matroska', extensions: ['mkv'], content: 'matroska' },
  { type: 'video/ogg', extensions: ['ogv'], content: 'ogg' },
  { type: 'audio/mpeg', extensions: ['mp3'], content: 'mp3' },
  { type: 'audio/mpeg', extensions: ['m4a', 'm4b'], content: 'isom' },
  { type: 'audio/ogg', extensions: ['ogg', 'oga', 'opus'], content: 'ogg' },
  { type: 'audio/flac', extensions: ['flac'], content: 'flac' },
  { type: 'audio/wav', extensions: ['wav'], content: 'wav' },
  { type: 'text/plain', extensions: ['txt', 'asc', 'srt'], content: 'text' },
  { type: 'text/csv', extensions: ['csv'], content: 'text' },
  { type: 'text/tab-separated-values', extensions: ['tsv'], content: 'text' },
  { type: 'text/calendar', extensions: ['ics'], content: 'text' },
  { type: 'text/vtt', extensions: ['vtt'], content: 'text' },
  { type: 'application/pdf', extensions: ['pdf'], content: 'pdf' },
  { type: 'application/rtf', extensions: ['rtf'], content: 'rtf' },
  { type: 'application/zip', extensions: ['zip'], content: 'zip' },
  { type: 'application/x-gzip', extensions: ['gz', 'gzip'], content: 'gzip' },
  { type: 'application/msword', extensions: ['doc'], content: 'ole' },
  { type: 'application/vnd.ms-excel', extensions: ['xls'], content: 'ole' },
  { type: 'application/vnd.ms-powerpoint', extensions: ['ppt', 'pps'], content: 'ole' },
  {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['docx'],
    content: 'zip',
  },
  {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx'],
    content: 'zip',
  },
  {
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    extensions: ['pptx'],
    content: 'zip',
  },
  { type: 'application/vnd.oasis.opendocument.text', extensions: ['odt'], content: 'zip' },
  { type: 'application/vnd.oasis.opendocument.spreadsheet', extensions: ['ods'], content: 'zip' },
  { type: 'application/vnd.oasis.opendocument.presentation', extensions: ['odp'], content: 'zip' },
];

const BY_EXTENSION = new Map(
  FILE_TYPES.flatMap((type) => type.extensions.map((extension) => [extension, type] as const)),
);

/** Bytes from the beginning of a file that `recognise` looks at. */
export const LOOK_BYTES = 64 * 1024;

/** Content by its signature: offset and bytes, as Latin-1 text. The first row that fits decides. */
const SIGNATURES: readonly (readonly [content: Content, offset: number, bytes: string])[] = [
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
];

/** Texts by what they contain. The first row that fits decides. */
const TEXTS: readonly (readonly [content: Content, pattern: RegExp])[] = [
  ['script', /^(?:\xEF\xBB\xBF)?#!|<\?(?:php|=)/i],
  ['markup', /^(?:\xEF\xBB\xBF)?\s*<(?:[a-z!?])|<(?:html|head|body|script|svg|iframe)[\s>/]/i],
];

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
