import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { LoadShedder } from '../../adapters/http/admission/load-shedder.ts';
import { HTTP_LIMITS } from '../../adapters/http/http-limits.ts';
import { createEchoHost } from '../support/echo-host.ts';

const URL = 'http://stranger.example/en/cms-json';
const SITE = { siteUrl: () => 'https://site.example' };
const calmGate = () => new LoadShedder(HTTP_LIMITS);

/** A body of unknown length: parts arrive as long as they are read. With `hang` none ever arrives. */
function createStream(part: Uint8Array, hang = false): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => {
      if (!hang) controller.enqueue(part);
      return hang ? new Promise<void>(() => undefined) : undefined;
    },
  });
}

const post = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
  new Request(URL, { method: 'POST', body, headers, duplex: 'half' });

const fetching = suite('createFetchHandler');

fetching('bounds a body of unknown length', async () => {
  const host = createEchoHost();
  const loadShedder = calmGate();
  const handle = createFetchHandler(host, { ...SITE, loadShedder });
  assert.is((await handle(post(createStream(new Uint8Array(100_000))))).status, 413);
  assert.is(
    (await handle(post(createStream(new Uint8Array(1)), { 'Content-Encoding': 'gzip' }))).status,
    415,
  );
  assert.is(host.served.length, 0);
  assert.is(loadShedder.buffered, 0);
  assert.is(loadShedder.inFlight, 0);
});

fetching('does not wait forever for a body', async () => {
  const loadShedder = calmGate();
  const handle = createFetchHandler(createEchoHost(), {
    ...SITE,
    loadShedder,
    limits: { requestTimeoutMs: 30 },
  });
  assert.is((await handle(post(createStream(new Uint8Array(1), true)))).status, 408);
  assert.is(loadShedder.buffered, 0);
});

fetching('refuses requests above the limits', async () => {
  const host = createEchoHost();
  const handle = createFetchHandler(host, {
    ...SITE,
    loadShedder: new LoadShedder({ ...HTTP_LIMITS, inFlight: 0 }),
  });
  const response = await handle(new Request(URL));
  assert.is(response.status, 503);
  assert.is(response.headers.get('retry-after'), '1');
  assert.is(host.served.length, 0);
});

fetching('passes every other address on, and passes the caller address to the engine', async () => {
  const host = createEchoHost();
  const handle = createFetchHandler(host, {
    ...SITE,
    loadShedder: calmGate(),
    otherwise: () => new Response('page'),
    address: () => '192.0.2.1',
  });
  assert.is(await (await handle(new Request('http://a/about'))).text(), 'page');
  await handle(new Request(`${URL}#fragment`));
  assert.is(host.served[0]?.address, '192.0.2.1');
  assert.is(host.served[0]?.siteUrl, 'https://site.example');
  assert.is(host.served[0]?.path, '/');
});

fetching('responds with 500 when the host rejects', async () => {
  const loadShedder = calmGate();
  const answers = {
    '/throws': () => Promise.reject(new Error('secret')),
    '/header': () => ({ status: 200, headers: { Link: 'a\nb' }, body: '' }),
    '/empty': () => ({ status: 204, headers: {}, body: null }),
  };
  const handle = createFetchHandler(createEchoHost(answers), { ...SITE, loadShedder });
  for (const path of ['/throws', '/header']) {
    const response = await handle(new Request(URL + path));
    assert.is(response.status, 500, path);
    assert.not((await response.text()).includes('secret'));
  }
  assert.is((await handle(new Request(`${URL}/empty`))).status, 204);
  assert.is(loadShedder.inFlight, 0);
});

fetching.run();
