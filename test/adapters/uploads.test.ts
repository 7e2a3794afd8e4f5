import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { createServer } from '../../adapters/node-http.ts';
import { createUploads } from '../../adapters/uploads.ts';
import type { LogEvent } from '../../lib/dispatch/runtime.ts';
import { PATIENT } from '../support/patient.ts';
import { withServer } from '../support/raw.ts';
import { refusalOf } from '../support/refusal.ts';
import { inFolder } from '../support/temporary.ts';
import { BYTES_LIMIT, createUploadEngine, sign } from '../support/upload-engine.ts';

type Send = (path: string, init: RequestInit & { readonly duplex?: 'half' }) => Promise<Response>;

interface Place {
  readonly send: Send;
  readonly directory: string;
  readonly logged: readonly LogEvent[];
}

/** Runs the test with both bindings. */
async function withBoth(test: (place: Place, binding: string) => Promise<void>): Promise<void> {
  for (const binding of ['node-http', 'fetch']) {
    await inFolder(async (folder) => {
      const directory = join(folder, 'uploads');
      const logged: LogEvent[] = [];
      const engine = createUploadEngine(createUploads(directory), { log: (event) => logged.push(event) });
      const base = '/en/cms-json/up/v1';
      if (binding === 'fetch') {
        const handle = createFetchHandler(engine, { siteUrl: 'http://site.test', limits: PATIENT });
        await test(
          {
            send: (path, init) =>
              handle(new Request(`http://site.test${base}${path}`, { method: 'POST', ...init })),
            directory,
            logged,
          },
          binding,
        );
      } else {
        await withServer(createServer(engine, { limits: PATIENT }), (port) =>
          test(
            {
              send: (path, init) =>
                fetch(`http://127.0.0.1:${port}${base}${path}`, { method: 'POST', ...init }),
              directory,
              logged,
            },
            binding,
          ),
        );
      }
    });
  }
}

const stored = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : [];

async function read(response: Response): Promise<unknown> {
  const body = (await response.json()) as { readonly code?: string };
  return [response.status, body.code ?? body];
}

type Sent = NonNullable<RequestInit['body']>;

const typed = (type: string, body: Sent): RequestInit => ({ headers: { 'Content-Type': type }, body });

function toForm(
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [
    name: string,
    bytes: string | Uint8Array<ArrayBuffer>,
    filename: string,
    type?: string,
  ])[],
): RequestInit {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, bytes, filename, type = ''] of files)
    form.append(name, new Blob([bytes], { type }), filename);
  return { body: form };
}

/** A body that a client sends in pieces of its own. */
function multipart(text: string): RequestInit {
  return typed('multipart/form-data; boundary=cut', text.replaceAll('\n', '\r\n'));
}

const PHOTO = '--cut\nContent-Disposition: form-data; name="photo"; filename="a.png"\n\nbytes';

const bodies = suite('bodies by their media type');

bodies('reach the handler as the endpoint declares', () =>
  withBoth(async ({ send }, binding) => {
    const rows: readonly (readonly [path: string, init: RequestInit, expected: unknown])[] = [
      ['/bytes', typed('application/octet-stream', new Uint8Array(1_500_000)), [200, { size: 1_500_000 }]],
      ['/bytes?note=n', typed('image/png', 'abc'), [200, { note: 'n', size: 3 }]],
      ['/bytes', typed('IMAGE/PNG; a=b', 'abc'), [200, { size: 3 }]],
      ['/bytes', { body: new Blob(['abc']) }, [200, { size: 3 }]],
      ['/bytes', {}, [200, { size: null }]],
      ['/bytes', typed('application/json', '{}'), [415, 'rest_unsupported_media_type']],
      ['/bytes', typed('text/plain', 'a'), [415, 'rest_unsupported_media_type']],
      ['/bytes', typed('png', 'a'), [415, 'rest_unsupported_media_type']],
      [
        '/bytes',
        { headers: { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' }, body: 'a' },
        [415, 'rest_unsupported_media_type'],
      ],
      ['/bytes', typed('image/png', new Uint8Array(BYTES_LIMIT + 1)), [413, 'rest_body_too_large']],
      ['/stream', typed('text/plain', new Uint8Array(3_000_000)), [200, { size: 3_000_000, isStream: true }]],
      ['/stream', typed('multipart/form-data', 'a'), [200, { size: 1, isStream: true }]],
      ['/stream', typed('application/json', '{"take":1}'), [200, { size: 0, isStream: false }]],
      ['/stream?take=x', typed('text/plain', 'a'), [400, 'rest_invalid_param']],
      ['/none', typed('text/plain', 'a'), [404, 'rest_no_route']],
      ['/plain', typed('application/json', '{"id":1}'), [200, { id: 1 }]],
      ['/plain', toForm({ id: '1' }, []), [415, 'rest_unsupported_media_type']],
    ];
    for (const [path, init, expected] of rows)
      assert.equal(
        await read(await send(path, init)),
        expected,
        `${binding} ${path} ${JSON.stringify(init.headers ?? {})}`,
      );
  }),
);

bodies('may be left unread by the handler', () =>
  withBoth(async ({ send }) => {
    const response = await send('/stream?take=1', typed('text/plain', new Uint8Array(300_000)));
    assert.is(response.status, 200);
    assert.ok(((await response.json()) as { size: number }).size > 0);
  }),
);

bodies('can be chunked, and are limited without a length', () =>
  withBoth(async ({ send }, binding) => {
    const chunked = (chunks: number): RequestInit & { duplex: 'half' } => ({
      ...typed(
        'image/png',
        new ReadableStream({
          start(controller) {
            for (let chunk = 0; chunk < chunks; chunk += 1) controller.enqueue(new Uint8Array(100_000));
            controller.close();
          },
        }),
      ),
      duplex: 'half',
    });
    assert.equal(await read(await send('/bytes', chunked(10))), [200, { size: 1_000_000 }], binding);
    // Over HTTP the connection may be closed before the client has sent everything.
    const refused = await send('/bytes', chunked(30)).then(read, () => [413, 'rest_body_too_large']);
    assert.equal(refused, [413, 'rest_body_too_large'], binding);
  }),
);

bodies('give their bytes to a permission that checks a signature', () =>
  withBoth(async ({ send }) => {
    const body = '{ "id" : 7 }';
    const ask = async (text: string, signature: string): Promise<unknown> =>
      read(
        await send('/hook', {
          headers: { 'Content-Type': 'application/json', 'X-Signature': signature },
          body: text,
        }),
      );
    assert.equal(await ask(body, sign(body)), [200, { id: 7 }]);
    assert.equal(await ask('{"id":7}', sign(body)), [401, 'rest_forbidden']);
    assert.equal(await ask('{"id":"x"}', sign('{"id":"x"}')), [400, 'rest_invalid_param']);
    assert.equal(await ask('{"id":', sign('{"id":')), [400, 'rest_invalid_json']);
  }),
);

bodies('of callers without the capability are not read', () =>
  withBoth(async ({ send, directory }) => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000));
        if (pulled > 5000) controller.close();
      },
    });
    const answer = await send('/own', { ...typed('text/plain', body), duplex: 'half' }).then(read, () => [
      401,
      'rest_forbidden',
    ]);
    assert.equal(answer, [401, 'rest_forbidden']);
    assert.ok(pulled < 1000, `read ${pulled} chunks`);
    assert.equal(await read(await send('/own', toForm({}, [['photo', 'abc', 'a.png']]))), [
      401,
      'rest_forbidden',
    ]);
    assert.equal(stored(directory), []);
  }),
);

bodies.run();

const forms = suite('multipart bodies');

forms('give fields as args and store their files', () =>
  withBoth(async ({ send, directory }) => {
    const bytes = new Uint8Array(3_000_000).map((_byte, at) => at % 251);
    const response = await send(
      '/form',
      toForm({ title: 'été', 'ids[]': '4' }, [
        ['photo', bytes, '../../etc/passwd', 'image/png'],
        ['photo', '', 'empty.txt'],
        ['icon', 'abc', 'i.png', 'image/png'],
      ]),
    );
    const { files, ...args } = (await response.json()) as {
      files: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
    };
    assert.equal(args, { title: 'été', ids: [4], fail: false });
    const shown = Object.fromEntries(
      Object.entries(files).map(([name, list]) => [name, list.map(({ id: _id, ...facts }) => facts)]),
    );
    assert.equal(shown, {
      photo: [
        { field: 'photo', filename: 'passwd', type: 'image/png', size: bytes.length },
        { field: 'photo', filename: 'empty.txt', type: 'application/octet-stream', size: 0 },
      ],
      icon: [{ field: 'icon', filename: 'i.png', type: 'image/png', size: 3 }],
    });
    assert.equal(
      [...stored(directory)].sort(),
      Object.values(files)
        .flat()
        .map(({ id }) => String(id))
        .sort(),
    );
    assert.ok(readFileSync(join(directory, String(files['photo']?.[0]?.['id']))).equals(bytes));
  }),
);

const DISPOSITION = 'Content-Disposition: form-data; name="photo"';

/** Parts that the handler must not miss, and the fault that the message names. */
const FAULTY_PARTS: readonly (readonly [name: string, part: string, fault: RegExp])[] = [
  ['a part with many headers', `${'X: a\n'.repeat(50)}${DISPOSITION}\n\na`, /more than 32 header lines/],
  [
    'a part with many headers at its end',
    `${DISPOSITION}\n${'X: a\n'.repeat(32)}\na`,
    /more than 32 header lines/,
  ],
  ...[20_240, 100_240].map(
    (length) =>
      [
        `a file name of ${length} characters`,
        `${DISPOSITION}; filename="${'x'.repeat(length)}"\n\na`,
        /more than 16384 bytes of headers/,
      ] as const,
  ),
  [
    'a folded header',
    `${DISPOSITION}\nX: a${'\n '.repeat(40_000)}b\n\na`,
    /more than 16384 bytes of headers/,
  ],
  ['a part without headers', '\na', /has no Content-Disposition/],
  ['a part that ends in its headers', DISPOSITION, /ends within its headers/],
  ['a part without Content-Disposition', 'Content-Type: text/plain\n\na', /has no Content-Disposition/],
  [
    'a part with two Content-Dispositions',
    `${DISPOSITION}\n${DISPOSITION}\n\na`,
    /more than one Content-Disposition/,
  ],
  ['a part that is not form-data', 'Content-Disposition: attachment; name="photo"\n\na', /is not form-data/],
  ['a part without a name', 'Content-Disposition: form-data\n\na', /has no name/],
  ['a part with two names', `${DISPOSITION}; name=b\n\na`, /more than one name/],
  ['a quote without its end', `${DISPOSITION}; filename="a\n\na`, /is not valid/],
  ['an unknown charset', `${DISPOSITION}; filename*=x'en'a\n\na`, /is not valid/],
  ['a file name that is not UTF-8', `${DISPOSITION}; filename*=UTF-8''%ff\n\na`, /not UTF-8/],
  ...[
    'filename="a\0.png"',
    'filename="a\x1b.png"',
    "filename*=UTF-8''a%00.png",
    "filename*=UTF-8''a%0D%0Ab",
  ].map(
    (filename) =>
      [
        `the file name ${JSON.stringify(filename)}`,
        `${DISPOSITION}; ${filename}\n\na`,
        /file name with control characters/,
      ] as const,
  ),
  [
    'a control character in a name',
    'Content-Disposition: form-data; name="a\0"\n\na',
    /a name with control characters/,
  ],
];

const REFUSED: readonly (readonly [name: string, init: RequestInit, status: number, code: string])[] = [
  ['a missing file', toForm({ title: 'a' }, []), 400, 'rest_missing_callback_param'],
  ['no body at all', {}, 400, 'rest_missing_callback_param'],
  ['a missing field', toForm({}, [['photo', 'abc', 'a']]), 400, 'rest_missing_callback_param'],
  [
    'an invalid field',
    toForm({ title: 'longer than ten' }, [['photo', 'abc', 'a']]),
    400,
    'rest_invalid_param',
  ],
  [
    'an unknown file',
    toForm({ title: 'a' }, [
      ['photo', 'abc', 'a'],
      ['other', 'abc', 'a'],
    ]),
    400,
    'rest_invalid_param',
  ],
  [
    'a file named like a member of objects',
    toForm({ title: 'a' }, [
      ['photo', 'abc', 'a'],
      ['constructor', 'abc', 'a'],
    ]),
    400,
    'rest_invalid_param',
  ],
  [
    'too many files',
    toForm({ title: 'a' }, [
      ['photo', 'abc', 'a'],
      ['photo', 'abc', 'a'],
      ['photo', 'abc', 'a'],
    ]),
    400,
    'rest_invalid_param',
  ],
  [
    'a file of a wrong type',
    toForm({ title: 'a' }, [
      ['photo', 'abc', 'a'],
      ['icon', 'abc', 'a', 'image/gif'],
    ]),
    400,
    'rest_invalid_param',
  ],
  [
    'a text instead of a file',
    toForm({ title: 'a', icon: 'a' }, [['photo', 'abc', 'a']]),
    400,
    'rest_invalid_param',
  ],
  [
    'a file that is too large',
    toForm({ title: 'a' }, [
      ['photo', 'abc', 'a'],
      ['icon', new Uint8Array(1001), 'a', 'image/png'],
    ]),
    413,
    'rest_body_too_large',
  ],
  [
    'fields that are too large',
    toForm({ title: 'a', more: 'b'.repeat(1_100_000) }, [['photo', 'abc', 'a']]),
    413,
    'rest_body_too_large',
  ],
  [
    'too many parts',
    toForm(
      { title: 'a', ...Object.fromEntries(Array.from({ length: 1001 }, (_each, at) => [`f${at}`, ''])) },
      [['photo', 'abc', 'a']],
    ),
    400,
    'rest_too_many_parameters',
  ],
  [
    'a handler that fails',
    toForm({ title: 'a', fail: '1' }, [['photo', new Uint8Array(200_000), 'a']]),
    500,
    'rest_internal_error',
  ],
  ['a body without its end', multipart(PHOTO), 400, 'rest_invalid_multipart'],
  ['a body that ends in a header', multipart(`${PHOTO}\n--cut\nContent-Dis`), 400, 'rest_invalid_multipart'],
  ['a body that ends after a file', multipart(`${PHOTO}\n--cut\n`), 400, 'rest_invalid_multipart'],
  [
    'another boundary',
    multipart('--other\nContent-Disposition: form-data; name="photo"; filename="a"\n\nb\n--other--\n'),
    400,
    'rest_invalid_multipart',
  ],
  ['no boundary', typed('multipart/form-data', 'a'), 400, 'rest_invalid_multipart'],
  [
    'a boundary that is too long',
    typed(`multipart/form-data; boundary=${'b'.repeat(71)}`, 'a'),
    400,
    'rest_invalid_multipart',
  ],
  ...FAULTY_PARTS.map(
    ([name, part]) =>
      [name, multipart(`${PHOTO}\n--cut\n${part}\n--cut--\n`), 400, 'rest_invalid_multipart'] as const,
  ),
  [
    'a field that is not UTF-8',
    typed(
      'multipart/form-data; boundary=cut',
      Buffer.concat([
        Buffer.from('--cut\r\nContent-Disposition: form-data; name="title"\r\n\r\n'),
        Buffer.from([0xff]),
        Buffer.from('\r\n--cut--\r\n'),
      ]),
    ),
    400,
    'rest_invalid_encoding',
  ],
];

forms('that are refused leave no file', () =>
  withBoth(async ({ send, directory, logged }, binding) => {
    for (const [name, init, status, code] of REFUSED) {
      assert.equal(await read(await send('/form', init)), [status, code], `${binding}: ${name}`);
      assert.equal(stored(directory), [], `${binding}: ${name}`);
    }
    assert.equal(
      logged.map(({ error }) => String(error)),
      ['Error: the handler failed'],
      binding,
    );
  }),
);

forms('name the fault of a part', () =>
  withBoth(async ({ send, directory }, binding) => {
    for (const [name, part, fault] of FAULTY_PARTS) {
      const { message } = (await (
        await send('/form', multipart(`--cut\n${part}\n${PHOTO}\n--cut--\n`))
      ).json()) as { readonly message: string };
      assert.match(message, fault, `${binding}: ${name}`);
      assert.equal(stored(directory), [], `${binding}: ${name}`);
    }
  }),
);

forms('give file names as clients write them', () =>
  withBoth(async ({ send }, binding) => {
    const rows: readonly (readonly [parameters: string, filename: string])[] = [
      [`filename="${'x'.repeat(16_000)}"`, 'x'.repeat(16_000)],
      ['filename=a.png', 'a.png'],
      ['FileName = "a;b.png" ;', 'a;b.png'],
      [String.raw`filename="C:\photos\a \"b\".png"`, 'a "b".png'],
      ['filename="été %22.png"', 'été %22.png'],
      ['filename="e.png"; filename*=UTF-8\'\'%C3%A9t%c3%a9.png', 'été.png'],
      ["filename*=iso-8859-1'fr'%E9.png", 'é.png'],
      ['filename=".."', ''],
    ];
    for (const [parameters, filename] of rows) {
      const response = await send(
        '/form',
        multipart(
          `--cut\n${DISPOSITION}; ${parameters}\n${'X: a\n'.repeat(30)}\na\n--cut\nContent-Disposition: form-data; name="title"\n\na\n--cut--\n`,
        ),
      );
      const { files } = (await response.json()) as {
        readonly files?: { readonly photo: readonly { readonly filename: string }[] };
      };
      assert.equal(
        files?.photo.map((file) => file.filename),
        [filename],
        `${binding}: ${parameters.slice(0, 100)}`,
      );
    }
  }),
);

forms('take an empty file input as not sent', () =>
  withBoth(async ({ send, directory }) => {
    const text = `${PHOTO}\n--cut\nContent-Disposition: form-data; name="icon"; filename=""\nContent-Type: image/png\n\n\n--cut\nContent-Disposition: form-data; name="title"\n\na\n--cut--\n`;
    const response = await send('/form', multipart(text));
    assert.equal(Object.keys(((await response.json()) as { files: object }).files), ['photo']);
    assert.is(stored(directory).length, 1);
  }),
);

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let round = 0; !holds(); round += 1) {
    assert.ok(round < 500, what);
    await wait(20);
  }
}

forms('that the client stops sending leave no file', () =>
  inFolder(async (folder) => {
    const logged: LogEvent[] = [];
    await withServer(
      createServer(createUploadEngine(createUploads(folder), { log: (event) => logged.push(event) }), {
        limits: PATIENT,
      }),
      async (port) => {
        const socket = connect(port, '127.0.0.1');
        socket.write(
          `POST /en/cms-json/up/v1/form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: 900000\r\n\r\n${PHOTO.replaceAll('\n', '\r\n')}${'b'.repeat(100_000)}`,
        );
        await until(() => stored(folder).some((name) => name.endsWith('.part')), 'the file is arriving');
        socket.destroy();
        await until(() => stored(folder).length === 0, 'the file is removed');
      },
    );
    assert.equal(logged, []);
  }),
);

forms('that a client of fetch stops sending leave no file', () =>
  inFolder(async (folder) => {
    const handle = createFetchHandler(createUploadEngine(createUploads(folder)), {
      siteUrl: 'http://site.test',
      limits: PATIENT,
    });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(PHOTO.replaceAll('\n', '\r\n') + 'b'.repeat(100_000)));
      },
      async pull(controller) {
        await until(() => stored(folder).some((name) => name.endsWith('.part')), 'the file is arriving');
        controller.error(new Error('cut'));
      },
    });
    const response = await handle(
      new Request('http://site.test/en/cms-json/up/v1/form', {
        ...typed('multipart/form-data; boundary=cut', body),
        method: 'POST',
        duplex: 'half',
      } as RequestInit),
    );
    assert.equal(await read(response), [499, 'rest_client_gone']);
    assert.equal(stored(folder), []);
  }),
);

forms('that end while a file is read are refused', () =>
  withBoth(async ({ send, directory, logged }, binding) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(PHOTO.replaceAll('\n', '\r\n') + 'b'.repeat(100_000)));
      },
      async pull(controller) {
        await until(() => stored(directory).some((name) => name.endsWith('.part')), 'the file is arriving');
        controller.close();
      },
    });
    const response = await send('/form', {
      ...typed('multipart/form-data; boundary=cut', body),
      duplex: 'half',
    });
    assert.equal(await read(response), [400, 'rest_invalid_multipart'], binding);
    assert.equal(stored(directory), [], binding);
    assert.equal(logged, [], binding);
  }),
);

forms('that arrive too slowly are a 408 and leave no file', () =>
  inFolder(async (folder) => {
    const server = createServer(createUploadEngine(createUploads(folder)), {
      limits: { ...PATIENT, requestTimeoutMs: 200, headersTimeoutMs: 150 },
    });
    await withServer(server, async (port) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.write(
        `POST /en/cms-json/up/v1/form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: 900000\r\n\r\n${PHOTO.replaceAll('\n', '\r\n')}`,
      );
      await until(() => text.includes('rest_body_timeout'), 'the response');
      assert.match(text, /^HTTP\/1\.1 408 /);
      assert.equal(stored(folder), []);
      socket.destroy();
    });
  }),
);

forms.run();

const uploads = suite('createUploads');

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text === 'fail') throw new Error('the stream failed');
    yield Buffer.from(text);
  }
}

const FACTS = { field: 'f', filename: '../x', type: 'text/plain' } as const;

uploads('keeps what arrived completely, under a name of its own', () =>
  inFolder(async (folder) => {
    const port = createUploads(join(folder, 'a/b'));
    const id = await port.save(chunksOf('ab', '', 'c'), FACTS);
    assert.is(readFileSync(port.path(id), 'utf8'), 'abc');
    await port.remove(id);
    await port.remove(id);
    assert.equal(readdirSync(join(folder, 'a/b')), []);
  }),
);

uploads('keeps nothing of a stream that fails', () =>
  inFolder(async (folder) => {
    const error = await createUploads(folder)
      .save(chunksOf('ab', 'fail'), FACTS)
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    assert.match(String(error), /the stream failed/);
    assert.equal(readdirSync(folder), []);
  }),
);

uploads('touches no other file', () =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, 'other'), 'a');
    const port = createUploads(join(folder, 'uploads'));
    for (const id of ['../other', 'other', '', '/etc/passwd', '..', 'a\0']) {
      assert.match(
        refusalOf(() => port.path(id)),
        /is not the id of an upload/,
      );
      assert.instance(
        await port.remove(id).then(
          () => null,
          (error: unknown) => error,
        ),
        TypeError,
      );
    }
    assert.ok(existsSync(join(folder, 'other')));
    assert.match(
      refusalOf(() => createUploads('')),
      /needs the path of a directory/,
    );
  }),
);

uploads.run();
