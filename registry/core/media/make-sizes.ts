import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { userOf } from '../accounts/roles.ts';
import { baseOf } from '../files/library-file.ts';
import { type WantedSize, listSizes } from '../files/picture-sizes.ts';
import type { MediaStorage, MadePicture, PictureResult } from '../host/ports.ts';
import { type MediaRecord, nameOfFile, sizesOf, type StoredSize } from '../records/media-record.ts';
import type { MediaDeps } from './permissions.ts';
import { folderOf } from './store-file.ts';

/** What decoding a picture needs. */
type EditorContext = Pick<MediaDeps, 'pictures' | 'log' | 'rules'>;

/** A picture of the library. */
type Picture = Pick<MediaRecord, 'file' | 'mime_type' | 'width' | 'height' | 'sizes'>;

/** What has become of the copies of a picture. `refused`: why the picture itself is not accepted. */
interface MadeSizes {
  /** All copies by name. */
  readonly sizes: Readonly<Record<string, Json>>;
  readonly refused?: string;
}

/** What is decided about one call of `makeSizes`. `written`: gets the paths of the files that were written. */
interface SizesWork {
  readonly call: Pick<Call, 'identity' | 'signal'>;
  /** Copies to make. Without any, the picture is only decoded. */
  readonly missing: readonly WantedSize[];
  readonly written: string[];
}

const load = async (storage: MediaStorage, file: string): Promise<Uint8Array> => {
  const bytes = await storage.load(file);
  if (bytes === null) throw new Error(`there is no file ${file}`);
  return bytes;
};

/** The copies that the picture should have and has not. */
export function missingSizes(picture: Picture): readonly WantedSize[] {
  const made = sizesOf(picture);
  return listSizes(picture).filter(({ name }) => !Object.hasOwn(made, name));
}

/** A copy as the record names it. */
function toStored(picture: Picture, { bytes, width, height }: MadePicture): StoredSize {
  const name = nameOfFile(picture);
  const base = baseOf(name);
  return {
    file: `${base}-${width}x${height}${name.slice(base.length)}`,
    width,
    height,
    mime_type: picture.mime_type,
    filesize: bytes.length,
  };
}

/** Whether the host can make pictures of this type. A broken editor is logged, and counts as none. */
export async function canMake(
  { pictures, log }: Pick<MediaDeps, 'pictures' | 'log'>,
  type: string,
): Promise<boolean> {
  try {
    return pictures !== undefined && (await pictures.types()).includes(type);
  } catch (error) {
    log({ level: 'error', message: 'the editor of pictures cannot be used', error });
    return false;
  }
}

/** Decodes a picture of the library. @returns its copies; null if the host cannot do it, which is logged */
async function decode(
  { pictures, log, rules }: EditorContext,
  storage: MediaStorage,
  { picture, work: { call, missing } }: { readonly picture: Picture; readonly work: SizesWork },
): Promise<PictureResult | null> {
  const wanted = missing.map(({ step }) => [step]);
  try {
    return (
      (await pictures?.make({
        source: () => load(storage, picture.file),
        type: picture.mime_type,
        wanted,
        maxPixels: rules.maxPixels,
        owner: userOf(call.identity),
        signal: call.signal,
      })) ?? null
    );
  } catch (error) {
    call.signal.throwIfAborted();
    log({ level: 'warn', message: `copies of ${picture.file} could not be made`, error });
    return null;
  }
}

/** Makes copies of a picture, as far as the host has an editor. A picture that cannot be decoded keeps those that it has. */
export async function makeSizes(
  context: EditorContext,
  storage: MediaStorage,
  { picture, work }: { readonly picture: Picture; readonly work: SizesWork },
): Promise<MadeSizes> {
  const sizes: Record<string, Json> = { ...picture.sizes };
  const result = (await canMake(context, picture.mime_type))
    ? await decode(context, storage, { picture, work })
    : null;
  if (result === null) return { sizes };
  if (result.refused !== undefined) return { sizes, refused: result.refused };
  const { width, height, made, failure } = result;
  if (width !== picture.width || height !== picture.height)
    return {
      sizes,
      refused: `The picture has ${width} x ${height} pixels, and its header says ${picture.width} x ${picture.height}.`,
    };
  if (failure !== undefined)
    context.log({
      level: 'warn',
      message: `${work.missing.length - made.length} copies of ${picture.file} could not be made`,
      error: failure,
    });
  for (const [index, copy] of made.entries()) {
    const stored = toStored(picture, copy);
    const path = `${folderOf(picture.file)}${stored.file}`;
    await storage.write(path, copy.bytes);
    work.written.push(path);
    sizes[String(work.missing[index]?.name)] = { ...stored } as Json;
  }
  return { sizes };
}
