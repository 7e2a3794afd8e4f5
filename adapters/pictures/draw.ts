import type { Sharp } from 'sharp';
import { codeOf, messageOf } from '../../lib/core/thrown.ts';
import type { PictureStep } from '../../registry/core/host/ports.ts';

/** The program of a process that makes the pictures of one source, then waits to be ended. Whatever a decoder does, it ends with its process. */

/** What the process is told to do. null: it says which types it can make. */
export interface DrawTask {
  readonly source: Uint8Array;
  readonly type: string;
  readonly wanted: readonly (readonly PictureStep[])[];
  readonly maxPixels: number;
  readonly maxMemory: number;
}

/** What the process says, one member at a time. */
export interface DrawMessage {
  readonly types?: readonly string[];
  readonly refused?: string;
  /** The size of the source, whose pixels have been decoded or have turned out to be damaged. */
  readonly size?: Size;
  readonly made?: { readonly bytes: Uint8Array } & Size;
  readonly failure?: unknown;
  /** Nothing more follows. */
  readonly done?: true;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Channels = 1 | 2 | 3 | 4;

/** Decoded pixels. */
interface Raster extends Size {
  readonly data: Uint8Array;
  readonly channels: Channels;
}

type OpenSharp = typeof import('sharp').default;

/** As in WordPress. */
const QUALITY = 82;
/** How often the memory of the process is looked at, in milliseconds. */
const LOOK_MS = 20;

/** The names that sharp has for the media types, and how each is written. */
const FORMATS: ReadonlyMap<string, readonly [format: string, write: (picture: Sharp) => Sharp]> = new Map([
  ['image/jpeg', ['jpeg', (picture) => picture.jpeg({ quality: QUALITY })]],
  ['image/png', ['png', (picture) => picture.png()]],
  ['image/gif', ['gif', (picture) => picture.gif()]],
  ['image/webp', ['webp', (picture) => picture.webp({ quality: QUALITY })]],
  ['image/avif', ['heif', (picture) => picture.avif()]],
] as const);

/** A picture that is refused, with the sentence that callers may read. */
class Refusal extends Error {}

type Crop = Extract<PictureStep, { kind: 'crop' }>;

/** A part of a picture in pixels: at least one, and inside the picture. */
function toPart({ left, top, width, height }: Crop, size: Size): { left: number; top: number } & Size {
  const at = (percent: number, length: number): number =>
    Math.min(Math.max(0, Math.round((length * percent) / 100)), length - 1);
  const [x, y] = [at(left, size.width), at(top, size.height)];
  const part = (percent: number, length: number, start: number): number =>
    Math.min(Math.max(1, Math.round((length * percent) / 100)), length - start);
  return { left: x, top: y, width: part(width, size.width, x), height: part(height, size.height, y) };
}

/** The frame around a picture that was turned. */
function toTurned({ width, height }: Size, angle: number): Size {
  const [cos, sin] = [
    Math.abs(Math.cos((angle * Math.PI) / 180)),
    Math.abs(Math.sin((angle * Math.PI) / 180)),
  ];
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) };
}

/** How a step is made, and the size that it results in. */
type Steps = {
  readonly [K in PictureStep['kind']]: {
    readonly apply: (picture: Sharp, step: Extract<PictureStep, { kind: K }>, size: Size) => Sharp;
    readonly toSize: (size: Size, step: Extract<PictureStep, { kind: K }>) => Size;
  };
};

const STEPS: Steps = {
  scale: {
    apply: (picture, { width, height, cover }) =>
      picture.resize(width, height, { fit: cover ? 'cover' : 'fill' }),
    toSize: (_size, step) => step,
  },
  crop: {
    apply: (picture, step, size) => picture.extract(toPart(step, size)),
    toSize: (size, step) => toPart(step, size),
  },
  rotate: {
    apply: (picture, { angle }) => picture.rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } }),
    toSize: (size, { angle }) => toTurned(size, angle),
  },
  flip: {
    apply: (picture, { horizontal, vertical }) => {
      const flipped = vertical ? picture.flip() : picture;
      return horizontal ? flipped.flop() : flipped;
    },
    toSize: (size) => size,
  },
};

/** The package, if the host has installed it. @throws whatever a broken installation throws */
async function loadSharp(): Promise<OpenSharp | null> {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    if (codeOf(error) === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes("'sharp'")) return null;
    throw error;
  }
}

/** @throws Refusal */
function checkPixels({ width, height }: Size, maxPixels: number): void {
  if (width * height > maxPixels)
    throw new Refusal(`The picture has ${width} x ${height} pixels; at most ${maxPixels} are allowed.`);
}

async function toRaster(picture: Sharp): Promise<Raster> {
  const {
    data,
    info: { width, height, channels },
  } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { data, width, height, channels: channels as Channels };
}

const openRaster = (
  sharp: OpenSharp,
  { data, width, height, channels }: Raster,
  limitInputPixels: number,
): Sharp => sharp(data, { raw: { width, height, channels }, limitInputPixels });

/** sharp orders the operations of one pipeline itself, so each step reads the pixels that the one before it has made. */
async function applySteps(
  sharp: OpenSharp,
  decoded: Raster,
  { steps, maxPixels }: { readonly steps: readonly PictureStep[]; readonly maxPixels: number },
): Promise<Raster> {
  let raster = decoded;
  for (const step of steps) {
    const { apply, toSize } = STEPS[step.kind] as Steps['flip'];
    checkPixels(toSize(raster, step as never), maxPixels);
    raster = await toRaster(apply(openRaster(sharp, raster, maxPixels), step as never, raster));
  }
  return raster;
}

const say = (message: DrawMessage): void => void process.send?.(message);

/** The size of a source, as its decoder reads it. @throws Refusal */
async function measure(sharp: OpenSharp, { source, maxPixels }: DrawTask, format: string): Promise<Size> {
  const facts = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (facts?.format !== format) throw new Refusal('The picture is damaged or incomplete.');
  checkPixels(facts.autoOrient, maxPixels);
  return facts.autoOrient;
}

/** The size from which all wanted pictures can be made: decoders are faster, and need less memory, if they shrink a picture at once. */
function toNeeded({ width, height }: Size, { wanted }: DrawTask): Size {
  const share = Math.max(
    0,
    ...wanted.map(([first]) =>
      first?.kind === 'scale' ? Math.min(1, Math.max(first.width / width, first.height / height)) : 1,
    ),
  );
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/** The pixels of a source. @throws Refusal if they are more than its header says, which decoders notice only now */
async function decode(sharp: OpenSharp, task: DrawTask, size: Size): Promise<Raster> {
  const needed = toNeeded(size, task);
  try {
    return await toRaster(
      sharp(task.source, { limitInputPixels: task.maxPixels })
        .autoOrient()
        .resize(needed.width, needed.height, { fit: 'fill' }),
    );
  } catch (error) {
    throw error instanceof Error && /exceed/i.test(error.message)
      ? new Refusal('The picture has more pixels than its header says.')
      : error;
  }
}

async function draw(task: DrawTask): Promise<void> {
  const [sharp, known] = [await loadSharp(), FORMATS.get(task.type)];
  if (sharp === null || known === undefined)
    throw new TypeError(`pictures of the type ${task.type} cannot be made`);
  const [format, write] = known;
  const { maxPixels } = task;
  const size = await measure(sharp, task, format);
  const decoded = await decode(sharp, task, size).finally(() => say({ size }));
  for (const steps of task.wanted) {
    const {
      data,
      info: { width, height },
    } = await write(
      openRaster(sharp, await applySteps(sharp, decoded, { steps, maxPixels }), maxPixels),
    ).toBuffer({ resolveWithObject: true });
    say({ made: { bytes: data, width, height } });
  }
}

/** Ends the process at once. `exit` would wait for the decoder. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

process.on('disconnect', end);
// A signal to all processes of a group, as of Ctrl-C, ends the program. That ends this process when it no longer needs the picture.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.once('message', ({ task }: { readonly task: DrawTask | null }) => {
  if (task !== null) setInterval(() => process.memoryUsage.rss() > task.maxMemory && end(), LOOK_MS);
  const work =
    task === null
      ? loadSharp().then((sharp) => say({ types: sharp === null ? [] : [...FORMATS.keys()] }))
      : draw(task);
  void work
    .catch((error: unknown) =>
      say(error instanceof Refusal ? { refused: error.message } : { failure: error }),
    )
    .then(() => say({ done: true }));
});
