import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startProgram } from '../support/start-program.ts';

const PATH = '/en/cms-json/probe/v1/it';
/** How long the server is too busy to accept or to read anything. Milliseconds. */
const BLOCK_MS = 800;

interface Client {
  send(path?: string): void;
  /** All that has arrived, once the connection has ended; the code of the error that ended it. */
  readonly outcome: Promise<string>;
}

async function openClient(port: number): Promise<Client> {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const outcome = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`${error.code ?? 'error'} after ${received.length} bytes`),
    );
    socket.once('close', () => resolve(received));
  });
  await once(socket, 'connect');
  return {
    send: (path = PATH) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    },
    outcome,
  };
}

function openClients(port: number, count: number): Promise<readonly Client[]> {
  return Promise.all(Array.from({ length: count }, () => openClient(port)));
}

const test = suite('a server that is told to stop while it is busy');

test('answers every request that has reached it, accepted or not, and says that the connection closes', async () => {
  const server = await startProgram('test/support/busy-server.js', []);
  const port = Number(new URL(server.origin).port);
  const accepted = await openClients(port, 30);
  const used = await openClients(port, 10);
  for (const client of used) client.send();
  await wait(400);
  const [blocker] = await openClients(port, 1);
  blocker?.send(`${PATH}?pause=${BLOCK_MS}`);
  // From here on the server is blocked: the connections stay in the queue of the system, and the requests unread.
  await wait(100);
  const queued = await openClients(port, 200);
  for (const client of [...accepted, ...used, ...queued]) client.send();
  await wait(50);
  const stopped = server.stop();
  const outcomes = await Promise.all([...accepted, ...used, ...queued].map(({ outcome }) => outcome));
  const wrong = outcomes.filter((text) => !/^HTTP\/1\.1 (?:200|503) /.test(text));
  assert.equal(wrong, []);
  for (const text of outcomes) {
    const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
    assert.match(last, /\r\nConnection: close\r\n/i);
    assert.match(last, /\r\n\r\n\{.*\}$/s);
  }
  assert.match((await blocker?.outcome) ?? '', /^HTTP\/1\.1 200 /);
  assert.is(await stopped, 0);
});

test.run();
