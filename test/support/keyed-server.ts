// A process to be killed. It takes orders with keys over HTTP: `node keyed-server.js DIRECTORY`, or the address of a PostgreSQL database.
import { writeSync } from 'node:fs';
import { listen } from '../../adapters/cli.ts';
import { createServer } from '../../adapters/node-http.ts';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import {
  CALL_COLLECTIONS,
  createEngine,
  defineNamespace,
  keepCalls,
  type NamespaceDescriptor,
} from '../../lib/index.ts';

export const ORDERS = { name: 'orders', fields: { item: { type: 'text' } } } as const;

const SHOP = {
  namespace: 'shop',
  routes: [
    {
      pattern: '/shop/orders',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'order',
          permission: 'public',
          idempotent: 'key',
          status: 201,
          args: { item: { type: 'string', required: true } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const place = process.argv[2] ?? '';
const collections = [ORDERS, ...CALL_COLLECTIONS];
const store = keepCalls(
  place.startsWith('postgres')
    ? await createPostgresStore({ url: place, collections })
    : await createSqliteStore({ directory: place, collections }),
);
const engine = createEngine({
  namespaces: [
    defineNamespace(SHOP, {
      order: async ({ item }) => {
        const [order] = await store.commit([{ op: 'create', collection: 'orders', values: { item } }]);
        return { id: order?.id };
      },
    }),
  ],
  calls: store,
});
writeSync(1, `${await listen(createServer(engine), { port: 0, host: '127.0.0.1' })}\n`);
