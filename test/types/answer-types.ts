import { RestError } from '../../lib/core/errors.ts';
import { RecordList } from '../../lib/http/record-list.ts';
import { RawBody, RestResponse } from '../../lib/http/response.ts';
import { JsonText } from '../../lib/json/json-document.ts';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';

// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
const SHOP = {
  namespace: 'shop/v1',
  routes: [
    {
      pattern: '/shop/v1/it',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'write',
          permission: 'public',
          args: {},
          answers: {
            201: {
              type: 'object',
              properties: {
                id: { type: 'integer', required: true },
                name: { type: 'string' },
                tags: { type: 'array', items: { type: 'string' } },
              },
            },
            202: { type: 'string', enum: ['queued', 'waiting'] },
          },
        },
        { methods: ['GET'], handler: 'read', permission: 'public', args: {} },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const read = (): unknown => 1;

/** Everything that a handler may return. */
export function listAnswers(): readonly unknown[] {
  return [
    defineNamespace(SHOP, { read, write: () => ({ id: 1 }) }),
    defineNamespace(SHOP, { read, write: async () => ({ id: 1, name: 'a', tags: ['a'] }) }),
    defineNamespace(SHOP, { read, write: () => 'queued' }),
    defineNamespace(SHOP, { read, write: () => new RestResponse({ any: 1 }, { status: 202 }) }),
    defineNamespace(SHOP, { read, write: async () => new RawBody('text/plain', 'x') }),
    defineNamespace(SHOP, { read, write: () => new JsonText('{"id":1}') }),
    defineNamespace(SHOP, { read, write: () => new RecordList([1], (id: number) => ({ id })) }),
    defineNamespace(SHOP, { read, write: () => Response.json({ id: 1 }) }),
    defineNamespace(SHOP, { read, write: () => new RestError('no', [404, 'No.']) }),
    defineNamespace(SHOP, {
      read,
      write: () => {
        throw new RestError('no', [404, 'No.']);
      },
    }),
  ];
}

/** Everything else does not compile. */
export function refuseAnswers(): void {
  // @ts-expect-error a required member is missing
  defineNamespace(SHOP, { read, write: () => ({ name: 'a' }) });
  // @ts-expect-error a member of another type
  defineNamespace(SHOP, { read, write: () => ({ id: '1' }) });
  // @ts-expect-error the same, later
  defineNamespace(SHOP, { read, write: async () => ({ id: '1' }) });
  // @ts-expect-error an item of another type
  defineNamespace(SHOP, { read, write: () => ({ id: 1, tags: [1] }) });
  // @ts-expect-error a word that the enum does not have
  defineNamespace(SHOP, { read, write: () => 'done' });
  // @ts-expect-error nothing
  defineNamespace(SHOP, { read, write: () => undefined });
}
