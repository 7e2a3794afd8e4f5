import { extname } from 'node:path/posix';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { isPlainPath } from '../../core/files/library-file.ts';
import type { ReadResult, Item } from '../items/item.ts';
import { childText } from './wxr-element.ts';
import { readMetaText } from './wxr-meta.ts';
import { found, leftOut, type WxrItem } from './wxr-state.ts';

/** Media types by the ending of a file name. The format does not name them. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  heic: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  ogv: 'video/ogg',
  avi: 'video/avi',
  mp3: 'audio/mpeg',
  m4a: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pdf: 'application/pdf',
  zip: 'application/zip',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  txt: 'text/plain',
  csv: 'text/csv',
  css: 'text/css',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  vtt: 'text/vtt',
};

/** The media type of a file name; '' if it is not known. */
function toMediaType(file: string): string {
  return own(MEDIA_TYPES, extname(file).slice(1).toLowerCase()) ?? '';
}

const toSize = (value: unknown): number =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : 0;

/** The path of a file below the uploads. The address is used if the export does not name the path. */
function toPath(attached: string, url: string): string {
  if (isPlainPath(attached)) return attached;
  const [, path = ''] = /\/uploads\/(?:sites\/\d+\/)?([^?#]+)/.exec(url) ?? [];
  return isPlainPath(path) ? path : '';
}

function toCopies(sizes: unknown): Json {
  if (!isObject(sizes)) return {};
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([name, size]) => {
      if (!isObject(size) || typeof size['file'] !== 'string' || !isPlainPath(size['file'])) return [];
      const { file, width, height, filesize } = size;
      const type = own(size, 'mime-type');
      return [
        [
          name,
          {
            file,
            width: toSize(width),
            height: toSize(height),
            mime_type: typeof type === 'string' ? type : toMediaType(file),
            ...(filesize === undefined ? {} : { filesize: toSize(filesize) }),
          },
        ],
      ];
    }),
  );
}

/** A file of the media library. `common`: the fields that posts have as well. */
export function toMediaValues(
  { element, entries, place, id }: WxrItem,
  { slug = '', ...common }: Item['values'],
): ReadResult {
  const url = childText(element, 'wp:attachment_url').trim();
  const attached = entries.get('_wp_attached_file')?.[0] ?? '';
  const path = toPath(attached, url);
  const isAddress = /^https?:\/\//.test(url);
  if (path === '' && !isAddress)
    return leftOut(place, 'attachment', 'neither the path nor the address of its file is valid');
  const facts = readMetaText(entries.get('_wp_attachment_metadata')?.[0] ?? '');
  const { width, height, filesize, sizes } = isObject(facts) ? facts : ({} as Record<string, unknown>);
  const file = path || url;
  const status = childText(element, 'wp:status');
  return found({
    place,
    collection: 'media',
    id,
    file: { path: path || attached, url: isAddress ? url : '' },
    values: {
      ...common,
      slug,
      file,
      status: status === 'private' || status === 'trash' ? status : 'inherit',
      mime_type: toMediaType(file),
      alt: entries.get('_wp_attachment_image_alt')?.[0] ?? '',
      caption: childText(element, 'excerpt:encoded'),
      description: childText(element, 'content:encoded'),
      width: toSize(width),
      height: toSize(height),
      filesize: toSize(filesize),
      sizes: toCopies(sizes),
    },
  });
}
