import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMediaFiles } from '../../../../adapters/media-files.ts';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import type { PictureStep } from '../../../../registry/core/host/ports.ts';
import { publishFile } from '../../../../registry/core/media/store-file.ts';
import { collections } from '../../../../registry/index.ts';
import {
  askJson,
  createFakePictures,
  type MediaSite,
  type UploadAnswer,
  uploadBody,
  uploadForm,
  withMediaSite,
} from '../../../support/media-site.ts';
import { inFolder } from '../../../support/temporary.ts';

interface Size {
  readonly file: string;
  readonly width: number;
  readonly height: number;
}
interface Details {
  readonly width: number;
  readonly height: number;
  readonly file: string;
  readonly sizes: Readonly<Record<string, Size>>;
}

const detailsOf = ({ body }: UploadAnswer): Details => body['media_details'] as Details;
const picture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } });

/** A picture whose left half is red and whose right half is blue. */
async function redAndBlue(width: number, height: number): Promise<Buffer> {
  const half = await picture(width / 2, height)
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#33c' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** Whether a pixel is red. */
async function isRed(path: string, left: number, top: number): Promise<boolean> {
  const [red = 0, , blue = 0] = await sharp(path)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return red > blue;
}

const pathOf = ({ folder }: MediaSite, answer: UploadAnswer): string => join(folder, detailsOf(answer).file);

function send(
  site: MediaSite,
  path: string,
  {
    method = 'POST',
    body,
    login = 'administrator',
  }: { readonly method?: string; readonly body?: object; readonly login?: string } = {},
): Promise<UploadAnswer> {
  return askJson(`${site.media}${path}`, {
    method,
    headers: { ...site.as(login), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A store whose answers take a while, so that writes of the same moment read the same state. */
const toSlowStore = (store: Store): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'find') return member.bind(target) as unknown;
      return async (...args: Parameters<Store['find']>) => {
        const found = await store.find(...args);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        return found;
      };
    },
  });

const media = suite('uploads');

media('are stored as they were sent, with smaller copies of each size', () =>
  withMediaSite({}, async (site) => {
    const bytes = await picture(1600, 1200).jpeg().toBuffer();
    const answer = await uploadForm(site, bytes, {
      name: 'Große Möwe.JPG',
      fields: { title: 'Gull', alt_text: 'a <b>gull</b>', post: '101' },
    });
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    const { file, sizes, ...size } = detailsOf(answer);
    assert.equal(
      [size.width, size.height, answer.headers.get('location')],
      [1600, 1200, `${site.media}/${String(answer.body['id'])}`],
    );
    assert.match(file, /^\d{4}\/\d{2}\/Große-Möwe\.JPG$/);
    assert.equal(Buffer.from(await readFile(join(site.folder, file))), bytes);
    assert.equal(
      Object.entries(sizes).map(([name, { width, height }]) => [name, width, height]),
      [
        ['thumbnail', 150, 150],
        ['medium', 300, 225],
        ['medium_large', 768, 576],
        ['large', 1024, 768],
        ['1536x1536', 1536, 1152],
        ['full', 1600, 1200],
      ],
    );
    for (const { file: name, width, height } of Object.values(sizes)) {
      const made = await sharp(join(site.folder, file, '..', name)).metadata();
      assert.equal([made.format, made.width, made.height], ['jpeg', width, height], name);
    }
    assert.equal(
      [answer.body['alt_text'], answer.body['post'], answer.body['missing_image_sizes']],
      ['a gull', 101, []],
    );
  }),
);

media('of one title at the same time, and files that are renamed to one slug, have slugs of their own', () =>
  withMediaSite({ store: toSlowStore(createMemoryStore(collections)) }, async (site) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_each, index) =>
        uploadForm(site, Buffer.from(`text ${index}`), {
          name: `file${index}.txt`,
          fields: { title: 'One title' },
        }),
      ),
    );
    assert.equal(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 201),
    );
    assert.is(new Set(answers.map(({ body }) => body['slug'])).size, 8);
    const renamed = await Promise.all(
      answers.map(({ body }) => send(site, `/${String(body['id'])}`, { body: { slug: 'another' } })),
    );
    assert.is(
      new Set(renamed.map(({ body }) => body['slug'])).size,
      8,
      JSON.stringify(renamed.map(({ body }) => body['slug'])),
    );
  }),
);

media('of one name at the same time have names of their own', () =>
  withMediaSite({}, async (site) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_each, index) => uploadBody(site, `text ${index}`, { name: 'same.txt' })),
    );
    const files = answers.map(({ body }) => String(body['filename']));
    assert.is(new Set(files).size, 8, files.join(' '));
    for (const [index, answer] of answers.entries()) {
      assert.is(
        await readFile(
          join(site.folder, new URL(String(answer.body['source_url'])).pathname.replace('/en/uploads/', '')),
          'utf8',
        ),
        `text ${index}`,
      );
    }
    assert.is((await site.listFiles()).length, 8);
  }),
);

media('turned by their EXIF orientation are measured and copied upright', () =>
  withMediaSite({}, async (site) => {
    const bytes = await sharp(await redAndBlue(400, 200))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const answer = await uploadBody(site, bytes, { name: 'turned.jpg' });
    const { width, height, sizes } = detailsOf(answer);
    assert.equal([width, height, answer.body['exif_orientation']], [200, 400, 6]);
    assert.equal([sizes['medium']?.width, sizes['medium']?.height], [150, 300]);
    // Turned clockwise, the left half is at the top.
    const medium = join(pathOf(site, answer), '..', sizes['medium']?.file ?? '');
    assert.equal([await isRed(medium, 75, 20), await isRed(medium, 75, 280)], [true, false]);
  }),
);

media('keep the original alone without an editor, or if it cannot decode the picture', async () => {
  const bytes = await picture(400, 300).png().toBuffer();
  await withMediaSite({ pictures: undefined }, async (site) => {
    const answer = await uploadBody(site, bytes, { name: 'a.png' });
    assert.equal(
      [answer.status, detailsOf(answer).sizes, answer.body['missing_image_sizes']],
      [201, {}, ['thumbnail', 'medium']],
    );
    const edited = await send(site, `/${String(answer.body['id'])}/edit`, {
      body: { src: answer.body['source_url'], modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
    });
    assert.equal([edited.status, edited.body['code']], [500, 'rest_unknown_image_file_type']);
  });
  await withMediaSite({}, async (site) => {
    const answer = await uploadBody(site, bytes.subarray(0, 100), { name: 'a.png' });
    assert.equal([answer.status, detailsOf(answer).sizes], [201, {}]);
    await writeFile(pathOf(site, answer), bytes);
    const done = await send(site, `/${String(answer.body['id'])}/post-process`, {
      body: { action: 'create-image-subsizes' },
    });
    assert.equal(
      [done.status, Object.keys(detailsOf(done).sizes), done.body['missing_image_sizes']],
      [200, ['thumbnail', 'medium', 'full'], []],
    );
  });
});

const toRight = { type: 'rotate', args: { angle: 90 } };
const CORNER = { left: 25, top: 0, width: 50, height: 50 };
const ACROSS = { horizontal: true, vertical: false };

/** What a request says, and the steps that are made of it. */
const EDITS: readonly (readonly [body: object, steps: readonly PictureStep[]])[] = [
  [{ modifiers: [{ type: 'flip', args: { flip: ACROSS } }] }, [{ kind: 'flip', ...ACROSS }]],
  [
    { modifiers: [{ type: 'flip', args: { flip: { horizontal: false, vertical: true } } }] },
    [{ kind: 'flip', horizontal: false, vertical: true }],
  ],
  [
    { modifiers: [toRight, { type: 'crop', args: CORNER }] },
    [
      { kind: 'rotate', angle: 90 },
      { kind: 'crop', ...CORNER },
    ],
  ],
  [
    { modifiers: [{ type: 'crop', args: CORNER }, toRight] },
    [
      { kind: 'crop', ...CORNER },
      { kind: 'rotate', angle: 90 },
    ],
  ],
  [{ x: 0, y: 0, width: 50, height: 100 }, [{ kind: 'crop', left: 0, top: 0, width: 50, height: 100 }]],
  [
    { rotation: 90, x: 10, y: 0, width: 50, height: 100 },
    [
      { kind: 'rotate', angle: 90 },
      { kind: 'crop', left: 10, top: 0, width: 50, height: 100 },
    ],
  ],
];

media('are edited into new files: rotated, then cropped', () =>
  withMediaSite({}, async (site) => {
    const bytes = await redAndBlue(400, 200);
    const original = await uploadBody(site, bytes, { name: 'half.png' });
    const edited = await send(site, `/${String(original.body['id'])}/edit`, {
      body: {
        src: original.body['source_url'],
        modifiers: [
          { type: 'rotate', args: { angle: 180 } },
          { type: 'crop', args: { left: 40, top: 50, width: 60, height: 50 } },
        ],
      },
    });
    assert.is(edited.status, 201, JSON.stringify(edited.body));
    const { width, height, sizes } = detailsOf(edited);
    assert.equal([width, height, Object.keys(sizes)], [240, 100, ['thumbnail', 'full']]);
    assert.equal(
      [await isRed(pathOf(site, edited), 230, 10), await isRed(pathOf(site, edited), 10, 10)],
      [true, false],
    );
    assert.equal(Buffer.from(await readFile(pathOf(site, original))), bytes);
  }),
);

media('are edited by steps in the order of the changes, and keep their texts', async () => {
  const asked: (readonly PictureStep[])[] = [];
  await withMediaSite({ pictures: createFakePictures({ width: 400, height: 200 }, asked) }, async (site) => {
    const bytes = await picture(400, 200).png().toBuffer();
    const original = await uploadForm(site, bytes, {
      name: 'half.png',
      fields: { title: 'Half', caption: 'red', alt_text: 'two' },
    });
    const path = `/${String(original.body['id'])}/edit`;
    for (const [body, steps] of EDITS) {
      asked.length = 0;
      const edited = await send(site, path, { body: { src: original.body['source_url'], ...body } });
      assert.is(edited.status, 201, JSON.stringify(edited.body));
      assert.equal(asked[0], steps);
      assert.equal([edited.body['alt_text'], edited.body['post']], ['two', null]);
    }
    const before = (await site.listFiles()).length;
    for (const [body, status, code] of [
      [{ src: original.body['source_url'] }, 400, 'rest_image_not_edited'],
      [
        { src: original.body['source_url'], modifiers: [{ type: 'rotate', args: { angle: 360 } }] },
        400,
        'rest_image_not_edited',
      ],
      [
        {
          src: original.body['source_url'],
          modifiers: [{ type: 'crop', args: { left: 100, top: 0, width: 5, height: 5 } }],
        },
        400,
        'rest_image_crop_failed',
      ],
      [
        { src: original.body['source_url'], modifiers: [{ type: 'paint', args: {} }] },
        400,
        'rest_invalid_param',
      ],
      [
        {
          src: original.body['source_url'],
          modifiers: Array.from({ length: 11 }, () => ({ type: 'rotate', args: { angle: 90 } })),
        },
        400,
        'rest_invalid_param',
      ],
      [
        { src: 'http://other.test/en/uploads/x.png', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
        404,
        'rest_unknown_attachment',
      ],
    ] as const) {
      const refused = await send(site, path, { body });
      assert.equal([refused.status, refused.body['code']], [status, code], JSON.stringify(body));
    }
    assert.is((await site.listFiles()).length, before);
  });
});

media('are never edited or copied beyond the most pixels, wherever the file came from', () =>
  withMediaSite({ config: { cms: { uploads: { maxPixels: 20_000 } } } }, async (site) => {
    const original = await uploadBody(site, await picture(100, 100).png().toBuffer(), { name: 'a.png' });
    const path = `/${String(original.body['id'])}`;
    const turn = { type: 'rotate', args: { angle: 45 } };
    const refused = await send(site, `${path}/edit`, {
      body: { src: original.body['source_url'], modifiers: [turn, turn] },
    });
    assert.equal([refused.status, refused.body['code']], [400, 'rest_image_not_edited']);
    assert.match(
      String(refused.body['message']),
      /^The picture has \d+ x \d+ pixels; at most 20000 are allowed\.$/,
    );
    // As after an import, which stores files without a look at their pixels.
    await writeFile(pathOf(site, original), await picture(400, 300).png().toBuffer());
    await site.site.store.commit([
      {
        op: 'update',
        collection: 'media',
        id: Number(original.body['id']),
        values: { width: 400, height: 300 },
      },
    ]);
    const done = await send(site, `${path}/post-process`, { body: { action: 'create-image-subsizes' } });
    assert.equal([done.status, detailsOf(done).sizes], [200, {}]);
  }),
);

media('name the actions that an editor may take, in the context edit alone', () =>
  withMediaSite({}, async (site) => {
    const id = String((await uploadBody(site, 'words', { name: 'a.txt', login: 'author' })).body['id']);
    const actionsOf = async (query: string, login: string): Promise<readonly string[]> => {
      const { body } = await askJson(`${site.media}/${id}${query}`, { headers: site.as(login) });
      return Object.keys(body['_links'] as object).filter((name) => name.startsWith('cms:action-'));
    };
    assert.equal(await actionsOf('?context=edit', 'administrator'), [
      'cms:action-unfiltered-html',
      'cms:action-assign-author',
    ]);
    assert.equal(await actionsOf('?context=edit', 'author'), []);
    assert.equal(await actionsOf('', 'administrator'), []);
  }),
);

media('are deleted with their copies, and posts lose them as featured image', () =>
  withMediaSite({ pictures: createFakePictures({ width: 400, height: 300 }) }, async (site) => {
    const bytes = await picture(400, 300).png().toBuffer();
    const [first, second] = [
      await uploadBody(site, bytes, { name: 'a.png' }),
      await uploadBody(site, 'words', { name: 'b.txt' }),
    ];
    const posts = site.media.replace('/media', '/posts');
    const featured = await askJson(`${posts}/101`, {
      method: 'POST',
      headers: { ...site.as('administrator'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ featured_media: first.body['id'] }),
    });
    assert.is(featured.body['featured_media'], first.body['id']);
    const embedded = await askJson(`${posts}/101?_embed=cms:featuredmedia`, {});
    const [shown] =
      (embedded.body['_embedded'] as Record<string, readonly Record<string, unknown>[]>)[
        'cms:featuredmedia'
      ] ?? [];
    assert.ok(shown);
    assert.equal(
      [Object.keys(detailsOf({ ...embedded, body: shown }).sizes), typeof shown['caption']],
      [['thumbnail', 'medium', 'full'], 'object'],
    );
    // As in WordPress, a file or a post that is not an image counts as none, and an unknown id is ignored.
    for (const [sent, shown] of [
      [99_999, first.body['id']],
      [second.body['id'], 0],
      [first.body['id'], first.body['id']],
      [102, 0],
      [first.body['id'], first.body['id']],
    ] as const) {
      const answer = await askJson(`${posts}/101`, {
        method: 'POST',
        headers: { ...site.as('administrator'), 'Content-Type': 'application/json' },
        body: JSON.stringify({ featured_media: sent }),
      });
      assert.equal([answer.status, answer.body['featured_media']], [200, shown], String(sent));
    }
    const path = `/${String(first.body['id'])}`;
    assert.is((await send(site, path, { method: 'DELETE' })).status, 501);
    assert.is((await send(site, `${path}?force=true`, { method: 'DELETE', login: 'author' })).status, 403);
    assert.is((await site.listFiles()).length, 4);
    assert.is((await send(site, `${path}?force=true`, { method: 'DELETE' })).status, 200);
    assert.equal(
      (await site.listFiles()).map((file) => file.slice('YYYY/MM/'.length)),
      ['b.txt'],
    );
    assert.is((await askJson(`${posts}/101`, {})).body['featured_media'], 0);
    // Two records of one file: it stays until both are removed.
    await site.site.store.commit([
      {
        op: 'create',
        collection: 'media',
        values: {
          title: 'copy',
          slug: 'copy',
          author: 1,
          mime_type: 'text/plain',
          file: new URL(String(second.body['source_url'])).pathname.replace('/en/uploads/', ''),
          date: '2024-01-01T00:00:00',
        },
      },
    ]);
    assert.is(
      (await send(site, `/${String(second.body['id'])}?force=true`, { method: 'DELETE' })).status,
      200,
    );
    assert.is((await site.listFiles()).length, 1);
  }),
);

media('can be attached only to posts that the caller may edit', () =>
  withMediaSite({}, async (site) => {
    const own = await uploadBody(site, 'words', { name: 'a.txt', login: 'author' });
    const path = `/${String(own.body['id'])}`;
    const changed = await send(site, path, {
      body: { title: 'T', description: '<script>x</script>d', status: 'private' },
      login: 'author',
    });
    assert.equal(
      [
        changed.status,
        changed.body['status'],
        changed.body['slug'],
        (changed.body['description'] as { raw: string }).raw,
      ],
      [200, 'private', 'a', 'xd'],
    );
    for (const post of [101, 99_999]) {
      const refused = await send(site, path, { body: { post }, login: 'author' });
      assert.equal([refused.status, refused.body['code']], [403, 'rest_cannot_edit'], String(post));
    }
    const inFile = await send(site, path, { body: { post: own.body['id'] } });
    assert.equal([inFile.status, inFile.body['code']], [400, 'rest_invalid_param']);
  }),
);

media('gets a name that is free with a few attempts, however many are taken', () =>
  inFolder(async (folder) => {
    const { storage, size } = createMediaFiles(folder, { writable: true });
    assert.ok(storage);
    const taken = new Set(Array.from({ length: 500 }, (_each, n) => (n === 0 ? 'a.png' : `a-${n}.png`)));
    let attempts = 0;
    const counted = {
      ...storage,
      publish: async (_id: string, path: string) => {
        attempts += 1;
        return !taken.has(path) && taken.add(path) !== undefined;
      },
    };
    const sizeOf = async (path: string) => (taken.has(path) ? 1 : size(path));
    const publish = () => publishFile({ storage: counted, sizeOf }, 'id', { folder: '', name: 'a.png' });
    assert.is(await publish(), 'a-500.png');
    assert.is(attempts, 2);
    const names = await Promise.all(Array.from({ length: 30 }, publish));
    assert.is(new Set(names).size, 30);
  }),
);

media.run();

const abandoned = suite('files that a killed process left');

abandoned('are removed an hour later, and are never part of the library', () =>
  inFolder(async (folder) => {
    const library = createMediaFiles(folder, { writable: true });
    const { storage } = library;
    assert.ok(storage);
    const facts = { field: 'file', filename: 'a', type: '' };
    const bytes = async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('abc');
    };
    const [old, fresh] = [await storage.save(bytes(), facts), await storage.save(bytes(), facts)];
    const longAgo = new Date(Date.UTC(2020, 0, 1));
    await utimes(join(folder, '.arriving', old), longAgo, longAgo);
    assert.is(await library.size(`.arriving/${old}`), null);
    const next = createMediaFiles(folder, { writable: true }).storage;
    await next?.save(bytes(), facts);
    assert.is((await storage.read(fresh, 1, 10)).length, 2);
    await storage.read(old, 0, 1).then(
      () => assert.unreachable(),
      () => undefined,
    );
  }),
);

abandoned.run();
