import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeptSocket } from '../bench/overload/kept-socket.ts';
import { openAll, runClosedLoop, runOpenLoop, type Outcome } from '../bench/overload/open-loop.ts';
import { startNode } from '../support/start-program.ts';

const SOCKETS = 400;
const SECONDS = 4;

function toText(query = ''): string {
  return `GET /en/cms-json/probe/v1/it${query} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

async function withBusyServer(use: (sockets: KeptSocket[]) => Promise<void>): Promise<void> {
  const server = await startNode('busy-server', [
    fileURLToPath(new URL('../support/busy-server.js', import.meta.url)),
  ]);
  const sockets = Array.from({ length: SOCKETS }, () => new KeptSocket(Number(new URL(server.origin).port)));
  try {
    await use(sockets);
  } finally {
    for (const socket of sockets) socket.close();
    await server.stop();
  }
}

async function sendAll(
  sockets: readonly KeptSocket[],
  texts: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const answers = await Promise.all(texts.map((text, at) => sockets[at]?.send(text)));
  return answers.map((answer) => answer?.status);
}

const overload = suite('a server at five times its capacity');

overload('serves as much as it can in time, refuses the rest, and recovers', () =>
  withBusyServer(async (sockets) => {
    await openAll(sockets, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const { ok: capacity } = await runClosedLoop(sockets, { inFlight: 5, seconds: 1.5 }, toText);
    const samples = await runOpenLoop(
      sockets,
      { stages: [{ rate: 5 * capacity, seconds: SECONDS }], seed: 1 },
      () => ({ text: toText(), about: null }),
    );
    const outcomes: Record<Outcome, number> = { ok: 0, refused: 0, other: 0, broken: 0 };
    for (const { outcome } of samples) outcomes[outcome] += 1;
    const seen = `of ${capacity.toFixed(0)} a second: ${JSON.stringify(outcomes)} in ${SECONDS} s`;
    assert.equal([outcomes.other, outcomes.broken], [0, 0], seen);
    assert.ok(outcomes.refused > samples.length / 3, seen);
    // On a quiet machine it is more than 0.8 of the capacity.
    assert.ok(outcomes.ok > (capacity * SECONDS) / 4, seen);
    const times = samples
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ took, lag }) => took - lag)
      .toSorted((left, right) => left - right);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Infinity;
    // One that refuses nothing lets them wait four times as long as the overload lasts.
    assert.ok(p99 < SECONDS * 1000, `99 % of the accepted requests took up to ${p99.toFixed(0)} ms`);
    for (let round = 0; round < 10; round += 1) assert.equal(await sendAll(sockets, [toText()]), [200]);
  }),
);

overload('does not refuse requests because of a burst or one long request', () =>
  withBusyServer(async (sockets) => {
    const all = (count: number): readonly number[] => Array.from({ length: count }, () => 200);
    assert.equal(
      await sendAll(
        sockets,
        Array.from({ length: 10 }, () => toText()),
      ),
      all(10),
    );
    for (let round = 0; round < 3; round += 1) {
      await wait(1000);
      const texts = [toText(), toText('?pause=700'), ...Array.from({ length: 4 }, () => toText())];
      assert.equal(await sendAll(sockets, texts), all(6));
    }
  }),
);

overload.run();
