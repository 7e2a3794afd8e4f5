import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../../lib/core/errors.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import type { EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { isCrossSite, ORIGINS, type RequestHead } from '../../../lib/http/cross-site.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const SITE = 'https://site.example';
const TRUSTED = 'https://app.example';

function toHead(headers: RequestHead['headers'], rest: Partial<RequestHead> = {}): RequestHead {
  return { method: 'POST', query: '', siteUrl: SITE, headers, ...rest };
}

const test = suite('isCrossSite');

const SENDERS: readonly (readonly [headers: RequestHead['headers'], isIt: boolean])[] = [
  [{}, false],
  [{ origin: SITE }, false],
  [{ origin: SITE, 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: TRUSTED }, false],
  [{ origin: TRUSTED, 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'null' }, true],
  [{ origin: '' }, true],
  [{ origin: 'http://site.example' }, true],
  [{ origin: 'https://site.example:8443' }, true],
  [{ origin: 'https://SITE.example' }, true],
  [{ origin: `${SITE}, https://evil.example` }, true],
  [{ origin: `${TRUSTED}/` }, true],
  [{ origin: 'https://www.app.example' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'same-origin, cross-site' }, true],
  [{ 'sec-fetch-site': '' }, true],
  [{ origin: SITE, 'sec-fetch-site': 'cross-site' }, true],
];
for (const [headers, isIt] of SENDERS)
  test(`${JSON.stringify(headers)}: ${isIt}`, () =>
    assert.is(isCrossSite(toHead(headers), new Set([TRUSTED])), isIt));

const EVIL = { origin: 'https://evil.example' };
const SENT: readonly (readonly [what: string, head: RequestHead, isIt: boolean])[] = [
  ['a form', toHead({ ...EVIL, 'content-type': 'application/x-www-form-urlencoded' }), true],
  ['bytes of any other type', toHead({ ...EVIL, 'content-type': 'application/octet-stream' }), true],
  ['a type that is none', toHead({ ...EVIL, 'content-type': 'json' }), true],
  [
    'text that calls itself JSON',
    toHead({ ...EVIL, 'content-type': 'text/plain; charset="application/json"' }),
    true,
  ],
  ['JSON', toHead({ ...EVIL, 'content-type': 'Application/JSON; charset=utf-8' }), false],
  ['JSON of a vendor', toHead({ ...EVIL, 'content-type': 'application/vnd.x+json' }), false],
  ['JSON from inside the process', toHead(EVIL, { body: { kind: 'json', value: {} } }), false],
  ['a link', toHead(EVIL, { method: 'GET' }), true],
  ['another method, before which a browser asks', toHead(EVIL, { method: 'DELETE' }), false],
];
for (const [what, head, isIt] of SENT)
  test(`from another origin, ${what}: ${isIt}`, () => assert.is(isCrossSite(head, new Set()), isIt));

test('takes no origin for its own where the address of the site is none', () => {
  for (const siteUrl of ['', 'site.example', 'about:blank'])
    assert.is(isCrossSite(toHead({ origin: 'null' }, { siteUrl }), new Set()), true);
});

test('knows its own origin by an address with a port of its own or a path', () => {
  for (const siteUrl of ['https://site.example:443', 'https://site.example/blog', 'https://SITE.example'])
    assert.is(isCrossSite(toHead({ origin: SITE }, { siteUrl }), new Set()), false);
});

test.run();

const engine = suite('writes from other sites');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An engine whose endpoint does everything, and what it has run. */
function open(
  options: Partial<EngineOptions> = {},
  endpoint: Partial<EndpointDescriptor> = { methods: METHODS },
) {
  const ran: string[] = [];
  const asked: string[] = [];
  const probe = createProbe({
    endpoint,
    handler: (_args, { request }) => {
      ran.push(request.method);
      return {};
    },
  });
  const made = createTestEngine([probe], {
    ...options,
    authenticate: ({ method }) => {
      asked.push(method);
      return ANONYMOUS;
    },
  });
  return { engine: made, ran, asked };
}

engine('are judged by the method that runs, before anybody asks who calls', async () => {
  const rows: readonly (readonly [
    method: string,
    query: string,
    headers: Readonly<Record<string, string>>,
    ran: string | null,
  ])[] = [
    ['POST', '', {}, null],
    ['POST', '?_method=PUT', {}, null],
    ['POST', '?_method=GET', {}, 'GET'],
    ['POST', '', { 'x-http-method-override': 'DELETE' }, null],
    ['GET', '', {}, 'GET'],
    ['HEAD', '', {}, 'HEAD'],
    ['GET', '?_method=DELETE', {}, null],
    ['GET', '?_method=post', {}, null],
    ['GET', '', { 'x-http-method-override': 'PUT' }, null],
    ['HEAD', '?_method=DELETE', {}, null],
    // A browser that says so sends a link; what it names is not done.
    ['GET', '?_method=DELETE', { 'sec-fetch-site': 'cross-site' }, 'GET'],
    ['DELETE', '', {}, 'DELETE'],
  ];
  for (const [method, query, headers, wanted] of rows) {
    const opened = open();
    const wire = await opened.engine.serve(
      createRequest(`/probe/v1/it${query}`, { method, siteUrl: SITE, headers: { ...EVIL, ...headers } }),
    );
    assert.equal(
      [wire.status, opened.ran, opened.asked.length],
      wanted === null ? [403, [], 0] : [200, [wanted], 1],
      `${method} ${query} ${JSON.stringify(headers)}`,
    );
  }
});

engine('are also those of a GET that writes, which HEAD does not reach', async () => {
  const rows: readonly (readonly [
    method: string,
    headers: Readonly<Record<string, string>>,
    status: number,
  ])[] = [
    ['GET', {}, 200],
    ['GET', { 'sec-fetch-site': 'same-origin' }, 200],
    ['GET', { origin: TRUSTED, 'sec-fetch-site': 'cross-site' }, 200],
    ['GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', EVIL, 403],
    ['HEAD', {}, 404],
    ['HEAD', EVIL, 404],
  ];
  for (const [method, headers, status] of rows) {
    const opened = open({ trustedOrigins: [TRUSTED] }, { methods: ['GET'], effect: 'write' });
    const wire = await opened.engine.serve(createRequest('/probe/v1/it', { method, siteUrl: SITE, headers }));
    assert.equal([wire.status, opened.ran], [status, status === 200 ? ['GET'] : []], JSON.stringify(headers));
  }
  const opened = open({}, { methods: ['GET'], effect: 'write' });
  const overridden = createRequest('/probe/v1/it?_method=GET', {
    method: 'POST',
    siteUrl: SITE,
    headers: EVIL,
  });
  assert.equal([(await opened.engine.serve(overridden)).status, opened.ran], [403, []]);
});

engine('are refused by the head alone, so that no adapter reads their body', () => {
  const { engine: made } = open({ trustedOrigins: [TRUSTED] });
  const codeOf = (head: RequestHead): string | null => {
    try {
      made.checkHead?.(head);
      return null;
    } catch (error) {
      return error instanceof RestError ? error.code : String(error);
    }
  };
  assert.is(codeOf(toHead(EVIL)), 'rest_cross_site_write');
  for (const head of [
    toHead({}),
    toHead({ origin: TRUSTED }),
    toHead({ ...EVIL, 'content-type': 'application/json' }),
    toHead(EVIL, { method: 'GET' }),
    toHead(EVIL, { method: 'OPTIONS' }),
  ])
    assert.is(codeOf(head), null);
});

engine.run();

const options = suite('trustedOrigins');

options('are origins as browsers send them', () => {
  for (const value of [[], [TRUSTED], ['http://localhost:5173', 'https://[::1]:8443']])
    assert.ok(ORIGINS.fits(value), JSON.stringify(value));
  const wrong = [
    TRUSTED,
    '*',
    null,
    ['*'],
    ['https://*.example'],
    ['https://app.example/'],
    ['https://app.example/x'],
    ['https://app.example:443'],
    ['https://App.example'],
    ['app.example'],
    ['null'],
    [''],
    [5],
    [undefined],
    ['file:///'],
    ['https://user@app.example'],
    ['https://app.example?'],
    [[TRUSTED]],
    ['https://münchen.example'],
    new Set([TRUSTED]),
  ];
  for (const value of wrong) {
    assert.not.ok(ORIGINS.fits(value), JSON.stringify(value));
    assert.match(
      refusalOf(() => createTestEngine([], { trustedOrigins: value as readonly string[] })),
      /^trustedOrigins of the options of createEngine is .*; it must be a list of origins/,
    );
  }
});

options.run();
