import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { isObject, own } from '../../lib/core/objects.ts';
import { type Action, effectOf, listActions, type Store, toActionCall } from '../../lib/index.ts';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { collections, collectionsOf, createContentModel } from '../../registry/index.ts';
import { coreContent, coreFixture } from '../conformance/core-run.ts';
import { dumpStore } from '../support/dump.ts';
import { countRuns, isAll } from '../support/long-mode.ts';
import { callTool, listTools } from '../support/mcp-client.ts';
import { createRandom, type Random } from '../support/random.ts';
import { type Asking, createWholeSite, type WholeSite } from '../support/whole-site.ts';

// A tool call is an HTTP call: the same response and the same effect, for every role. And each caller's list of tools is what `Allow` grants.
const USERS = [
  ...(coreFixture.users ?? []),
  {
    id: 43,
    login: 'translator',
    password: 'translatorpass',
    name: 'T',
    slug: 'translator',
    role: 'translator',
    email: 't@example.org',
  },
];
const CALLERS: readonly (string | null)[] = [
  'admin',
  'editor',
  'author',
  'contributor',
  'subscriber',
  'translator',
  null,
];
/** Those whose whole lists are tried. */
const LISTED = isAll ? CALLERS : ['admin', 'author', null];

/** Random values of a site, the same each time. */
function createBytes(): (size: number) => Uint8Array {
  const random = createRandom(7);
  return (size) => Uint8Array.from({ length: size }, () => random.below(256));
}

function open(
  store: Store = createMemoryStore(collectionsOf(createContentModel(coreContent))),
): Promise<WholeSite> {
  return createWholeSite({
    fixture: { ...coreFixture, users: USERS },
    content: coreContent,
    store,
    random: createBytes(),
    mcp: { tools: 'all' },
  });
}

const headersOf = (as: string | null): Readonly<Record<string, string>> =>
  as === null ? {} : { authorization: `Bearer ${as}` };

const IDS = [
  1, 2, 3, 11, 41, 91, 101, 102, 103, 104, 105, 110, 120, 301, 302, 401, 402, 501, 502, 601, 701, 999,
];
const TEXTS = [
  '',
  'a',
  'publish',
  'draft',
  'edit',
  'view',
  'Hello <b>you</b>',
  '2024-01-05T10:00:00',
  '1',
  'x@example.org',
];

/** A value that often fits. */
function toValue(random: Random, { type, enum: values }: ArgSchema): unknown {
  if (values !== undefined && random.chance(0.8)) return random.pick(values);
  const word = random.pick([type].flat());
  if (word === 'integer' || word === 'number') return random.pick(IDS);
  if (word === 'boolean') return random.chance(0.5);
  if (word === 'array') return [random.pick(IDS)];
  if (word === 'object') return {};
  return random.pick(TEXTS);
}

function toArgs(random: Random, { args, route }: Action): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    args.flatMap(([name, schema]) => {
      if (!route.groups.includes(name) && !random.chance(schema.required === true ? 0.9 : 0.08)) return [];
      return [
        [
          name,
          route.groups.includes(name) && schema.type === 'integer'
            ? random.pick(IDS)
            : toValue(random, schema),
        ],
      ];
    }),
  );
}

/** The same call over HTTP, with its arguments in the JSON body or, for a read, in the query. */
function toAsking(site: WholeSite, action: Action, args: Readonly<Record<string, unknown>>): Asking {
  const { method, path, body } = toActionCall(action, site.engine.names, args);
  if (method !== 'GET')
    return { method, target: encodeURI(path), body: body.kind === 'json' ? body.value : undefined };
  const query = new URLSearchParams(
    Object.entries(args)
      .filter(([name]) => !action.route.groups.includes(name))
      .map(([name, value]): [string, string] => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
  );
  return { method, target: `${encodeURI(path)}${query.size > 0 ? `?${query}` : ''}` };
}

/** The body as a tool returns it. */
function toToolBody(body: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (isObject(body)) return body;
  if (body === null) return {};
  if (!Array.isArray(body)) return { value: body };
  const total = own(headers, 'X-CMS-Total');
  return total === undefined
    ? { items: body }
    : { items: body, total: Number(total), total_pages: Number(own(headers, 'X-CMS-TotalPages')) };
}

/** Apart from the tokens of previews, which two sites cannot have in common. */
const isSame = (one: unknown, other: unknown): boolean => {
  const [left, right] = [one, other].map((each) =>
    JSON.stringify(each).replaceAll(/preview_nonce=[\w.-]+/g, ''),
  );
  return left === right;
};

/** The records that people write. The hashes of passwords differ from site to site. */
async function dumpContent(store: Store): Promise<readonly (readonly [string, string])[]> {
  return [...(await dumpStore(store))].filter(([key]) =>
    /^(?:posts|terms|comments|media|post_history) /.test(key),
  );
}

const calls = suite('tools of a site');

calls('answer and write as the same calls over HTTP', async () => {
  const [tools, http] = await Promise.all([open(), open()]);
  const random = createRandom(33);
  const actions = listActions(tools.engine).filter(
    ({ name }) =>
      /^(?:cms|ml|oembed)\./.test(name) && !/passwords|previews|users\.(?:remove|update)/.test(name),
  );
  const different: unknown[] = [];
  const statuses = new Map<number, number>();
  for (let run = 0; run < countRuns(3500, 10_000); run += 1) {
    const action = random.pick(actions);
    const as = random.pick(CALLERS);
    const args = toArgs(random, action);
    const tool = await callTool(tools.engine, [action.name, args], headersOf(as));
    const { status, body, headers } = await http.ask({ ...toAsking(http, action, args), as, address: '' });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const wanted = status >= 400 ? body : toToolBody(body, headers);
    const urls = JSON.stringify(wanted).replaceAll('http://site.test', 'http://localhost');
    if (tool.status !== status || !isSame(tool.body, JSON.parse(urls)))
      different.push({ as, name: action.name, args, tool, status, body: wanted });
  }
  assert.equal(different.slice(0, 3), []);
  assert.ok((statuses.get(200) ?? 0) > 30, JSON.stringify([...statuses]));
  assert.equal(await dumpContent(tools.store), await dumpContent(http.store));
  await Promise.all([tools.close(), http.close()]);
});

calls('are listed for each caller as Allow grants them', async () => {
  const site = await open();
  const wrong: string[] = [];
  for (const as of LISTED) {
    const listed = new Set((await listTools(site.engine, headersOf(as))).map(({ name }) => name));
    for (const action of listActions(site.engine)) {
      const { groups } = action.route;
      if (action.endpoint.needs === undefined && groups.length > 0) continue;
      const targets =
        groups.length === 0
          ? [{}]
          : IDS.map((id) => Object.fromEntries(groups.map((name, at) => [name, at === 0 ? id : 401])));
      let isAllowed = false;
      for (const target of targets) {
        const { path } = toActionCall(action, site.engine.names, target);
        const { headers } = await site.ask({ method: 'OPTIONS', target: path, as });
        if ((headers['Allow'] ?? '').split(', ').includes(action.method)) isAllowed = true;
        if (isAllowed) break;
      }
      if (isAllowed && !listed.has(action.name)) wrong.push(`${as}: ${action.name} is missing`);
      if (!isAllowed && groups.length === 0 && action.endpoint.needs === undefined && listed.has(action.name))
        wrong.push(`${as}: ${action.name} is too much`);
    }
  }
  assert.equal(wrong, []);
  await site.close();
});

calls('that need a capability are refused to callers without it', async () => {
  const site = await open();
  const wrong: string[] = [];
  for (const as of LISTED) {
    const listed = new Set((await listTools(site.engine, headersOf(as))).map(({ name }) => name));
    for (const action of listActions(site.engine).filter(({ name }) => !listed.has(name))) {
      for (const id of IDS.slice(0, 12)) {
        const args = Object.fromEntries(action.route.groups.map((name, at) => [name, at === 0 ? id : 401]));
        const { status } = await callTool(site.engine, [action.name, args], headersOf(as));
        if (status < 400) wrong.push(`${as}: ${action.name} ${id} is ${status}`);
      }
    }
  }
  assert.equal(wrong, []);
  await site.close();
});

calls('that say they read write nothing', async () => {
  const store = createMemoryStore(collections);
  const written: string[] = [];
  let now = '';
  const watched: Store = new Proxy(store, {
    get: (target, name, receiver) =>
      name === 'commit'
        ? (operations: Parameters<Store['commit']>[0], ...others: []) => {
            written.push(
              `${now}: ${operations.map((each) => ('collection' in each ? each.collection : '')).join(', ')}`,
            );
            return target.commit(operations, ...others);
          }
        : (Reflect.get(target, name, receiver) as unknown),
  });
  const site = await open(watched);
  written.length = 0;
  for (const action of listActions(site.engine).filter(({ endpoint }) => effectOf(endpoint) === 'read'))
    for (const id of [1, 101]) {
      now = action.name;
      await callTool(
        site.engine,
        [action.name, Object.fromEntries(action.route.groups.map((name) => [name, id]))],
        headersOf('admin'),
      );
    }
  // The index of the SEO plugin is filled when it is first read, and background work takes its locks at any time.
  assert.equal(
    [...new Set(written)].filter((line) => !line.startsWith('seo.statistics:') && !line.endsWith(': locks')),
    [],
  );
  await site.close();
});

calls('of the core fit in 100 KB, and those of find in 1 KB', async () => {
  const core = await createWholeSite({
    fixture: { ...coreFixture, users: USERS },
    content: 'core',
    mcp: { tools: ['cms.*'] },
  });
  const size = JSON.stringify(await listTools(core.engine, headersOf('admin'))).length;
  assert.ok(size < 100_000, String(size));
  await core.close();
});

calls.run();
