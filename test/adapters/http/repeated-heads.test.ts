import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createListener } from '../../../adapters/node-http.ts';
import type { Listener } from '../../../adapters/node-http.ts';
import type { Host, WireResponse } from '../../../lib/http/host.ts';
import { createEchoHost } from '../../support/echo-host.ts';
import { talk } from '../../support/raw.ts';
import { startNode } from '../../support/start-program.ts';

const PATH = '/en/cms-json/kept';
const KEPT: WireResponse = {
  status: 200,
  headers: { 'Content-Type': 'application/json', ETag: '"1"', Link: '</\u00e9>' },
  body: Buffer.from('{}'),
};
const DATE = /^Date: .*\r\n/m;

const createCachingHost = (): Host => ({
  ...createEchoHost(),
  ready: (_siteUrl, target) => (target === PATH ? KEPT : null),
});

interface Asked {
  readonly method?: string;
  readonly headers?: readonly string[];
}

const toMessage = ({ method = 'GET', headers = [] }: Asked): string =>
  [`${method} ${PATH} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

/** The responses on one connection to the listener's server, as bytes. The last request closes the connection. */
async function askAll(
  listener: Listener,
  asked: readonly Asked[],
  server: Server = createServer(),
): Promise<readonly string[]> {
  server.on('request', listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const { text } = await talk(port, [...asked, { headers: ['Connection: close'] }].map(toMessage).join(''));
    return text.split(/(?=HTTP\/1\.1 )/);
  } finally {
    server.close();
    await once(server, 'close');
  }
}

const heads = suite('heads of responses that are sent repeatedly');

for (const asked of [{}, { method: 'HEAD' }, { headers: ['If-None-Match: "1"'] }] satisfies Asked[]) {
  heads(`are those that node writes: ${JSON.stringify(asked)}`, async () => {
    const answers = await askAll(createListener(createCachingHost()), [asked, asked, asked]);
    const [first = '', ...others] = answers.slice(0, 3).map((answer) => answer.replace(DATE, ''));
    assert.ok(first.includes('ETag: "1"\r\n') && first.includes('\r\nConnection: keep-alive\r\n'), first);
    assert.equal(others, [first, first]);
    assert.ok(answers.every((answer) => DATE.test(answer)));
    assert.ok(answers[3]?.includes('\r\nConnection: close\r\n'));
  });
}

heads('of responses that share their headers differ in status and length', async () => {
  const headers = Object.freeze({ 'Content-Type': 'application/json' });
  const answers: readonly WireResponse[] = [200, 404, 200, 404, 201, 200].map((status, at) => ({
    status,
    headers,
    body: 'x'.repeat(at),
  }));
  let asked = 0;
  const host: Host = {
    ...createEchoHost(),
    serve: () => answers[asked++] ?? { status: 200, headers: {}, body: null },
  };
  const got = await askAll(
    createListener(host),
    answers.map(() => ({})),
  );
  assert.equal(
    got
      .slice(0, answers.length)
      .map((text) => [
        Number(text.slice(9, 12)),
        text.match(/Content-Length: (\d+)\r\nDate: /)?.[1],
        text.split('\r\n\r\n')[1],
      ]),
    answers.map(({ status, body }, at) => [status, String(at), body]),
  );
});

heads('keep the headers of a host app', async () => {
  let asked = 0;
  const inner = createListener(createCachingHost());
  const answers = await askAll(
    (request, response) => {
      asked += 1;
      if (asked !== 2) response.setHeader('X-App', String(asked));
      inner(request, response);
    },
    [{}, {}, {}],
  );
  assert.equal(
    answers.map((answer) => /^X-App: (.*)\r$/m.exec(answer)?.[1]),
    ['1', undefined, '3', '4'],
  );
});

heads("go through functions that a host app wraps around Node's", async () => {
  let written = 0;
  const inner = createListener(createCachingHost());
  await askAll(
    (request, response) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((...parts: Parameters<typeof writeHead>) => {
        written += 1;
        return writeHead(...parts);
      }) as typeof response.writeHead;
      inner(request, response);
    },
    [{}, {}, {}],
  );
  assert.is(written, 4);
});

heads("go through the functions of a host app's own class", async () => {
  let written = 0;
  class Counted extends ServerResponse {
    override writeHead(status: number, ...rest: never[]): this {
      written += 1;
      return super.writeHead(status, ...rest);
    }
  }
  await askAll(
    createListener(createCachingHost()),
    [{}, {}],
    createServer({ ServerResponse: Counted as typeof ServerResponse }),
  );
  assert.is(written, 3);
});

heads('use the status message of a host app only for its own request', async () => {
  let asked = 0;
  const inner = createListener(createCachingHost());
  const answers = await askAll(
    (request, response) => {
      asked += 1;
      if (asked % 2 === 1) response.statusMessage = `Number ${asked}`;
      inner(request, response);
    },
    [{}, {}, {}],
  );
  assert.equal(
    answers.map((answer) => answer.slice(13, answer.indexOf('\r'))),
    ['Number 1', 'OK', 'Number 3', 'OK'],
  );
});

heads('tell a host app the status', async () => {
  const statuses: number[] = [];
  const inner = createListener(createCachingHost());
  await askAll(
    (request, response) => {
      response.on('finish', () => statuses.push(response.statusCode));
      inner(request, response);
    },
    [{}, { headers: ['If-None-Match: "1"'] }, { headers: ['If-None-Match: "1"'] }, {}],
  );
  assert.equal(statuses, [200, 304, 304, 200, 200]);
});

heads('close the connection when the server allows no more requests on it', async () => {
  const server = createServer();
  const inner = createListener(createCachingHost());
  let asked = 0;
  const answers = await askAll(
    (request, response) => {
      asked += 1;
      if (asked === 2) server.maxRequestsPerSocket = 2;
      inner(request, response);
    },
    [{}, {}, {}, {}],
    server,
  );
  // Node counts from here on, and refuses the last request.
  assert.equal(
    answers.map((answer) => /^Connection: (.*)\r$/m.exec(answer)?.[1]),
    ['keep-alive', 'keep-alive', 'keep-alive', 'close', 'close'],
  );
});

/** Acts like an instrumentation agent that is loaded first: each response gets its own header. */
const AGENT = `import { ServerResponse } from 'node:http';
const { writeHead } = ServerResponse.prototype;
let written = 0;
ServerResponse.prototype.writeHead = function (status, headers) {
  written += 1;
  headers.push('X-Trace-Id', String(written));
  return writeHead.call(this, status, headers);
};`;

heads('are not cached with headers that an instrumentation agent has added', async () => {
  const program = await startNode('server with an agent', [
    '--import',
    `data:text/javascript,${encodeURIComponent(AGENT)}`,
    'dist/examples/server.js',
    '--port',
    '0',
    '--store',
    'memory',
  ]);
  try {
    const traces: unknown[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const response = await fetch(`${program.origin}/en/cms-json/cms/v2/posts/1`);
      await response.text();
      traces.push(response.headers.get('X-Trace-Id'));
    }
    assert.equal(traces, ['1', '2', '3', '4']);
  } finally {
    await program.stop();
  }
});

heads.run();
