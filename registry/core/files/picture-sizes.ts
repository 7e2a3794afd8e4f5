import type { PictureStep } from '../host/ports.ts';

/** A smaller copy that is made of every picture. 0: any length. */
interface SizeRule {
  readonly name: string;
  readonly width: number;
  readonly height: number;
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

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the whole picture in a frame. If it fits, the longer side is exactly that of the frame. */
function fit({ width, height }: Size, frame: Size): Size {
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
export interface WantedSize extends Size {
  readonly name: string;
  readonly step: PictureStep;
}

/** The copies of a picture of this size. None of them is as large as the picture, or larger. */
export function listSizes(picture: Size): readonly WantedSize[] {
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
