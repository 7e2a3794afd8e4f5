import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError } from '../../../lib/core/errors.ts';
import { wantsEmbed } from '../../../lib/dispatch/embed.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Embed } from '../../../lib/route/namespace.ts';
import { codeOf } from '../../support/code-of.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const link = (href: string) => [{ href, embeddable: true as const }];
const record = (id: number) => ({
  id,
  _links: {
    self: [{ href: `/${id}` }],
    author: link('/users/1'),
    'cms:term': [...link('/terms/1'), ...link('/terms/2')],
    hidden: link('/hidden'),
  },
});

interface Loads {
  readonly hrefs: string[];
}

function open(body: unknown, names = TEST_NAMES) {
  const loads: Loads = { hrefs: [] };
  const load: Embed = async (href) => {
    loads.hrefs.push(href);
    return { at: href };
  };
  const embeds = { author: load, 'cms:term': load, hidden: async () => null, self: load };
  return { engine: createTestEngine([createProbe({ handler: () => body, embeds })], { names }), loads };
}

async function embedded(query: string, body: unknown = record(1)): Promise<unknown> {
  const response = await open(body).engine.dispatch(createRequest(`/probe/v1/it${query}`));
  return (response.body as { _embedded?: unknown })._embedded;
}

const AUTHOR = { author: [{ at: '/users/1' }] };
const TERMS = { 'cms:term': [{ at: '/terms/1' }, { at: '/terms/2' }] };

const embedding = suite('_embed');

const ROWS: readonly (readonly [query: string, embedded: unknown])[] = [
  ['', undefined],
  ['?_embed', { ...AUTHOR, ...TERMS }],
  ['?_embed=', { ...AUTHOR, ...TERMS }],
  ['?_embed=1', { ...AUTHOR, ...TERMS }],
  ['?_embed=true', { ...AUTHOR, ...TERMS }],
  ['?_embed=author', AUTHOR],
  ['?_embed=author,cms:term', { ...AUTHOR, ...TERMS }],
  ['?_embed[]=author&_embed[]=cms:term', { ...AUTHOR, ...TERMS }],
  ['?_embed=self', undefined],
  ['?_embed=hidden', undefined],
  ['?_embed=unknown', undefined],
  ['?_embed=author&_fields=id', undefined],
  ['?_embed=author&_fields=id,_links', AUTHOR],
];

for (const [query, expected] of ROWS)
  embedding(`${query} of a record`, async () => assert.equal(await embedded(query), expected));

embedding('loads once what the records of a list share', async () => {
  const { engine, loads } = open([record(1), record(2), 5]);
  const response = await engine.dispatch(createRequest('/probe/v1/it?_embed=author'));
  assert.equal(
    (response.body as { _embedded: unknown }[]).map((item) => item._embedded),
    [AUTHOR, AUTHOR, undefined],
  );
  assert.equal(loads.hrefs, ['/users/1']);
});

embedding('uses the relations of the wire', async () => {
  const names = { ...TEST_NAMES, curie: { neutral: 'cms', wire: 'wp', href: '' } };
  const { engine } = open({ _links: { 'wp:term': link('/terms/1') } }, names);
  const response = await engine.dispatch(createRequest('/probe/v1/it?_embed=wp:term'));
  assert.equal((response.body as { _embedded: unknown })._embedded, { 'wp:term': [{ at: '/terms/1' }] });
});

embedding(
  'refuses a relation that two namespaces embed, also when only the words of the wire are the same',
  () => {
    const names = { ...TEST_NAMES, curie: { neutral: 'cms', wire: 'wp', href: '' } };
    const namespace = (name: string, relation: string) =>
      createProbe({
        namespace: `${name}/v1`,
        pattern: `/${name}/v1/it`,
        embeds: { [relation]: async () => null },
      });
    for (const [relation, other, wire] of [
      ['author', 'author', 'author'],
      ['cms:term', 'wp:term', 'wp:term'],
    ] as const) {
      const both = [namespace('a', relation), namespace('b', other)];
      assert.is(
        refusalOf(() => createTestEngine(both, { names })),
        `b/v1: the relation "${wire}" is already embedded by a/v1; give yours another name`,
      );
    }
    assert.not.throws(() =>
      createTestEngine([namespace('a', 'author'), namespace('b', 'seller')], { names }),
    );
  },
);

embedding('leaves errors and answers without links alone', async () => {
  assert.is(await embedded('?_embed', { id: 1 }), undefined);
  assert.is(await embedded('?_embed', { _links: 'x' }), undefined);
  assert.is(await embedded('?_embed', new RestResponse(record(1), { status: 404 })), undefined);
});

embedding('fails as one request when a record cannot be loaded', async () => {
  const embeds = {
    author: async () => {
      throw engineError('rest_storage_unavailable');
    },
  };
  const engine = createTestEngine([createProbe({ handler: () => [record(1), record(2)], embeds })]);
  const { status, headers } = await engine.dispatch(createRequest('/probe/v1/it?_embed'));
  assert.equal([status, headers['Retry-After']], [503, '5']);
});

embedding(
  "embeds the error of a record that cannot be shown, and logs what is nobody's business",
  async () => {
    const logged: LogEvent[] = [];
    const load: Embed = async (href) => {
      if (href === '/terms/1') throw new TypeError('secret');
      if (href === '/terms/2') throw engineError('rest_forbidden');
      return { at: href };
    };
    const engine = createTestEngine(
      [createProbe({ handler: () => [record(1)], embeds: { author: load, 'cms:term': load } })],
      {
        log: (event) => {
          logged.push(event);
        },
      },
    );
    const { status, body } = await engine.dispatch(createRequest('/probe/v1/it?_embed'));
    const [{ _embedded: found }] = body as [
      { _embedded: Record<string, readonly { readonly code: string; readonly data: unknown }[]> },
    ];
    assert.equal(
      [status, found['author'], found['cms:term']?.map(({ code, data }) => [code, data])],
      [
        200,
        [{ at: '/users/1' }],
        [
          ['rest_internal_error', { status: 500 }],
          ['rest_forbidden', { status: 401 }],
        ],
      ],
    );
    assert.equal(
      logged.map(({ message }) => message),
      ['embedding /terms/1 failed'],
    );
  },
);

embedding.run();

const wanted = suite('wantsEmbed');

wanted('reads the parameter', () => {
  assert.is(wantsEmbed(undefined), null);
  assert.equal([...(wantsEmbed({ a: 1 }) ?? ['none'])], []);
  assert.equal([...(wantsEmbed(['a', 'b,c d']) ?? [])], ['a', 'b', 'c', 'd']);
  assert.is(
    codeOf(() => wantsEmbed('a,'.repeat(101))),
    'rest_too_many_parameters',
  );
});

wanted.run();
