import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { BodyPart, RestRequest } from '../../../lib/http/request.ts';
import type { Uploads } from '../../../lib/ports/uploads.ts';
import { createUploadEngine, sign } from '../../support/upload-engine.ts';

async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* partsOf(): AsyncGenerator<BodyPart> {
  yield { name: 'photo', filename: 'a', type: 'image/png', bytes: bytesOf('ab', 'cd') };
  yield { name: 'photo', filename: 'b', type: 'image/png', bytes: bytesOf('ef') };
  yield { name: 'title', filename: null, type: 'text/plain', bytes: bytesOf('t') };
}

function createForm(timeoutMs = 1000): RestRequest {
  const none = (): never => {
    throw new Error('the body has parts');
  };
  return {
    ...createRequest('/up/v1/form', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    }),
    body: { kind: 'unread', source: { maxBytes: 1000, timeoutMs, read: none, stream: none, parts: partsOf } },
  };
}

async function drain(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of stream) size += chunk.length;
  return size;
}

/** A port that stores names only. */
function createPort(save: (stream: AsyncIterable<Uint8Array>, count: number) => Promise<unknown>): {
  readonly uploads: Uploads;
  readonly kept: Set<string>;
} {
  const kept = new Set<string>();
  let count = 0;
  return {
    kept,
    uploads: {
      async save(stream) {
        count += 1;
        const id = await save(stream, count);
        kept.add(String(id));
        return id as string;
      },
      async remove(id) {
        kept.delete(id);
      },
    },
  };
}

const ports = suite('a port for uploads that does not keep its word');

ports('is a 500 that the log explains, and no file remains', async () => {
  const rows: readonly (readonly [
    save: (stream: AsyncIterable<Uint8Array>, count: number) => Promise<unknown>,
    text: RegExp,
  ])[] = [
    [
      async (stream, count) => {
        await drain(stream);
        if (count > 1) throw new Error('the disk broke');
        return `id${count}`;
      },
      /^reading POST \/up\/v1\/form failed in uploads\.save \| Error: the disk broke/,
    ],
    [async (_stream, count) => `id${count}`, /must read the stream to its end/],
    [
      async (stream, count) => {
        for await (const _chunk of stream) break;
        return `id${count}`;
      },
      /must read the stream to its end/,
    ],
  ];
  for (const [save, text] of rows) {
    const logged: LogEvent[] = [];
    const { uploads, kept } = createPort(save);
    const { status } = await createUploadEngine(uploads, { log: (event) => logged.push(event) }).dispatch(
      createForm(),
    );
    assert.equal([status, [...kept], logged.length], [500, [], 1], String(text));
    assert.match(`${logged[0]?.message} | ${String(logged[0]?.error)}`, text);
  }
});

ports('must return a text', async () => {
  for (const id of [undefined, '', 7, null, {}]) {
    const logged: LogEvent[] = [];
    const { uploads } = createPort(async (stream) => {
      await drain(stream);
      return id;
    });
    assert.is(
      (await createUploadEngine(uploads, { log: (event) => logged.push(event) }).dispatch(createForm()))
        .status,
      500,
    );
    assert.match(String(logged[0]?.error), /must return the id of the stored file/);
  }
});

ports('that takes too long is a 504, and what it stores later is removed', async () => {
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  let removed = (): void => undefined;
  const bothRemoved = new Promise<void>((resolve) => {
    removed = resolve;
  });
  const { uploads, kept } = createPort(async (stream, count) => {
    await drain(stream);
    await blocked;
    return `id${count}`;
  });
  const remove = async (id: string): Promise<void> => {
    await uploads.remove(id);
    if (id === 'id2') removed();
  };
  const engine = createUploadEngine({ ...uploads, remove }, { handlerTimeoutMs: 20 });
  assert.is((await engine.dispatch(createForm(20))).status, 504);
  release();
  await bothRemoved;
  assert.equal([...kept], []);
});

ports('that cannot remove is logged, and the caller gets its response', async () => {
  const logged: string[] = [];
  const uploads: Uploads = {
    save: async (stream) => {
      await drain(stream);
      return 'id';
    },
    remove: () => {
      throw new Error('read only');
    },
  };
  const request = { ...createForm(), query: 'ids=x' };
  const { status } = await createUploadEngine(uploads, {
    log: ({ message }) => logged.push(message),
  }).dispatch(request);
  assert.equal(
    [status, logged],
    [400, ['removing the file id of /up/v1/form failed', 'removing the file id of /up/v1/form failed']],
  );
});

ports.run();

const inside = suite('bodies from inside the process');

inside('may be bytes with a media type', async () => {
  const engine = createUploadEngine({ save: async () => 'id', remove: async () => undefined });
  const bytes = Buffer.from('{"id":7}');
  const ask = async (path: string, type: string, body: unknown): Promise<unknown> => {
    const response = await engine.dispatch(
      createRequest(`/up/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type, 'X-Signature': sign(bytes) },
        body,
      }),
    );
    return [
      response.status,
      response.status === 200 ? response.body : (response.body as { code: string }).code,
    ];
  };
  assert.equal(await ask('/bytes', 'image/png', bytes), [200, { note: undefined, size: 8 }]);
  assert.equal(await ask('/stream', 'image/png', bytes), [200, { size: 8, isStream: true }]);
  assert.equal(await ask('/hook', 'application/json', bytes), [200, { id: 7 }]);
  assert.equal(await ask('/plain', 'application/json', bytes), [200, { id: 7 }]);
  assert.equal(await ask('/plain', 'application/json', { id: 7 }), [200, { id: 7 }]);
  assert.equal(await ask('/bytes', 'application/json', { id: 7 }), [415, 'rest_unsupported_media_type']);
  assert.equal(await ask('/form', 'multipart/form-data; boundary=b', bytes), [
    415,
    'rest_unsupported_media_type',
  ]);
  assert.equal(await ask('/own', 'image/png', bytes), [401, 'rest_forbidden']);
  // The bytes of a JSON value are not known, so no signature over them can be checked.
  assert.equal(await ask('/hook', 'application/json', { id: 7 }), [500, 'rest_internal_error']);
});

inside.run();
