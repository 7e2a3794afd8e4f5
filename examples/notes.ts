// Notes in a SQLite file, without a site: `npm run build && node dist/examples/notes.js [--port N]`.
//
//   curl -i -d 'title=Tides&text=High+at+nine' http://127.0.0.1:8786/notes              # 201
//   curl -i -d 'text=No+title' http://127.0.0.1:8786/notes                              # 400
//   curl -i 'http://127.0.0.1:8786/notes?search=TIDES&orderby=title&per_page=5'         # 200
//   curl -i -X PATCH -H 'If-Match: "1-"' -d 'done=true' http://127.0.0.1:8786/notes/1   # 200
//   curl -i -X PATCH -H 'If-Match: "1-"' -d 'done=false' http://127.0.0.1:8786/notes/1  # 412
//   curl -i -X DELETE http://127.0.0.1:8786/notes/1                                     # 200
//   curl -i http://127.0.0.1:8786/notes/1                                               # 404
import { mkdtempSync, rmSync } from 'node:fs';
import { listen, onStop, readPort } from '../adapters/cli.ts';
import { closeServer, createServer } from '../adapters/node-http.ts';
import { createSqliteStore } from '../adapters/sqlite-store.ts';
import { createEngine, crud } from '../lib/index.ts';

const collection = {
  name: 'notes',
  fields: {
    title: { type: 'text', folded: true },
    text: { type: 'text', folded: true },
    done: { type: 'boolean' },
  },
} as const;
const resource = {
  title: 'note',
  properties: {
    title: { type: 'string', required: true },
    text: { type: 'string', default: '' },
    done: { type: 'boolean', default: false },
  },
} as const;
const directory = mkdtempSync('/tmp/notes-'); // yours: a folder that stays
const store = await createSqliteStore({ directory, collections: [collection] });
const server = createServer(
  createEngine({
    namespaces: [crud({ store, collection, resource, path: '/notes', read: 'public', write: 'public' })],
  }),
);

onStop(async () => {
  await closeServer(server);
  await store.close();
  rmSync(directory, { recursive: true });
});
console.log(`listening on ${await listen(server, { port: readPort(8786), host: '127.0.0.1' })}/`);
