import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServer, LoadShedder, HTTP_LIMITS } from '../../adapters/node-http.ts';
import { createEchoHost } from '../support/echo-host.ts';
import { PATIENT } from '../support/patient.ts';
import { lastBodyOf, statusesOf, talk, withServer } from '../support/raw.ts';
import { RAW_CASES } from './raw-cases.ts';

const ROUNDS = 1500;
const AT_ONCE = 16;
/** The statuses that a server may send in response to any input. 500 is not one of them. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 404, 408, 413, 414, 415, 417, 431]);
const SEEDS: readonly Uint8Array[] = RAW_CASES.map(([, bytes]) => Buffer.from(bytes, 'latin1')).filter(
  (bytes) => bytes.length > 0 && bytes.length < 3000,
);

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
}

/** One of the raw cases: whole, cut, with some bytes changed, or followed by the beginning of another one. */
function mutate(random: (below: number) => number): Uint8Array {
  const bytes = Buffer.from(SEEDS[random(SEEDS.length)] ?? []);
  const way = random(4);
  if (way === 0) return bytes;
  if (way === 1) return bytes.subarray(0, random(bytes.length));
  if (way === 2)
    return Buffer.concat([bytes, (SEEDS[random(SEEDS.length)] ?? bytes).subarray(0, random(400))]);
  for (let count = random(4); count >= 0; count--) bytes[random(bytes.length)] = random(256);
  return bytes;
}

/** Sends the bytes, then disconnects in one of three ways. Returns the response. */
async function poke(port: number, bytes: Uint8Array, way: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(bytes);
  if (way === 0) socket.end();
  else if (way === 1) await wait(20);
  if (way !== 0) socket.resetAndDestroy();
  await closed;
  return text;
}

const fuzz = suite('createServer, changed bytes');

fuzz('never crash the server, never cause a 500, leave nothing behind', async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const random = createRandom(seed);
  const host = createEchoHost();
  const loadShedder = new LoadShedder(HTTP_LIMITS);
  await withServer(createServer(host, { loadShedder, limits: PATIENT }), async (port) => {
    let left = ROUNDS;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (; left > 0; left--) {
          const bytes = mutate(random);
          const text = await poke(port, bytes, random(3));
          const strange = statusesOf(text).find((status) => !STATUSES.has(status));
          assert.is(
            strange,
            undefined,
            `seed ${seed}: ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 500))}`,
          );
        }
      }),
    );
    for (let tries = 0; loadShedder.inFlight + loadShedder.buffered > 0 && tries < 200; tries++)
      await wait(10);
    assert.is(loadShedder.inFlight, 0, `seed ${seed}`);
    assert.is(loadShedder.buffered, 0, `seed ${seed}`);
    assert.match(
      lastBodyOf(
        (await talk(port, 'GET /en/cms-json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).text,
      ),
      '"path":"/"',
    );
  });
});

fuzz('of CONNECT, reset at once, do no harm', async () => {
  await withServer(createServer(createEchoHost(), { limits: PATIENT }), async (port) => {
    for (let round = 0; round < 100; round++)
      await poke(port, Buffer.from('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'), 2 - (round % 3));
    assert.equal(
      statusesOf((await talk(port, 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).text),
      [404],
    );
  });
});

fuzz.run();
