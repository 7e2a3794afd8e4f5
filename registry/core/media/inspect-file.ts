import type { UploadRules } from '../files/cms-settings.ts';
import { baseOf, cleanName } from '../files/file-name.ts';
import { decideType, LOOK_BYTES, recognise } from '../files/media-types.ts';
import { isPicture, readPicture, type PictureFacts } from '../files/picture-header.ts';
import type { MediaStorage } from '../host/ports.ts';
import type { ArrivedFile } from './receive-file.ts';

/** What the bytes of a file say of it. */
export interface FileFacts {
  /** The name under which it is stored. */
  readonly name: string;
  readonly type: string;
  /** null: it is not a picture. */
  readonly picture: PictureFacts | null;
}

/**
 * Decides name and type of a file by its bytes. Of a picture, only the header is read: one with too many pixels is never decoded.
 * @throws RestError of the file
 */
export async function inspectFile(
  storage: MediaStorage,
  file: ArrivedFile,
  { types, maxPixels }: UploadRules,
): Promise<FileFacts> {
  const read = (offset: number, length: number): Promise<Uint8Array> => storage.read(file.id, offset, length);
  const content = recognise(await read(0, LOOK_BYTES));
  const decided = decideType(cleanName(file.name), content);
  if (decided === null || !types.includes(decided.type) || baseOf(decided.name) === '') throw file.refuse();
  if (!isPicture(content)) return { ...decided, picture: null };
  const picture = await readPicture(content, read);
  if (picture === null) throw file.refuse('The picture is damaged or incomplete.');
  const { width, height } = picture;
  if (width * height > maxPixels)
    throw file.refuse(`The picture has ${width} x ${height} pixels; at most ${maxPixels} are allowed.`);
  return { ...decided, picture };
}
