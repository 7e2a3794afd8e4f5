import type { RestError } from '../../../lib/core/errors.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { userOf } from '../accounts/roles.ts';
import { baseOf } from '../files/library-file.ts';
import { toMediaUrl } from '../host/media-url.ts';
import type { MadePicture, PictureStep } from '../host/ports.ts';
import { isImage, type MediaRecord, nameOfFile } from '../records/media-record.ts';
import { canMake } from './make-sizes.ts';
import { type MediaDeps, mediaError } from './permissions.ts';
import type { mediaEditArgs } from './routes.ts';
import { listFiles } from './store-file.ts';
import { addFile, keepOnSuccess, needStorage } from './write-media.ts';

type MediaEditArgs = ArgsOf<typeof mediaEditArgs>;

/** A change of a picture as it is sent. The schema has checked it. */
type Modifier =
  | {
      readonly type: 'flip';
      readonly args: { readonly flip: { readonly horizontal: boolean; readonly vertical: boolean } };
    }
  | { readonly type: 'rotate'; readonly args: { readonly angle: number } }
  | {
      readonly type: 'crop';
      readonly args: {
        readonly left: number;
        readonly top: number;
        readonly width: number;
        readonly height: number;
      };
    };

/** The changes of a request. Without `modifiers`, those of the older parameters. */
function toModifiers({
  modifiers,
  rotation,
  x = 0,
  y = 0,
  width,
  height,
}: MediaEditArgs): readonly Modifier[] {
  if (modifiers !== undefined) return modifiers as unknown as readonly Modifier[];
  const rotated: readonly Modifier[] =
    rotation === undefined ? [] : [{ type: 'rotate', args: { angle: rotation } }];
  return width === undefined || height === undefined
    ? rotated
    : [...rotated, { type: 'crop', args: { left: x, top: y, width, height } }];
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** @throws RestError `rest_image_crop_failed` */
function toCrop(crop: Extract<Modifier, { type: 'crop' }>['args']): PictureStep | null {
  const { left, top, width, height } = crop;
  if (left < 0 || top < 0 || left >= 100 || top >= 100 || width <= 0 || height <= 0)
    throw mediaError('rest_image_crop_failed');
  return left === 0 && top === 0 && width >= 100 && height >= 100
    ? null
    : { kind: 'crop', left, top, width, height };
}

/** The step that a change makes; null: it changes nothing. */
function toStep(modifier: Modifier): PictureStep | null {
  if (modifier.type === 'crop') return toCrop(modifier.args);
  if (modifier.type === 'rotate')
    return modifier.args.angle % 360 === 0 ? null : { kind: 'rotate', angle: modifier.args.angle };
  const { horizontal, vertical } = modifier.args.flip;
  return horizontal || vertical ? { kind: 'flip', horizontal, vertical } : null;
}

/** Whether the address is one of the file or of its copies. It is never requested. */
function isOwnAddress(media: MediaRecord, src: string): boolean {
  const [address = ''] = src.split(/[?#]/, 1);
  return listFiles(media).some((file) => address.endsWith(toMediaUrl('', file)));
}

const refuse = (message?: string): RestError => mediaError('rest_image_not_edited', { message });

/** The picture after the changes. @throws RestError `rest_unknown_attachment` if the file is missing, `rest_unknown_image_file_type`, `rest_image_not_edited` if it breaks a limit */
async function makeEdited(
  context: MediaDeps,
  { identity, signal }: Call,
  { media, steps }: { readonly media: MediaRecord; readonly steps: readonly PictureStep[] },
): Promise<MadePicture> {
  const { pictures, rules, log } = context;
  if (pictures === undefined || !(await canMake(context, media.mime_type)))
    throw mediaError('rest_unknown_image_file_type');
  const source = async (): Promise<Uint8Array> => {
    const bytes = await needStorage(context).load(media.file);
    if (bytes === null) throw mediaError('rest_unknown_attachment');
    return bytes;
  };
  const result = await pictures.make({
    source,
    type: media.mime_type,
    wanted: [steps],
    maxPixels: rules.maxPixels,
    owner: userOf(identity),
    signal,
  });
  if (result.refused !== undefined) throw refuse(result.refused);
  const [made] = result.made;
  if (made !== undefined) return made;
  log({ level: 'warn', message: `the file ${media.id} could not be edited`, error: result.failure });
  throw mediaError('rest_unknown_image_file_type');
}

const withDefault = (sent: { readonly raw?: string } | undefined, raw: string): { readonly raw: string } => ({
  raw: sent?.raw ?? raw,
});

/**
 * Makes a new file of a picture. Texts that are not sent are those of the picture.
 * @throws RestError `rest_unknown_attachment`, `rest_cannot_edit_file_type`, `rest_image_not_edited`, `rest_unknown_image_file_type`, `rest_image_crop_failed`, and as `addFile`
 */
export async function editPicture(
  context: MediaDeps,
  call: Call,
  { media, args }: { readonly media: MediaRecord; readonly args: MediaEditArgs },
): Promise<MediaRecord> {
  if (!isImage(media) || !isOwnAddress(media, args.src)) throw mediaError('rest_unknown_attachment');
  if (!context.rules.types.includes(media.mime_type)) throw mediaError('rest_cannot_edit_file_type');
  const steps = toModifiers(args)
    .map(toStep)
    .filter((step) => step !== null);
  if (steps.length === 0) throw mediaError('rest_image_not_edited');
  const storage = needStorage(context);
  const { bytes, width, height } = await makeEdited(context, call, { media, steps });
  const id = await storage.save(toStream(bytes), { field: '', filename: '', type: media.mime_type });
  const name = nameOfFile(media);
  const base = baseOf(name);
  return keepOnSuccess(context, id, () =>
    addFile(context, call, {
      id,
      size: bytes.length,
      facts: {
        name: `${base.replace(/-edited(?:-\d+)?$/, '')}-edited${name.slice(base.length)}`,
        type: media.mime_type,
        picture: { width, height, orientation: 1 },
      },
      args: {
        title: withDefault(args.title, media.title),
        caption: withDefault(args.caption, media.caption),
        description: withDefault(args.description, media.description),
        alt_text: args.alt_text ?? media.alt,
        ...(args.post === undefined ? {} : { post: args.post }),
      },
      makesSizes: true,
      refuse,
    }),
  );
}
