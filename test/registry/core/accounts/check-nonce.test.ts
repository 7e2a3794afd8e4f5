import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { NEUTRAL_NAMES, WORDPRESS_NAMES } from '../../../../registry/core/host/names.ts';
import type { SiteOptions } from '../../../../registry/site-options.ts';
import { createWholeSite, toAnswer, toRequest, type Asking } from '../../../support/whole-site.ts';

const FIXTURE = {
  site: { name: 'N' },
  users: [
    { id: 1, login: 'ada', password: 'abcdEFGHijklMNOPqrstUVWX', name: 'Ada', slug: 'ada', role: 'author' },
  ],
};
const RIGHT = { authorization: `Basic ${Buffer.from('ada:abcdEFGHijklMNOPqrstUVWX').toString('base64')}` };
const NONCE = { 'x-cms-nonce': 'stale' };
const POSTS = '/cms/v2/posts';

async function ask(
  asking: Asking,
  options: Partial<SiteOptions> = {},
): Promise<readonly [status: number, code: unknown]> {
  const site = await createWholeSite({ fixture: FIXTURE, ...options });
  const { status, body } = await site.ask(asking);
  await site.close();
  return [status, typeof body === 'object' && body !== null && 'code' in body ? body.code : null];
}

const REFUSED = [403, 'rest_cookie_invalid_nonce'] as const;

const test = suite('a nonce without other credentials');

test('is refused on every route and with every method, as one that is stale', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  for (const [method, target] of [
    ['GET', POSTS],
    ['HEAD', POSTS],
    ['OPTIONS', POSTS],
    ['POST', POSTS],
    ['GET', '/'],
    ['GET', '/cms/v2'],
    ['DELETE', `${POSTS}/1`],
    ['GET', '/nothing'],
    ['POST', '/batch/v1'],
    ['GET', '/oembed/1.0/embed'],
  ] as const) {
    assert.is((await site.ask({ method, target, headers: NONCE })).status, 403, `${method} ${target}`);
  }
  const { text, headers } = await site.ask({
    target: POSTS,
    headers: { ...NONCE, origin: 'https://app.example' },
  });
  assert.equal(JSON.parse(text), {
    code: 'rest_cookie_invalid_nonce',
    message: 'Cookie check failed',
    data: { status: 403 },
  });
  // A page of another origin must be able to read it, to request another nonce.
  assert.is(headers['Access-Control-Allow-Credentials'], 'true');
  await site.close();
});

const WAYS: readonly (readonly [what: string, asking: Asking, expected: readonly [number, string | null]])[] =
  [
    ['an empty one', { target: POSTS, headers: { 'x-cms-nonce': '' } }, REFUSED],
    ['as a parameter', { target: `${POSTS}?_nonce=stale` }, REFUSED],
    ['as an empty parameter', { target: `${POSTS}?_nonce` }, REFUSED],
    [
      'that of WordPress under neutral names',
      { target: `${POSTS}?_wpnonce=stale`, headers: { 'x-wp-nonce': 'stale' } },
      [200, null],
    ],
    ['a parameter that only contains the name', { target: `${POSTS}?search=_nonce&x_nonce=1` }, [200, null]],
    ['an unknown token', { target: POSTS, headers: { ...NONCE, authorization: 'Bearer unknown' } }, REFUSED],
    ['another scheme', { target: POSTS, headers: { ...NONCE, authorization: 'Digest x' } }, REFUSED],
    ['beside a right login', { target: POSTS, headers: { ...NONCE, ...RIGHT } }, [200, null]],
    [
      'beside a known token',
      { target: POSTS, headers: { ...NONCE, authorization: 'Bearer ada' } },
      [200, null],
    ],
    [
      'beside a wrong login',
      {
        target: POSTS,
        headers: { ...NONCE, authorization: `Basic ${Buffer.from('ada:x').toString('base64')}` },
      },
      [401, 'rest_invalid_credentials'],
    ],
  ];
for (const [what, asking, expected] of WAYS)
  test(`${what}: ${expected.join(' ')}`, async () => assert.equal(await ask(asking), expected));

test('has the names of WordPress under its names', async () => {
  const options = { names: WORDPRESS_NAMES };
  assert.equal(await ask({ target: '/wp/v2/posts', headers: { 'x-wp-nonce': 'stale' } }, options), REFUSED);
  assert.equal(await ask({ target: '/wp/v2/posts?_wpnonce=stale' }, options), REFUSED);
  assert.equal(await ask({ target: '/wp/v2/posts', headers: NONCE }, options), [200, null]);
});

test('is read from a form, as WordPress does, and not from JSON', async () => {
  for (const names of [NEUTRAL_NAMES, WORDPRESS_NAMES]) {
    const site = await createWholeSite({ fixture: FIXTURE, names });
    const [path, param] = names === WORDPRESS_NAMES ? ['/wp/v2/posts', '_wpnonce'] : [POSTS, '_nonce'];
    const statusOf = async (body: 'form' | 'json'): Promise<number> =>
      toAnswer(
        await site.engine.serve({
          ...toRequest({ method: 'POST', target: path }),
          body:
            body === 'form'
              ? { kind: 'form', params: { [param]: 'stale' } }
              : { kind: 'json', value: { [param]: 'stale' } },
        }),
      ).status;
    assert.equal([await statusOf('form'), await statusOf('json')], [403, 401]);
    await site.close();
  }
});

test('is accepted if the host accepts it', async () => {
  const authenticate: SiteOptions['authenticate'] = ({ headers }) =>
    headers['x-cms-nonce'] === 'fresh' ? { id: 1, role: 'author', capabilities: new Set() } : null;
  assert.equal(await ask({ target: POSTS, headers: { 'x-cms-nonce': 'fresh' } }, { authenticate }), [
    200,
    null,
  ]);
  assert.equal(await ask({ target: POSTS, headers: NONCE }, { authenticate }), REFUSED);
  assert.equal(await ask({ target: POSTS }, { authenticate }), [200, null]);
});

test('does not get a cached response', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  const target = `${POSTS}?_nonce=stale`;
  await site.engine.dispatch(createRequest(target));
  assert.is((await site.ask({ target })).status, 403);
  assert.is((await site.ask({ target: POSTS })).status, 200);
  assert.is((await site.ask({ target: POSTS, headers: NONCE })).status, 403);
  await site.close();
});

test.run();
