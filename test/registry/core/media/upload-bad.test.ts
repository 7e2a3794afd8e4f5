import { once } from 'node:events';
import { connect } from 'node:net';
import sharp, { type Sharp } from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAll } from '../../../support/long-mode.ts';
import {
  createFakePictures,
  withMediaSite,
  uploadBody,
  uploadForm,
  askJson,
  type MediaSite,
} from '../../../support/media-site.ts';

const LIMITS = { config: { cms: { uploads: { maxBytes: 20_000, maxPixels: 1_000_000 } } } };
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** The header of a PNG that says how large it is, without any pixels. */
function pngOf(width: number, height: number): Uint8Array {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#ccc' } })
  .png()
  .toBuffer();

const flat = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#ccc' } });

/** Pictures of 400 x 300 pixels whose headers say 10 x 10. */
async function listLiars(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const gif = await flat(400, 300).gif().toBuffer();
  gif.fill(Buffer.from([10, 0, 10, 0]), 6, 10);
  const avif = await flat(400, 300).avif({ effort: 0 }).toBuffer();
  avif.writeUInt32BE(10, avif.indexOf('ispe') + 8);
  avif.writeUInt32BE(10, avif.indexOf('ispe') + 12);
  const webp = await flat(400, 300).webp().toBuffer();
  const canvas = Buffer.from('565038580a00000000000000090000090000', 'hex');
  const extended = Buffer.concat([webp.subarray(0, 12), canvas, webp.subarray(12)]);
  extended.writeUInt32LE(extended.length - 8, 4);
  // A marker without a length, behind which readers of lengths go on elsewhere: at a frame of 10 x 10.
  const jpeg = Buffer.concat([
    Buffer.from('ffd8ffd0', 'hex'),
    (await flat(400, 300).jpeg().toBuffer()).subarray(2),
  ]);
  const padded = Buffer.alloc(4 + jpeg.readUInt16BE(4) + 19);
  jpeg.copy(padded);
  Buffer.from('ffc0001108000a000a03012200021101031101', 'hex').copy(padded, 4 + jpeg.readUInt16BE(4));
  return [
    ['liar.gif', gif],
    ['liar.avif', avif],
    ['liar.webp', extended],
    ['liar.jpg', padded],
  ];
}

/** Files that are refused, whichever way they are sent. */
const REFUSED: readonly (readonly [
  what: string,
  name: string,
  bytes: Uint8Array | string,
  status: number,
])[] = [
  ['a script named as a picture', 'photo.jpg', '<?php system($_GET["c"]); ?>', 400],
  ['a script with a shebang', 'run.txt', '#!/bin/sh\nrm -rf /\n', 400],
  ['a program named as a picture', 'photo.png', 'MZ\x90\0program', 400],
  ['HTML named as a picture', 'page.png', '<!doctype html><script>alert(1)</script>', 400],
  ['SVG with a script named as a picture', 'image.png', SVG, 400],
  ['SVG under its own name', 'image.svg', SVG, 400],
  ['HTML under its own name', 'page.html', '<p>x</p>', 400],
  ['HTML in a text', 'notes.txt', 'words\n<script>alert(1)</script>', 400],
  ['JavaScript', 'a.js', 'alert(1)', 400],
  ['a name without an extension', 'photo', png, 400],
  ['a picture named as a text', 'photo.txt', png, 400],
  ['text named as a picture', 'fake.png', 'Hello file.\n', 400],
  ['a picture bomb', 'bomb.png', pngOf(60_000, 60_000), 400],
  ['a picture without pixels', 'none.png', pngOf(0, 5), 400],
  ['the beginning of a picture', 'cut.jpg', Buffer.from('ffd8ffe000104a46', 'hex'), 400],
  ['a file that is too large', 'large.txt', 'x'.repeat(20_001), 413],
  ['a file far above the limit', 'huge.txt', 'x'.repeat(3_000_000), 413],
  ['a name that only hides', '....', 'words', 400],
];

const PATHS = ['../../evil.txt', '..\\evil.txt', '/etc/cron.d/evil.txt', 'C:\\evil.txt'];

async function assertNothing({ listFiles, count }: MediaSite, what: string): Promise<void> {
  assert.equal(await listFiles(), [], `${what}: files`);
  assert.is(await count(), 0, `${what}: records`);
}

const upload = suite('bad uploads');

upload('are refused as the body, and nothing is kept', () =>
  withMediaSite(LIMITS, async (site) => {
    for (const [what, name, bytes, status] of REFUSED) {
      const answer = await uploadBody(site, bytes, { name });
      assert.is(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
      await assertNothing(site, what);
    }
    const empty = await uploadBody(site, '', { name: 'a.txt' });
    assert.equal([empty.status, empty.body['code']], [400, 'rest_upload_no_data']);
    await assertNothing(site, 'an empty body');
  }),
);

upload('are refused as the file of a form, and nothing is kept', () =>
  withMediaSite(LIMITS, async (site) => {
    for (const [what, name, bytes, status] of REFUSED) {
      const answer = await uploadForm(site, bytes, { name });
      assert.is(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
      await assertNothing(site, what);
    }
    const empty = await uploadForm(site, '', { name: 'a.txt' });
    assert.equal([empty.status, empty.body['code']], [400, 'rest_upload_unknown_error']);
    await assertNothing(site, 'an empty file');
  }),
);

upload('of pictures whose headers lie about their size are refused, also without smaller copies', () =>
  withMediaSite({}, async (site) => {
    for (const [index, [name, bytes]] of (await listLiars()).entries()) {
      const isForm = index % 2 === 0;
      const answers = [
        ...(isAll || !isForm ? [await uploadBody(site, bytes, { name })] : []),
        ...(isAll || isForm
          ? [await uploadForm(site, bytes, { name, fields: { generate_sub_sizes: 'false' } })]
          : []),
      ];
      for (const answer of answers) {
        assert.is(answer.status, 400, `${name}: ${JSON.stringify(answer.body)}`);
        assert.match(String(answer.body['message']), /header says|damaged/);
      }
      await assertNothing(site, name);
    }
  }),
);

upload('with a path as their name are refused as the body; the name of a file in a form has no folders', () =>
  withMediaSite(LIMITS, async (site) => {
    for (const path of PATHS) {
      const answer = await uploadBody(site, 'words', { name: path.replaceAll('\\', '\\\\') });
      assert.equal([answer.status, answer.body['code']], [400, 'rest_upload_invalid_disposition'], path);
      await assertNothing(site, path);
    }
    for (const path of PATHS) assert.is((await uploadForm(site, 'words', { name: path })).status, 201, path);
    const files = await site.listFiles();
    assert.equal(
      files.map((file) => file.replace(/^\d{4}\/\d{2}\//, '')),
      ['evil-1.txt', 'evil-2.txt', 'evil-3.txt', 'evil.txt'],
    );
  }),
);

upload('of callers who may not upload are not stored even for a moment', async () => {
  let saved = 0;
  const storage = {
    ...FAILING,
    save: () => {
      saved += 1;
      return Promise.reject(new Error('not reached'));
    },
  };
  await withMediaSite({ media: { size: () => Promise.resolve(null), storage } }, async (site) => {
    for (const [login, status] of [
      ['subscriber', 403],
      ['contributor', 403],
    ] as const) {
      for (const answer of [
        await uploadBody(site, png, { name: 'a.png', login }),
        await uploadForm(site, png, { name: 'a.png', login }),
      ]) {
        assert.equal([answer.status, answer.body['code']], [status, 'rest_cannot_create'], login);
      }
    }
    const form = new FormData();
    form.set('file', new Blob([png]), 'a.png');
    const anonymous = await askJson(site.media, { method: 'POST', body: form });
    assert.equal([anonymous.status, anonymous.body['code']], [401, 'rest_cannot_create']);
    assert.is(saved, 0);
  });
});

upload('to a post that the caller may not edit, with a wrong hash or a wrong field leave nothing', () =>
  withMediaSite(LIMITS, async (site) => {
    const foreign = await uploadForm(site, png, { name: 'a.png', login: 'author', fields: { post: '101' } });
    assert.equal([foreign.status, foreign.body['code']], [403, 'rest_cannot_edit']);
    const missing = await uploadForm(site, png, { name: 'a.png', fields: { post: '99999' } });
    assert.equal([missing.status, missing.body['code']], [403, 'rest_cannot_edit']);
    const mismatch = await uploadBody(site, png, { name: 'a.png', headers: { 'Content-MD5': 'deadbeef' } });
    assert.equal([mismatch.status, mismatch.body['code']], [412, 'rest_upload_hash_mismatch']);
    const invalid = await uploadForm(site, png, { name: 'a.png', fields: { comment_status: 'maybe' } });
    assert.equal([invalid.status, invalid.body['code']], [400, 'rest_invalid_param']);
    const author = await uploadForm(site, png, { name: 'a.png', fields: { author: '99999' } });
    assert.equal([author.status, author.body['code']], [400, 'rest_invalid_author']);
    await assertNothing(site, 'refused by their fields');
  }),
);

/** Sends the beginning of a body that was announced as longer, and cuts the connection. */
async function sendCut({ site, as }: MediaSite, head: readonly string[], part: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(site.origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const [name, value] = Object.entries(as('administrator'))[0] ?? [];
  socket.write(
    [
      `POST /en/cms-json/cms/v2/media HTTP/1.1`,
      'Host: a',
      `${name}: ${value}`,
      'Content-Length: 15000',
      ...head,
      '',
      '',
    ].join('\r\n'),
  );
  socket.write(part);
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  socket.destroy();
  await once(socket, 'close');
}

async function waitUntil(test: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await test()); tries += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
}

upload('whose connection is cut leave nothing', () =>
  withMediaSite(LIMITS, async (site) => {
    // The first upload makes the password known and the folder.
    await uploadBody(site, 'words', { name: 'a.html' });
    await sendCut(
      site,
      ['Content-Type: image/png', 'Content-Disposition: attachment; filename="a.png"'],
      png,
    );
    const part = Buffer.concat([
      Buffer.from(
        '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
      ),
      png,
    ]);
    await sendCut(site, ['Content-Type: multipart/form-data; boundary=XX'], part);
    await waitUntil(async () => (await site.listFiles()).length === 0);
    await assertNothing(site, 'cut connections');
  }),
);

const fail = (): Promise<never> => Promise.reject(new Error('the disk is gone'));
const FAILING = {
  save: fail,
  remove: () => Promise.resolve(),
  read: fail,
  publish: fail,
  load: fail,
  write: fail,
  discard: fail,
};

upload('are 500 and logged if the host cannot store them, and 501 if it does not', async () => {
  const logged: string[] = [];
  await withMediaSite(
    {
      media: { size: () => Promise.resolve(null), storage: FAILING },
      log: ({ message }) => logged.push(message),
    },
    async (site) => {
      assert.is((await uploadBody(site, png, { name: 'a.png' })).status, 500);
      assert.is((await uploadForm(site, png, { name: 'a.png' })).status, 500);
      assert.is(logged.length, 2, logged.join('\n'));
      assert.is(await site.count(), 0);
    },
  );
  await withMediaSite({ media: { size: () => Promise.resolve(null) } }, async (site) => {
    for (const answer of [
      await uploadBody(site, png, { name: 'a.png' }),
      await uploadForm(site, png, { name: 'a.png' }),
    ]) {
      assert.equal([answer.status, answer.body['code']], [501, 'rest_upload_unavailable']);
    }
  });
});

upload('leave no file if the record cannot be stored', async () => {
  const failing = new Error('the store is gone');
  await withMediaSite({ pictures: createFakePictures({ width: 400, height: 300 }) }, async (site) => {
    const { store } = site.site;
    const commit = store.commit.bind(store);
    store.commit = (operations, durability) =>
      operations.some(({ collection }) => collection === 'media')
        ? Promise.reject(failing)
        : commit(operations, durability);
    const large = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#ccc' } })
      .png()
      .toBuffer();
    assert.is((await uploadBody(site, large, { name: 'a.png' })).status, 500);
    assert.is((await uploadForm(site, large, { name: 'a.png' })).status, 500);
    await assertNothing(site, 'a store that fails');
  });
});

upload.run();
