import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { closeServer, createServer, HTTP_LIMITS, LoadShedder } from '../../adapters/node-http.ts';
import { createEngine } from '../../lib/engine/engine.ts';
import type { Call } from '../../lib/route/call.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import { lastBodyOf, statusesOf, talk, withServer } from '../support/raw.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;

/** What the handlers have done. */
interface Seen {
  given: number;
  ended: number;
}

function createStreams() {
  const seen: Seen = { given: 0, ended: 0 };
  const faults: unknown[] = [];
  const of = (handler: string, streams: 'ndjson' | 'sse' | 'bytes') => ({
    pattern: `/s/${handler}`,
    endpoints: [{ methods: ['GET'], handler, permission: 'public', args: {}, streams }],
  });
  const descriptor = {
    namespace: 's',
    routes: [of('lines', 'ndjson'), of('endless', 'bytes'), of('broken', 'ndjson'), of('events', 'sse')],
  };
  const handlers = {
    async *lines() {
      yield { a: 1 };
      await wait(5);
      yield { a: 2 };
    },
    async *endless() {
      try {
        for (;;) {
          seen.given += 1;
          yield Buffer.alloc(MB / 4, 97);
        }
      } finally {
        seen.ended += 1;
      }
    },
    async *broken() {
      yield { a: 1 };
      await wait(5);
      throw new Error('late');
    },
    async *events(_args: unknown, { signal, draining }: Call) {
      try {
        yield { data: 'hello' };
        await wait(60_000, null, { signal: AbortSignal.any([signal, draining]) }).catch(() => undefined);
        yield { event: 'bye', retry: 10 };
      } finally {
        seen.ended += 1;
      }
    },
  };
  const engine = createEngine({
    namespaces: [defineNamespace(descriptor as never, handlers as never)],
    log: ({ error }) => faults.push(error),
  });
  return { engine, seen, faults };
}

const ask = (path: string, rest = 'Connection: close\r\n') =>
  `GET /s/${path} HTTP/1.1\r\nHost: a\r\n${rest}\r\n`;

/** Opens a connection, sends the bytes and reads nothing. */
async function send(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(bytes);
  return socket;
}

function start(limits = {}) {
  const parts = createStreams();
  const all = { ...HTTP_LIMITS, ...limits };
  const loadShedder = new LoadShedder(all);
  const server: Server = createServer(parts.engine, { limits: all, loadShedder });
  return { ...parts, loadShedder, server };
}

const node = suite('streams over node:http');

node('sends items as they come, and keeps the connection', async () => {
  const { server } = start();
  await withServer(server, async (port) => {
    const { text } = await talk(port, ask('lines', '') + ask('lines'));
    assert.equal(statusesOf(text), [200, 200]);
    assert.match(text, '8\r\n{"a":1}\n\r\n8\r\n{"a":2}\n\r\n0\r\n\r\n');
    const old = await talk(port, 'GET /s/lines HTTP/1.0\r\n\r\n');
    assert.is(lastBodyOf(old.text), '{"a":1}\n{"a":2}\n');
    const head = await talk(port, ask('lines').replace('GET', 'HEAD'));
    assert.is(lastBodyOf(head.text), '');
  });
});

node('goes no faster than its reader, and ends when the reader leaves', async () => {
  const { server, seen, loadShedder } = start();
  await withServer(server, async (port) => {
    const socket = await send(port, ask('endless'));
    await until(() => seen.given > 0 && loadShedder.streams === 1, 'the stream');
    let before = -1;
    // The buffers of the system take some MB.
    while (before !== seen.given) {
      before = seen.given;
      await wait(100);
    }
    assert.ok(seen.given < 64, `${seen.given} items were asked for`);
    assert.is(loadShedder.inFlight, 0);
    socket.destroy();
    await until(() => seen.ended === 1 && loadShedder.streams === 0, 'the stream');
  });
});

node('cuts a client that does not read', async () => {
  const { server, seen } = start({ stallTimeoutMs: 150 });
  await withServer(server, async (port) => {
    const socket = await send(port, ask('endless'));
    await until(() => seen.ended === 1, 'the stream');
    socket.destroy();
  });
});

node('breaks the connection when the handler fails after the first byte', async () => {
  const { server, faults } = start();
  await withServer(server, async (port) => {
    const { text, open } = await talk(port, ask('broken', ''));
    assert.equal(statusesOf(text), [200]);
    assert.not(open);
    assert.not.match(text, '0\r\n\r\n');
    assert.match(String(faults[0]), 'late');
  });
});

node('admits only so many streams', async () => {
  const { server, seen, loadShedder } = start({ streams: 1 });
  await withServer(server, async (port) => {
    const first = await send(port, ask('events'));
    await until(() => loadShedder.streams === 1, 'the stream');
    const second = await talk(port, ask('events'));
    assert.equal(statusesOf(second.text), [503]);
    assert.match(second.text, 'Retry-After');
    await until(() => seen.ended === 1, 'the stream');
    assert.equal(
      statusesOf((await talk(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).text),
      [200],
    );
    first.destroy();
    await until(() => loadShedder.streams === 0, 'the stream');
  });
});

node('lets streams end when the server stops', async () => {
  const { server } = start();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const answer = talk(port, ask('events', ''), { patience: 9000 });
  await wait(100);
  await closeServer(server, { timeoutMs: 8000 });
  const { text, open } = await answer;
  assert.not(open);
  assert.match(text, 'event: bye\nretry: 10\n\n');
  assert.ok(text.endsWith('0\r\n\r\n'));
});

node.run();

const fetching = suite('streams through createFetchHandler');

function handle(limits = {}) {
  const parts = createStreams();
  const loadShedder = new LoadShedder({ ...HTTP_LIMITS, ...limits });
  const handler = createFetchHandler(parts.engine, { siteUrl: 'http://a.example', limits, loadShedder });
  const get = (path: string, init: RequestInit = {}) =>
    handler(new Request(`http://a.example/s/${path}`, init));
  return { ...parts, loadShedder, get };
}

fetching('sends items as they are read', async () => {
  const { get, loadShedder } = handle();
  const response = await get('lines');
  assert.is(response.headers.get('content-type'), 'application/x-ndjson');
  assert.is(loadShedder.streams, 1);
  assert.is(await response.text(), '{"a":1}\n{"a":2}\n');
  assert.is(loadShedder.streams, 0);
  assert.is((await get('lines', { method: 'HEAD' })).body, null);
});

fetching('ends the iterator when the body is cancelled, the client leaves or nobody reads', async () => {
  const { get, seen, loadShedder } = handle({ stallTimeoutMs: 50 });
  const reader = (await get('endless')).body?.getReader();
  await reader?.read();
  assert.ok(seen.given <= 2);
  await reader?.cancel();
  await until(() => seen.ended === 1, 'the stream');
  const leaving = new AbortController();
  await get('endless', { signal: leaving.signal });
  leaving.abort();
  await until(() => seen.ended === 2, 'the stream');
  await get('endless');
  await until(() => seen.ended === 3, 'the stream');
  assert.is(loadShedder.streams, 0);
});

fetching('fails the body when the handler fails, and refuses streams above the limit', async () => {
  const { get, loadShedder } = handle({ streams: 1 });
  const failed = await get('broken')
    .then((response) => response.text())
    .catch(() => 'failed');
  assert.is(failed, 'failed');
  const first = await get('events');
  assert.is((await get('events')).status, 503);
  await first.body?.cancel();
  assert.is(loadShedder.streams, 0);
});

fetching.run();
