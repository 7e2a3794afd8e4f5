// A site, and a namespace of the host, inside the host's node:http server and beside the host's routes:
// `npm run build && node dist/examples/embed.js [--port N]`.
//
//   curl -i http://127.0.0.1:8788/hello                                             # 200
//   curl -i http://127.0.0.1:8788/en/cms-json/shop/v1/prices/rope?metres=12         # 200
//   curl -i http://127.0.0.1:8788/en/cms-json/shop/v1/prices/rope?metres=dozen      # 400
//   curl -i http://127.0.0.1:8788/en/cms-json/shop/v1/prices/kraken                 # 404
//   curl -i http://127.0.0.1:8788/fr/cms-json/cms/v2/posts?search=phare             # 200
//   curl -i -X PUT -d cents=120 http://127.0.0.1:8788/en/cms-json/shop/v1/prices/rope                            # 401
//   curl -i -X PUT -d cents=120 -u author:authorpass http://127.0.0.1:8788/en/cms-json/shop/v1/prices/rope       # 403
//   curl -i -X PUT -d cents=120 -u admin:adminpass http://127.0.0.1:8788/en/cms-json/shop/v1/prices/rope         # 200
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { listen, onStop, readPort } from '../adapters/cli.ts';
import { createMemoryStore } from '../adapters/memory-store.ts';
import { createListener } from '../adapters/node-http.ts';
import { createErrors, defineNamespace, type NamespaceDescriptor } from '../lib/index.ts';
import { collections, createSite, loadFixture, type Fixture } from '../registry/index.ts';

const article = { type: 'string', description: 'Name of the article.' } as const;

// The routes are plain data, from which the types of the handlers' arguments follow.
const shopDescriptor = {
  namespace: 'shop/v1',
  routes: [
    {
      pattern: '/shop/v1/prices/(?P<article>[a-z]+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'prices.read',
          permission: 'public',
          args: { article, metres: { type: 'integer', minimum: 1, default: 1 } },
        },
        {
          methods: ['PUT'],
          handler: 'prices.write',
          permission: 'manage_options',
          args: { article, cents: { type: 'integer', minimum: 0, required: true } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const shopError = createErrors({ shop_no_article: [404, 'The shop has no such article.'] });

const prices = new Map([
  ['rope', 95],
  ['canvas', 1250],
]);

const shop = defineNamespace(shopDescriptor, {
  'prices.read': ({ article: name, metres }) => {
    const cents = prices.get(name);
    if (cents === undefined) throw shopError('shop_no_article');
    return { article: name, metres, cents: cents * metres };
  },
  'prices.write': ({ article: name, cents }) => {
    prices.set(name, cents);
    return { article: name, cents };
  },
});

const store = createMemoryStore(collections);
const demo = await readFile(new URL('../../examples/demo-site.json', import.meta.url), 'utf8');
await loadFixture(store, JSON.parse(demo) as Fixture);
const site = await createSite({ store, namespaces: [shop] });

// The host handles every request outside of the API.
const api = createListener(site.engine, {
  otherwise: (request, response) => {
    response
      .writeHead(request.url === '/hello' ? 200 : 404, { 'Content-Type': 'text/plain' })
      .end('The host speaking.\n');
  },
});
const server = createServer(api);
const origin = await listen(server, { port: readPort(8788), host: '127.0.0.1' });

onStop(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await site.close();
  await store.close();
});

console.log(`listening on ${origin}/en/cms-json/`);
