import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENGINE_ERRORS, RestError } from '../../../../lib/core/errors.ts';
import { writeList } from '../../../../lib/dispatch/response/write-list.ts';
import type { EngineOptions } from '../../../../lib/engine/engine.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import type { WireResponse } from '../../../../lib/http/host.ts';
import { RecordList, type ShowRecord } from '../../../../lib/http/record-list.ts';
import type { RestRequest } from '../../../../lib/http/request.ts';
import { RestResponse } from '../../../../lib/http/response.ts';
import { JsonText } from '../../../../lib/json/json-document.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { pageHeaders, toOffset } from '../../../../lib/route/paging.ts';
import { block } from '../../../support/block.ts';
import { createProbe } from '../../../support/probe.ts';
import { createTestEngine } from '../../../support/site.ts';

const NUMBERS = Array.from({ length: 60 }, (_each, index) => index);
const LIMIT = 1000;
/** With brackets and commas ten of them are one byte more than the limit. */
const TEXT = 'x'.repeat(LIMIT / 10 - 3);
const TOO_LARGE = {
  code: 'rest_answer_too_large',
  message: ENGINE_ERRORS.rest_answer_too_large[1],
  data: { status: 413 },
};

/** A store whose one collection changes when it is told to. */
function createRevisions() {
  const state = { revision: 1 };
  return { state, store: { revision: () => state.revision, versions: () => [] } };
}

interface Listed {
  readonly show?: ShowRecord<number>;
  readonly count?: number;
  readonly until?: number;
  readonly engine?: Partial<EngineOptions>;
}

/** An engine whose one route answers a list of texts, and the records that it has shown. */
function openList({ show = () => TEXT, count = 60, until = Infinity, engine = {} }: Listed = {}) {
  const shown: number[] = [];
  const noted: ShowRecord<number> = (record, fields) => {
    shown.push(record);
    return show(record, fields);
  };
  const handler = (): RestResponse =>
    new RestResponse(new RecordList(NUMBERS.slice(0, count), noted), {
      headers: { 'X-Mine': '1' },
      dependsOn: { records: [], collections: ['things'], until },
    });
  const opened = createTestEngine([createProbe({ handler, endpoint: { cache: ['things'] } })], {
    answerLimit: LIMIT,
    ...engine,
  });
  const ask = async (request: Partial<RestRequest> = {}): Promise<WireResponse> =>
    opened.serve({ ...createRequest('/probe/v1/it'), ...request });
  return { shown, ask, engine: opened };
}

const parse = ({ body }: WireResponse): unknown => JSON.parse(Buffer.from(body ?? '').toString());

const size = suite('a list that is too long');

size('is written up to the limit, and no record beyond it is shown', async () => {
  const fitting = openList({ count: 9 });
  const wire = await fitting.ask();
  assert.equal(
    [wire.status, wire.headers['X-Mine'], parse(wire)],
    [200, '1', NUMBERS.slice(0, 9).map(() => TEXT)],
  );
  const exact = openList({ count: 10, show: (record) => (record === 9 ? TEXT.slice(1) : TEXT) });
  assert.is(Buffer.byteLength((await exact.ask()).body ?? ''), LIMIT);
  const { shown, ask, engine } = openList();
  const refused = await ask();
  assert.equal([refused.status, refused.headers['X-Mine'], parse(refused)], [413, undefined, TOO_LARGE]);
  assert.equal(shown, NUMBERS.slice(0, 10));
  const { status, body } = await engine.dispatch(createRequest('/probe/v1/it'));
  assert.equal([status, body], [413, TOO_LARGE]);
});

size('is measured after the fields were chosen', async () => {
  const { shown, ask } = openList({ show: (id) => ({ id, text: TEXT }) });
  const wire = await ask({ query: '_fields=id' });
  assert.equal([wire.status, parse(wire)], [200, NUMBERS.map((id) => ({ id }))]);
  assert.is(shown.length, 60);
});

size('is as long as it is with what is embedded in it', async () => {
  const link = { href: 'http://localhost/it', embeddable: true };
  const embeds = { it: async () => ({ text: TEXT }) };
  const seen: number[] = [];
  const handler = (): RecordList<number> =>
    new RecordList(NUMBERS, (id) => {
      seen.push(id);
      return { id, _links: { it: [link] } };
    });
  const engine = createTestEngine([createProbe({ handler, embeds })], { answerLimit: 6000 });
  const ask = async (query: string): Promise<WireResponse> =>
    engine.serve({ ...createRequest('/probe/v1/it'), query });
  assert.is((await ask('')).status, 200);
  seen.length = 0;
  assert.is((await ask('_embed')).status, 413);
  assert.ok(seen.length <= 40, String(seen.length));
});

size('comes as problem details where these are asked for', async () => {
  const { ask } = openList({ engine: { cache: { store: createRevisions().store } } });
  for (let time = 0; time < 2; time += 1) {
    assert.is((await ask()).headers['Content-Type'], 'application/json; charset=UTF-8');
    const problem = await ask({ headers: { accept: 'application/problem+json' } });
    assert.equal(
      [problem.status, problem.headers['Content-Type'], problem.headers['Vary']],
      [413, 'application/problem+json; charset=UTF-8', 'Origin, Accept'],
    );
  }
});

size.run();

const cut = suite('a page that is too large');

/** Items of very different sizes: no page of nine fits, and one item may be larger than a response. */
function openPages(sizes: readonly number[], answerLimit = LIMIT) {
  const handler = (sent: unknown, call: Call): RestResponse => {
    const {
      page,
      per_page: perPage,
      offset,
    } = sent as { readonly page: number; readonly per_page: number; readonly offset?: number };
    const from = toOffset({ page, perPage, offset });
    const items = sizes.map((length, id) => ({ id, text: 'x'.repeat(length) })).slice(from, from + perPage);
    return new RestResponse(new RecordList(items, (item) => item, from), {
      headers: pageHeaders(call, { page, perPage, total: sizes.length }),
    });
  };
  const args = {
    page: { type: 'integer', default: 1, minimum: 1 },
    per_page: { type: 'integer', default: 9, minimum: 1, maximum: 300 },
    offset: { type: 'integer' },
  } as const;
  const engine = createTestEngine([createProbe({ handler, endpoint: { args } })], { answerLimit });
  return async (query: string) => {
    const wire = await engine.serve({ ...createRequest('/probe/v1/it'), query });
    const linked = (relation: string): string | null =>
      new RegExp(`[?]([^>]*)>; rel="${relation}"`).exec(String(wire.headers['Link'] ?? ''))?.[1] ?? null;
    return {
      status: wire.status,
      headers: wire.headers,
      body: parse(wire) as { readonly id: number }[] & { readonly message: string; readonly data: object },
      next: linked('next'),
      prev: linked('prev'),
    };
  };
}

cut('ends where the limit is, and its next links give every record once', async () => {
  const sizes = Array.from({ length: 70 }, (_each, index) => (index * 37) % 460);
  const ask = openPages(sizes);
  for (const first of ['', 'per_page=7', 'per_page=100', 'offset=11&per_page=20', 'page=3&per_page=5']) {
    const start = first.startsWith('offset') ? 11 : first.startsWith('page=3') ? 10 : 0;
    const seen: number[] = [];
    let shortened = 0;
    for (let query: string | null = first; query !== null;) {
      const { status, headers, body, next } = await ask(query);
      assert.is(status, 200, query);
      if (headers['X-CMS-Truncated'] !== undefined) {
        shortened += 1;
        assert.is(headers['X-CMS-Truncated'], String(body.length));
      }
      seen.push(...body.map(({ id }) => id));
      query = next;
    }
    assert.equal(seen, sizes.map((_size, id) => id).slice(start), first);
    assert.ok(shortened > 0);
  }
});

cut('is led back to by a page that ends with the record before it, wherever it begins', async () => {
  const ask = openPages(Array.from({ length: 70 }, () => 150));
  for (const from of [1, 3, 11, 16, 23]) {
    const { headers, prev } = await ask(`offset=${from}&per_page=20`);
    const { page, per_page: perPage } = Object.fromEntries(new URLSearchParams(String(prev)));
    const [end, begin] = [Number(page) * Number(perPage), (Number(page) - 1) * Number(perPage)];
    assert.ok(headers['X-CMS-Truncated'] !== undefined && begin < from && from <= end, `${from}: ${prev}`);
  }
});

cut('is followed by pages that stay large while the items are of similar size', async () => {
  // Seven to fourteen of them fit.
  const sizes = Array.from({ length: 200 }, (_each, index) => 6000 + ((index * 2_654_435_761) % 60) * 100);
  const ask = openPages(sizes, 100_000);
  const counts: number[] = [];
  for (let query: string | null = 'per_page=50'; query !== null;) {
    const { body, next } = await ask(query);
    counts.push(body.length);
    query = next;
  }
  assert.is(
    counts.reduce((sum, count) => sum + count, 0),
    200,
  );
  assert.ok(counts.length < 40, counts.join());
});

cut('without a size of its own is followed by pages of at most 100', async () => {
  const { next, headers } = await openPages(
    Array.from({ length: 300 }, () => 5),
    6000,
  )('per_page=300');
  assert.equal([headers['X-CMS-Truncated'], next], ['100', 'per_page=100&page=2']);
});

cut('that begins with a record that is too large alone says which', async () => {
  const ask = openPages([10, 10, 2000, 10]);
  const { body, next, headers } = await ask('');
  assert.equal([body.map(({ id }) => id), headers['X-CMS-Truncated']], [[0, 1], '2']);
  const refused = await ask(String(next));
  assert.equal([refused.status, refused.body.data], [413, { id: 2, status: 413 }]);
  assert.match(refused.body.message, /^The record 2 alone is too large/);
});

cut('fits in an envelope', async () => {
  const { status, body } = await openPages(Array.from({ length: 30 }, () => 100))('_envelope');
  const { headers } = body as unknown as { readonly headers: Readonly<Record<string, string>> };
  assert.equal([status, headers['X-CMS-Truncated']], [200, '4']);
});

cut.run();

const kept = suite('the refusal of a list');

kept('is remembered while nothing changes', async () => {
  const { state, store } = createRevisions();
  const { shown, ask, engine } = openList({ engine: { cache: { store } } });
  for (let time = 0; time < 3; time += 1) assert.equal(parse(await ask()), TOO_LARGE);
  assert.is((await engine.dispatch(createRequest('/probe/v1/it'))).status, 413);
  assert.is(shown.length, 10);
  state.revision += 1;
  assert.is((await ask()).status, 413);
  assert.is(shown.length, 20);
  assert.is((await ask({ query: 'other=1' })).status, 413);
  assert.is(shown.length, 30);
});

kept('is forgotten when the list may be another one without a change', async () => {
  const clock = { now: 1000 };
  const { shown, ask } = openList({
    until: 2000,
    engine: { cache: { store: createRevisions().store, now: () => clock.now } },
  });
  await ask();
  clock.now = 1999;
  await ask();
  assert.is(shown.length, 10);
  clock.now = 2000;
  await ask();
  assert.is(shown.length, 20);
});

kept('is remembered as well for any other answer that is too large', async () => {
  let made = 0;
  const handler = (): string => {
    made += 1;
    return 'x'.repeat(LIMIT);
  };
  const engine = createTestEngine([createProbe({ handler, endpoint: { cache: ['things'] } })], {
    answerLimit: LIMIT,
    cache: { store: createRevisions().store },
  });
  for (let time = 0; time < 3; time += 1)
    assert.is((await engine.serve(createRequest('/probe/v1/it'))).status, 500);
  assert.is(made, 1);
});

kept.run();

const writing = suite('writeList');

const all = { fields: null, embed: null, limit: Infinity, signal: () => new AbortController().signal };
const textOf = async (list: RecordList<number>, manner = all): Promise<string | null> => {
  const written = await writeList(list as RecordList, manner);
  return written instanceof RestError ? null : written.list.text;
};

/** Takes longer than a slice. */
const work = (): void => block(6);

writing('writes values, promises and documents, and leaves out what is gone', async () => {
  const shown: readonly unknown[] = [
    1,
    Promise.resolve({ a: 2 }),
    new JsonText('[3]'),
    undefined,
    new JsonText(Buffer.from('"é"')),
    null,
  ];
  assert.is(await textOf(new RecordList([0, 1, 2, 3, 4, 5], (at) => shown[at])), '[1,{"a":2},[3],"é",null]');
  assert.is(await textOf(new RecordList<number>([], () => 1)), '[]');
  assert.is(await textOf(new RecordList([1], () => undefined)), '[]');
});

writing('lets others have their turn between records that take long', async () => {
  let turns = 0;
  const next = (): void => {
    turns += 1;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const seen: number[] = [];
  await textOf(
    new RecordList([1, 2, 3, 4, 5], () => {
      work();
      seen.push(turns);
      return turns;
    }),
  );
  clearImmediate(immediate);
  assert.is(new Set(seen).size, 5, seen.join());
});

writing('ends when nobody waits for it', async () => {
  const controller = new AbortController();
  let shown = 0;
  const list = new RecordList([1, 2, 3], () => {
    work();
    shown += 1;
    controller.abort();
    return 1;
  });
  const error = await writeList(list as RecordList, { ...all, signal: () => controller.signal }).then(
    () => null,
    (reason: unknown) => reason as { readonly code: string },
  );
  assert.equal([error?.code, shown], ['rest_client_gone', 1]);
});

writing('fails as a whole for a value that is no JSON', async () => {
  const logged: unknown[] = [];
  const wire = await openList({
    show: (at) => (at === 1 ? 1n : at),
    engine: {
      log: (event) => {
        logged.push(event);
      },
    },
  }).ask();
  assert.equal([wire.status, logged.length], [500, 1]);
});

writing.run();
