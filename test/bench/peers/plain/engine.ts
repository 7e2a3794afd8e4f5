import { closeServer, createServer } from '../../../../adapters/node-http.ts';
import { createEngine, defineNamespace } from '../../../../lib/index.ts';
import { listen, type StartPeer } from '../peer.ts';
import { createItem, readItem } from './item.ts';

const plain = defineNamespace(
  {
    namespace: 'plain',
    routes: [
      {
        pattern: '/plain/items/(?P<id>[\\d]+)',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'read',
            permission: 'public',
            args: {
              id: { type: 'integer' },
              limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
            },
          },
        ],
      },
      {
        pattern: '/plain/items',
        endpoints: [
          {
            methods: ['POST'],
            handler: 'create',
            permission: 'public',
            status: 201,
            args: {
              name: { type: 'string', required: true, minLength: 1 },
              quantity: { type: 'integer', required: true, minimum: 1 },
              active: { type: 'boolean', required: true },
            },
          },
        ],
      },
    ],
  },
  { read: ({ id, limit }) => readItem(id, limit), create: createItem },
);

/** The engine without site and store. */
export const startPlainEngine: StartPeer = async () => {
  const server = createServer(createEngine({ namespaces: [plain] }), { limits: { loopDelayMs: 2 ** 30 } });
  const { port } = await listen(server);
  return { port, close: () => closeServer(server, { timeoutMs: 500 }) };
};
