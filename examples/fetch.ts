// The site as a function from Request to Response, for runtimes with that interface: `export default { fetch: handle }`.
// As a program it calls that function from a few lines of node:http, which take the place of such a runtime:
// `npm run build && node dist/examples/fetch.js [--port N]`.
//
//   curl -i http://127.0.0.1:8790/en/cms-json/                                                   # 200
//   curl -i http://127.0.0.1:8790/fr/cms-json/cms/v2/posts?per_page=3                            # 200
//   curl -i -u editor:editorpass -d 'title=Low+tide' http://127.0.0.1:8790/en/cms-json/cms/v2/posts   # 201
//   curl -i -d 'title=Low+tide' http://127.0.0.1:8790/en/cms-json/cms/v2/posts                   # 401
//   curl -i http://127.0.0.1:8790/about                                                          # 404
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { listen, onStop, readPort } from '../adapters/cli.ts';
import { createFetchHandler } from '../adapters/fetch.ts';
import { createMemoryStore } from '../adapters/memory-store.ts';
import { collections, createSite, loadFixture, type Fixture } from '../registry/index.ts';

const store = createMemoryStore(collections);
const demo = await readFile(new URL('../../examples/demo-site.json', import.meta.url), 'utf8');
await loadFixture(store, JSON.parse(demo) as Fixture);
const site = await createSite({ store });

let siteUrl = '';
const handle = createFetchHandler(site.engine, { siteUrl: () => siteUrl });

function toRequest(message: IncomingMessage): Request {
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const { method = 'GET', url = '/' } = message;
  const body =
    method === 'GET' || method === 'HEAD'
      ? {}
      : { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' as const };
  return new Request(`${siteUrl}${url}`, { method, headers, ...body });
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await handle(toRequest(message));
  response
    .writeHead(status, Object.fromEntries(headers))
    .end(body === null ? '' : Buffer.from(await new Response(body).arrayBuffer()));
}

const server = createServer((message, response) => {
  answer(message, response).catch((error: unknown) =>
    response.destroy(error instanceof Error ? error : new Error('no response')),
  );
});
siteUrl = await listen(server, { port: readPort(8790), host: '127.0.0.1' });

onStop(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await site.close();
  await store.close();
});

console.log(`listening on ${siteUrl}/en/cms-json/`);
