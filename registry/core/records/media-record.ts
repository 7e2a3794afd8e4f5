import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { TYPES } from '../model/built-in.ts';

/** The type of media, as the model names it. */
export const MEDIA_TYPE = String(TYPES.find(({ storage }) => storage === 'media')?.name);

/** A smaller copy of a picture, in the folder of the picture. */
export interface StoredSize {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly mime_type: string;
  readonly filesize?: number;
}

/** A file of the media library as it is stored. */
export interface MediaRecord extends StoredRecord {
  readonly author: number;
  readonly date: string;
  /** '' in records of older versions: derived from the date. */
  readonly date_gmt: string;
  readonly modified: string;
  readonly modified_gmt: string;
  readonly title: string;
  readonly slug: string;
  readonly alt: string;
  readonly caption: string;
  readonly description: string;
  /** '' or `inherit`: as visible as the post that it is attached to. */
  readonly status: string;
  /** The post that it is attached to; 0 for none. */
  readonly parent: number;
  readonly comment_status: string;
  readonly ping_status: string;
  readonly mime_type: string;
  /** Path below the uploads, or an absolute address. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly filesize: number;
  readonly sizes: { readonly [name: string]: Json } | null;
  /** EXIF orientation of a picture, 1 to 8; 0 or 1: it is stored upright. `width` and `height` are those of the upright picture. */
  readonly orientation: number;
  /** '' for a file that all languages share. */
  readonly language: string;
  readonly group: number;
}

/** The smaller copies of a picture by name. */
export function sizesOf({ sizes }: Pick<MediaRecord, 'sizes'>): Readonly<Record<string, StoredSize>> {
  return (sizes ?? {}) as unknown as Readonly<Record<string, StoredSize>>;
}

export const toMedia = (record: StoredRecord): MediaRecord => record as MediaRecord;

export const isImage = ({ mime_type: type }: Pick<MediaRecord, 'mime_type'>): boolean =>
  type.startsWith('image/');

/** The name of the file without its folders. */
export function nameOfFile({ file }: Pick<MediaRecord, 'file'>): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
