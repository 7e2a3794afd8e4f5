import type { Content } from './media-types.ts';

/** What the header of a picture says of it, before anything is decoded. */
export interface PictureFacts {
  /** Pixels, as the picture is shown: turned upright. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation of the file, 1 to 8; 1: it is stored upright. */
  readonly orientation: number;
}

/** Reads bytes of the file from an offset; fewer at its end. */
type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

type Size = readonly [width: number, height: number];

/** Bytes of a file, beyond whose end there are zeros. */
async function viewAt(read: ReadAt, offset: number, length: number): Promise<DataView> {
  const bytes = new Uint8Array(length);
  bytes.set(await read(offset, length));
  return new DataView(bytes.buffer);
}

/** Most segments before the size of a JPEG. */
const SEGMENTS = 1000;
const SIDEWAYS = 5;

/** The orientation in an EXIF segment (TIFF 6.0, tag 0x0112 of the first directory); 1 if it has none. */
function readOrientation(exif: DataView): number {
  if (exif.byteLength < 20 || exif.getUint32(0) !== 0x45_78_69_66) return 1;
  const tiff = new DataView(exif.buffer, exif.byteOffset + 6, exif.byteLength - 6);
  const isLittle = tiff.getUint16(0) === 0x49_49;
  const start = tiff.getUint32(4, isLittle);
  if (start + 2 > tiff.byteLength) return 1;
  const count = tiff.getUint16(start, isLittle);
  for (let entry = start + 2; entry < start + 2 + count * 12 && entry + 10 <= tiff.byteLength; entry += 12) {
    if (tiff.getUint16(entry, isLittle) !== 0x01_12) continue;
    const value = tiff.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Start of frame, but neither of the markers among them that have other meanings (ITU T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

async function readJpeg(read: ReadAt): Promise<PictureFacts | null> {
  let orientation = 1;
  for (let offset = 2, count = 0; count < SEGMENTS; count += 1) {
    const head = await viewAt(read, offset, 9);
    if (head.getUint8(0) !== 0xff) return null;
    const marker = head.getUint8(1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const length = head.getUint16(2);
    if (isFrame(marker)) {
      const [height, width] = [head.getUint16(5), head.getUint16(7)];
      return orientation >= SIDEWAYS
        ? { width: height, height: width, orientation }
        : { width, height, orientation };
    }
    if (marker === 0xe1)
      orientation = Math.max(orientation, readOrientation(await viewAt(read, offset + 4, length)));
    offset += 2 + length;
  }
  return null;
}

async function readWebp(read: ReadAt): Promise<Size | null> {
  const view = await viewAt(read, 12, 18);
  const kind = view.getUint32(0);
  if (kind === 0x56_50_38_58)
    return [
      (view.getUint32(12, true) & 0xff_ff_ff) + 1,
      ((view.getUint16(15, true) | (view.getUint8(17) << 16)) & 0xff_ff_ff) + 1,
    ];
  if (kind === 0x56_50_38_20) return [view.getUint16(14, true) & 0x3f_ff, view.getUint16(16, true) & 0x3f_ff];
  if (kind !== 0x56_50_38_4c) return null;
  const bits = view.getUint32(9, true);
  return [(bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1];
}

/** The largest size that the properties of the file name: those of a grid are larger than those of its tiles (ISO/IEC 23008-12, `ispe`). */
async function readAvif(read: ReadAt): Promise<Size | null> {
  const head = Buffer.from((await viewAt(read, 0, 64 * 1024)).buffer);
  let found: Size | null = null;
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const size: Size = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)];
    if (found === null || size[0] * size[1] > found[0] * found[1]) found = size;
  }
  return found;
}

async function readFixed(read: ReadAt, offset: number, toSize: (view: DataView) => Size): Promise<Size> {
  return toSize(await viewAt(read, offset, 8));
}

type ReadFacts = (read: ReadAt) => Promise<PictureFacts | null>;

const upright =
  (readSize: (read: ReadAt) => Promise<Size | null>): ReadFacts =>
  async (read) => {
    const size = await readSize(read);
    return size === null ? null : { width: size[0], height: size[1], orientation: 1 };
  };

const READERS: ReadonlyMap<Content, ReadFacts> = new Map<Content, ReadFacts>([
  ['jpeg', readJpeg],
  ['png', upright((read) => readFixed(read, 16, (view) => [view.getUint32(0), view.getUint32(4)]))],
  [
    'gif',
    upright((read) => readFixed(read, 6, (view) => [view.getUint16(0, true), view.getUint16(2, true)])),
  ],
  ['webp', upright(readWebp)],
  ['avif', upright(readAvif)],
]);

/** Whether files with this content are pictures. */
export const isPicture = (content: Content): boolean => READERS.has(content);

/** The size of a picture. null: its header is damaged or incomplete. */
export async function readPicture(content: Content, read: ReadAt): Promise<PictureFacts | null> {
  const facts = (await READERS.get(content)?.(read)) ?? null;
  return facts !== null && facts.width > 0 && facts.height > 0 ? facts : null;
}
