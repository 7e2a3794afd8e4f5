import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServer, LoadShedder, HTTP_LIMITS } from '../../adapters/node-http.ts';
import { createEchoHost } from '../support/echo-host.ts';
import { PATIENT } from '../support/patient.ts';
import { lastBodyOf, statusesOf, talk, withServer } from '../support/raw.ts';
import { RAW_CASES } from './raw-cases.ts';

const SLOW = {
  '/slow': async () => {
    await wait(20);
    return { status: 200, headers: {}, body: '{}' };
  },
};

const NEXT = 'GET /en/cms-json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

const raw = suite('createServer, byte by byte');

for (const [name, bytes, statuses, served, end] of RAW_CASES) {
  raw(name, async () => {
    const host = createEchoHost(SLOW);
    const loadShedder = new LoadShedder(HTTP_LIMITS);
    const server = createServer(host, { loadShedder, limits: PATIENT });
    await withServer(server, async (port) => {
      const { text, open } = await talk(port, bytes, { end: end === 'end' });
      assert.equal(statusesOf(text), statuses, text.slice(0, 300));
      assert.not(open, 'the connection was left open');
      assert.is(host.served.length, served, 'requests that reached the host');
      const last = statuses.at(-1) ?? 200;
      if (last >= 400) assert.is(JSON.parse(lastBodyOf(text)).data.status, last);
      assert.is(loadShedder.inFlight, 0);
      assert.equal(statusesOf((await talk(port, NEXT)).text), [200], 'the next request');
    });
  });
}

raw.run();
