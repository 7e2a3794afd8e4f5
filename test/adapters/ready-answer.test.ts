import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServer } from '../../adapters/node-http.ts';
import type { Host } from '../../lib/host.ts';
import type { WireResponse } from '../../lib/wire.ts';
import { createEchoHost } from '../support/echo-host.ts';
import { withServer } from '../support/raw.ts';

// Kept answers of one host may share their headers: what one of them is sent with must not become another one's.
const HEADERS = { 'Content-Type': 'application/json', ETag: '"1"' };
const SHORT: WireResponse = { status: 200, headers: HEADERS, body: Buffer.from('{}') };
const LONG: WireResponse = { status: 200, headers: HEADERS, body: Buffer.from('{"a":"long one"}') };

const BASE = '/en/cms-json';

function createReadyHost(): Host {
  return { ...createEchoHost(), ready: (_siteUrl, target) => (target === `${BASE}/short` ? SHORT : target === `${BASE}/long` ? LONG : null) };
}

/** Method, path and tag -> status, length and body, one after the other on one server. */
const CASES: readonly (readonly [asked: readonly [method: string, path: string, tag?: string], got: readonly [status: number, length: string | null, body: string]])[] = [
  [['GET', '/short'], [200, '2', '{}']],
  [['GET', '/long'], [200, '16', '{"a":"long one"}']],
  [['HEAD', '/short'], [200, '2', '']],
  [['HEAD', '/long'], [200, '16', '']],
  [['GET', '/short', '"1"'], [304, null, '']],
  [['HEAD', '/short', '"1"'], [304, null, '']],
  [['GET', '/short', '"2"'], [200, '2', '{}']],
  [['GET', '/short', 'W/"1"'], [304, null, '']],
  [['GET', '/short'], [200, '2', '{}']],
];

const ready = suite('answers at hand');

ready('are sent whole, without body to HEAD, or as 304', () => withServer(createServer(createReadyHost()), async (port) => {
  for (const [[method, path, tag], [status, length, body]] of CASES) {
    const response = await fetch(`http://127.0.0.1:${port}${BASE}${path}`, { method, headers: tag === undefined ? {} : { 'If-None-Match': tag } });
    const label = `${method} ${path} ${tag ?? ''}`;
    assert.is(response.status, status, label);
    assert.is(response.headers.get('content-length'), length, label);
    assert.is(response.headers.get('etag'), '"1"', label);
    assert.is(await response.text(), body, label);
  }
}));

ready.run();
