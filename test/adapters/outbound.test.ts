import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutbound, type OutboundOptions } from '../../adapters/outbound.ts';
import { isPublicAddress } from '../../adapters/outbound/address-policy.ts';
import { RestError } from '../../lib/core/errors.ts';
import { OutboundRefused, type Outbound, type OutboundRequest } from '../../lib/ports/outbound.ts';
import { listen, spyDials, type Loopback } from '../support/loopback.ts';
import { REFUSED_URLS, RESOLVED } from './ssrf-forms.ts';

/** Represents a public server. The tests allow this one address in addition. */
const OUTSIDE = '127.0.0.2';
const allowOutside = (address: string): boolean => address === OUTSIDE || isPublicAddress(address);

const resolveFake = (hostname: string): Promise<readonly string[]> =>
  hostname === 'fails.test'
    ? Promise.reject(new Error('no such name'))
    : Promise.resolve(RESOLVED[hostname] ?? ['127.0.0.1']);

async function refused(promise: Promise<unknown>): Promise<OutboundRefused> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    assert.is(error.message, 'The address could not be fetched.');
    assert.equal(Object.keys(error), ['fault', 'name']);
    // The addresses of a name are for the log alone.
    assert.not.match(error.fault, 'an address of');
    return error;
  }
  throw new assert.Assertion({
    message: 'fetched what must be refused',
    details: '',
    generated: false,
    operator: 'refused',
    expects: 'OutboundRefused',
    actual: 'an answer',
  });
}

const say: RequestListener = (_, response) => {
  response.setHeader('content-type', 'text/html').end('inside');
};

/** Listeners on internal addresses. They count what reaches them. */
async function withInside(run: (port: number) => Promise<void>): Promise<void> {
  const inner: Loopback[] = [await listen(say)];
  const port = inner[0]?.port ?? 0;
  const sixth = await listen(say, '::1', port).catch(() => null);
  if (sixth !== null) inner.push(sixth);
  try {
    await run(port);
    assert.is(
      inner.reduce((sum, each) => sum + each.connections(), 0),
      0,
      'an inner address was reached',
    );
  } finally {
    await Promise.all(inner.map((each) => each.close()));
  }
}

/** A server outside and an outbound client that may reach it as `outside.test`. */
async function withOutside(
  handler: RequestListener,
  run: (
    fetchUrl: (path: string, more?: Partial<OutboundRequest>) => ReturnType<Outbound>,
    port: number,
  ) => Promise<void>,
  options: OutboundOptions = {},
): Promise<void> {
  const server = await listen(handler, OUTSIDE);
  const outbound = createOutbound({
    resolve: () => Promise.resolve([OUTSIDE]),
    isAllowed: allowOutside,
    ...options,
    ports: [80, 443, 8080, server.port, ...(options.ports ?? [])],
  });
  try {
    await run(
      (path, more) =>
        outbound({ url: `http://outside.test:${server.port}${path}`, timeoutMs: 2000, ...more }),
      server.port,
    );
  } finally {
    await server.close();
  }
}

const forms = suite('refused forms');

forms('there are at least 93 of them', () =>
  assert.ok(new Set(REFUSED_URLS).size === REFUSED_URLS.length && REFUSED_URLS.length >= 93),
);

for (const form of REFUSED_URLS) {
  forms(JSON.stringify(form.slice(0, 60)), () =>
    withInside(async (port) => {
      const outbound = createOutbound({ resolve: resolveFake, ports: [80, 443, 8080, port] });
      const dials = await spyDials(async () => {
        await refused(outbound({ url: form.replaceAll('{port}', String(port)) }));
      });
      assert.equal(dials, []);
    }),
  );
}

forms('without options, loopback is refused whatever the machine resolves', async () => {
  const dials = await spyDials(async () => {
    for (const url of ['http://localhost/', 'http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]/'])
      await refused(createOutbound()({ url }));
  });
  assert.equal(dials, []);
});

forms.run();

const rules = suite('rules for public addresses');

for (const [url, why] of [
  ['http://user@outside.test:{port}/', 'user name'],
  ['http://:secret@outside.test:{port}/', 'password'],
  ['http://user:secret@127.0.0.2:{port}/', 'user name and password'],
  ['ftp://outside.test:{port}/', 'scheme'],
  ['ws://outside.test:{port}/', 'scheme'],
  [`http://outside.test:{port}/${'x'.repeat(2048)}`, 'length'],
] as const) {
  rules(`${why}: ${url.slice(0, 40)} is refused undialled`, () =>
    withOutside(say, async (_, port) => {
      const outbound = createOutbound({
        resolve: () => Promise.resolve([OUTSIDE]),
        isAllowed: allowOutside,
        ports: [port],
      });
      assert.equal(
        await spyDials(async () => {
          await refused(outbound({ url: url.replace('{port}', String(port)) }));
        }),
        [],
      );
    }),
  );
}

rules('port: an unlisted one is refused without dialling, a listed one is dialled', () =>
  withOutside(say, async (_, port) => {
    const parts = { resolve: () => Promise.resolve([OUTSIDE]), isAllowed: allowOutside };
    const request = { url: `http://outside.test:${port}/` };
    assert.equal(
      await spyDials(async () => {
        await refused(createOutbound(parts)(request));
      }),
      [],
    );
    assert.equal(
      await spyDials(async () => {
        await createOutbound({ ...parts, ports: [port] })(request);
      }),
      [`${OUTSIDE}:${port}`],
    );
  }),
);

rules.run();

const redirects = suite('redirects');

for (const form of REFUSED_URLS.filter(
  (each) => URL.canParse(each.replace('{port}', '80')) && /^[\u0021-\u007E]+$/.test(each),
)) {
  redirects(`to ${form.slice(0, 60)} is refused`, () =>
    withInside((port) => {
      const target = form.replaceAll('{port}', String(port));
      return withOutside(
        (_, response) => {
          response.writeHead(302, { location: target }).end();
        },
        async (fetchUrl) => {
          const dials = await spyDials(async () => {
            await refused(fetchUrl('/'));
          });
          assert.ok(dials.length > 0 && dials.every((dial) => dial.startsWith(OUTSIDE)), dials.join());
        },
        {
          resolve: (hostname) =>
            hostname === 'outside.test' ? Promise.resolve([OUTSIDE]) : resolveFake(hostname),
          ports: [port],
        },
      );
    }),
  );
}

redirects('three are followed, relative and absolute', () =>
  withOutside(
    (request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 3) response.setHeader('content-type', 'text/html').end('here');
      else
        response
          .writeHead(301 + step, { location: step === 1 ? `//${request.headers.host}/2` : `/${step + 1}` })
          .end();
    },
    async (fetchUrl, port) => {
      const answer = await fetchUrl('/0');
      assert.is(Buffer.from(answer.body).toString(), 'here');
      assert.is(answer.url, `http://outside.test:${port}/3`);
    },
  ),
);

redirects('a loop ends after the third', async () => {
  let served = 0;
  await withOutside(
    (_, response) => {
      served += 1;
      response.writeHead(307, { location: '/' }).end();
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/'));
    },
  );
  assert.is(served, 4);
});

redirects('do not carry the login and the headers of the request to another origin', () => {
  const seen: unknown[] = [];
  return withOutside(
    ({ headers: { host, authorization, 'x-key': key }, url }, response) => {
      seen.push([host?.split(':')[0], url, authorization, key]);
      const other = `http://other.test:${host?.split(':')[1]}/3`;
      if (url === '/3') response.setHeader('content-type', 'text/html').end('here');
      else response.writeHead(302, { location: url === '/1' ? '/2' : other }).end();
    },
    async (fetchUrl) => {
      await fetchUrl('/1', { authorization: 'Basic x', headers: { 'x-key': 'y' } });
      assert.equal(seen, [
        ['outside.test', '/1', 'Basic x', 'y'],
        ['outside.test', '/2', 'Basic x', 'y'],
        ['other.test', '/3', undefined, undefined],
      ]);
    },
  );
});

redirects('without a target it is an ordinary response', () =>
  withOutside(
    (_, response) => {
      response.writeHead(302, { 'content-type': 'text/html' }).end();
    },
    async (fetchUrl) => assert.is((await fetchUrl('/')).status, 302),
  ),
);

redirects.run();

const names = suite('resolving');

names('a name is resolved once per connection, and the checked address is dialled', () =>
  withInside((port) => {
    const answers = [[OUTSIDE], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    return withOutside(
      (request, response) => {
        assert.is(request.headers.host?.split(':')[0], 'rebinding.test');
        response.setHeader('content-type', 'text/html').end('outside');
      },
      async (_, outsidePort) => {
        const outbound = createOutbound({
          resolve: () => Promise.resolve(answers[asked++] ?? []),
          isAllowed: allowOutside,
          ports: [port, outsidePort],
        });
        assert.is(
          Buffer.from((await outbound({ url: `http://rebinding.test:${outsidePort}/` })).body).toString(),
          'outside',
        );
        assert.is(asked, 1);
        await refused(outbound({ url: `http://rebinding.test:${port}/` }));
        assert.is(asked, 2);
      },
    );
  }),
);

names('a name that becomes internal between two redirects is refused', () =>
  withInside((port) => {
    let asked = 0;
    return withOutside(
      (_, response) => {
        response.writeHead(302, { location: `http://rebinding.test:${port}/` }).end();
      },
      async (_, outsidePort) => {
        const outbound = createOutbound({
          resolve: () => Promise.resolve(asked++ === 0 ? [OUTSIDE] : ['127.0.0.1']),
          isAllowed: allowOutside,
          ports: [port, outsidePort],
        });
        await refused(outbound({ url: `http://rebinding.test:${outsidePort}/` }));
        assert.is(asked, 2);
      },
    );
  }),
);

for (const answers of [
  [OUTSIDE, '127.0.0.1'],
  ['127.0.0.1', OUTSIDE],
  [OUTSIDE, '::1'],
  [OUTSIDE, OUTSIDE, OUTSIDE, '10.0.0.1'],
]) {
  names(`one inner address among ${answers.join(' ')} condemns the name`, () =>
    withInside((port) =>
      withOutside(
        say,
        async (fetchUrl) => {
          assert.equal(
            await spyDials(async () => {
              await refused(fetchUrl('/'));
            }),
            [],
          );
        },
        { resolve: () => Promise.resolve(answers), ports: [port] },
      ),
    ),
  );
}

names('the next address is tried when one does not respond', () =>
  withOutside(
    say,
    async (fetchUrl) => {
      assert.is((await fetchUrl('/')).status, 200);
    },
    {
      resolve: () => Promise.resolve(['127.0.0.3', OUTSIDE]),
      isAllowed: (address) => address.startsWith('127.0.0.'),
    },
  ),
);

names('a resolver that never responds is not awaited', async () => {
  await refused(
    createOutbound({ resolve: () => new Promise(() => {}) })({ url: 'http://slow.test/', timeoutMs: 50 }),
  );
});

names('https keeps the name in the handshake while the checked address is dialled', async () => {
  let hello = Buffer.alloc(0);
  const server = createTcpServer((socket) => {
    socket.once('data', (chunk) => {
      hello = chunk;
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, OUTSIDE, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await refused(
    createOutbound({ resolve: () => Promise.resolve([OUTSIDE]), isAllowed: allowOutside, ports: [port] })({
      url: `https://outside.test:${port}/`,
    }),
  );
  await new Promise((resolve) => {
    server.close(resolve);
  });
  assert.ok(hello.includes('outside.test'));
});

names.run();

const limits = suite('limits');

const endless: RequestListener = (_, response) => {
  response.setHeader('content-type', 'text/html');
  const timer = setInterval(() => response.write('x'.repeat(16 * 1024)), 1);
  response.on('close', () => clearInterval(timer));
};

limits('150 KiB are accepted, one byte more is refused', () =>
  withOutside(
    (request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('x'.repeat(150 * 1024 + Number(request.url?.slice(1))));
    },
    async (fetchUrl) => {
      assert.is((await fetchUrl('/0')).body.length, 150 * 1024);
      await refused(fetchUrl('/1'));
    },
  ),
);

limits('an endless body is refused, or cut when asked', () =>
  withOutside(endless, async (fetchUrl) => {
    await refused(fetchUrl('/'));
    assert.is((await fetchUrl('/', { cut: true, maxBytes: 1000 })).body.length, 1000);
  }),
);

limits('a body that trickles in ends with the timeout of the whole exchange', () =>
  withOutside(
    (_, response) => {
      response.setHeader('content-type', 'text/html');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/', { timeoutMs: 150 }));
    },
  ),
);

limits('redirects share the time', async () => {
  let asked = 0;
  await withOutside(
    (_, response) => {
      asked += 1;
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/', { timeoutMs: 100 }));
    },
  );
  assert.ok(asked <= 2, `${asked} requests`);
});

limits('a silent server', () =>
  withOutside(
    () => {},
    async (fetchUrl) => {
      await refused(fetchUrl('/', { timeoutMs: 80 }));
    },
  ),
);

limits('encoded bodies are refused unread', () =>
  withOutside(
    (request, response) => {
      assert.is(request.headers['accept-encoding'], 'identity');
      let body = Buffer.from('x');
      for (let turn = 0; turn < 100; turn += 1) body = gzipSync(body);
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-encoding': Array.from({ length: 100 }, () => 'gzip').join(', '),
        })
        .end(body);
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/'));
    },
  ),
);

for (const [type, accept, taken] of [
  ['text/html; charset=utf-8', undefined, true],
  ['Application/JSON', undefined, true],
  ['image/png', undefined, false],
  ['application/octet-stream', undefined, false],
  ['', undefined, false],
  ['image/png', [], true],
  ['text/html', ['application/json'], false],
  ['application/json', ['application/json'], true],
] as const) {
  limits(`media type "${type}" where ${JSON.stringify(accept ?? 'the default')} is accepted`, () =>
    withOutside(
      (_, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('{}');
      },
      async (fetchUrl) => {
        const promise = fetchUrl('/', accept === undefined ? {} : { accept });
        if (taken) assert.is((await promise).status, 200);
        else await refused(promise);
      },
    ),
  );
}

limits('headers without end, broken HTTP and a closed port look the same', async () => {
  const server = createTcpServer((socket) => {
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, OUTSIDE, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({
    resolve: () => Promise.resolve([OUTSIDE]),
    isAllowed: allowOutside,
    ports: [port],
  });
  await refused(outbound({ url: `http://outside.test:${port}/` }));
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await refused(outbound({ url: `http://outside.test:${port}/` }));
  await withOutside(
    (_, response) => {
      response.setHeader('x-long', 'x'.repeat(40_000)).end();
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/'));
    },
  );
});

limits('the caller can give up', async () => {
  const stop = new AbortController();
  await withOutside(
    () => {
      stop.abort();
    },
    async (fetchUrl) => {
      await refused(fetchUrl('/', { signal: stop.signal }));
    },
  );
  await refused(createOutbound()({ url: 'http://127.0.0.1/', signal: AbortSignal.abort() }));
});

limits('requests above the limit are refused, and places are freed again', () =>
  withOutside(
    (_, response) => {
      setTimeout(() => response.setHeader('content-type', 'text/html').end('x'), 30);
    },
    async (fetchUrl) => {
      const first = fetchUrl('/');
      const { cause } = await refused(fetchUrl('/'));
      assert.is(cause instanceof RestError && cause.code, 'rest_overloaded');
      await first;
      await fetchUrl('/');
    },
    { maxAtOnce: 1 },
  ),
);

limits('nothing secret is sent', () =>
  withOutside(
    (request, response) => {
      assert.equal(Object.keys(request.headers).sort(), [
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      response.setHeader('content-type', 'text/html').end('x');
    },
    async (fetchUrl) => {
      await fetchUrl('/');
    },
  ),
);

limits('HEAD has no body', () =>
  withOutside(
    (request, response) => {
      response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '12345' }).end();
      assert.is(request.method, 'HEAD');
    },
    async (fetchUrl) => {
      const answer = await fetchUrl('/', { method: 'HEAD' });
      assert.is(answer.headers['content-length'], '12345');
      assert.is(answer.body.length, 0);
    },
  ),
);

limits.run();
