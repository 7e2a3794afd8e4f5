import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../adapters/client.ts';
import { isObject } from '../../lib/core/objects.ts';
import type { RouteView } from '../../lib/route/call.ts';
import type { EndpointDescriptor, ResourceDescriptor, RouteDescriptor } from '../../lib/route/descriptor.ts';
import { registryDescriptors } from '../../registry/index.ts';
import { checkAnswer } from '../support/answers.ts';
import { createDocumentCheck } from '../support/openapi-answers.ts';
import { checkRecord, type Context } from '../support/resource-answers.ts';
import { type Answer, SITE_URL } from '../support/whole-site.ts';
import { type BusySite, createBusySite, type Login, NAMES } from './all-routes-site.ts';
import { isPlain, prepare, type Row, ROWS, type Sent, toAsking } from './all-routes-table.ts';

// Tests every pair of method and route that the registry serves. It must work for a caller with the right, through the typed client, its response must match
// the declared schema, and both must match the OpenAPI document. Anonymous callers and subscribers must be refused before anything changes.
interface Pair {
  readonly method: string;
  readonly route: RouteDescriptor;
  readonly endpoint: EndpointDescriptor;
}

/** `(?P<id>[\d]+)` as the table writes it: `{id}`. */
const toPath = (pattern: string): string =>
  pattern.replaceAll(/\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])+\)/g, '{$1}');

/** Pairs by their name in the table. */
function listPairs(routes: readonly RouteView[]): ReadonlyMap<string, Pair> {
  return new Map(
    routes.flatMap(({ descriptor: route }) =>
      route.endpoints.flatMap((endpoint) =>
        endpoint.methods.map(
          (method) => [`${method} ${toPath(route.pattern)}`, { method, route, endpoint }] as const,
        ),
      ),
    ),
  );
}

function findPair({ site }: BusySite, name: string): Pair {
  const pair = listPairs(site.engine.routes).get(name);
  if (pair === undefined) throw new Error(`the index has no ${name}`);
  return pair;
}

/** Pairs whose refusal without proof is not 401 and 403, and why. */
const OTHER_REFUSALS: Readonly<Record<string, readonly [stranger: number, subscriber: number]>> = {
  // The route checks the token and not the caller, so logging in would not help.
  'GET /ml/tm/v1/ate/jobs/receive/{mlJobId}': [403, 403],
};

/** A batch is open to all: each of its items checks its own permission. */
const isOpen = ([name, by]: Row, { proof }: Sent): boolean =>
  (by === null && proof === undefined) || name === 'POST /batch/v1';

/** Checks that the route refuses an anonymous caller, and a subscriber unless the row is for subscribers. */
async function checkRefusals(row: Row, sent: Sent, { site }: BusySite): Promise<void> {
  const [name, by] = row;
  const revision = await site.store.revision(NAMES);
  const [stranger, subscriber] = OTHER_REFUSALS[name] ?? [401, 403];
  const refused = [
    [null, stranger],
    ...(by === 'subscriber' ? [] : ([['subscriber', subscriber]] as const)),
  ] as const;
  for (const [as, status] of refused) {
    const answer = await site.ask(toAsking(row, sent, { as }));
    assert.is(
      answer.status,
      status,
      `${name} as ${as ?? 'an anonymous caller'}: ${answer.text.slice(0, 300)}`,
    );
  }
  assert.is(await site.store.revision(NAMES), revision, `${name} changed something for who may not call it`);
}

type ResourceId = 'post' | 'post-revision' | 'post-autosave';

function resourceOf(id: ResourceId): ResourceDescriptor {
  const found = registryDescriptors.find(({ namespace }) => namespace === 'cms/v2')?.resources?.[id];
  if (found === undefined) throw new Error(`cms/v2 has no resource ${id}`);
  return found;
}

/** Where the records are in a `cms/v2` response, and what they are. */
const RECORDS: Readonly<Record<string, readonly [resource: ResourceId, context: Context, member?: string]>> =
  {
    'GET /cms/v2/posts': ['post', 'edit'],
    'POST /cms/v2/posts': ['post', 'edit'],
    'GET /cms/v2/posts/{id}': ['post', 'edit'],
    'POST /cms/v2/posts/{id}': ['post', 'edit'],
    'PUT /cms/v2/posts/{id}': ['post', 'edit'],
    'PATCH /cms/v2/posts/{id}': ['post', 'edit'],
    'DELETE /cms/v2/posts/{id}': ['post', 'edit', 'previous'],
    'GET /cms/v2/posts/{parent}/revisions': ['post-revision', 'view'],
    'GET /cms/v2/posts/{parent}/revisions/{id}': ['post-revision', 'view'],
    'DELETE /cms/v2/posts/{parent}/revisions/{id}': ['post-revision', 'view', 'previous'],
    'GET /cms/v2/posts/{id}/autosaves': ['post-autosave', 'view'],
    'POST /cms/v2/posts/{id}/autosaves': ['post-autosave', 'edit'],
  };

function checkRecords(name: string, body: unknown): void {
  const found = RECORDS[name];
  if (found === undefined) throw new Error(`${name} has neither an answer schema nor a resource`);
  const [resource, context, member] = found;
  const shown: unknown = member === undefined ? body : isObject(body) && body[member];
  const records: readonly unknown[] = Array.isArray(shown) ? shown : [shown];
  assert.ok(records.length > 0, `${name} shows no record`);
  for (const record of records) checkRecord(resourceOf(resource), context, record);
}

function checkBody(name: string, pair: Pair, { body, headers }: Answer): void {
  assert.match(headers['Content-Type'] ?? '', 'application/json', name);
  if (pair.endpoint.answers !== undefined)
    checkAnswer({ namespace: '', routes: [pair.route] }, [pair.method, pair.route.pattern], body);
  else checkRecords(name, body);
}

async function describeOnce(): Promise<ReturnType<typeof createDocumentCheck>> {
  const { site } = await createBusySite();
  await site.close();
  return createDocumentCheck(site.engine);
}

// Must run before the first suite: an await between suites would make them run concurrently.
const fitsDocument = await describeOnce();

const table = suite('table of all routes');

table('names exactly the pairs of the index, each once', async () => {
  const { site } = await createBusySite();
  const served = [...listPairs(site.engine.routes).keys()];
  assert.equal(ROWS.map(([name]) => name).sort(), served.sort());
  assert.is(ROWS.length, 123);
  await site.close();
});

table('what has no answer schema has a resource', async () => {
  const { site } = await createBusySite();
  const without = [...listPairs(site.engine.routes)].filter(
    ([, pair]) => pair.endpoint.answers === undefined,
  );
  assert.equal(
    without.map(([name]) => name),
    Object.keys(RECORDS),
  );
  await site.close();
});

table.run();

/** Calls a route as a program does, with the typed client. The response has what the client read, and what was on the wire. */
async function askByClient(
  [name, by]: Row,
  { path, query, body, proof }: Sent,
  { site }: BusySite,
): Promise<Answer> {
  const wires: Answer[] = [];
  const base = `${SITE_URL}/en/cms-json`;
  const client = createClient({
    url: base,
    fetch: async (url, { method = 'GET', body: text, headers }) => {
      const wire = await site.ask({
        method,
        target: url.slice(base.length),
        as: by,
        headers: { ...Object.fromEntries(new Headers(headers)), ...proof?.headers },
        ...(typeof text === 'string' ? { body: JSON.parse(text) } : {}),
      });
      wires.push(wire);
      return new Response(wire.text, { status: wire.status, headers: wire.headers });
    },
  });
  const args = { ...path, ...(isObject(body) ? body : {}) };
  const answer = await client.call(name, args, { query: { ...query, ...proof?.query } });
  assert.is(wires.length, 1, name);
  return { ...(wires[0] as Answer), status: answer.status, body: answer.body };
}

const calls = suite('all routes');

async function checkRow(row: Row, busy: BusySite): Promise<void> {
  const [name] = row;
  const sent = await prepare(row, busy);
  const pair = findPair(busy, name);
  assert.is(
    pair.endpoint.permission === 'public',
    isOpen(row, sent),
    `${name}: the table says who may call it`,
  );
  if (!isOpen(row, sent)) await checkRefusals(row, sent, busy);
  const answer = await askByClient(row, sent, busy);
  assert.is(answer.status, sent.status ?? 200, `${name}: ${answer.text.slice(0, 500)}`);
  checkBody(name, pair, answer);
  fitsDocument({ pair: name, sent: sent.body, status: answer.status, body: answer.body });
  assert.equal(
    busy.site.logged.filter(({ level }) => level === 'error'),
    [],
    name,
  );
}

const toLot = ([name]: Row): string => name.split('/')[1] ?? '';

/** Resets one site for many rows, because building sites takes most of the time. */
async function checkPlainRows(rows: readonly Row[]): Promise<void> {
  const busy = await createBusySite();
  for (const row of rows) {
    await busy.reset();
    await checkRow(row, busy);
  }
  await busy.site.close();
}

for (const lot of new Set(ROWS.map(toLot))) {
  calls(`/${lot}`, () => checkPlainRows(ROWS.filter((row) => isPlain(row) && toLot(row) === lot)));
}

// A prepared row may leave background work, so it gets its own site.
for (const row of ROWS.filter((each) => !isPlain(each))) {
  calls(row[0], async () => {
    const busy = await createBusySite();
    try {
      await checkRow(row, busy);
    } finally {
      await busy.site.close();
    }
  });
}

calls.run();

const READ: readonly (readonly [target: string, resource: ResourceId])[] = [
  ['/cms/v2/posts?per_page=100&status=any', 'post'],
  ['/cms/v2/posts/104', 'post'],
  ['/cms/v2/posts/126', 'post'],
  ['/cms/v2/posts/144/revisions', 'post-revision'],
  ['/cms/v2/posts/144/revisions/401', 'post-revision'],
  ['/cms/v2/posts/145/autosaves', 'post-autosave'],
];

const contexts = suite('fields of each context');

contexts('are those of the resource for every caller', async () => {
  const { site } = await createBusySite();
  const read = async (target: string, as: Login | null): Promise<readonly unknown[]> => {
    const { status, text, body } = await site.ask({ target, as });
    assert.is(status, 200, `${target}: ${text.slice(0, 300)}`);
    return Array.isArray(body) ? body : [body];
  };
  for (const context of ['view', 'edit', 'embed'] as const) {
    for (const [target, resource] of READ) {
      const records = await read(`${target}${target.includes('?') ? '&' : '?'}context=${context}`, 'editor');
      assert.ok(records.length > 0, target);
      for (const record of records) checkRecord(resourceOf(resource), context, record);
    }
    if (context === 'edit') continue;
    for (const record of await read(`/cms/v2/posts?per_page=100&context=${context}`, null))
      checkRecord(resourceOf('post'), context, record);
  }
  await site.close();
});

contexts.run();

const documented = suite('the OpenAPI document');

/** Reads in addition to the table: other contexts, selected fields, empty results, and errors of each form. */
const READS: readonly (readonly [pair: string, target: string, as?: Login])[] = [
  ['GET /cms/v2/posts', '/cms/v2/posts?context=embed'],
  ['GET /cms/v2/posts', '/cms/v2/posts?context=view&_fields=id,title'],
  ['GET /cms/v2/posts', '/cms/v2/posts?per_page=100&_embed=1'],
  ['GET /cms/v2/posts', '/cms/v2/posts?search=nowhere'],
  ['GET /cms/v2/posts', '/cms/v2/posts?status=any&per_page=100&context=edit', 'editor'],
  ['GET /cms/v2/posts', '/cms/v2/posts?per_page=1000'],
  ['GET /cms/v2/posts/{id}', '/cms/v2/posts/104'],
  ['GET /cms/v2/posts/{id}', '/cms/v2/posts/4000'],
  ['GET /cms/v2/posts/{id}', '/cms/v2/posts/104?context=edit'],
  ['GET /cms/v2/posts/{parent}/revisions', '/cms/v2/posts/144/revisions?context=edit', 'editor'],
  ['GET /cms/v2/posts/{parent}/revisions', '/cms/v2/posts/144/revisions'],
  ['GET /cms/v2/posts/{id}/autosaves', '/cms/v2/posts/145/autosaves?context=edit', 'editor'],
  [
    'GET /',
    '/?_fields=namespaces,name,description,url,home,gmt_offset,timezone_string,page_for_posts,page_on_front,show_on_front,authentication,routes',
  ],
  ['GET /cms/v2', '/cms/v2'],
];

documented('describes reads and errors of every form', async () => {
  const { site } = await createBusySite();
  for (const type of ['application/json', 'application/problem+json']) {
    for (const [pair, target, as = null] of READS) {
      const { status, body } = await site.ask({ target, as, headers: { accept: type } });
      fitsDocument({ pair, sent: undefined, status, body, type });
    }
  }
  await site.close();
});

documented('describes a post that goes into the trash, and what becomes of items of a batch', async () => {
  const { site } = await createBusySite();
  const write = async (pair: string, target: string, body?: unknown): Promise<void> => {
    const answer = await site.ask({ method: pair.split(' ')[0] ?? '', target, as: 'admin', body });
    assert.ok(answer.status < 300, answer.text);
    fitsDocument({ pair, sent: body, status: answer.status, body: answer.body });
  };
  await write('POST /cms/v2/posts', '/cms/v2/posts', {
    title: 'Text',
    content: { raw: 'Text' },
    tags: [],
    date: '2026-11-22T03:36:10',
    status: 'draft',
  });
  await write('DELETE /cms/v2/posts/{id}', '/cms/v2/posts/104');
  await write('DELETE /cms/v2/posts/{id}', '/cms/v2/posts/104?force=true');
  const requests = [{ path: '/cms/v2/posts', body: { title: 'One' } }, { path: '/no/such/route' }];
  await write('POST /batch/v1', '/batch/v1', { requests });
  await write('POST /batch/v1', '/batch/v1', { requests, validation: 'require-all-validate' });
  await site.close();
});

documented.run();
