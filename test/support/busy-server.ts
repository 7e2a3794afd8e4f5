// A server that blocks the event loop for 10 ms per response, so that any machine can overload it:
// `/en/cms-json/probe/v1/it`; `?pause=MS` takes longer. Prints its URL.
import { closeServer, createServer } from '../../adapters/node-http.ts';
import { defineNamespace } from '../../lib/index.ts';
import { block } from './block.ts';
import { createTestEngine } from './site.ts';

/** Milliseconds per response. */
const WORK_MS = 10;

const busy = defineNamespace(
  {
    namespace: 'probe/v1',
    routes: [
      {
        pattern: '/probe/v1/it',
        endpoints: [
          {
            methods: ['GET', 'POST'],
            handler: 'work',
            permission: 'public',
            args: { pause: { type: 'integer', default: WORK_MS } },
          },
        ],
      },
    ],
  } as const,
  {
    work: ({ pause }) => {
      block(pause);
      return {};
    },
  },
);

const server = createServer(createTestEngine([busy]));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`);
});
process.once('SIGTERM', () => {
  void closeServer(server).then(() => process.exit(0));
});
