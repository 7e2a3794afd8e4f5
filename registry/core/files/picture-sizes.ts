import { oneOf } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import type { PictureStep } from '../host/ports.ts';

/** Width and height of a picture in pixels, as it is uploaded. */
export interface PictureSize {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
}

/** Sizes of pictures by the ids of their records. */
export type ReadPictureSizes = (ids: readonly number[]) => Promise<ReadonlyMap<number, PictureSize>>;

/** Pictures of one text whose sizes are read. */
const MOST = 100;

/** Reads the sizes of pictures that a text shows, so that a page keeps their places while they load. Unknown ones are left out. */
export function createReadPictureSizes(store: Store): ReadPictureSizes {
  return async (ids) => {
    if (ids.length === 0) return new Map();
    const { records } = await store.find({
      collection: 'media',
      where: oneOf('id', ids.slice(0, MOST)),
      fields: ['width', 'height'],
    });
    return new Map(
      records
        .map(({ id, width, height }) => [id, { width: Number(width), height: Number(height) }] as const)
        .filter(([, { width, height }]) => width > 0 && height > 0),
    );
  };
}

/** A smaller copy that is made of every picture. 0: any length. */
interface SizeRule extends PictureSize {
  readonly name: string;
  /** Fills the size and cuts off what does not fit. Default: the whole picture fits into the size. */
  readonly crop?: true;
}

/** The copies of a picture, as in WordPress. */
export const PICTURE_SIZES: readonly SizeRule[] = [
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768, height: 0 },
  { name: 'large', width: 1024, height: 1024 },
  { name: '1536x1536', width: 1536, height: 1536 },
  { name: '2048x2048', width: 2048, height: 2048 },
];

/** The size of the whole picture in a frame. If it fits, the longer side is exactly that of the frame. */
function fit({ width, height }: PictureSize, frame: PictureSize): PictureSize {
  const across = (frame.width || Infinity) / width;
  const down = (frame.height || Infinity) / height;
  const larger = Math.max(across, down);
  const fitsLarger =
    Number.isFinite(larger) &&
    Math.round(width * larger) <= (frame.width || Infinity) &&
    Math.round(height * larger) <= (frame.height || Infinity);
  const ratio = fitsLarger ? larger : Math.min(across, down);
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

/** A copy to be made. */
export interface WantedSize extends PictureSize {
  readonly name: string;
  readonly step: PictureStep;
}

/** The copies of a picture of this size. None of them is as large as the picture, or larger. */
export function listSizes(picture: PictureSize): readonly WantedSize[] {
  return PICTURE_SIZES.flatMap(({ name, crop = false, ...frame }) => {
    const { width, height } = crop
      ? { width: Math.min(frame.width, picture.width), height: Math.min(frame.height, picture.height) }
      : fit(picture, frame);
    const isSmaller =
      width <= picture.width &&
      height <= picture.height &&
      !(picture.width - width <= 1 && picture.height - height <= 1);
    return isSmaller
      ? [{ name, width, height, step: { kind: 'scale', width, height, cover: crop } as const }]
      : [];
  });
}
