// Lists the files of the package that a request passes: `npm run build && node dist/test/scripts/request-way.js [--functions]`.
// A file is passed if one of its functions is entered. The request has been made once before for another post, so that
// what happens only once is not counted.
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { closeServer, createServer } from '../../adapters/node-http.ts';
import { collections } from '../../registry/index.ts';
import { ADMIN_TOKEN } from '../bench/admin.ts';
import { fillStore, NEW_POST, openSite, SITE_URL } from '../bench/corpus.ts';

const DIST = new URL('../../', import.meta.url).href;
const PACKAGE = /^(?:lib|registry|adapters)\//;

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** Names of the functions that were entered since the last call, by file. */
async function takeEntered(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.flatMap(({ url, functions }) => {
    const file = url.startsWith(DIST) ? url.slice(DIST.length) : '';
    // The function that begins at 0 is the file itself.
    const entered = functions.filter(
      ({ ranges: [range] }) => (range?.count ?? 0) > 0 && range?.startOffset !== 0,
    );
    return PACKAGE.test(file) && entered.length > 0
      ? [[file, entered.map(({ functionName }) => functionName || '(anonymous)')] as const]
      : [];
  });
  return new Map(files);
}

const store = createMemoryStore(collections);
await fillStore(store, 20);
const site = await openSite(store, true);
const server = createServer(site.engine, { siteUrl: SITE_URL }).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const POSTS = `http://127.0.0.1:${port}/en/cms-json/cms/v2/posts`;
const read = (id: number): Promise<Response> => fetch(`${POSTS}/${id}`);
const create = (title: string): Promise<Response> =>
  fetch(POSTS, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify({ ...NEW_POST, title }),
  });

/** What the last request has begun in the background, such as a look for scheduled posts, is over. */
const QUIET_MS = 500;

/** Of three requests the one that entered the fewest files: a timer of the site may have run beside the others. */
async function measure(name: string, run: (time: number) => Promise<Response>): Promise<void> {
  let files: ReadonlyMap<string, readonly string[]> | null = null;
  for (let time = 0; time < 3; time += 1) {
    await pause(QUIET_MS);
    await takeEntered();
    const response = await run(time);
    await response.text();
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    const entered = await takeEntered();
    if (files === null || entered.size < files.size) files = entered;
  }
  files ??= new Map();
  const calls = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(`${name}: ${files.size} files, ${calls} functions`);
  if (process.argv.includes('--functions'))
    for (const [file, functions] of [...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      console.log(`  ${file}: ${[...new Set(functions)].join(', ')}`);
}

await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await read(3);
await read(3);
await create('One');
await read(3);
await measure('a GET that is cached', () => read(3));
await measure('a GET of a post that nobody has read', (time) => read(5 + time));
await measure('a POST that creates a post', (time) => create(`Post ${time}`));

await closeServer(server, { timeoutMs: 100 });
await site.close();
await store.close();
session.disconnect();
