import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError, RestError } from '../../../lib/core/errors.ts';
import type { Identity } from '../../../lib/core/identity.ts';
import type { EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import { checkIfMatch } from '../../../lib/http/etag.ts';
import type { WireResponse } from '../../../lib/http/host.ts';
import { wantsProblem } from '../../../lib/http/respond.ts';
import { RawBody, RestResponse } from '../../../lib/http/response.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const KNOWN: Identity = { id: 1, role: 'editor', capabilities: new Set(['edit']) };
const JSON_TYPE = 'application/json; charset=UTF-8';

interface Asked extends RequestOptions {
  readonly engine?: Partial<EngineOptions>;
  readonly query?: string;
}

/** What is sent for an answer of the handler. */
async function send(
  answer: unknown,
  { engine = {}, query = '', ...options }: Asked = {},
): Promise<WireResponse> {
  const endpoint = {
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    args: { must: { type: 'integer' } },
  } as const;
  const handler = () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return createTestEngine([createProbe({ endpoint, handler })], engine).serve(
    createRequest(`/probe/v1/it${query}`, options),
  );
}

const parse = (wire: WireResponse): unknown => JSON.parse(String(wire.body));

const plain = suite('a JSON answer');

plain('is sent with its headers', async () => {
  const wire = await send(
    new RestResponse({ a: 1 }, { status: 201, headers: { Location: '/x', Link: '</2>; rel="next"' } }),
    { method: 'POST' },
  );
  assert.equal(wire, {
    status: 201,
    body: '{"a":1}',
    headers: {
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      Vary: 'Origin',
      'Content-Language': 'en',
      'Content-Type': JSON_TYPE,
      Location: '/x',
      Allow: 'GET, POST, PUT, DELETE',
      'Access-Control-Expose-Headers': 'X-CMS-Total, X-CMS-TotalPages, Link, ETag, Location, Allow',
      'Access-Control-Allow-Headers':
        'Authorization, X-CMS-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match',
      Link: '<http://localhost/en/cms-json/>; rel="cms:api", </2>; rel="next"',
    },
  });
});

plain('varies by origin, whatever else it varies by', async () => {
  const answer = new RestResponse({}, { headers: { Vary: 'X-A' } });
  assert.is((await send(answer)).headers['Vary'], 'Origin, X-A');
  assert.is(
    (await send(answer, { headers: { origin: 'https://other.test' } })).headers['Vary'],
    'Origin, X-A',
  );
});

plain('varies by Accept where that decides its form: an error alone', async () => {
  for (const headers of [{}, { accept: 'application/problem+json' }]) {
    assert.is((await send({}, { headers })).headers['Vary'], 'Origin');
    assert.is((await send(engineError('rest_forbidden'), { headers })).headers['Vary'], 'Origin, Accept');
    assert.is(
      (await send(engineError('rest_forbidden', { headers: { Vary: 'X-A' } }), { headers })).headers['Vary'],
      'Origin, X-A, Accept',
    );
  }
});

plain("to an origin names it; to a known caller is nobody else's", async () => {
  const wire = await send({}, { headers: { origin: 'null' }, engine: { authenticate: () => KNOWN } });
  assert.is(wire.headers['Access-Control-Allow-Origin'], 'null');
  assert.is(wire.headers['Access-Control-Allow-Credentials'], undefined);
  assert.is(
    (await send({}, { headers: { origin: 'null' } })).headers['Access-Control-Allow-Credentials'],
    'true',
  );
  assert.match(String(wire.headers['Cache-Control']), /private/);
  assert.is((await send({})).headers['Cache-Control'], undefined);
});

plain('to the question before a request allows no credentials that a browser adds by itself', async () => {
  const wire = await send({}, { method: 'OPTIONS', headers: { origin: 'https://other.example' } });
  assert.is(wire.headers['Access-Control-Allow-Origin'], 'https://other.example');
  assert.is(wire.headers['Access-Control-Allow-Credentials'], undefined);
});

plain(
  'to an origin that the site trusts allows credentials, also before a write and to a known caller',
  async () => {
    const trustedOrigins = ['https://app.example', 'http://localhost:5173'];
    const ask = async (origin: string, options: Asked): Promise<string | undefined> =>
      (
        await send(
          {},
          { headers: { origin }, engine: { trustedOrigins, authenticate: () => KNOWN }, ...options },
        )
      ).headers['Access-Control-Allow-Credentials'];
    for (const options of [{}, { method: 'POST', body: {} }, { method: 'OPTIONS' }, { query: '?must=x' }]) {
      for (const origin of trustedOrigins) assert.is(await ask(origin, options), 'true');
      for (const origin of [
        'https://app.example:444',
        'http://app.example',
        'https://app.example.evil.example',
        'https://APP.example',
        'null',
      ])
        assert.is(await ask(origin, options), undefined);
    }
  },
);

plain('to an origin allows the header of another method', async () => {
  for (const method of ['GET', 'OPTIONS'])
    assert.match(
      String(
        (await send({}, { method, headers: { origin: 'https://other.test' } })).headers[
          'Access-Control-Allow-Headers'
        ],
      ),
      /, X-HTTP-Method-Override$/,
    );
});

plain('is never an empty 200', async () => {
  const bodies = await Promise.all([null, false, 0, '', []].map(async (value) => (await send(value)).body));
  assert.equal(bodies, ['null', 'false', '0', '""', '[]']);
});

plain('with status 204 has neither body nor type', async () => {
  for (const body of [undefined, null, { a: 1 }]) {
    const wire = await send(new RestResponse(body, { status: 204 }));
    assert.equal(
      [wire.status, wire.body, wire.headers['Content-Type'], wire.headers['ETag']],
      [204, null, undefined, undefined],
    );
  }
});

plain('has the status of its endpoint where the handler says none', async () => {
  const ask = async (status: number | undefined, value: unknown) => {
    const namespace = createProbe({
      endpoint: { methods: ['POST', 'GET'], ...(status === undefined ? {} : { status }) },
      handler: () => (typeof value === 'function' ? (value() as unknown) : value),
    });
    const engine = createTestEngine([namespace]);
    const single = await engine.serve(createRequest('/probe/v1/it', { method: 'POST', body: {} }));
    const batch = await engine.serve(
      createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: '/probe/v1/it' }] } }),
    );
    const [item] = (JSON.parse(String(batch.body)) as { responses: { status: number; body: unknown }[] })
      .responses;
    assert.is(item?.status, single.status);
    return [single.status, single.body];
  };
  assert.equal(await ask(undefined, { id: 1 }), [200, '{"id":1}']);
  assert.equal(await ask(201, { id: 1 }), [201, '{"id":1}']);
  assert.equal(await ask(202, null), [202, 'null']);
  // There is nothing to lose where nothing is sent.
  for (const value of [null, undefined]) assert.equal(await ask(204, value), [204, null]);
  assert.equal(await ask(201, new RestResponse({ id: 1 }, { status: 200 })), [200, '{"id":1}']);
  assert.equal((await ask(201, new RestError('x', [409, 'No.'])))[0], 409);
  assert.is((await ask(201, () => new Response('made', { status: 203 })))[0], 203);
  assert.equal((await ask(201, undefined))[0], 500);
});

plain('to HEAD is the one to GET without its body', async () => {
  const [get, head] = [await send({ a: 'é' }), await send({ a: 'é' }, { method: 'HEAD' })];
  assert.equal(
    { ...head, headers: { ...head.headers, 'Content-Length': undefined } },
    { status: 200, body: null, headers: { ...get.headers, 'Content-Length': undefined } },
  );
  assert.is(head.headers['Content-Length'], String(Buffer.byteLength(String(get.body))));
});

plain('may be bytes of another type', async () => {
  const wire = await send(new RestResponse(new RawBody('text/xml', '<a/>')), {
    query: '?_fields=x&_embed&_envelope',
  });
  assert.equal([wire.status, wire.headers['Content-Type'], wire.body], [200, 'text/xml', '<a/>']);
  const bytes = await send(new RestResponse(new RawBody('image/png', Uint8Array.of(1, 2))));
  assert.equal(bytes.body, Uint8Array.of(1, 2));
});

plain('of a handler that keeps it is not changed', async () => {
  const kept = new RestResponse(
    { a: 1 },
    { headers: Object.freeze({ 'X-A': '1' }), links: { self: [{ href: '/' }] } },
  );
  const wire = await send(kept);
  assert.equal(parse(wire), { a: 1, _links: { self: [{ href: '/' }] } });
  assert.equal([wire.headers['Allow'], kept.headers], ['GET, POST, PUT, DELETE', { 'X-A': '1' }]);
});

plain.run();

const budget = suite('the largest answer');

budget('is counted in bytes', async () => {
  const rows = [
    ['x'.repeat(98), 200],
    ['x'.repeat(99), 500],
    ['é'.repeat(49), 200],
    ['é'.repeat(50), 500],
  ] as const;
  for (const [text, status] of rows) {
    const wire = await send(text, { engine: { answerLimit: 100 } });
    assert.is(wire.status, status, text);
    if (status === 500) assert.equal((parse(wire) as { code: string }).code, 'rest_internal_error');
  }
  assert.is(
    (await send(new RestResponse(new RawBody('a/b', new Uint8Array(101))), { engine: { answerLimit: 100 } }))
      .status,
    500,
  );
  assert.is((await send('x'.repeat(90), { engine: { answerLimit: 100 }, query: '?_envelope' })).status, 500);
});

budget.run();

const envelope = suite('_envelope');

envelope('puts status and headers into the body; totals are numbers', async () => {
  const answer = new RestResponse([1], {
    status: 201,
    headers: { 'X-CMS-Total': '7', 'X-CMS-TotalPages': '2', Link: '<x>' },
  });
  for (const query of ['?_envelope', '?_envelope=1', '?_envelope=0', '?_envelope=']) {
    const wire = await send(answer, { query });
    assert.is(wire.status, 200);
    assert.equal(parse(wire), {
      body: [1],
      status: 201,
      headers: { 'X-CMS-Total': 7, 'X-CMS-TotalPages': 2, Link: '<x>', Allow: 'GET, POST, PUT, DELETE' },
    });
    assert.is(wire.headers['X-CMS-Total'], undefined);
  }
});

envelope('turns errors into a 200', async () => {
  const wire = await send(engineError('rest_conflict'), { query: '?_envelope' });
  assert.is(wire.status, 200);
  const { status, body } = parse(wire) as { status: number; body: { code: string } };
  assert.equal([status, body.code], [409, 'rest_conflict']);
});

envelope('does not vary by what the client accepts', async () => {
  for (const [vary, shown] of [
    ['Accept', undefined],
    ['Accept, X-Device', 'X-Device'],
    ['Accept-Language', 'Accept-Language'],
  ] as const) {
    const wire = await send(new RestResponse([1], { headers: { Vary: vary } }), { query: '?_envelope' });
    assert.is((parse(wire) as { headers: Record<string, string> }).headers['Vary'], shown, vary);
  }
});
envelope.run();

const etag = suite('ETag');

etag('is the same for the same bytes, and another for others', async () => {
  const tags = await Promise.all(
    [{ a: 1 }, { a: 1 }, { a: 2 }].map(async (body) => (await send(body)).headers['ETag']),
  );
  assert.match(String(tags[0]), /^"[\w-]{27}"$/);
  assert.is(tags[0], tags[1]);
  assert.is.not(tags[0], tags[2]);
});

etag('begins with the version of the record that is shown', async () => {
  assert.match(
    String((await send(new RestResponse({ a: 1 }, { version: 12 }))).headers['ETag']),
    /^"12-[\w-]{27}"$/,
  );
  assert.is((await send(engineError('rest_conflict'))).headers['ETag'], undefined);
});

etag('of a change says the version alone, which no reading is tagged with', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assert.is((await send(new RestResponse({ a: 1 }, { version: 12 }), { method })).headers['ETag'], '"12-"');
    assert.is((await send({ a: 1 }, { method })).headers['ETag'], undefined);
  }
  assert.is(
    (await send(new RestResponse({ a: 1 }, { version: 12 }), { headers: { 'if-none-match': '"12-"' } }))
      .status,
    200,
  );
});

etag('answers 304 to a reader that has the bytes', async () => {
  const tag = String((await send({ a: 1 })).headers['ETag']);
  const rows: readonly (readonly [header: string, status: number])[] = [
    [tag, 304],
    [`W/${tag}`, 304],
    [`"x", ${tag}`, 304],
    ['*', 304],
    ['"x"', 200],
    [tag.slice(1, -1), 200],
    ['', 200],
  ];
  for (const [header, status] of rows) {
    for (const method of ['GET', 'HEAD']) {
      const wire = await send({ a: 1 }, { method, headers: { 'if-none-match': header } });
      assert.equal(
        [wire.status, wire.body === null],
        [status, status === 304 || method === 'HEAD'],
        `${method} ${header}`,
      );
      assert.is(wire.headers['ETag'], tag);
    }
  }
  assert.is(
    (
      await send(new RestResponse({ a: 1 }, { version: 1 }), {
        method: 'PUT',
        headers: { 'if-none-match': '*' },
      })
    ).status,
    200,
  );
});

etag.run();

const ifMatch = suite('checkIfMatch');

const MATCHES: readonly (readonly [header: string | undefined, outcome: unknown])[] = [
  [undefined, { version: null }],
  ['"12-abc"', { version: 12 }],
  ['"12-"', { version: 12 }],
  ['"x", "12-y"', { version: 12 }],
  ['*', { version: 12 }],
  ['"12"', 412],
  ['"1-abc"', 412],
  ['"112-abc"', 412],
  ['W/"12-abc"', 412],
  ['12-abc', 412],
  ['', 412],
];

for (const [header, outcome] of MATCHES) {
  ifMatch(`${header}: ${JSON.stringify(outcome)}`, async () => {
    const engine = createTestEngine([
      createProbe({
        endpoint: { methods: ['PUT'] },
        handler: (_args, call) => ({ version: checkIfMatch(call, 12) ?? null }),
      }),
    ]);
    const response = await engine.dispatch(
      createRequest('/probe/v1/it', {
        method: 'PUT',
        headers: header === undefined ? {} : { 'if-match': header },
      }),
    );
    assert.equal(response.status === 200 ? response.body : response.status, outcome);
  });
}

ifMatch.run();

const problem = suite('problem details');

problem('are sent when Accept names them', async () => {
  const wire = await send({}, { query: '?must=x', headers: { accept: 'application/problem+json' } });
  const { params, details, ...rest } = parse(wire) as Record<string, unknown>;
  assert.is(wire.headers['Content-Type'], 'application/problem+json; charset=UTF-8');
  assert.equal(rest, {
    type: 'about:blank',
    title: 'rest_invalid_param',
    status: 400,
    detail: 'Invalid parameter(s): must',
    code: 'rest_invalid_param',
  });
  assert.equal([Object.keys(params as object), Object.keys(details as object)], [['must'], ['must']]);
});

problem('are only for errors of the documented shape', async () => {
  const headers = { accept: 'application/problem+json' };
  const [fine, strange] = [
    await send({ a: 1 }, { headers }),
    await send(new RestResponse({ a: 1 }, { status: 404 }), { headers }),
  ];
  assert.equal(
    [fine.headers['Content-Type'], strange.headers['Content-Type'], strange.status, strange.body],
    [JSON_TYPE, JSON_TYPE, 404, '{"a":1}'],
  );
});

problem('are asked for by name', () => {
  const rows = [
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, application/Problem+JSON;q=0.5', true],
    ['application/problem+json;q=0', false],
    ['application/problem+json; q=0.0', false],
  ] as const;
  for (const [accept, expected] of rows) assert.is(wantsProblem(accept), expected, accept);
});

problem.run();

const jsonp = suite('_jsonp');

const on = { jsonp: true } as const;

jsonp('is off unless switched on', async () => {
  const wire = await send({}, { query: '?_jsonp=cb' });
  assert.equal(
    [wire.status, (parse(wire) as { code: string }).code, wire.headers['Content-Type']],
    [400, 'rest_callback_disabled', JSON_TYPE],
  );
});

jsonp('calls the function', async () => {
  const wire = await send({ a: '\u2028</script>' }, { query: '?_jsonp=my.cb_1', engine: on });
  assert.equal(
    [wire.status, wire.headers['Content-Type'], wire.body],
    [200, 'application/javascript; charset=UTF-8', '/**/my.cb_1({"a":"\\u2028</script>"})'],
  );
  assert.equal((await send(engineError('rest_conflict'), { query: '?_jsonp=cb', engine: on })).status, 409);
});

jsonp('refuses what is no name', async () => {
  for (const name of ['', 'a(b)', 'a b', 'a-b', 'a%0A', 'é', 'a;b', '<x>', 'a[0]']) {
    const wire = await send({ secret: 1 }, { query: `?_jsonp=${encodeURIComponent(name)}`, engine: on });
    assert.equal(
      [wire.status, Object.keys(parse(wire) as object), wire.headers['Content-Type']],
      [400, ['code', 'message'], 'application/javascript; charset=UTF-8'],
      name,
    );
    assert.is((parse(wire) as { code: string }).code, 'rest_callback_invalid');
  }
  assert.is((await send({}, { query: '?_jsonp[]=cb', engine: on })).status, 400);
});

jsonp('is always the answer for an anonymous caller', async () => {
  let asked = 0;
  const engine = createTestEngine([createProbe({ handler: (_args, { identity }) => identity.id })], {
    jsonp: true,
    authenticate: () => {
      asked += 1;
      return KNOWN;
    },
  });
  const answer = await engine.serve(
    createRequest('/probe/v1/it?_jsonp=cb', { headers: { authorization: 'Basic x', cookie: 'y' } }),
  );
  assert.equal([answer.body, answer.headers['Cache-Control'], asked], ['/**/cb(0)', undefined, 0]);
  assert.is((await engine.serve(createRequest('/probe/v1/it'))).body, '1');
});

jsonp.run();
