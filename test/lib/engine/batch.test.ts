import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Identity } from '../../../lib/core/identity.ts';
import type { Engine, EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { type Durability, StoreError } from '../../../lib/store/store.ts';
import { block } from '../../support/block.ts';
import { withMovedClock } from '../../support/moved-clock.ts';
import { createTestEngine } from '../../support/site.ts';

interface Envelope {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}
interface Answer {
  readonly failed?: string;
  readonly responses: readonly (Envelope | null)[];
}

interface Ran {
  readonly id: number;
  readonly name: string | undefined;
  readonly identity: Identity;
  readonly headers: object;
  readonly path: string;
  readonly durability?: Durability;
}

const EDITOR: Identity = { id: 1, role: 'editor', capabilities: new Set(['edit']) };
const ID = { type: 'integer' } as const;
const BATCH = { v1: true } as const;

/** A shop that notes what ran. Item 13 fails, item 14 answers what is no JSON, item 15 never. */
function open(options: Partial<EngineOptions> = {}): { readonly engine: Engine; readonly ran: Ran[] } {
  const ran: Ran[] = [];
  const shop = defineNamespace(
    {
      namespace: 'shop/v1',
      routes: [
        {
          pattern: '/shop/v1/items/(?P<id>[\\d]+)',
          endpoints: [
            { methods: ['GET'], handler: 'read', permission: 'public', args: { id: ID } },
            {
              methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
              handler: 'write',
              permission: 'edit',
              allow_batch: BATCH,
              args: {
                id: ID,
                name: { type: 'string', maxLength: 5 },
                must: { type: 'integer', required: true, default: 1 },
              },
            },
          ],
        },
        {
          pattern: '/shop/v1/required',
          endpoints: [
            {
              methods: ['POST'],
              handler: 'required',
              permission: 'public',
              allow_batch: BATCH,
              args: { name: { type: 'string', required: true } },
            },
          ],
        },
        {
          pattern: '/shop/v1/closed',
          endpoints: [
            {
              methods: ['POST'],
              handler: 'closed',
              permission: 'public',
              args: { name: { type: 'string', required: true } },
            },
          ],
        },
      ],
    },
    {
      read: () => 'read',
      write: ({ id, name }, { identity, request, durability }) => {
        ran.push({ id, name, identity, headers: request.headers, path: request.path, durability });
        if (id === 13) throw new Error('a secret of the site');
        if (id === 15) return new Promise(() => undefined);
        if (id === 14) return { big: 14n };
        return new RestResponse(
          { id, name },
          { status: 201, headers: { Location: `/items/${id}` }, cookies: id > 20 ? [`item=${id}`] : [] },
        );
      },
      required: ({ name }) => {
        ran.push({ id: 0, name, identity: EDITOR, headers: {}, path: '' });
        return { name };
      },
      closed: () => {
        throw new Error('ran, though it takes no part in batches');
      },
    },
  );
  return { engine: createTestEngine([shop], { capabilities: new Set(['edit']), ...options }), ran };
}

interface Sent extends RequestOptions {
  readonly identity?: Identity;
}

async function send(
  engine: Engine,
  body: object,
  { identity = EDITOR, ...options }: Sent = {},
): Promise<{ readonly status: number; readonly answer: Answer }> {
  const response = await engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body, ...options }),
    identity,
  );
  return { status: response.status, answer: JSON.parse(JSON.stringify(response.body)) as Answer };
}

const codeOf = (item: Envelope | null | undefined): unknown =>
  (item?.body as { code?: unknown } | undefined)?.code;
const put = (id: number, name = 'a') => ({ method: 'PUT', path: `/shop/v1/items/${id}`, body: { name } });

const batch = suite('the batch route');

batch('leaves out the largest bodies of what was written when it would be too large', async () => {
  const writer = defineNamespace(
    {
      namespace: 'long/v1',
      routes: [
        {
          pattern: '/long/v1/(?P<id>[\\d]+)',
          endpoints: [
            {
              methods: ['POST'],
              handler: 'write',
              permission: 'public',
              allow_batch: BATCH,
              args: { id: ID },
            },
          ],
        },
      ],
    },
    {
      write: ({ id }: { readonly id: number }) =>
        new RestResponse({ text: 'x'.repeat(id) }, { status: 201, headers: { Location: `/long/${id}` } }),
    },
  );
  const engine = createTestEngine([writer], { answerLimit: 1000 });
  const requests = [10, 900, 20, 400].map((id) => ({ path: `/long/v1/${id}` }));
  const wire = await engine.serve(createRequest('/batch/v1', { method: 'POST', body: { requests } }));
  const { responses } = JSON.parse(String(wire.body)) as Answer;
  assert.equal(
    [
      wire.status,
      responses.map((item) => [
        item?.status,
        item?.headers['Location'],
        item?.headers['X-CMS-Truncated'],
        item?.body === null,
      ]),
    ],
    [
      207,
      [
        [201, '/long/10', undefined, false],
        [201, '/long/900', '0', true],
        [201, '/long/20', undefined, false],
        [201, '/long/400', undefined, false],
      ],
    ],
  );
});

batch('runs 25 items in order, each with its own record', async () => {
  const { engine, ran } = open();
  const ids = Array.from({ length: 25 }, (_, index) => index + 100);
  const { status, answer } = await send(engine, { requests: ids.map((id) => put(id, `n${id}`)) });
  assert.is(status, 207);
  assert.equal(
    ran.map((item) => [item.id, item.name]),
    ids.map((id) => [id, `n${id}`]),
  );
  assert.equal(
    answer.responses.map((item) => item?.body),
    ids.map((id) => ({ id, name: `n${id}` })),
  );
  assert.equal(answer.responses[0], {
    status: 201,
    body: { id: 100, name: 'n100' },
    headers: { Location: '/items/100', Allow: 'GET, POST, PUT, PATCH, DELETE' },
  });
});

batch('lets the items wait for the disk together, once, before it is answered', async () => {
  let flushes = 0;
  const { engine, ran } = open({
    flush: async () => {
      assert.is(ran.length, 3);
      flushes += 1;
    },
  });
  // The last one fails: what the others wrote is made durable all the same.
  const { status } = await send(engine, { requests: [put(1), put(2), put(13)] });
  assert.equal([status, flushes, ran.map((item) => item.durability)], [207, 1, ['later', 'later', 'later']]);
  await engine.dispatch(createRequest('/shop/v1/items/1', { method: 'PUT', body: { name: 'a' } }), EDITOR);
  assert.equal([flushes, ran[3]?.durability], [1, 'now']);
});

batch('sends the cookies of all its items', async () => {
  const body = { requests: [put(21), put(1), put(13), put(22)] };
  const { cookies } = await open().engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body }),
    EDITOR,
  );
  assert.equal(cookies, ['item=21', 'item=22']);
});

batch('runs its items as parts of one request, which began before them', async () => {
  const began: number[] = [];
  let within = 0;
  const { engine, ran } = open({
    inRequest: async (since, run) => {
      began.push(since);
      within += 1;
      const response = await run();
      within -= 1;
      return response;
    },
    flush: async () => {
      assert.is(within, 0);
    },
  });
  const { status } = await send(engine, { requests: [put(1), put(2), put(13)] });
  assert.equal([status, ran.length, began.length, new Set(began).size], [207, 3, 3, 1]);
  await engine.dispatch(createRequest('/shop/v1/items/1', { method: 'PUT', body: { name: 'a' } }), EDITOR);
  assert.equal([ran.length, began.length], [4, 3]);
});

batch('is no success when it is not known what is on the disk', async () => {
  let flushes = 0;
  const { engine } = open({
    flush: () => {
      flushes += 1;
      return Promise.reject(new StoreError('unavailable', 'the disk is gone'));
    },
    log: () => undefined,
  });
  const { status, answer } = await send(engine, {
    requests: [put(1), put(13), { method: 'PUT', path: '/nowhere' }, put(2)],
  });
  assert.equal([status, flushes], [207, 1]);
  assert.equal(
    answer.responses.map((item) => [item?.status, (item?.body as { code?: string } | undefined)?.code]),
    [
      [500, 'rest_outcome_unknown'],
      [500, 'rest_internal_error'],
      [404, 'rest_no_route'],
      [500, 'rest_outcome_unknown'],
    ],
  );
  assert.not.ok(JSON.stringify(answer).includes('Retry-After'));
});

batch('makes its writes durable, too, when its own time is over', () =>
  withMovedClock(async (clock) => {
    let flushes = 0;
    const { engine, ran } = open({
      flush: async () => {
        flushes += 1;
      },
      handlerTimeoutMs: 40,
    });
    const sent = send(engine, { requests: [put(1), ...Array.from({ length: 10 }, () => put(15))] });
    await clock.move(1000);
    assert.equal([(await sent).status, flushes, ran[0]?.id], [504, 1, 1]);
  }),
);

batch('lets each item wait for itself where nobody can wait for all', async () => {
  const { engine, ran } = open();
  await send(engine, { requests: [put(1)] });
  assert.is(ran[0]?.durability, 'now');
});

batch('answers an empty list with an empty list', async () => {
  assert.equal(await send(open().engine, { requests: [] }), { status: 207, answer: { responses: [] } });
});

const REFUSED: readonly (readonly [title: string, requests: unknown, param: string, code: string])[] = [
  [
    '26 items',
    Array.from({ length: 26 }, () => put(1)),
    'requests must contain at most 25 items.',
    'rest_too_many_items',
  ],
  [
    'an item of the wrong type before the count',
    Array.from({ length: 26 }, () => 5),
    'requests[0] is not of type object.',
    'rest_invalid_type',
  ],
  ['no path', [{ method: 'PUT' }], 'path is a required property of requests[0].', 'rest_property_required'],
  [
    'GET',
    [{ method: 'GET', path: '/' }],
    'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.',
    'rest_not_in_enum',
  ],
  [
    'lower case',
    [put(1), { method: 'put', path: '/' }],
    'requests[1][method] is not one of POST, PUT, PATCH, and DELETE.',
    'rest_not_in_enum',
  ],
  [
    'an empty method',
    [{ method: '', path: '/' }],
    'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.',
    'rest_not_in_enum',
  ],
  [
    'a body that is a list',
    [{ path: '/', body: [1] }],
    'requests[0][body] is not of type object.',
    'rest_invalid_type',
  ],
  [
    'headers that are a text',
    [{ path: '/', headers: 'x' }],
    'requests[0][headers] is not of type object.',
    'rest_invalid_type',
  ],
  [
    'a header that is an object',
    [{ path: '/', headers: { a: { b: 1 } } }],
    'requests[0][headers][a] is not of type string,array.',
    'rest_invalid_type',
  ],
  ['a text', 'x', 'requests[0] is not of type object.', 'rest_invalid_type'],
];

for (const [title, requests, message, code] of REFUSED) {
  batch(`refuses the whole call for ${title}`, async () => {
    const { engine, ran } = open();
    const { status, answer } = await send(engine, { requests });
    const error = answer as unknown as {
      code: string;
      data: { params: object; details: { requests: { code: string } } };
    };
    assert.equal(
      [status, error.code, error.data.params, error.data.details.requests.code],
      [400, 'rest_invalid_param', { requests: message }, code],
    );
    assert.equal(ran, []);
  });
}

batch('says that requests is missing', async () => {
  const { status, answer } = await send(open().engine, {});
  assert.equal([status, (answer as unknown as { code: string }).code], [400, 'rest_missing_callback_param']);
});

const ITEMS: readonly (readonly [title: string, item: object, status: number, code: string])[] = [
  ['an unknown route', { path: '/shop/v1/nothing' }, 404, 'rest_no_route'],
  [
    'a method that the route does not have',
    { method: 'PATCH', path: '/shop/v1/required' },
    404,
    'rest_no_route',
  ],
  ['a route that takes no part in batches', { path: '/shop/v1/closed' }, 400, 'rest_batch_not_allowed'],
  ['such a route before its parameters', { path: '/shop/v1/closed?name=x' }, 400, 'rest_batch_not_allowed'],
  ['a batch', { path: '/batch/v1', body: { requests: [put(1)] } }, 400, 'rest_batch_not_allowed'],
  ['a trailing slash', { method: 'PUT', path: '/shop/v1/items/1/' }, 404, 'rest_no_route'],
  ['no leading slash', { method: 'PUT', path: 'shop/v1/items/1' }, 404, 'rest_no_route'],
  ['an empty path', { method: 'PUT', path: '' }, 404, 'rest_no_route'],
  [
    'an address of the API',
    { method: 'PUT', path: 'http://localhost/en/cms-json/shop/v1/items/1' },
    404,
    'rest_no_route',
  ],
  ['a path without host', { method: 'PUT', path: 'http:///shop/v1/items/1' }, 400, 'parse_path_failed'],
  ['slashes only', { method: 'PUT', path: '///' }, 400, 'parse_path_failed'],
  ['a port that is none', { method: 'PUT', path: '//host:65536/shop/v1/items/1' }, 400, 'parse_path_failed'],
  ['a bad percent sign', { method: 'PUT', path: '/shop/v1/items/%zz' }, 400, 'rest_invalid_encoding'],
  ['bytes that are not UTF-8', { method: 'PUT', path: '/shop/v1/items/%ff' }, 400, 'rest_invalid_encoding'],
  ['NUL', { method: 'PUT', path: '/shop/v1/items/1%00' }, 400, 'rest_invalid_encoding'],
  [
    'an address that is too long',
    { method: 'PUT', path: `/shop/v1/items/1?x=${'y'.repeat(8 * 1024)}` },
    414,
    'rest_uri_too_long',
  ],
  ['an encoded slash', { method: 'PUT', path: '/shop/v1%2Fitems/1' }, 404, 'rest_no_route'],
  ['twice encoded', { method: 'PUT', path: '/shop/v1/items/%2531' }, 404, 'rest_no_route'],
  [
    'a bad percent sign in the query',
    { method: 'PUT', path: '/shop/v1/items/1?name=%zz' },
    400,
    'rest_invalid_encoding',
  ],
  ['a missing parameter', { path: '/shop/v1/required' }, 400, 'rest_missing_callback_param'],
  ['a wrong parameter', put(1, 'too long'), 400, 'rest_invalid_param'],
];

for (const [title, item, itemStatus, code] of ITEMS) {
  batch(`answers ${code} for ${title}, and runs the others`, async () => {
    const { engine, ran } = open();
    const { answer } = await send(engine, { requests: [put(1), item, put(2)] });
    assert.equal(
      answer.responses.map((each) => each?.status),
      [201, itemStatus, 201],
    );
    assert.is(codeOf(answer.responses[1]), code);
    assert.equal(
      ran.map((each) => each.id),
      [1, 2],
    );
  });
  batch(`runs nothing for ${title} when all must be valid`, async () => {
    const { engine, ran } = open();
    const { status, answer } = await send(engine, {
      validation: 'require-all-validate',
      requests: [put(1), item, put(2)],
    });
    assert.is(status, 207);
    assert.is(answer.failed, 'validation');
    assert.equal(
      answer.responses.map((each) => each?.status ?? null),
      [null, itemStatus, null],
    );
    assert.is(codeOf(answer.responses[1]), code);
    assert.equal(ran, []);
  });
}

batch('runs all when all are valid; rights show as they do alone', async () => {
  const { engine, ran } = open();
  const requests = [put(1), { path: '/shop/v1/required', body: { name: 'x' } }];
  const asEditor = await send(engine, { validation: 'require-all-validate', requests });
  const asNobody = await send(
    engine,
    { validation: 'require-all-validate', requests },
    { identity: { id: 0, role: '', capabilities: new Set() } },
  );
  const asReader = await send(
    engine,
    { requests },
    { identity: { id: 9, role: 'reader', capabilities: new Set() } },
  );
  assert.equal(
    [asEditor, asNobody, asReader].map(({ answer }) => answer.responses.map((each) => each?.status)),
    [
      [201, 200],
      [401, 200],
      [403, 200],
    ],
  );
  assert.is(asEditor.answer.failed, undefined);
  assert.is(ran.filter((each) => each.path !== '').length, 1);
});

batch('takes values from path, query and body of the item, and from nowhere else', async () => {
  const { engine, ran } = open();
  const requests = [
    { method: 'PUT', path: '/shop/v1/items/7?id=8&name=q', body: { id: 9, name: 'b' } },
    { method: 'DELETE', path: 'http://any.example:80/shop/v1/items/8?name=q#part' },
    { path: '/shop/v1/items/%31%30?_method=DELETE&_fields=id' },
  ];
  const { answer } = await send(engine, { requests, name: 'outer' });
  assert.equal(
    ran.map(({ id, name }) => [id, name]),
    [
      [7, 'b'],
      [8, 'q'],
      [10, undefined],
    ],
  );
  assert.equal(answer.responses[2]?.body, { id: 10 });
});

batch('lets only If-Match of an item through, and none of the batch', async () => {
  const { engine, ran } = open();
  const headers = {
    if_match: ['"1"', '"4"'],
    if_none_match: ['"2"', '"3"'],
    Authorization: 'Basic x',
    Cookie: 'y',
    Host: 'z',
    'X-Forwarded-For': '1',
    'X-HTTP-Method-Override': 'DELETE',
    'Content-Type': 'text/plain',
    Prefer: 'a',
  };
  await send(
    engine,
    { requests: [{ ...put(1), headers }] },
    { headers: { accept: 'text/html', authorization: 'Basic outer' } },
  );
  assert.equal(ran[0]?.headers, { 'if-match': '"1", "4"' });
});

batch('keeps the identity of the call for every item', async () => {
  const { engine, ran } = open();
  await send(engine, { requests: [put(1), put(13), { ...put(2), headers: { Authorization: 'x' } }] });
  assert.is(ran.length, 3);
  for (const { identity } of ran)
    assert.equal(
      { ...identity, capabilities: new Set(identity.capabilities) },
      { ...EDITOR, capabilities: new Set(EDITOR.capabilities) },
    );
});

batch('keeps failures of one item to that item, without a word of what failed', async () => {
  const logged: string[] = [];
  const { engine } = open({
    log: (event) => {
      logged.push(String((event.error as Error).message));
    },
  });
  const { status, answer } = await send(engine, { requests: [put(1), put(13), put(14), put(2)] });
  assert.is(status, 207);
  assert.equal(
    answer.responses.map((each) => each?.status),
    [201, 500, 500, 201],
  );
  assert.equal(
    [codeOf(answer.responses[1]), codeOf(answer.responses[2])],
    ['rest_internal_error', 'rest_internal_error'],
  );
  assert.is(JSON.stringify(answer).includes('secret'), false);
  assert.is(logged.length, 2);
  assert.is(logged[0], 'a secret of the site');
});

batch('answers what the items answer alone, in the same order', async () => {
  const items = [put(3), put(13), put(3, 'too long'), { ...put(5), method: 'DELETE' }];
  const { answer } = await send(open().engine, { requests: items });
  const alone = open().engine;
  for (const [index, item] of items.entries()) {
    const { status, body, headers } = await alone.dispatch(
      createRequest(item.path, { method: item.method, body: item.body }),
      EDITOR,
    );
    assert.equal(
      answer.responses[index],
      JSON.parse(JSON.stringify({ body, status, headers })),
      String(index),
    );
  }
});

batch('lets others have their turn between its items', async () => {
  let turns = 0;
  let wasAt = -1;
  let inOneTurn = 0;
  const busy = defineNamespace(
    {
      namespace: 'busy/v1',
      routes: [
        {
          pattern: '/busy/v1/work',
          endpoints: [
            { methods: ['POST'], handler: 'work', permission: 'public', allow_batch: BATCH, args: {} },
          ],
        },
      ],
    },
    {
      work: () => {
        block(6);
        inOneTurn += turns === wasAt ? 1 : 0;
        wasAt = turns;
        return {};
      },
    },
  );
  const next = (): void => {
    turns += 1;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const requests = Array.from({ length: 10 }, () => ({ path: '/busy/v1/work', method: 'POST' }));
  const { status } = await createTestEngine([busy]).dispatch(
    createRequest('/batch/v1', { method: 'POST', body: { requests } }),
  );
  clearImmediate(immediate);
  assert.is(status, 207);
  assert.is(inOneTurn, 0, 'no two items of more than a slice in one turn');
});

batch.run();
