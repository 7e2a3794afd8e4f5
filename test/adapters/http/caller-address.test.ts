import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../adapters/fetch.ts';
import { readCallerAddress } from '../../../adapters/http/host-options.ts';
import { createServer } from '../../../adapters/node-http.ts';
import { createEchoHost } from '../../support/echo-host.ts';
import { withServer } from '../../support/raw.ts';

const SITE_URL = 'https://site.example';
const PATH = '/en/cms-json';

const told = suite('the caller address from a host app');

told('is used when it is a string, cut to the length that throttles remember', () => {
  assert.is(readCallerAddress('192.0.2.1', '127.0.0.1'), '192.0.2.1');
  assert.is(readCallerAddress('x'.repeat(16_000), '127.0.0.1').length, 100);
});

told('falls back to the address of the connection', () => {
  for (const nothing of [undefined, null, ''])
    assert.is(readCallerAddress(nothing, '127.0.0.1'), '127.0.0.1');
});

told('is refused when it is anything else', () => {
  for (const [other, named] of [
    [5, 'a number'],
    [['192.0.2.1'], 'a list'],
    [Promise.resolve('192.0.2.1'), 'an instance of Promise'],
  ] as const) {
    assert.throws(
      () => readCallerAddress(other, '127.0.0.1'),
      (error: Error) =>
        error.message ===
        `address must return the caller's address as a string, or nothing, but returned ${named}`,
    );
  }
});

told('reaches the engine through every host', async () => {
  const host = createEchoHost();
  await withServer(
    createServer(host, { address: ({ headers }) => headers['x-real-ip']?.toString() }),
    async (port) => {
      for (const headers of [{ 'X-Real-IP': '192.0.2.1' }, {}])
        await (await fetch(`http://127.0.0.1:${port}${PATH}`, { headers })).text();
    },
  );
  const handle = createFetchHandler(host, {
    siteUrl: SITE_URL,
    address: ({ headers }) => headers.get('x-real-ip'),
  });
  for (const headers of [{ 'X-Real-IP': '192.0.2.2' }, {}])
    await handle(new Request(`http://a${PATH}`, { headers }));
  assert.equal(
    host.served.map(({ address }) => address),
    ['192.0.2.1', '127.0.0.1', '192.0.2.2', ''],
  );
});

told.run();
