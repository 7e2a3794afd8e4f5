import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../lib/core/identity.ts';
import type { Engine } from '../../lib/engine/engine.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { RestResponse } from '../../lib/http/response.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import { countRuns } from '../support/long-mode.ts';
import { createTestEngine } from '../support/site.ts';

const RUNS = countRuns(1000, 100_000);

const EDITOR: Identity = { id: 1, role: 'editor', capabilities: new Set(['edit']) };
const ID = { type: 'integer' } as const;
const BATCH = { v1: true } as const;

interface Site {
  readonly engine: Engine;
  readonly records: Map<number, string>;
  runs(): number;
  /** As new. An engine is built once for many batches. */
  reset(): Site;
}

/** A site that remembers what was written, so that order counts. Item 13 fails after it has written. */
function open(): Site {
  const records = new Map<number, string>();
  let runs = 0;
  const shop = defineNamespace(
    {
      namespace: 'shop/v1',
      routes: [
        {
          pattern: '/shop/v1/items/(?P<id>[\\d]+)',
          endpoints: [
            { methods: ['GET'], handler: 'read', permission: 'public', args: { id: ID } },
            {
              methods: ['POST', 'PUT'],
              handler: 'write',
              permission: 'edit',
              allow_batch: BATCH,
              args: { id: ID, name: { type: 'string', required: true, maxLength: 5 } },
            },
            {
              methods: ['DELETE'],
              handler: 'remove',
              permission: 'shop.exists',
              allow_batch: BATCH,
              args: { id: ID },
            },
          ],
        },
        {
          pattern: '/shop/v1/closed',
          endpoints: [{ methods: ['POST'], handler: 'closed', permission: 'public', args: {} }],
        },
      ],
    },
    {
      read: ({ id }) => records.get(id) ?? null,
      write: ({ id, name }) => {
        runs += 1;
        const before = records.get(id) ?? null;
        records.set(id, name);
        if (id === 13) throw new Error('after the write');
        return new RestResponse(
          { id, name, before },
          { status: before === null ? 201 : 200, headers: { Location: `/${id}` } },
        );
      },
      remove: ({ id }) => {
        runs += 1;
        return { removed: records.delete(id) };
      },
      closed: () => {
        runs += 1;
        return null;
      },
    },
    {
      permissions: {
        'shop.exists': ({ id }) =>
          records.has(Number(id)) || new RestError('shop_no_item', [404, 'There is no such item.']),
      },
    },
  );
  const site: Site = {
    engine: createTestEngine([shop], { capabilities: new Set(['edit']) }),
    records,
    runs: () => runs,
    reset() {
      records.clear();
      runs = 0;
      return site;
    },
  };
  return site;
}

interface Item {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const ids = fc.constantFrom('1', '2', '3', '13', '007', '99999999999999999999');
const paths = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(ids, fc.constantFrom('', '?name=q', '?id=9', '?name=too+long', '?_method=GET', '?_fields=id'))
      .map(([id, query]) => `/shop/v1/items/${id}${query}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/shop/v1/closed',
      '/batch/v1',
      '/shop/v1',
      '/',
      '',
      'shop/v1/items/1',
      '/shop/v1/items/1/',
      '/shop/v1/nothing',
      '//shop/v1/items/1',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '///',
      'http:///',
      '/%zz',
      '/shop/v1/items/%ff',
      '/shop/v1%2Fitems/1',
      '/shop/v1/items/1%00',
      '/shop/v1/items/1?a=%zz',
      '//host:99999/shop/v1/items/1',
    ),
  },
);

const items: fc.Arbitrary<Item> = fc.record(
  {
    method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
    path: paths,
    body: fc.oneof(
      fc.record(
        {
          name: fc.constantFrom<unknown[]>('a', 'b', 'too long', 5, null),
          id: fc.constantFrom<unknown[]>(9, 'x'),
        },
        { requiredKeys: [] },
      ),
      fc.constant({ requests: [{ path: '/shop/v1/items/1' }] }),
    ),
    headers: fc.record(
      {
        Authorization: fc.constant('x'),
        'If-Match': fc.constant('"1"'),
        'X-HTTP-Method-Override': fc.constant('DELETE'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['method', 'path'] },
);

const callers = fc.constantFrom(EDITOR, ANONYMOUS);

async function runBatch(
  { engine }: Site,
  caller: Identity,
  body: object,
): Promise<{
  readonly failed?: string;
  readonly responses: readonly ({ status: number; body: { code?: string } } | null)[];
}> {
  const response = await engine.dispatch(createRequest('/batch/v1', { method: 'POST', body }), caller);
  assert.is(response.status, 207);
  return JSON.parse(JSON.stringify(response.body));
}

const REFUSED: ReadonlySet<string | undefined> = new Set([
  'rest_no_route',
  'parse_path_failed',
  'rest_batch_not_allowed',
  'rest_invalid_param',
  'rest_missing_callback_param',
  'rest_invalid_encoding',
]);

const batches = suite('batches');

batches('answer what their items answer alone, in order, and leave the same behind', async () => {
  const sites = [open(), open()] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 25 }), callers, async (requests, caller) => {
      const [whole, apart] = [sites[0].reset(), sites[1].reset()];
      const { responses } = await runBatch(whole, caller, { requests });
      for (const [index, item] of requests.entries()) {
        const {
          responses: [alone],
        } = await runBatch(apart, caller, { requests: [item] });
        assert.equal(responses[index], alone, JSON.stringify(item));
      }
      assert.equal([...whole.records], [...apart.records]);
      assert.is(whole.runs(), apart.runs());
    }),
    { numRuns: RUNS },
  );
});

batches('answer for an item what the request alone is answered, where it can be sent alone', async () => {
  // A trailing slash has no route in a batch alone.
  const alone = items.filter(({ path }) => path.startsWith('/shop/v1/items/') && !/%|\/$/.test(path));
  const sites = [open(), open()] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(alone, { minLength: 1, maxLength: 5 }), callers, async (requests, caller) => {
      const [whole, apart] = [sites[0].reset(), sites[1].reset()];
      const { responses } = await runBatch(whole, caller, { requests });
      for (const [index, item] of requests.entries()) {
        const { status, body, headers } = await apart.engine.dispatch(
          createRequest(item.path, {
            method: item.method,
            ...(item.body === undefined ? {} : { body: item.body }),
          }),
          caller,
        );
        assert.equal(
          responses[index],
          JSON.parse(JSON.stringify({ body, status, headers })),
          JSON.stringify(item),
        );
      }
      assert.equal([...whole.records], [...apart.records]);
    }),
    { numRuns: RUNS },
  );
});

batches('run nothing when all must be valid and one is not', async () => {
  const sites = [open(), open()] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 25 }), callers, async (requests, caller) => {
      const [strict, normal] = [sites[0].reset(), sites[1].reset()];
      const answer = await runBatch(strict, caller, { validation: 'require-all-validate', requests });
      const { responses } = await runBatch(normal, caller, { requests });
      const refused = responses.map(
        (item) =>
          REFUSED.has(item?.body.code) && (item?.status === 400 || item?.body.code === 'rest_no_route'),
      );
      assert.is(answer.failed !== undefined, refused.includes(true));
      if (answer.failed === undefined) {
        assert.equal(answer.responses, responses);
        return;
      }
      assert.equal([strict.records.size, strict.runs()], [0, 0]);
      assert.equal(
        answer.responses.map((item) => item !== null),
        refused,
      );
    }),
    { numRuns: RUNS },
  );
});

batches.run();
