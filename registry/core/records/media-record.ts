import type { StoredRecord } from '../../../lib/store/store.ts';
import { TYPES } from '../model/built-in.ts';
import type { MetaOfRecord, RecordIn } from './collections.ts';

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
export interface MediaRecord extends RecordIn<'media', { readonly sizes: MetaOfRecord | null }> {}

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
