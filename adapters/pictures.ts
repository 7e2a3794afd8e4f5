import type { Sharp } from 'sharp';
import type { MadePicture, Pictures, PictureStep } from '../registry/ports.ts';

/** Options of `createPictures`. */
export interface PicturesOptions {
  /** Most pixels of a picture; a larger one is not decoded. Default 64 million. */
  readonly maxPixels?: number;
}

const MAX_PIXELS = 64_000_000;
/** As in WordPress. */
const QUALITY = 82;

type Write = (picture: Sharp) => Sharp;
type OpenSharp = typeof import('sharp').default;

/** How pictures are written, by media type. */
const WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['image/jpeg', (picture) => picture.jpeg({ quality: QUALITY })],
  ['image/png', (picture) => picture.png()],
  ['image/gif', (picture) => picture.gif()],
  ['image/webp', (picture) => picture.webp({ quality: QUALITY })],
  ['image/avif', (picture) => picture.avif()],
]);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture in pixels: at least one, and inside the picture. */
function toPixels({ left, top, width, height }: Extract<PictureStep, { kind: 'crop' }>, size: Size): { left: number; top: number } & Size {
  const at = (percent: number, length: number): number => Math.min(Math.max(0, Math.round(length * percent / 100)), length - 1);
  const [x, y] = [at(left, size.width), at(top, size.height)];
  const part = (percent: number, length: number, start: number): number => Math.min(Math.max(1, Math.round(length * percent / 100)), length - start);
  return { left: x, top: y, width: part(width, size.width, x), height: part(height, size.height, y) };
}

const STEPS: { readonly [K in PictureStep['kind']]: (picture: Sharp, step: Extract<PictureStep, { kind: K }>, size: Size) => Sharp } = {
  scale: (picture, { width, height, cover }) => picture.resize(width, height, { fit: cover ? 'cover' : 'fill' }),
  crop: (picture, step, size) => picture.extract(toPixels(step, size)),
  rotate: (picture, { angle }) => picture.rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } }),
  flip: (picture, { horizontal, vertical }) => {
    const flipped = vertical ? picture.flip() : picture;
    return horizontal ? flipped.flop() : flipped;
  },
};

/** The package, if the host has installed it. @throws whatever a broken installation throws */
async function loadSharp(): Promise<OpenSharp | null> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'sharp'")) return null;
    throw error;
  }
}

/** sharp orders the operations of one pipeline itself, so each further step reads the pixels that the one before it has made. */
async function applySteps(sharp: OpenSharp, first: Sharp, steps: readonly PictureStep[]): Promise<Sharp> {
  let picture = first;
  let size: Size = (await first.metadata()).autoOrient;
  for (const [index, step] of steps.entries()) {
    if (index > 0) {
      const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
      size = info;
      picture = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    }
    picture = (STEPS[step.kind] as (picture: Sharp, step: PictureStep, size: Size) => Sharp)(picture, step, size);
  }
  return picture;
}

/**
 * Makes pictures with the package `sharp`, which the host installs; without it, there are no types. It is loaded when it is first needed.
 * Pictures are made one after another, because each needs memory for all of its pixels. Of an animation, the first frame is used.
 */
export function createPictures({ maxPixels = MAX_PIXELS }: PicturesOptions = {}): Pictures {
  if (!Number.isSafeInteger(maxPixels) || maxPixels < 1) throw new TypeError(`maxPixels of createPictures is ${String(maxPixels)}; it must be a whole number of 1 or more`);
  let loaded: Promise<OpenSharp | null> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const load = (): Promise<OpenSharp | null> => (loaded ??= loadSharp());
  const make = async (source: Uint8Array, type: string, steps: readonly PictureStep[]): Promise<MadePicture> => {
    const [sharp, write] = [await load(), WRITERS.get(type)];
    if (sharp === null || write === undefined) throw new TypeError(`pictures of the type ${type} cannot be made`);
    const picture = await applySteps(sharp, sharp(source, { limitInputPixels: maxPixels }).autoOrient(), steps);
    const { data, info: { width, height } } = await write(picture).toBuffer({ resolveWithObject: true });
    return { bytes: data, width, height };
  };
  return {
    types: async () => (await load() === null ? [] : [...WRITERS.keys()]),
    make(source, type, steps) {
      const made = last.then(() => make(source, type, steps));
      last = made.catch(() => undefined);
      return made;
    },
  };
}
