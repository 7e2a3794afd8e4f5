import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { closeServer, createServer } from '../../adapters/node-http.ts';
import {
  collections,
  createSite,
  loadFixture,
  WORDPRESS_NAMES,
  type SiteOptions,
} from '../../registry/index.ts';
import { apiFetch } from '../support/api-fetch.ts';
import { createBrowserFetch, sendForm, type BrowserOptions } from '../support/browser.ts';
import { PATIENT } from '../support/patient.ts';

const TRUSTED = 'https://app.example';
const EVIL = 'https://evil.example';
const BASIC = { Authorization: `Basic ${Buffer.from('ada:ada-and-her-password').toString('base64')}` };

interface Opened {
  /** Address of the posts. */
  readonly posts: string;
  readonly origin: string;
  /** Number of posts, whatever their status. */
  count(): Promise<number>;
}

async function withSite(
  options: Partial<SiteOptions>,
  run: (opened: Opened) => Promise<void>,
): Promise<void> {
  const store = createMemoryStore(collections);
  await loadFixture(store, {
    site: { name: 'S' },
    users: [
      { id: 1, login: 'ada', password: 'ada-and-her-password', name: 'Ada', slug: 'ada', role: 'author' },
    ],
  });
  const site = await createSite({ store, names: WORDPRESS_NAMES, trustedOrigins: [TRUSTED], ...options });
  const server = createServer(site.engine, {
    limits: PATIENT,
    // Where a WordPress client gets a new nonce.
    otherwise: (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', TRUSTED).end(request.url === '/nonce' ? 'fresh' : '');
    },
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await run({
      origin,
      posts: `${origin}/en/wp-json/wp/v2/posts`,
      count: async () => (await store.find({ collection: 'posts' })).records.length,
    });
  } finally {
    await closeServer(server);
    await site.close();
  }
}

/** Runs the client as in a page, with the `fetch` and the network state of the browser. */
async function inPage<T>(browser: BrowserOptions, run: () => Promise<T>): Promise<T> {
  const replaced = { fetch: createBrowserFetch(browser), navigator: { onLine: true } };
  const kept = Object.entries(replaced).map(([name, value]) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    return [name, before] as const;
  });
  try {
    return await run();
  } finally {
    for (const [name, before] of kept) {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    }
  }
}

interface Post {
  readonly id: number;
  readonly title: { readonly rendered: string };
}

const pages = suite('a page of another origin');

pages(
  'that the site trusts reads and writes with @wordpress/api-fetch and the login that the browser keeps',
  () =>
    withSite({}, ({ posts, count }) =>
      inPage({ origin: TRUSTED, credentials: BASIC }, async () => {
        const { id } = await apiFetch<Post>({
          url: posts,
          method: 'POST',
          data: { title: 'Low tide', status: 'publish' },
        });
        // Sent as POST with X-HTTP-Method-Override.
        assert.is(
          (await apiFetch<Post>({ url: `${posts}/${id}`, method: 'PUT', data: { title: 'High tide' } })).title
            .rendered,
          'High tide',
        );
        const list = await apiFetch<Response, false>({
          url: `${posts}?context=edit&per_page=1`,
          parse: false,
        });
        assert.equal(
          [list.headers.get('X-WP-Total'), ((await list.json()) as readonly Post[]).map((post) => post.id)],
          ['1', [id]],
        );
        await apiFetch({ url: `${posts}/${id}?force=true`, method: 'DELETE' });
        // Sent without a body and without a media type, as a form could send it.
        await apiFetch({ url: `${posts}?title=Tide`, method: 'POST' });
        assert.is(await count(), 1);
      }),
    ),
);

pages(
  'that the site does not trust writes nothing and reads nothing with the login that the browser keeps',
  () =>
    withSite({}, ({ posts, count }) => {
      const browser = { origin: EVIL, credentials: BASIC };
      return inPage(browser, async () => {
        const codes = [];
        for (const [method, data] of [
          ['POST', { title: 'x' }],
          ['PUT', { title: 'x' }],
          ['DELETE', undefined],
          ['POST', undefined],
          ['GET', undefined],
        ] as const) {
          codes.push(
            await apiFetch({ url: `${posts}?title=x`, method, ...(data === undefined ? {} : { data }) }).then(
              () => 'done',
              (error: { code: string }) => error.code,
            ),
          );
        }
        assert.equal(codes, [
          'fetch_error',
          'fetch_error',
          'fetch_error',
          'rest_cross_site_write',
          'fetch_error',
        ]);
        const { status } = await sendForm(browser, posts, { title: 'x', status: 'publish' });
        assert.equal([status, await count()], [403, 0]);
        assert.equal(await apiFetch({ url: posts, credentials: 'omit' }), [], 'as an anonymous caller');
      });
    }),
);

pages('that brings the password itself writes from anywhere', () =>
  withSite({}, ({ posts, count }) =>
    inPage({ origin: EVIL, credentials: {} }, async () => {
      const { id } = await apiFetch<Post>({
        url: posts,
        method: 'POST',
        data: { title: 'x' },
        headers: BASIC,
        credentials: 'omit',
      });
      await apiFetch({
        url: `${posts}/${id}?force=true`,
        method: 'DELETE',
        headers: BASIC,
        credentials: 'omit',
      });
      assert.is(await count(), 0);
    }),
  ),
);

pages('gets a new nonce if that of its session is stale, and continues', async () => {
  const asked: string[] = [];
  const options: Partial<SiteOptions> = {
    authenticate: async ({ headers }) => {
      asked.push(String(headers['x-wp-nonce']));
      return headers['cookie'] === 'session=1' && headers['x-wp-nonce'] === 'fresh'
        ? { id: 1, role: 'author', capabilities: new Set(['edit_posts', 'publish_posts']) }
        : null;
    },
  };
  await withSite(options, ({ posts, origin, count }) =>
    inPage({ origin: TRUSTED, credentials: { Cookie: 'session=1' } }, async () => {
      const nonce = apiFetch.createNonceMiddleware('stale');
      Object.assign(apiFetch, { nonceMiddleware: nonce, nonceEndpoint: `${origin}/nonce` });
      apiFetch.use(nonce);
      try {
        await apiFetch({ url: posts, method: 'POST', data: { title: 'x' } });
        assert.equal([asked, await count()], [['undefined', 'stale', 'undefined', 'fresh'], 1]);
      } finally {
        apiFetch.unregister(nonce);
      }
    }),
  );
});

pages('may send and read headers of the host app if the site names them', async () => {
  const options: Partial<SiteOptions> = {
    authenticate: async ({ headers }) =>
      headers['x-key'] === 'k'
        ? { id: 1, role: 'author', capabilities: new Set(['edit_posts', 'publish_posts']) }
        : null,
  };
  const send = ({ posts }: Opened): Promise<Response> =>
    createBrowserFetch({ origin: EVIL, credentials: {} })(posts, {
      method: 'POST',
      headers: { 'X-Key': 'k', 'Content-Type': 'application/json' },
      body: '{"title":"x"}',
    });
  await withSite(options, async (opened) => {
    await send(opened).then(
      () => assert.unreachable('the preflight must fail'),
      () => undefined,
    );
    assert.is(await opened.count(), 0);
  });
  await withSite({ ...options, cors: { allow: ['X-Key'] } }, async (opened) =>
    assert.is((await send(opened)).status, 201),
  );
});

pages.run();
