import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startNode } from '../support/start-program.ts';
import { inFolder } from '../support/temporary.ts';

const MEGABYTE = 1024 * 1024;
const UPLOAD = 100 * MEGABYTE;
const MOST = 32 * MEGABYTE;
const CHUNK = new Uint8Array(256 * 1024).fill(97);

/** A body of 100 MB that exists only while it is sent. `ask` is called every 10 MB. */
async function* createUpload(
  [before, after]: readonly [string, string],
  ask: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  // An empty chunk would end the body.
  if (before !== '') yield Buffer.from(before);
  for (let sent = 0; sent < UPLOAD; sent += CHUNK.length) {
    if (sent % (10 * MEGABYTE) === 0) await ask();
    yield CHUNK;
  }
  if (after !== '') yield Buffer.from(after);
}

const memory = suite('an upload of 100 MB');

const rows = [
  ['/stream', 'video/mp4', ['', '']],
  [
    '/form',
    'multipart/form-data; boundary=b',
    [
      '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; name="photo"; filename="v"\r\n\r\n',
      '\r\n--b--\r\n',
    ],
  ],
] as const;

for (const [path, type, around] of rows) {
  memory(`to ${path} keeps resident memory within 32 MB of idle`, () =>
    inFolder(async (folder) => {
      const server = await startNode('upload-server', [
        fileURLToPath(new URL('../support/upload-server.js', import.meta.url)),
        folder,
      ]);
      const ask = async (): Promise<number> => Number(await (await fetch(`${server.origin}/memory`)).text());
      const send = async (body: string | AsyncIterable<Uint8Array>): Promise<string> => {
        const init: object = { method: 'POST', headers: { 'Content-Type': type }, body, duplex: 'half' };
        const response = await fetch(`${server.origin}/en/cms-json/up/v1${path}`, init);
        assert.is(response.status, 200);
        return response.text();
      };
      try {
        // Everything that the first request loads is idle memory, too.
        await send(around.join('a'));
        const idle = await ask();
        let most = 0;
        const text = await send(
          createUpload(around, async () => {
            most = Math.max(most, await ask());
          }),
        );
        most = Math.max(most, await ask());
        assert.match(text, new RegExp(`"size":${UPLOAD}\\b`));
        assert.ok(most - idle < MOST, `${((most - idle) / MEGABYTE).toFixed(1)} MB more than idle`);
      } finally {
        await server.stop();
      }
    }),
  );
}

memory.run();
