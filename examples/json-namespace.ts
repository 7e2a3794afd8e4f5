// An engine alone, with routes from a JSON file:
// `npm run build && node dist/examples/json-namespace.js [--port N]`.
//
//   curl -i http://127.0.0.1:8789/guestbook/v1                                                             # 200
//   curl -i -X OPTIONS http://127.0.0.1:8789/guestbook/v1/entries                                          # 200
//   curl -i -d 'name=Ada&text=Fine+mussels' http://127.0.0.1:8789/guestbook/v1/entries                     # 201
//   curl -i -H 'Content-Type: application/json' -d '{"name":"Bo","text":"Rain","stars":2}' http://127.0.0.1:8789/guestbook/v1/entries   # 201
//   curl -i http://127.0.0.1:8789/guestbook/v1/entries?search=MUSSELS                                      # 200
//   curl -i http://127.0.0.1:8789/guestbook/v1/entries/1                                                   # 200
//   curl -i http://127.0.0.1:8789/guestbook/v1/entries/99                                                  # 404
//   curl -i -d 'name=Ada&text=Fine&stars=9' http://127.0.0.1:8789/guestbook/v1/entries                     # 400
import { readFile } from 'node:fs/promises';
import { listen, onStop, readPort } from '../adapters/cli.ts';
import { createMemoryStore } from '../adapters/memory-store.ts';
import { closeServer, createServer } from '../adapters/node-http.ts';
import {
  createEngine,
  createErrors,
  RestResponse,
  toNamespace,
  type Call,
  type NamespaceDescriptor,
  type Store,
} from '../lib/index.ts';

const PER_PAGE = 20;
const entries = {
  name: 'entries',
  fields: { name: { type: 'text' }, text: { type: 'text', folded: true }, stars: { type: 'integer' } },
} as const;
const guestbookError = createErrors({ guestbook_no_entry: [404, 'There is no such entry.'] });

/** The handlers. The file declares their arguments; a missing handler is refused at the start. */
function createHandlers(store: Store) {
  return {
    'entries.list': async (args: { readonly page: number; readonly search: string }) => {
      const { records } = await store.find({
        collection: 'entries',
        where: { op: 'contains', field: 'text', text: args.search },
        order: [{ field: 'id', direction: 'desc' }],
        limit: PER_PAGE,
        offset: (args.page - 1) * PER_PAGE,
      });
      return records;
    },
    'entries.read': async ({ id }: { readonly id: number }) => {
      const entry = await store.get('entries', id);
      if (entry === null) throw guestbookError('guestbook_no_entry');
      return new RestResponse(entry, { version: entry.version });
    },
    'entries.create': async (
      { name, text, stars }: { readonly name: string; readonly text: string; readonly stars: number },
      call: Call,
    ) => {
      const [entry] = await store.commit([
        { op: 'create', collection: 'entries', values: { name, text, stars } },
      ]);
      return new RestResponse(entry, {
        status: 201,
        headers: { Location: call.site.url(`/guestbook/v1/entries/${String(entry?.id)}`) },
      });
    },
  };
}

const descriptor = JSON.parse(
  await readFile(new URL('../../examples/guestbook.json', import.meta.url), 'utf8'),
) as NamespaceDescriptor;
const store = createMemoryStore([entries]);
const engine = createEngine({ namespaces: [toNamespace(descriptor, createHandlers(store))] });
const server = createServer(engine);
const origin = await listen(server, { port: readPort(8789), host: '127.0.0.1' });

onStop(async () => {
  await closeServer(server);
  await store.close();
});

console.log(`listening on ${origin}/`);
