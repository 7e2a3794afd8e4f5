// Findings of a review of the posts. Each test names the condition that was broken.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import {
  collections,
  createSite,
  loadFixture,
  toIdentity,
  WORDPRESS_NAMES,
  type SiteOptions,
} from '../../../registry/index.ts';
import { fixture } from '../../conformance/recorded.ts';

type Ask = (
  path: string,
  options?: RequestOptions & { readonly as?: number },
) => Promise<RestResponse & { readonly body: Record<string, unknown> }>;

async function withSite(
  test: (
    ask: Ask,
    site: Awaited<ReturnType<typeof createSite>>,
    store: ReturnType<typeof createMemoryStore>,
  ) => Promise<void>,
  options: Partial<SiteOptions> = {},
): Promise<void> {
  const store = createMemoryStore(collections);
  await loadFixture(store, fixture);
  const site = await createSite({ store, ...options });
  const ask = async (path: string, { as, ...request }: RequestOptions & { readonly as?: number } = {}) => {
    const user = as === undefined ? null : await store.get('users', as);
    return (await (user === null
      ? site.engine.dispatch(createRequest(path, request))
      : site.engine.dispatch(createRequest(path, request), toIdentity(user)))) as RestResponse & {
      readonly body: Record<string, unknown>;
    };
  };
  try {
    await test(ask, site, store);
  } finally {
    await site.close();
    await store.close();
  }
}

const ADMIN = 1;
const EDITOR = 2;
const CONTRIBUTOR = 4;
const POSTS = '/cms/v2/posts';

const review = suite('posts, as a reviewer looks at them');

review('many dotted fields cost no more than their number, and too many are refused', () =>
  withSite(async (ask) => {
    const nested = Array.from({ length: 400 }, (_each, index) => `title.a${index}`).join(',');
    assert.is((await ask(`${POSTS}/101?_fields=${nested},id`)).status, 200);
    assert.is(
      (
        await ask(`${POSTS}/101`, {
          body: { _fields: Array.from({ length: 600 }, (_each, index) => `a.${index}`).join(',') },
        })
      ).body['code'],
      'rest_too_many_parameters',
    );
  }),
);

review('too many fields are refused before anything is written', () =>
  withSite(async (ask) => {
    const total = async (): Promise<string | undefined> =>
      (await ask(`${POSTS}?status=any`, { as: ADMIN })).headers['X-CMS-Total'];
    const before = await total();
    const { status, body } = await ask(`${POSTS}?_fields=${'a,'.repeat(600)}`, {
      method: 'POST',
      as: ADMIN,
      body: { title: 'Written?' },
    });
    assert.equal([status, body['code'], await total()], [400, 'rest_too_many_parameters', before]);
  }),
);

review('a search has 1,600 characters at most, in queries and forms', () =>
  withSite(async (ask) => {
    const search = async (path: string, length: number) =>
      (await ask(path, { as: ADMIN, body: { search: 'é'.repeat(length) } })).status;
    assert.equal(
      [await search(POSTS, 1600), await search(POSTS, 1601), await search(`${POSTS}/101/revisions`, 1601)],
      [200, 400, 400],
    );
  }),
);

review('the fault of a meta value is a member beside data', () =>
  withSite(async (ask) => {
    const { body } = await ask(POSTS, {
      method: 'POST',
      as: EDITOR,
      body: { title: 'x', meta: { footnotes: 5 } },
    });
    assert.equal(body, {
      code: 'rest_invalid_type',
      message: 'meta.footnotes is not of type string.',
      data: { status: 400 },
      additional_data: [{ param: 'meta.footnotes' }],
    });
  }),
);

review('an autosave of the own draft needs the same rights as an update', () =>
  withSite(async (ask) => {
    for (const [body, code] of [
      [{ author: ADMIN, title: 'x' }, 'rest_cannot_edit_others'],
      [{ sticky: true, title: 'x' }, 'rest_cannot_assign_sticky'],
    ] as const) {
      assert.is(
        (await ask(`${POSTS}/137/autosaves`, { method: 'POST', as: CONTRIBUTOR, body })).body['code'],
        code,
      );
    }
  }),
);

review('blocks are stored with neutral names and shown with wire names', () =>
  withSite(
    async (ask, _site, store) => {
      const { body } = await ask('/wp/v2/posts/101?context=edit', { as: ADMIN });
      const content = body['content'] as { raw: string; rendered: string; block_version: number };
      assert.match(content.raw, /<!-- wp:paragraph -->/);
      assert.is(content.block_version, 1);
      assert.not.match(content.rendered, /<!--/);
      await ask('/wp/v2/posts/103', {
        method: 'POST',
        as: 3,
        body: { content: '<!-- wp:quote --><p>x</p><!-- /wp:quote -->' },
      });
      assert.match(
        String((await store.get('posts', 103))?.['content']),
        /<!-- cms:quote -->.*<!-- \/cms:quote -->/,
      );
    },
    { names: WORDPRESS_NAMES },
  ),
);

review('OPTIONS shows links with wire names', () =>
  withSite(
    async (ask) => {
      const { body } = await ask('/wp/v2/posts', { method: 'OPTIONS' });
      const links = (body['schema'] as { links: { rel: string; href: string }[] }).links;
      assert.equal(
        links.filter(({ rel, href }) => rel.startsWith('cms:') || href.includes('/cms/v2')),
        [],
      );
    },
    { names: WORDPRESS_NAMES },
  ),
);

review('nothing of an erased post is left when it is saved at the same moment', () =>
  withSite(async (ask, _site, store) => {
    for (const id of [101, 102, 104, 105, 106]) {
      await Promise.all([
        ask(`${POSTS}/${id}/autosaves`, { method: 'POST', as: EDITOR, body: { title: 'late' } }),
        ask(`${POSTS}/${id}?force=true`, { method: 'DELETE', as: ADMIN }),
        ask(`${POSTS}/${id}`, { method: 'POST', as: ADMIN, body: { title: 'later' } }),
      ]);
      if ((await store.get('posts', id)) !== null) continue;
      const left = async (collection: string, field: string) =>
        (await store.find({ collection, where: { op: 'eq', field, value: id } })).records.length;
      assert.equal(
        [await left('revisions', 'parent'), await left('post_history', 'post')],
        [0, 0],
        `post ${id}`,
      );
    }
  }),
);

review('revisions deleted at the same moment are all deleted, and If-Match is respected', () =>
  withSite(async (ask) => {
    const path = (id: number): string => `${POSTS}/144/revisions/${id}?force=true`;
    assert.is(
      (await ask(path(401), { method: 'DELETE', as: ADMIN, headers: { 'if-match': '"999-x"' } })).status,
      412,
    );
    const answers = await Promise.all(
      [401, 402, 403].map((id) => ask(path(id), { method: 'DELETE', as: ADMIN })),
    );
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const history = (await ask(`${POSTS}/144`)).body['_links'] as Record<string, { count: number }[]>;
    assert.is(history['version-history']?.[0]?.count, 0);
  }),
);

review('an autosave by somebody else does not fail an update with If-Match', () =>
  withSite(async (ask) => {
    for (let round = 0; round < 10; round += 1) {
      const { version } = await ask(`${POSTS}/101`);
      const [update] = await Promise.all([
        ask(`${POSTS}/101`, {
          method: 'POST',
          as: ADMIN,
          body: { title: `t${round}` },
          headers: { 'if-match': `"${version}-any"` },
        }),
        ask(`${POSTS}/101/autosaves`, { method: 'POST', as: EDITOR, body: { title: `a${round}` } }),
      ]);
      assert.is(update.status, 200, `round ${round}`);
    }
  }),
);

review('a page far beyond every list is a page that is not there', () =>
  withSite(async (ask) => {
    assert.is(
      (await ask(`${POSTS}?page=999999999999999&per_page=100`)).body['code'],
      'rest_post_invalid_page_number',
    );
    assert.is(
      (await ask(`${POSTS}/144/revisions?page=999999999999999&per_page=100`, { as: ADMIN })).body['code'],
      'rest_revision_invalid_page_number',
    );
  }),
);

review('an address with an encoded question mark is another one', () =>
  withSite(async (ask) => {
    assert.is((await ask(`${POSTS}?a?`)).status, 200);
    assert.is((await ask('/cms/v2/posts%3Fa?')).status, 404);
  }),
);

review('a published post has a slug, whatever was given', () =>
  withSite(async (ask) => {
    const { body } = await ask(POSTS, {
      method: 'POST',
      as: ADMIN,
      body: { title: 'Good title', slug: '!!!', status: 'publish' },
    });
    assert.is(body['slug'], 'good-title');
  }),
);

review('passwords of a post can be guessed sixty times a minute from one address', () =>
  withSite(async (_ask, { engine }) => {
    const guess = (path: string, address: string) => engine.dispatch({ ...createRequest(path), address });
    for (const [path, refused] of [
      [`${POSTS}/126?password=`, 403],
      [`${POSTS}?include=126&password=`, 200],
    ] as const) {
      assert.is((await guess(`${path}sesame`, '192.0.2.3')).status, 200, 'a reader');
      const statuses = [];
      for (let index = 0; index < 61; index += 1)
        statuses.push((await guess(`${path}wrong${index}`, '192.0.2.1')).status);
      assert.equal(statuses, [...Array.from({ length: 60 }, () => refused), 429], path);
      assert.is((await guess(`${path}sesame`, '192.0.2.1')).status, 429, 'the right one, too');
      assert.is((await guess(`${path}sesame`, '192.0.2.2')).status, 200, 'another address');
    }
  }),
);

review('passwords of a post can be guessed sixty times a minute from one /64', () =>
  withSite(async (_ask, { engine }) => {
    const statuses = [];
    for (let index = 0; index < 130; index += 1)
      statuses.push(
        (
          await engine.dispatch({
            ...createRequest(`${POSTS}/126?password=wrong${index}`),
            address: `2001:db8::${index}`,
          })
        ).status,
      );
    assert.equal(
      statuses,
      Array.from({ length: 130 }, (_each, index) => (index < 60 ? 403 : 429)),
    );
  }),
);

review('a post whose password a thousand guesses an hour have missed still opens for those who know it', () =>
  withSite(async (_ask, { engine }) => {
    const guess = async (path: string, address: string): Promise<number> =>
      (await engine.dispatch({ ...createRequest(`${POSTS}${path}`), address })).status;
    for (const [path, wrong] of [
      ['/126?password=', 403],
      ['?include=126&password=', 200],
    ] as const) {
      const statuses = [];
      for (let index = 0; index < 1010; index += 1)
        statuses.push(
          await guess(`${path}wrong${index}`, `198.51.${Math.floor(index / 100)}.${index % 100}`),
        );
      assert.equal([statuses.lastIndexOf(wrong), statuses.indexOf(429)], [999, 1000]);
      assert.is(await guess(`${path}sesame`, '192.0.2.1'), 200, 'an address that has not failed');
      assert.is(await guess(`${path}sesame`, '198.51.10.9'), 429, 'one that has');
      // Callers without an address count as one, and none of them is locked out.
      assert.equal([await guess(`${path}wrong`, ''), await guess(`${path}sesame`, '')], [429, 200]);
    }
  }),
);

review('Allow names after a write what the caller may do to the post as it is now', () =>
  withSite(async (ask, { engine }) => {
    const all = 'GET, POST, PUT, PATCH, DELETE';
    const steps: readonly (readonly [
      method: string,
      query: string,
      body: object | undefined,
      allow: string | undefined,
    ])[] = [
      ['POST', '', { title: 'changed' }, all],
      ['DELETE', '', undefined, all],
      ['DELETE', '?force=true', undefined, undefined],
    ];
    for (const [method, query, body, allowed] of steps) {
      const { status, headers } = await ask(`${POSTS}/102${query}`, {
        method,
        as: ADMIN,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal([status, headers['Allow']], [200, allowed], `${method} ${query}`);
    }
    // A caller who can edit the posts of others, but not private ones, loses the right by making the post private.
    const identity = {
      id: 99,
      role: '',
      capabilities: new Set(['edit_posts', 'edit_others_posts', 'edit_published_posts', 'publish_posts']),
    };
    const shut = await engine.dispatch(
      createRequest(`${POSTS}/101`, { method: 'POST', body: { status: 'private' } }),
      identity,
    );
    assert.equal([shut.status, shut.headers['Allow']], [200, undefined]);
  }),
);

review('an embedded picture has the address at which it is served, wherever that is', () =>
  withSite(async (ask, _site, store) => {
    for (const [file, address] of [
      ['2025/a b.svg', 'http://localhost/uploads/2025/a%20b.svg'],
      ['https://cdn.test/a.svg', 'https://cdn.test/a.svg'],
    ] as const) {
      const { featured_media: id } = (await ask(`${POSTS}/105`)).body as { featured_media: number };
      await store.commit([{ op: 'update', collection: 'media', id, values: { file } }]);
      const { _embedded: embedded } = (await ask(`${POSTS}/105?_embed=cms:featuredmedia`)).body as {
        _embedded: Record<string, readonly { source_url: string }[]>;
      };
      assert.is(embedded['cms:featuredmedia']?.[0]?.source_url, address);
    }
  }),
);

review.run();
