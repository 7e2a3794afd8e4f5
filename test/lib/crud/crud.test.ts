import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { crud, type CrudOptions } from '../../../lib/crud/crud.ts';
import { createEngine, type Engine } from '../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import { refusalOf } from '../../support/refusal.ts';

const collection = {
  name: 'notes',
  unique: [{ fields: ['code'], except: { code: '' } }],
  fields: {
    title: { type: 'text', folded: true },
    stars: { type: 'integer' },
    done: { type: 'boolean' },
    tags: { type: 'texts' },
    code: { type: 'text' },
    secret: { type: 'text', folded: true },
    more: { type: 'json' },
    made: { type: 'text' },
  },
} as const;
const resource = {
  title: 'note',
  properties: {
    title: { type: 'string', required: true, maxLength: 20 },
    stars: { type: 'integer', minimum: 1, default: 1 },
    done: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    code: { type: 'string' },
    more: { type: 'object' },
    made: { type: 'string', readonly: true },
  },
} as const;

function open(more: Partial<CrudOptions> = {}): {
  readonly engine: Engine;
  ask(target: string, options?: RequestOptions): Promise<RestResponse>;
} {
  const store = createMemoryStore([collection]);
  const engine = createEngine({
    namespaces: [
      crud({ store, collection, resource, path: '/notes', read: 'public', write: 'public', ...more }),
    ],
    capabilities: new Set(['edit']),
  });
  return { engine, ask: (target, options) => engine.dispatch(createRequest(target, options)) };
}

const write = (body: object): RequestOptions => ({ method: 'POST', body });
const titlesOf = ({ body }: RestResponse): readonly string[] =>
  (body as readonly { title: string }[]).map(({ title }) => title);

const endpoints = suite('crud');

endpoints('creates, reads, changes and removes', async () => {
  const { ask } = open();
  const created = await ask('/notes', write({ title: 'A', more: { a: [1] }, made: 'x', secret: 'y' }));
  assert.equal(
    [created.status, created.body],
    [201, { id: 1, title: 'A', stars: 1, done: false, tags: [], code: '', more: { a: [1] }, made: '' }],
  );
  assert.match(created.headers['Location'] ?? '', /\/notes\/1$/);
  assert.equal((await ask('/notes/1', { method: 'PATCH', body: { done: true, made: 'x' } })).body, {
    id: 1,
    title: 'A',
    stars: 1,
    done: true,
    tags: [],
    code: '',
    more: { a: [1] },
    made: '',
  });
  assert.is((await ask('/notes/1', { method: 'PATCH', body: { stars: 0 } })).status, 400);
  assert.equal(
    [(await ask('/notes', write({ stars: 2 }))).status, (await ask('/notes/9')).status],
    [400, 404],
  );
  assert.equal((await ask('/notes/1', { method: 'DELETE' })).body, {
    deleted: true,
    previous: { id: 1, title: 'A', stars: 1, done: true, tags: [], code: '', more: { a: [1] }, made: '' },
  });
  assert.is((await ask('/notes/1')).status, 404);
});

endpoints('lists pages with totals, filters by fields, searches and sorts', async () => {
  const { ask } = open();
  for (const [title, stars, tags] of [
    ['Tides', 3, ['sea']],
    ['tide tables', 1, ['sea', 'time']],
    ['Clocks', 3, ['time']],
  ] as const)
    await ask('/notes', write({ title, stars, tags }));
  const page = await ask('/notes?per_page=2&orderby=title&order=desc');
  assert.equal(
    [
      titlesOf(page),
      Object.entries(page.headers)
        .filter(([name]) => /total/i.test(name))
        .map(([, value]) => value),
    ],
    [
      ['Tides', 'tide tables'],
      ['3', '2'],
    ],
  );
  const rows = [
    ['stars=3', ['Tides', 'Clocks']],
    ['stars=3&tags=time', ['Clocks']],
    ['tags=sea,time', ['tide tables']],
    ['search=TIDE', ['Tides', 'tide tables']],
    ['title=Clocks', ['Clocks']],
    ['done=true', []],
    ['page=9', []],
  ] as const;
  for (const [query, expected] of rows) assert.equal(titlesOf(await ask(`/notes?${query}`)), expected, query);
  for (const query of ['per_page=101', 'orderby=secret', 'stars=many', 'order=up'])
    assert.is((await ask(`/notes?${query}`)).status, 400, query);
});

endpoints('does not search in a field that it does not show', async () => {
  const store = createMemoryStore([collection]);
  await store.commit([{ op: 'create', collection: 'notes', values: { title: 'x', secret: 'hidden' } }]);
  const { ask } = open({ store });
  assert.equal(
    [titlesOf(await ask('/notes?search=hidden')), titlesOf(await ask('/notes?secret=other'))],
    [[], ['x']],
  );
});

endpoints('writes only the version that If-Match names, and reports a value that is taken', async () => {
  const { ask } = open();
  await ask('/notes', write({ title: 'A', code: 'a' }));
  const change = (tag: string): Promise<RestResponse> =>
    ask('/notes/1', { method: 'PUT', body: { title: 'B' }, headers: { 'if-match': tag } });
  assert.equal(
    [
      (await change('"1-x"')).status,
      (await change('"1-x"')).status,
      (await ask('/notes/1', { method: 'DELETE', headers: { 'if-match': '"1-x"' } })).status,
    ],
    [200, 412, 412],
  );
  const twice = await ask('/notes', write({ title: 'C', code: 'a' }));
  assert.equal(
    [twice.status, twice.body],
    [
      409,
      {
        code: 'rest_duplicate',
        message: 'Another record has the same code already.',
        data: { fields: ['code'], status: 409 },
      },
    ],
  );
});

endpoints('needs the rights that it names', async () => {
  const { engine } = open({ write: 'edit' });
  const as = async (capabilities: readonly string[]): Promise<readonly number[]> =>
    Promise.all(
      (['POST', 'PATCH', 'DELETE', 'GET'] as const).map(
        async (method) =>
          (
            await engine.dispatch(
              createRequest(method === 'POST' ? '/notes' : '/notes/1', {
                method,
                ...(method === 'POST' ? { body: { title: 'x' } } : {}),
              }),
              { id: 1, role: '', capabilities: new Set(capabilities) },
            )
          ).status,
      ),
    );
  assert.equal([await as([]), (await as(['edit']))[0]], [[403, 403, 403, 404], 201]);
});

/** What is wrong, and what the refusal must name. */
const WRONG: readonly (readonly [Partial<Record<keyof CrudOptions | 'other', unknown>>, string])[] = [
  [{ path: 'notes' }, 'path must be'],
  [{ path: '/a//b' }, 'path must be'],
  [{ read: () => true }, 'crud: read is a function'],
  [{ write: true }, 'crud: write is true; it must be'],
  [{ other: 1 }, 'other'],
  [{ resource: { title: 'x', properties: { lost: { type: 'string' } } } }, '"lost"'],
  [{ resource: { title: 'x', properties: { stars: { type: 'string' } } } }, '"integer"'],
  [{ write: 'unknown' }, 'unknown'],
  [{ read: undefined }, 'permission'],
];

endpoints('refuses what it cannot serve by name', () => {
  for (const [options, message] of WRONG)
    assert.match(
      refusalOf(() => open(options as Partial<CrudOptions>)),
      message,
    );
});

endpoints.run();
