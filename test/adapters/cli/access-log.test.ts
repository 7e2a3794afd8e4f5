import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  LineWriter,
  logAccess,
  redact,
  toAccessLine,
  type Access,
} from '../../../adapters/cli/serve/access-log.ts';

const ACCESS: Access = {
  time: new Date('2026-11-23T01:02:03Z'),
  address: '192.0.2.1',
  method: 'GET',
  target: '/en/',
  version: '1.1',
  status: 200,
  bytes: 345,
  milliseconds: 1.5,
  referer: '',
  agent: 'a "b" \\c\n\u00e9',
};

const line = suite('toAccessLine');

line(
  'combined is the format of Apache and nginx, with everything escaped that could end the line or a field',
  () => {
    assert.is(
      toAccessLine('combined', ACCESS),
      String.raw`192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] "GET /en/ HTTP/1.1" 200 345 "-" "a \x22b\x22 \x5cc\x0a\xe9"`,
    );
  },
);

line('json is one object in one line', () => {
  const text = toAccessLine('json', ACCESS);
  assert.not.match(text, '\n');
  assert.equal(JSON.parse(text), { ...ACCESS, time: '2026-11-23T01:02:03.000Z' });
});

line.run();

const log = suite('logAccess');

/** The lines of what happens to a server that sends 100 bytes. */
async function linesOf(count: number, use: (port: number) => Promise<void>): Promise<readonly Access[]> {
  const lines: Access[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/hang') response.writeHead(request.url === '/none' ? 404 : 200).end('x'.repeat(100));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const written = new Promise<void>((resolve) => {
    logAccess(server, {
      format: 'json',
      write: (text) => {
        if (lines.push(JSON.parse(text) as Access) === count) resolve();
      },
      address: ({ headers }) => headers['x-real-ip']?.toString(),
    });
  });
  await use((server.address() as AddressInfo).port);
  await written;
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return lines;
}

log('counts the bytes of each response, also where requests are pipelined', async () => {
  const lines = await linesOf(3, async (port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(['/', '/none', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    let got = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      got += String(chunk);
      if (got.match(/x{100}/g)?.length === 3) break;
    }
  });
  assert.equal(
    lines.map(({ status }) => status),
    [200, 404, 200],
  );
  assert.ok(
    lines.every(({ bytes }) => bytes > 200 && bytes < 400),
    JSON.stringify(lines.map(({ bytes }) => bytes)),
  );
});

log('takes the address of the proxy, leaves out secrets, and says when the client has gone', async () => {
  const lines = await linesOf(2, async (port) => {
    await once(
      get({
        port,
        host: '127.0.0.1',
        path: '/?password=pw&a=1&_wpnonce=n',
        headers: { 'X-Real-IP': '192.0.2.9', Referer: 'https://a.example/', 'User-Agent': 'test' },
      }),
      'response',
    );
    const hanging = get({ port, host: '127.0.0.1', path: '/hang' }).on('error', () => undefined);
    await once(hanging, 'socket');
    setTimeout(() => hanging.destroy(), 200);
  });
  const [first, second] = lines;
  assert.equal(
    [first?.address, first?.target, first?.referer, first?.agent],
    ['192.0.2.9', '/?password=-&a=1&_wpnonce=-', 'https://a.example/', 'test'],
  );
  assert.equal([second?.address, second?.status, second?.bytes], ['127.0.0.1', 499, 0]);
});

log('decodes the names of secrets, also in the referrer', async () => {
  const [first] = await linesOf(1, async (port) => {
    await once(
      get({
        port,
        host: '127.0.0.1',
        path: '/?p%61ssword=pw&a=%6bey&%zz=1?Key=k',
        headers: { Referer: 'https://a.example/?a=1&%74oken=t#secret=s' },
      }),
      'response',
    );
  });
  assert.equal(
    [first?.target, first?.referer],
    ['/?p%61ssword=-&a=%6bey&%zz=1?Key=-', 'https://a.example/?a=1&%74oken=-#secret=-'],
  );
});

log.run();

const redacted = suite('redact');

redacted('leaves out secrets of addresses in values, and the user of a host', () => {
  for (const [address, expected] of [
    ['/wp-login.php?redirect=%2F%3Fkey%3Dabc&a=1', '/wp-login.php?redirect=-&a=1'],
    ['/?redirect=%252F%253Fkey%253Dabc', '/?redirect=-'],
    ['/?redirect=https://a.example/?key=abc', '/?redirect=https://a.example/?key=-'],
    ['/?redirect=https%3A%2F%2Fada%3Apw%40a.example%2F', '/?redirect=-'],
    ['/?redirect=https://ada:pw@a.example/', '/?redirect=-'],
    ['/?state=token%3Dabc', '/?state=-'],
    ['https://ada:pw@a.example/?a=1', 'https://-@a.example/?a=1'],
    ['https://ada:p@w@a.example/', 'https://-@a.example/'],
    [
      '/?redirect=%2F%3Fa%3Db&search=a%20key&to=ada@a.example',
      '/?redirect=%2F%3Fa%3Db&search=a%20key&to=ada@a.example',
    ],
    ['https://a.example/@ada/?b=%zz', 'https://a.example/@ada/?b=%zz'],
  ] as const)
    assert.is(redact(address), expected);
});

redacted.run();

const writer = suite('LineWriter');

writer('writes lines together, and drops them when nobody reads', async () => {
  const stream = new PassThrough({ highWaterMark: 16 });
  const lines = new LineWriter(stream);
  lines.write('one');
  lines.write('two');
  lines.flush();
  assert.is(stream.read()?.toString(), 'one\ntwo\n');
  lines.write('x'.repeat(2 << 20));
  lines.flush();
  lines.write('x'.repeat(2 << 20));
  lines.flush();
  lines.write('dropped');
  lines.flush();
  assert.ok(stream.writableLength > 0);
  assert.not.match(String(stream.read()), 'dropped');
});

writer.run();
