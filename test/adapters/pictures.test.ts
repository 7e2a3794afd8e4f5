import sharp, { type Sharp } from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPictures } from '../../adapters/pictures.ts';
import { createOwnerQueue } from '../../adapters/pictures/owner-queue.ts';
import type { PictureResult, PictureStep, PictureWork } from '../../registry/core/host/ports.ts';
import { isAll } from '../support/long-mode.ts';

const flat = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } });
const png = await flat(64, 64).png().toBuffer();

const toWork = (bytes: Uint8Array, work: Partial<PictureWork> = {}): PictureWork => ({
  source: () => Promise.resolve(bytes),
  type: 'image/png',
  wanted: [],
  owner: 1,
  ...work,
});
const turns = (count: number): readonly PictureStep[] =>
  Array.from({ length: count }, () => ({ kind: 'rotate', angle: 45 }));

function sizesOf(result: PictureResult): readonly (readonly number[])[] {
  return result.refused === undefined ? result.made.map(({ width, height }) => [width, height]) : [];
}

/** Steps to a picture whose left half is red and whose right half is blue, the size that they make, a red pixel and a blue one. */
const DRAWN: readonly (readonly [
  steps: readonly PictureStep[],
  size: readonly [number, number],
  red: readonly [number, number],
  blue: readonly [number, number],
])[] = [
  [[{ kind: 'flip', horizontal: true, vertical: false }], [80, 40], [78, 2], [2, 2]],
  [[{ kind: 'flip', horizontal: false, vertical: true }], [80, 40], [2, 2], [78, 2]],
  [[{ kind: 'rotate', angle: 90 }], [40, 80], [20, 2], [20, 78]],
  [[{ kind: 'crop', left: 25, top: 0, width: 50, height: 50 }], [40, 20], [2, 2], [38, 2]],
  [
    [
      { kind: 'rotate', angle: 180 },
      { kind: 'crop', left: 40, top: 50, width: 60, height: 50 },
    ],
    [48, 20],
    [46, 2],
    [2, 2],
  ],
];

const drawn = suite('pictures');

drawn('are flipped, rotated and cropped, in order', async () => {
  const half = await flat(40, 40).png().toBuffer();
  const source = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#33c' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
  const result = await createPictures().make(toWork(source, { wanted: DRAWN.map(([steps]) => steps) }));
  assert.equal(
    sizesOf(result),
    DRAWN.map(([, size]) => size),
  );
  for (const [index, [, , red, blue]] of DRAWN.entries()) {
    const isRed = async ([left, top]: readonly [number, number]): Promise<boolean> => {
      const [first = 0, , third = 0] = await sharp(
        result.refused === undefined ? result.made[index]?.bytes : '',
      )
        .extract({ left, top, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer();
      return first > third;
    };
    assert.equal([await isRed(red), await isRed(blue)], [true, false], String(index));
  }
});

drawn.run();

const limits = suite('limits of pictures');

limits('hold for the source in every format, also for animated pictures', async () => {
  const { make } = createPictures({ maxPixels: 4095 });
  for (const type of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
    const work = {
      type: `image/${type}`,
      wanted: [[{ kind: 'scale', width: 8, height: 8, cover: false }]] as const,
    };
    // Other tests make these of a JPEG and a PNG, and the animated ones below are refused in the same way.
    if (!isAll && (type === 'jpeg' || type === 'png')) continue;
    if (isAll || type === 'avif') {
      const refused = await make(toWork(await flat(64, 64).toFormat(type).toBuffer(), work));
      assert.is(refused.refused, 'The picture has 64 x 64 pixels; at most 4095 are allowed.', type);
    }
    assert.equal(
      sizesOf(await make(toWork(await flat(63, 65).toFormat(type).toBuffer(), work))),
      [[8, 8]],
      type,
    );
  }
  for (const type of ['gif', 'webp'] as const) {
    const pages = await sharp([png, png], { join: { animated: true } })
      .toFormat(type)
      .toBuffer();
    assert.match((await make(toWork(pages, { type: `image/${type}` }))).refused ?? '', /64 x 64/);
  }
});

limits('hold after each step, and the lower one counts', async () => {
  const pictures = createPictures({ maxPixels: 20_000 });
  // Each rotation makes the frame about twice as large, and only the middle steps exceed the limit.
  const crop: PictureStep = { kind: 'crop', left: 0, top: 0, width: 1, height: 1 };
  const refused = await pictures.make(toWork(png, { wanted: [[...turns(3), crop]] }));
  assert.match(refused.refused ?? '', /at most 20000 are allowed/);
  assert.equal(sizesOf(await pictures.make(toWork(png, { wanted: [turns(2)] }))), [[129, 129]]);
  assert.match(
    (await pictures.make(toWork(png, { wanted: [turns(2)], maxPixels: 10_000 }))).refused ?? '',
    /at most 10000 are allowed/,
  );
});

limits('decode a picture of the declared type alone', async () => {
  const { make } = createPictures();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>';
  const others = isAll ? [await flat(9, 9).gif().toBuffer(), Buffer.from('words')] : [];
  for (const bytes of [Buffer.from(svg), ...others]) {
    assert.equal(await make(toWork(bytes)), { refused: 'The picture is damaged or incomplete.' });
  }
});

limits('of time and of memory end the work', async () => {
  const large = await flat(2000, 2000).png().toBuffer();
  const wanted = [turns(1)];
  for (const options of [{ timeoutMs: 1 }, { maxMemory: 1 }]) {
    assert.equal(
      await createPictures(options).make(toWork(large, { wanted })),
      { refused: 'The picture takes more time or memory than is allowed.' },
      JSON.stringify(options),
    );
  }
  const controller = new AbortController();
  const work = createPictures()
    .make(toWork(large, { wanted, signal: controller.signal }))
    .catch((error: unknown) => (error as Error).name);
  controller.abort();
  assert.is(await work, 'AbortError');
});

limits('of a picture with damaged pixels make nothing, and its size is known', async () => {
  const noise = await sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();
  const result = await createPictures().make(toWork(noise.subarray(0, 2000), { wanted: [turns(1)] }));
  assert.ok(result.refused === undefined && result.failure instanceof Error);
  assert.equal([result.width, result.height, result.made], [64, 64, []]);
});

limits('of time that end the question for types cost no other question', async () => {
  await createPictures({ timeoutMs: 1 })
    .types()
    .then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, Error),
    );
  assert.ok((await createPictures().types()).includes('image/png'));
});

limits('are whole numbers', () => {
  for (const name of ['maxPixels', 'maxMemory', 'timeoutMs'])
    assert.throws(() => createPictures({ [name]: 0.5 }), new RegExp(`${name} of createPictures is 0.5`));
});

limits.run();

const fair = suite('turns');

fair('let one owner with much work delay another by one piece of it', async () => {
  const inTurn = createOwnerQueue(2);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (owner: number, name: string): Promise<void> =>
    inTurn(owner, () => {
      started.push(name);
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
  const work = [add(1, 'a1'), add(1, 'a2'), add(1, 'a3'), add(2, 'b1'), add(2, 'b2'), add(3, 'c1')];
  const seen: string[] = [];
  while (seen.length < work.length) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    seen.push(started.join(' '));
    ends.shift()?.();
  }
  assert.equal(seen, [
    'a1 b1',
    'a1 b1 c1',
    'a1 b1 c1 a2',
    'a1 b1 c1 a2 b2',
    'a1 b1 c1 a2 b2 a3',
    'a1 b1 c1 a2 b2 a3',
  ]);
  await Promise.all(work);
});

fair('go on after work that fails', async () => {
  const inTurn = createOwnerQueue(1);
  const failing = inTurn(1, () => Promise.reject(new Error('no'))).catch(
    (error: unknown) => (error as Error).message,
  );
  assert.equal([await failing, await inTurn(1, () => Promise.resolve('yes'))], ['no', 'yes']);
});

fair.run();
