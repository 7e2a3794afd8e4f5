import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkNames,
  renameParam,
  renamePath,
  renameRelation,
  vendorHeader,
  type Names,
} from '../../../lib/core/names.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { toPageHeaders } from '../../support/page-headers.ts';
import { createNotedProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const OTHER: Names = {
  ...TEST_NAMES,
  apiSegment: 'wp-json',
  headerPrefix: 'X-WP',
  apiRelation: 'https://api.w.org/',
  segments: { probe: 'wp', it: 'posts' },
  params: { ml_language: 'lang', page: 'seite' },
  curie: { neutral: 'cms', wire: 'wp', href: '' },
};

const words = suite('words of the wire');

words('renames whole segments', () => {
  const rows = [
    ['/probe/v1/it', '/wp/v1/posts'],
    ['probe/v1', 'wp/v1'],
    ['/probes/v1/probe', '/probes/v1/wp'],
    ['/constructor/toString/__proto__', '/constructor/toString/__proto__'],
    ['/probe/v1/it/(?P<it>[^/]+)', '/wp/v1/posts/(?P<it>[^/]+)'],
    ['', ''],
    ['/', '/'],
  ] as const;
  for (const [path, renamed] of rows) assert.is(renamePath(OTHER, path), renamed);
});

words('renames parameters, relations and headers', () => {
  assert.equal(
    ['ml_language', 'search', 'constructor'].map((name) => renameParam(OTHER, name)),
    ['lang', 'search', 'constructor'],
  );
  assert.equal(
    ['cms:term', 'author', 'cmsx:term'].map((relation) => renameRelation(OTHER, relation)),
    ['wp:term', 'author', 'cmsx:term'],
  );
  assert.is(vendorHeader(OTHER, 'Total'), 'X-WP-Total');
});

words.run();

const bijective = suite('checkNames');

bijective('refuses a word that stands for two', () => {
  assert.match(
    refusalOf(() => checkNames({ ...OTHER, segments: { a: 'x', b: 'x' } })),
    /segments/,
  );
  assert.match(
    refusalOf(() => checkNames({ ...OTHER, params: { a: 'x', b: 'x' } })),
    /params/,
  );
  assert.not.throws(() => checkNames(OTHER));
});

bijective('refuses two namespaces that become one', () => {
  const [one, two] = [
    createNotedProbe({ namespace: 'probe/v1', pattern: '/probe/v1/a' }),
    createNotedProbe({ namespace: 'wp/v1', pattern: '/wp/v1/b' }),
  ];
  assert.match(
    refusalOf(() => createTestEngine([one.namespace, two.namespace], { names: OTHER })),
    /wp\/v1/,
  );
});

bijective.run();

const serving = suite('an engine in other words');

serving('takes wire words and hands neutral ones to the handler', async () => {
  const { namespace, seen } = createNotedProbe({
    endpoint: { args: { page: { type: 'integer', default: 1 } } },
  });
  const engine = createTestEngine([namespace], {
    names: OTHER,
    commonArgs: { ml_language: { type: 'string', enum: ['en', 'fr'] } },
    languageParam: 'ml_language',
  });
  const response = await engine.dispatch(createRequest('/wp/v1/posts?lang=fr&seite=3&page=9'));
  assert.is(response.status, 200);
  assert.equal(
    seen.map(({ args, call }) => [{ ...args }, call.language, [...call.given]]),
    [[{ page: 3, ml_language: 'fr' }, 'fr', ['ml_language', 'page']]],
  );
  assert.is((await engine.dispatch(createRequest('/probe/v1/it'))).status, 404);
});

serving('writes page links and headers in wire words', async () => {
  const { namespace, seen } = createNotedProbe({
    endpoint: { args: { page: { type: 'integer', default: 1 } } },
  });
  await createTestEngine([namespace], { names: OTHER }).dispatch(createRequest('/wp/v1/posts?seite=2&x=1'));
  const call = seen[0]?.call;
  assert.ok(call !== undefined);
  assert.equal(toPageHeaders(call), {
    'X-WP-Total': '50',
    'X-WP-TotalPages': '5',
    Link: '<http://localhost/en/wp-json/wp/v1/posts?seite=1&x=1>; rel="prev", <http://localhost/en/wp-json/wp/v1/posts?seite=3&x=1>; rel="next"',
  });
});

serving('sends the headers, the relation and the batch paths of the map', async () => {
  const { namespace } = createNotedProbe({ endpoint: { methods: ['POST'] } });
  const engine = createTestEngine([namespace], { names: OTHER });
  const wire = await engine.serve(createRequest('/'));
  assert.is(wire.headers['Link'], '<http://localhost/en/wp-json/>; rel="https://api.w.org/"');
  assert.match(String(wire.headers['Access-Control-Expose-Headers']), /^X-WP-Total, X-WP-TotalPages, /);
  assert.match(String(wire.headers['Access-Control-Allow-Headers']), /X-WP-Nonce/);
  const batch = await engine.dispatch(
    createRequest('/batch/v1', {
      method: 'POST',
      body: { requests: [{ path: '/wp/v1/posts' }, { path: '/probe/v1/it' }] },
    }),
  );
  assert.equal(
    (batch.body as { responses: { status: number }[] }).responses.map((item) => item.status),
    [200, 404],
  );
  assert.equal([engine.base, engine.names.apiRelation], ['/wp-json', 'https://api.w.org/']);
});

serving.run();
