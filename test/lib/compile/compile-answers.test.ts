import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import type { EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import { RawBody, RestResponse } from '../../../lib/http/response.ts';
import { JsonText } from '../../../lib/json/json-document.ts';
import type { EndpointDescriptor, Form } from '../../../lib/route/descriptor.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const PATH = '/probe/v1/it';
const ITEM = {
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
  },
  additionalProperties: false,
} as const;
const ANSWERS = { 200: ITEM, 201: { type: 'array', items: ITEM }, 204: {} } as const;
const WHAT = `probe/v1: ${PATH} GET: the handler "probe" returned`;

async function ask(
  value: unknown,
  endpoint: Partial<EndpointDescriptor> = { answers: ANSWERS },
  { query = '', ...options }: Partial<EngineOptions> & { readonly query?: string } = {},
) {
  const log: LogEvent[] = [];
  const engine = createTestEngine([createProbe({ handler: () => value, endpoint })], {
    checkAnswers: true,
    log: (event) => {
      log.push(event);
    },
    ...options,
  });
  const { status, body } = await engine.dispatch(createRequest(`${PATH}${query}`));
  return {
    status,
    body,
    fault: log.length === 0 ? null : String((log[0]?.error as Error | undefined)?.message),
  };
}

const checking = suite('checkAnswers');

const FORBIDDEN: readonly (readonly [string, unknown, string])[] = [
  [
    'a missing member',
    { title: 'a' },
    'a body that the schema of status 200 does not allow: id is a required property of body.',
  ],
  [
    'a member of another type',
    { id: 1, title: 5 },
    'a body that the schema of status 200 does not allow: body[title] is not of type string.',
  ],
  [
    'an unknown member',
    { id: 1, secret: 'x' },
    'a body that the schema of status 200 does not allow: secret is not a valid property of Object.',
  ],
  [
    'a date that is none',
    { id: 1, at: 'yesterday' },
    'a body that the schema of status 200 does not allow: body[at] does not match pattern',
  ],
  [
    'another kind of value',
    'text',
    'a body that the schema of status 200 does not allow: body is not of type object.',
  ],
  [
    'an item of a list',
    new RestResponse([{ id: 1 }, { id: '2' }], { status: 201 }),
    'a body that the schema of status 201 does not allow: body[1][id] is not of type integer.',
  ],
  [
    'a record of a list',
    new RestResponse(new RecordList([1, '2'], (id) => ({ id })), { status: 201 }),
    'a body that the schema of status 201 does not allow: body[0][id] is not of type integer.',
  ],
  [
    'a written document',
    new JsonText('{"id":"1"}'),
    'a body that the schema of status 200 does not allow: body[id] is not of type integer.',
  ],
  [
    'a status that is not declared',
    new RestResponse({ id: 1 }, { status: 202 }),
    'status 202, which the endpoint does not declare; it declares 200, 201, 204',
  ],
];

for (const [title, value, fault] of FORBIDDEN) {
  checking(`refuses ${title}, and names its place in the log`, async () => {
    const answer = await ask(value);
    assert.is(answer.status, 500);
    assert.ok(answer.fault?.startsWith(`${WHAT} ${fault}`), String(answer.fault));
    assert.not.match(JSON.stringify(answer.body), /secret|schema/);
  });

  checking(`sends ${title} in production`, async () => {
    assert.ok((await ask(value, { answers: ANSWERS }, { checkAnswers: false })).status < 300);
  });
}

const ALLOWED: readonly (readonly [string, unknown, number])[] = [
  ['a value of the lowest status', { id: 1, title: 'a', at: '2026-01-01T00:00:00' }, 200],
  ['a value with members that JSON leaves out', { id: 1, title: undefined }, 200],
  ['a value with a toJSON method', { toJSON: () => ({ id: 1 }) }, 200],
  ['a list', new RestResponse([{ id: 1 }], { status: 201 }), 201],
  [
    'a list of records',
    new RestResponse(new RecordList([1, 2], (id) => (id === 2 ? undefined : { id })), { status: 201 }),
    201,
  ],
  ['no body', new RestResponse(null, { status: 204 }), 204],
  ['bytes', new RawBody('text/plain', 'x'), 200],
  ['a response of the Fetch standard', new Response('x'), 200],
  ['links', new RestResponse({ id: 1 }, { links: { self: [{ href: 'x' }] } }), 200],
  ['a redirect', new RestResponse(null, { status: 303, headers: { Location: '/' } }), 303],
  ['an error', new RestResponse({ code: 'x' }, { status: 404 }), 404],
];

for (const [title, value, status] of ALLOWED) {
  checking(`allows ${title}`, async () => {
    const answer = await ask(value);
    assert.equal([answer.status, answer.fault], [status, null]);
  });
}

checking('checks a whole record before fields are selected, and no selected record of a list', async () => {
  assert.is(
    (await ask({ id: 1, title: 'a' }, { answers: ANSWERS }, { query: '?_fields=title' })).status,
    200,
  );
  assert.is((await ask({ title: 'a' }, { answers: ANSWERS }, { query: '?_fields=title' })).status, 500);
  assert.is(
    (
      await ask(
        new RestResponse(new RecordList([1], () => ({ title: 'a' })), { status: 201 }),
        { answers: ANSWERS },
        { query: '?_fields=title' },
      )
    ).status,
    201,
  );
});

checking('holds every other status to 2XX', async () => {
  const answers = { 200: ITEM, '2XX': { type: 'string' } } as const;
  assert.equal(
    [
      (await ask({ id: 1 }, { answers })).status,
      (await ask(new RestResponse('x', { status: 202 }), { answers })).status,
      (await ask(new RestResponse(1, { status: 202 }), { answers })).status,
    ],
    [200, 202, 500],
  );
});

checking('makes the lowest declared status that of a plain value', async () => {
  assert.is((await ask({ id: 1 }, { answers: { 202: {}, 201: {} } })).status, 201);
  assert.is((await ask({ id: 1 }, { answers: { 202: {}, 201: {} } }, { checkAnswers: false })).status, 201);
});

checking('is on unless NODE_ENV is production', async () => {
  const before = process.env['NODE_ENV'];
  const run = async (environment: string | undefined): Promise<number> => {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
    const engine = createTestEngine([createProbe({ handler: () => 'text', endpoint: { answers: ANSWERS } })]);
    return (await engine.dispatch(createRequest(PATH))).status;
  };
  try {
    assert.equal([await run(undefined), await run('test'), await run('production')], [500, 500, 200]);
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
});

checking.run();

const selecting = suite('fields that answers does not declare');

const NOTE = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    author: { type: ['object', 'null'], properties: { name: { type: 'string' } } },
    files: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
    },
    counts: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    meta: { type: 'object' },
    open: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: true },
    any: {},
    either: {
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer', required: true } } },
        { type: 'object', properties: { b: { type: 'integer', required: true } } },
        { type: 'string' },
      ],
    },
  },
} as const;

const SELECTED: readonly (readonly [string, unknown, unknown])[] = [
  ['a field', { secret: 1, id: 1, hash: 'x' }, { id: 1 }],
  ['a field of an object', { id: 1, author: { hash: 'x', name: 'Ada' } }, { id: 1, author: { name: 'Ada' } }],
  [
    'a field of an item, in the order of the value',
    { files: [{ name: 'a' }, { key: 'x', name: 'b' }], id: 1 },
    { files: [{ name: 'a' }, { name: 'b' }], id: 1 },
  ],
  ['a field of any member', { counts: { x: { n: 1, secret: 2 } } }, { counts: { x: { n: 1 } } }],
  ['a field of one of several forms', { either: { b: 1, secret: 2 } }, { either: { b: 1 } }],
  ['a field of what toJSON returns', { toJSON: () => ({ id: 1, secret: 1 }) }, { id: 1 }],
  ['a field named __proto__', JSON.parse('{"__proto__":{"x":1},"id":1}'), { id: 1 }],
  [
    'nothing of what may have more',
    { meta: { x: { y: 1 } }, open: { a: 1, b: { c: 2 } }, any: { x: 1 }, author: null, either: 'x' },
    { meta: { x: { y: 1 } }, open: { a: 1, b: { c: 2 } }, any: { x: 1 }, author: null, either: 'x' },
  ],
];

for (const [title, value, sent] of SELECTED) {
  selecting(`are not sent: ${title}`, async () => {
    const given = JSON.stringify(value);
    for (const [answers, content, expected] of [
      [{ 200: NOTE }, value, sent],
      [{ '2XX': { type: 'array', items: NOTE } }, [value, value], [sent, sent]],
    ] as const) {
      const engine = createTestEngine([createProbe({ handler: () => content, endpoint: { answers } })], {
        sendUndeclared: false,
      });
      const { status, body } = await engine.serve(createRequest(PATH));
      assert.equal([status, String(body)], [200, JSON.stringify(expected)]);
    }
    assert.is(JSON.stringify(value), given);
  });
}

selecting('are not sent of records of a list, and links, headers and status stay', async () => {
  const secret = { id: 1, secret: 1 };
  const answers = { 201: { type: 'array', items: NOTE }, 200: NOTE } as const;
  const ask = async (value: unknown) => {
    const engine = createTestEngine([createProbe({ handler: () => value, endpoint: { answers } })], {
      sendUndeclared: false,
    });
    const { status, body, headers } = await engine.serve(createRequest(`${PATH}?_fields=id,secret,_links`));
    return [status, JSON.parse(String(body)), headers['X-A']];
  };
  const list = new RecordList([secret], (record) => record);
  const headers = { 'X-A': '1' };
  assert.equal(await ask(new RestResponse(list, { status: 201, headers })), [201, [{ id: 1 }], '1']);
  const links = { self: [{ href: 'http://site.test/x' }] };
  assert.equal(await ask(new RestResponse(secret, { links })), [200, { id: 1, _links: links }, undefined]);
});

selecting('are sent with sendUndeclared, in errors, and in what the handler has written', async () => {
  const secret = { id: 1, secret: 1 };
  const answers = { 200: NOTE };
  assert.equal((await ask(secret, { answers })).body, secret);
  for (const value of [new RestResponse(secret, { status: 404 }), new JsonText('{"id":1,"secret":1}')])
    assert.equal((await ask(value, { answers }, { sendUndeclared: false })).body, secret);
});

for (const [what, answers, value] of [
  ['a list in place of an object', { 200: NOTE }, [{ id: 1, secret: 1 }]],
  ['an object in place of a list', { 200: { type: 'array', items: NOTE } }, { id: 1, secret: 1 }],
  ['a list in a member', { 200: { type: 'object', properties: { note: NOTE } } }, { note: [{ secret: 1 }] }],
  [
    'an object in place of a text',
    { 200: { type: 'object', properties: { text: { type: 'string' } } } },
    { text: { secret: 1 } },
  ],
  ['a status that is not declared', { 200: NOTE }, new RestResponse({ id: 1, secret: 1 }, { status: 201 })],
] as const) {
  selecting(`are not sent with ${what}, also where responses are not checked`, async () => {
    const options = { sendUndeclared: false, checkAnswers: false };
    const { status, body } = await ask(value, { answers }, options);
    assert.is(status, 500);
    assert.not.match(JSON.stringify(body), 'secret');
  });
}

selecting('are sent where the schema of the status declares none, whatever that of all says', async () => {
  const sent = { id: 1, b: 3 };
  const answers = { 200: { type: 'object' }, '2XX': NOTE } as const;
  assert.equal((await ask(sent, { answers }, { sendUndeclared: false })).body, sent);
});

selecting('are not sent of an object that says what it is as JSON', async () => {
  const value = { toJSON: () => ({ id: 1, secret: 1 }) };
  assert.equal((await ask(value, { answers: { 200: NOTE } }, { sendUndeclared: false })).body, { id: 1 });
});

selecting.run();

const declaring = suite('answers');

const MISTAKES: readonly (readonly [string, Partial<EndpointDescriptor>, RegExp])[] = [
  [
    'an error status',
    { answers: { 404: {} } },
    /answers has the member "404"; its members must be statuses from 200 to 299/,
  ],
  ['a word', { answers: { ok: {} } as never }, /answers has the member "ok"/],
  ['none', { answers: {} }, /answers is empty/],
  [
    'a schema that is none',
    { answers: { 200: { type: 'text' as never } } },
    /answers\.200: unknown type "text"/,
  ],
  ['a status beside them', { answers: { 200: {} }, status: 201 }, /status and answers cannot both be given/],
];

for (const [title, endpoint, message] of MISTAKES) {
  declaring(`are refused at registration with ${title}`, () =>
    assert.throws(() => createTestEngine([createProbe({ endpoint })]), message),
  );
}

const RESOURCE = {
  title: 'item',
  properties: { id: { type: 'integer' }, mail: { type: 'string', format: 'email' } },
  answers: { mail: { type: 'string' } },
} as const;

declaring(
  'follow from the resource that an endpoint shows, and from what it says of its fields in responses',
  async () => {
    const faultOf = async (form: Form, content: unknown): Promise<string | null> => {
      const descriptor = {
        namespace: 'probe/v1',
        resources: { item: RESOURCE },
        routes: [
          {
            pattern: PATH,
            resource: 'item',
            endpoints: [
              { methods: ['GET'], handler: 'probe', permission: 'public', args: {}, shows: [form] },
            ],
          },
        ],
      } as const;
      const log: LogEvent[] = [];
      const engine = createTestEngine(
        [{ ...createProbe({ handler: () => new RestResponse(content) }), descriptor }],
        {
          checkAnswers: true,
          log: (event) => {
            log.push(event);
          },
        },
      );
      const { status } = await engine.dispatch(createRequest(PATH));
      assert.is(status, log.length === 0 ? 200 : 500);
      return log.length === 0 ? null : String((log[0]?.error as Error | undefined)?.message);
    };
    assert.is(await faultOf('record', { id: 1, mail: '' }), null);
    assert.match((await faultOf('record', { id: '1' })) ?? '', 'body[id] is not of type integer');
    assert.match(
      (await faultOf('page', new RecordList(['1'], (id) => ({ id })))) ?? '',
      'body[0][id] is not of type integer',
    );
    assert.is(await faultOf('removal', { deleted: true, previous: { id: 1 } }), null);
    assert.match(
      (await faultOf('removal', { deleted: true, previous: { id: '1' } })) ?? '',
      'body[previous][id] is not of type integer',
    );
  },
);

declaring('are all in the OpenAPI document', () => {
  const engine = createTestEngine([createProbe({ endpoint: { answers: ANSWERS } })]);
  const { paths } = engine.describeOpenApi({
    title: 'x',
    version: '1',
    language: 'en',
    siteUrl: 'http://site.test',
  }) as {
    paths: Readonly<
      Record<
        string,
        {
          get: {
            responses: Readonly<
              Record<string, { content?: { 'application/json': { schema: { type?: string } } } }>
            >;
          };
        }
      >
    >;
  };
  const responses = paths[PATH]?.get.responses ?? {};
  assert.equal(Object.keys(responses), ['200', '201', '204', '304', 'default']);
  assert.equal(
    ['200', '201'].map((status) => responses[status]?.content?.['application/json'].schema.type),
    ['object', 'array'],
  );
});

declaring.run();
