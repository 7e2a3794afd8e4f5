import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { engineError, RestError } from '../../../lib/core/errors.ts';
import {
  PlainCollection,
  type PlainSource,
  type Refuse,
  subjectOf,
} from '../../../lib/crud/plain-collection.ts';
import type { Engine } from '../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { eq } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { createTestEngine } from '../../support/site.ts';

interface Box extends StoredRecord {
  readonly label: string;
  readonly parent: number;
  readonly locked: boolean;
}

const BOXES = {
  name: 'boxes',
  fields: {
    label: { type: 'text' },
    parent: { type: 'integer' },
    locked: { type: 'boolean' },
    kind: { type: 'text' },
  },
  unique: [{ fields: ['label'] }],
} as const;
const links = createRecordLinks({
  self: { href: '/boxes/v1/boxes/{id}' },
  up: { href: '/boxes/v1/boxes/{parent}' },
  'cms:lid': { href: '/boxes/v1/lids?box={id}' },
});

const taken = (): RestError => engineError('rest_conflict', { message: 'label' });
const refuse: Refuse<Box> = (_call, { locked }) => (locked ? engineError('rest_forbidden') : null);

function toSource(store: Store): PlainSource<Box> {
  return {
    store,
    collection: 'boxes',
    isServed: ({ kind }) => kind !== 'hidden',
    missing: () => engineError('rest_no_route', { message: 'no box' }),
    pathOf: ({ id }) => `/boxes/v1/boxes/${id}`,
    show:
      (_records, { call, context }) =>
      (record) => ({ id: record.id, label: record.label, context, _links: links(record, call, ['GET']) }),
  };
}

const label = { type: 'string' } as const;
const id = { type: 'integer' } as const;

/** A namespace with all operations on boxes. */
function open(store: Store, more: Partial<PlainSource<Box>> = {}): Engine {
  const boxes = new PlainCollection({ ...toSource(store), ...more });
  const free = boxes.permission('id', () => null);
  const space = defineNamespace(
    {
      namespace: 'boxes/v1',
      routes: [
        {
          pattern: '/boxes/v1/boxes',
          endpoints: [
            {
              methods: ['GET'],
              handler: 'list',
              permission: 'public',
              args: { page: { type: 'integer', default: 1 }, offset: id },
            },
            {
              methods: ['POST'],
              handler: 'create',
              permission: 'public',
              args: { label: { ...label, required: true } },
            },
          ],
        },
        {
          pattern: '/boxes/v1/boxes/(?P<id>[\\d]+)',
          endpoints: [
            { methods: ['GET'], handler: 'read', permission: 'free', args: { id } },
            { methods: ['PUT'], handler: 'update', permission: 'unlocked', args: { id, label } },
            { methods: ['DELETE'], handler: 'remove', permission: 'unlocked', args: { id } },
          ],
        },
      ],
    },
    {
      list: ({ page, offset }, call) =>
        boxes.list(call, {
          where: eq('kind', ''),
          order: [{ field: 'label', direction: 'asc' }],
          context: 'view',
          page,
          perPage: 2,
          offset,
        }),
      create: async (args, call) =>
        boxes.one(call, await boxes.create(call, () => ({ values: { label: args.label } })), {
          context: 'edit',
          status: 201,
        }),
      read: (_args, call) => boxes.one(call, subjectOf<Box>(call), { context: 'view' }),
      update: async (args, call) =>
        boxes.one(
          call,
          await boxes.update(call, subjectOf<Box>(call), {
            refuse,
            toDraft: () => ({ values: { label: args.label ?? '' } }),
          }),
          { context: 'edit' },
        ),
      remove: (_args, call) => boxes.remove(call, subjectOf<Box>(call), { refuse, context: 'edit' }),
    },
    { permissions: { free, unlocked: boxes.permission('id', refuse) } },
  );
  return createTestEngine([space]);
}

async function fill(...labels: readonly string[]): Promise<Store> {
  const store = createMemoryStore([BOXES]);
  await store.commit(
    labels.map((each, index) => ({
      op: 'create',
      collection: 'boxes',
      values: { label: each, parent: index },
    })),
  );
  return store;
}

const ask = (engine: Engine, target: string, options?: RequestOptions): Promise<RestResponse> =>
  engine.dispatch(createRequest(target, options));
const headerOf = ({ headers }: RestResponse, name: string): string | undefined => headers[name];

const plain = suite('a plain collection');

plain('is listed page by page, with its totals, and is empty beyond the last page', async () => {
  const engine = open(await fill('c', 'a', 'b'));
  const first = await ask(engine, '/boxes/v1/boxes');
  assert.equal(
    (first.body as { label: string }[]).map((box) => box.label),
    ['a', 'b'],
  );
  assert.equal([headerOf(first, 'X-CMS-Total'), headerOf(first, 'X-CMS-TotalPages')], ['3', '2']);
  const beyond = await ask(engine, '/boxes/v1/boxes?page=9');
  assert.equal([beyond.status, beyond.body, headerOf(beyond, 'X-CMS-Total')], [200, [], '3']);
  assert.match(headerOf(beyond, 'Link') ?? '', /^<[^>]*[?]page=2>; rel="prev"$/);
  assert.equal(
    ((await ask(engine, '/boxes/v1/boxes?offset=2')).body as { label: string }[]).map((box) => box.label),
    ['c'],
  );
});

plain('creates, shows, changes and removes a record', async () => {
  const engine = open(await fill());
  const created = await ask(engine, '/boxes/v1/boxes', { method: 'POST', body: { label: 'x' } });
  assert.equal([created.status, (created.body as { context: string }).context], [201, 'edit']);
  assert.match(headerOf(created, 'Location') ?? '', /\/boxes\/v1\/boxes\/1$/);
  assert.is((await ask(engine, '/boxes/v1/boxes/1', { method: 'PUT', body: { label: 'y' } })).version, 2);
  const removed = await ask(engine, '/boxes/v1/boxes/1', { method: 'DELETE' });
  assert.equal(removed.body, { deleted: true, previous: { id: 1, label: 'y', context: 'edit' } });
  assert.equal((await ask(engine, '/boxes/v1/boxes/1')).status, 404);
});

plain('does not serve a record that is not of the resource', async () => {
  const store = await fill('a');
  await store.commit([{ op: 'update', collection: 'boxes', id: 1, values: { kind: 'hidden' } }]);
  const engine = open(store);
  const statuses = await Promise.all(
    (['GET', 'PUT', 'DELETE'] as const).map(
      async (method) => (await ask(engine, '/boxes/v1/boxes/1', { method })).status,
    ),
  );
  assert.equal(statuses, [404, 404, 404]);
});

plain('links only to what a record has', async () => {
  const engine = open(await fill('a', 'b'));
  const linksOf = async (box: number): Promise<Record<string, { targetHints?: unknown }[]>> =>
    (
      (await ask(engine, `/boxes/v1/boxes/${box}`)).body as {
        _links: Record<string, { targetHints?: unknown }[]>;
      }
    )._links;
  assert.equal(Object.keys(await linksOf(1)), ['self', 'cms:lid', 'curies']);
  const second = await linksOf(2);
  assert.equal(
    [Object.keys(second), second['self']?.[0]?.targetHints, second['up']?.[0]?.targetHints],
    [['self', 'up', 'cms:lid', 'curies'], { allow: ['GET'] }, undefined],
  );
});

plain('writes only the version that If-Match names', async () => {
  const engine = open(await fill('a'));
  const write = (method: 'PUT' | 'DELETE', tag: string) =>
    ask(engine, '/boxes/v1/boxes/1', {
      method,
      headers: { 'if-match': tag },
      ...(method === 'PUT' ? { body: { label: 'z' } } : {}),
    });
  assert.equal(
    [
      (await write('PUT', '"2-x"')).status,
      (await write('DELETE', '"2-x"')).status,
      (await write('PUT', '"1-x"')).status,
      (await write('DELETE', '"2-x"')).status,
    ],
    [412, 412, 200, 200],
  );
});

plain('writes nothing that is there already when If-None-Match excludes it', async () => {
  const engine = open(await fill('a'));
  const write = async (tags: string) => {
    const headers = { 'if-none-match': tags };
    return (await ask(engine, '/boxes/v1/boxes/1', { method: 'PUT', headers, body: { label: 'z' } })).status;
  };
  assert.equal([await write('*'), await write('"7-x", W/"1-x"'), await write('"7-x"')], [412, 412, 200]);
});

/** A store in which another writer changes box 1 just before the first commit of a change. */
function interrupted(store: Store, values: Readonly<Record<string, string | boolean>>): Store {
  let isFirst = true;
  return {
    ...store,
    find: (...args) => store.find(...args),
    get: (...args) => store.get(...args),
    async commit(operations, durability) {
      if (isFirst) {
        isFirst = false;
        await store.commit([{ op: 'update', collection: 'boxes', id: 1, values }]);
      }
      return store.commit(operations, durability);
    },
  };
}

plain('starts again on the state that another writer left, and checks the right to it again', async () => {
  const written = await ask(open(interrupted(await fill('a'), { kind: 'odd' })), '/boxes/v1/boxes/1', {
    method: 'PUT',
    body: { label: 'mine' },
  });
  assert.equal([written.status, written.version], [200, 3]);
  for (const method of ['PUT', 'DELETE'] as const) {
    assert.is(
      (await ask(open(interrupted(await fill('a'), { locked: true })), '/boxes/v1/boxes/1', { method }))
        .status,
      401,
    );
  }
});

plain('reports a value that is taken as its source says, and otherwise as a conflict', async () => {
  const body = { label: 'a' };
  const named = await ask(open(await fill('a'), { taken }), '/boxes/v1/boxes', { method: 'POST', body });
  assert.equal([named.status, (named.body as { message: string }).message], [409, 'label']);
  assert.is((await ask(open(await fill('a')), '/boxes/v1/boxes', { method: 'POST', body })).status, 409);
});

plain.run();
