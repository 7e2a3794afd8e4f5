import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OpenSockets } from '../../../adapters/http/open-sockets.ts';
import { closeServer, createServer } from '../../../adapters/node-http.ts';
import { createEngine, defineNamespace, RawBody, RestResponse } from '../../../lib/index.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

/** More than the system keeps for a connection. */
const BIG = Buffer.alloc(40_000_000);
const STILL = { limits: { stallTimeoutMs: 800 } };

const still = defineNamespace(
  {
    namespace: 'still',
    routes: ['never', 'big'].map((name) => ({
      pattern: `/still/${name}`,
      endpoints: [{ methods: ['GET' as const], handler: name, permission: 'public', args: {} }],
    })),
  },
  { never: () => new Promise(() => undefined), big: () => new RestResponse(new RawBody(null, BIG)) },
);

async function withClient(path: string, use: (client: Socket) => Promise<void>): Promise<void> {
  const server = createServer(
    createEngine({ namespaces: [still], handlerTimeoutMs: 6000, answerLimit: 2 * BIG.length }),
    STILL,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1').on(
    'error',
    () => undefined,
  );
  try {
    client.write(`GET /still/${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await use(client);
  } finally {
    client.destroy();
    await closeServer(server, { timeoutMs: 100 });
  }
}

const connections = suite('connections');

connections('on which no byte moves are cut', () =>
  withClient('never', async (client) => {
    let received = '';
    client.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    await once(client, 'close');
    assert.is(received, '');
  }),
);

connections('on which nothing is sent at all are cut after their time, and not before it', () =>
  withMovedClock(async (clock) => {
    const [sockets, socket] = [new OpenSockets(400), new Socket()];
    sockets.add(socket);
    await clock.move(399);
    assert.is(socket.destroyed, false);
    await clock.move(101);
    assert.is(socket.destroyed, true);
  }),
);

connections('whose client takes a large response slowly stay open', () =>
  withClient('big', async (client) => {
    let taken = 0;
    // It takes far longer than the time in which some byte has to move.
    for (let round = 0; round < 300; round += 1, await wait(10))
      taken += (client.read(65_536) as Buffer | null)?.length ?? 0;
    assert.not(client.destroyed);
    client.on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    await once(client, 'end');
    assert.ok(taken > BIG.length);
  }),
);

connections.run();
