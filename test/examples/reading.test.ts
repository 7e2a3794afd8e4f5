// The plugin of examples/reading.ts in a site, without sockets: every extension point does what docs/write-a-plugin.md says.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import reading from '../../examples/reading.ts';
import { createRequest, type Identity, type LogEvent, type Names, type Store } from '../../lib/index.ts';
import {
  collectionsOf,
  createContentModel,
  createSite,
  loadFixture,
  seedPlugins,
  toIdentity,
  WORDPRESS_NAMES,
  type Plugin,
  type Site,
} from '../../registry/index.ts';
import { definePlugin, type FieldValue } from '../../registry/plugin.ts';
import { until } from '../support/until.ts';

const plugins = [...seedPlugins, reading];
const WORDS = Array.from({ length: 250 }, (_, index) => `word${index}`).join(' ');

interface Opened {
  readonly site: Site;
  readonly store: Store;
  readonly admin: Identity;
  readonly logged: LogEvent[];
  /** The body of a response as JSON; its status if that is not one of success. */
  ask(
    target: string,
    options?: { readonly as?: Identity; readonly method?: string; readonly body?: unknown },
  ): Promise<unknown>;
}

async function open(
  run: (opened: Opened) => Promise<void>,
  {
    list = plugins,
    content = 'seed',
    ...more
  }: {
    readonly list?: readonly Plugin[];
    readonly content?: 'seed' | 'core';
    readonly handlerTimeoutMs?: number;
    readonly names?: Names;
  } = {},
): Promise<void> {
  const store = createMemoryStore(collectionsOf(createContentModel(content), list));
  const logged: LogEvent[] = [];
  await loadFixture(store, {
    site: { name: 'Test', timezone_string: 'UTC' },
    users: [
      { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator', email: 'a@site.test' },
    ],
    posts: [1, 2, 3].map((id) => ({
      id,
      status: 'publish',
      slug: `post-${id}`,
      author: 1,
      date: `2024-01-0${id}T10:00:00`,
      title: `Post ${id}`,
      content: id === 1 ? WORDS : 'Few words.',
      ml_language: 'en',
    })),
  } as unknown as Parameters<typeof loadFixture>[1]);
  const user = await store.get('users', 1);
  assert.ok(user);
  const site = await createSite({
    store,
    content,
    plugins: list,
    log: (event) => logged.push(event),
    ...more,
  });
  try {
    await run({
      site,
      store,
      logged,
      admin: toIdentity(user),
      async ask(target, { as, ...options } = {}) {
        const { status, body } = await site.engine.dispatch(createRequest(target, options), as);
        return status < 300 ? (JSON.parse(JSON.stringify(body)) as unknown) : status;
      },
    });
  } finally {
    await site.close();
    await store.close();
  }
}

type Post = Readonly<Record<string, unknown>>;
const pick = (posts: unknown, name: string): unknown => (posts as readonly Post[]).map((post) => post[name]);

const example = suite('the plugin of examples/reading.ts');

example('has fields in lists, single posts, embeds, batches, _fields and schemas', () =>
  open(async ({ ask, site, admin }) => {
    assert.equal(pick(await ask('/cms/v2/posts'), 'reading_minutes'), [1, 1, 2]);
    assert.equal(await ask('/cms/v2/posts/1?_fields=id,reading_minutes'), { id: 1, reading_minutes: 2 });
    assert.equal(await ask('/cms/v2/posts/1?_fields=id'), { id: 1 });
    assert.is(((await ask('/cms/v2/posts/1?context=embed')) as Post)['reading_minutes'], 2);
    const batch = (await ask('/batch/v1', {
      method: 'POST',
      as: admin,
      body: { requests: [{ method: 'POST', path: '/cms/v2/posts/1', body: { title: 'New' } }] },
    })) as { readonly responses: readonly { readonly body: Post }[] };
    assert.is(batch.responses[0]?.body['reading_minutes'], 2);
    const slower = { method: 'POST', as: admin, body: { meta: { reading_pace: 50 } } };
    assert.is(((await ask('/cms/v2/posts/1', slower)) as Post)['reading_minutes'], 5);
    const { schema } = (await ask('/cms/v2/posts', { method: 'OPTIONS' })) as {
      readonly schema: { readonly properties: Readonly<Record<string, Post>> };
    };
    assert.equal(
      [schema.properties['reading_minutes']?.['readonly'], schema.properties['reading_note']?.['readonly']],
      [true, undefined],
    );
    const document = JSON.stringify(
      site.engine.describeOpenApi({
        title: 'Test',
        version: '1',
        siteUrl: 'http://site.test',
        language: 'en',
      }),
    );
    assert.match(document, '"reading_minutes":{"type":"integer"');
  }),
);

example('writes a field in the commit of its post', () =>
  open(async ({ ask, admin, store }) => {
    const write = (target: string, note: unknown): Promise<unknown> =>
      ask(target, {
        method: 'POST',
        as: admin,
        body: { title: 'With note', status: 'publish', reading_note: note },
      });
    const made = (await write('/cms/v2/posts', 'Read slowly.')) as Post;
    assert.is(made['reading_note'], 'Read slowly.');
    const before = await store.revision(['reading_notes']);
    assert.is(
      ((await write(`/cms/v2/posts/${String(made['id'])}`, 'Faster.')) as Post)['reading_note'],
      'Faster.',
    );
    assert.ok((await store.revision(['reading_notes'])) > before);
    assert.is(await write('/cms/v2/posts', 'x'.repeat(201)), 400);
    assert.is((await store.find({ collection: 'reading_notes' })).records.length, 1);
  }),
);

example('a cached response changes when what the field reads does', () =>
  open(async ({ ask, admin, site }) => {
    const read = async (): Promise<string> => {
      const response = await site.engine.serve(
        createRequest('/cms/v2/posts/2', { siteUrl: 'http://site.test' }),
      );
      return Buffer.from(response.body ?? '').toString();
    };
    assert.not.match(await read(), 'reading_note');
    await ask('/cms/v2/posts/2', { method: 'POST', as: admin, body: { reading_note: 'Once.' } });
    assert.match(await read(), '"reading_note":"Once."');
  }),
);

example('serves routes, documents and rewrites', () =>
  open(async ({ ask, admin, site }) => {
    assert.equal(await ask('/reading/v1/longest?per_page=1'), [{ id: 1, minutes: 2 }]);
    assert.equal(await ask('/cms/v2/posts/1/reading'), 401);
    assert.equal(await ask('/cms/v2/posts/1/reading', { as: admin }), { id: 1, words: 250 });
    const found = await site.openDocument('/reading.txt', { siteUrl: 'http://site.test' });
    assert.match(String(found?.body), /^2 min {2}http:\/\/site\.test\/en\/post-1\/\n/);
    assert.is(await site.openDocument('/other.txt', { siteUrl: 'http://site.test' }), null);
    assert.is(await site.findRedirect('/read/post-1/', 'http://site.test'), '/en/post-1/');
  }),
);

example('reads and writes records also where the wire names are those of WordPress', async () => {
  const asking = definePlugin(
    { name: 'asking', documents: [{ path: '/asking.txt', write: 'asking.write' }] },
    ({ site: { posts } }) => ({
      'asking.write': async () => {
        const as = { id: 1, role: 'administrator', capabilities: new Set(['edit_posts', 'publish_posts']) };
        const values = { title: 'Neuf', status: 'publish', ml_language: 'fr' };
        const { id } = await posts.save(null, values, { as });
        const french = await posts.find({ ml_language: 'fr' });
        const body = JSON.stringify(french.map((post) => [post.id === id, post['wpml_language']]));
        return { type: 'text/plain', body };
      },
    }),
  );
  await open(
    async ({ ask, admin, site }) => {
      assert.equal(await ask('/reading/v1/longest?per_page=1'), [{ id: 1, minutes: 2 }]);
      assert.equal(await ask('/wp/v2/posts/1/reading', { as: admin }), { id: 1, words: 250 });
      const found = await site.openDocument('/asking.txt', { siteUrl: 'http://site.test' });
      assert.is(String(found?.body), '[[true,"fr"]]');
    },
    { list: [...plugins, asking], names: WORDPRESS_NAMES },
  );
});

example('renders shortcodes and blocks, cleaned', () =>
  open(async ({ ask, admin }) => {
    const content = 'A [minutes of="<script>x</script>it"] text.\n\n[minutes]<b>inner</b>[/minutes]';
    const blocks =
      '<!-- cms:paragraph --><p>Before</p><!-- /cms:paragraph --><!-- cms:reading/note {"tone":"\\" onclick=\\"x"} --><!-- cms:paragraph --><p>Inside</p><!-- /cms:paragraph --><!-- /cms:reading/note -->';
    const show = async (text: string): Promise<string> => {
      const post = (await ask('/cms/v2/posts/3', { method: 'POST', as: admin, body: { content: text } })) as {
        readonly content: { readonly rendered: string };
      };
      return post.content.rendered;
    };
    const [plain, boxed] = [await show(content), await show(blocks)];
    assert.match(plain, '<em><b>inner</b>: a short read</em>');
    assert.not.match(plain, '<script');
    assert.match(boxed, '<p>Before</p>');
    assert.match(boxed, '<p>Inside</p></aside>');
    assert.not.match(boxed, 'onclick="x');
  }),
);

example('reacts to changes of requests and of anything else, and runs its task', () =>
  open(async ({ ask, admin, store }) => {
    const read = async (name: string): Promise<number> =>
      Number((await store.find({ collection: 'reading_totals' })).records[0]?.[name] ?? 0);
    await until(async () => (await read('tidied')) === 1, 'the task');
    await until(
      async () => (await store.find({ collection: 'change_readers' })).records.length === 1,
      'the place',
    );
    await ask('/cms/v2/posts/3', { method: 'POST', as: admin, body: { title: 'Changed' } });
    await store.commit([{ op: 'update', collection: 'posts', id: 2, values: { title: 'By a program' } }]);
    await until(async () => (await read('changes')) >= 2, 'both changes');
  }),
);

example('leaves nothing but its records when it is left out', () =>
  open(
    async ({ ask }) => {
      const post = (await ask('/cms/v2/posts/1')) as Post;
      assert.is('reading_minutes' in post, false);
      assert.is(await ask('/reading/v1/longest'), 404);
    },
    { list: seedPlugins },
  ),
);

example.run();

const faulty = suite('fields that fail');

const withField = (value: FieldValue, schema: object = { type: 'integer' }): readonly Plugin[] => [
  definePlugin(
    { name: 'faulty', fields: [{ of: ['post'], name: 'faulty', schema, value: 'faulty.value', reads: [] }] },
    () => ({ 'faulty.value': value }),
  ),
];

const FAULTS: Readonly<Record<string, FieldValue>> = {
  throws: () => {
    throw new Error('no');
  },
  rejects: () => Promise.reject(new Error('no')),
  'returns a list': (() => [1]) as unknown as FieldValue,
  'returns values that do not fit the schema': (posts) => new Map(posts.map(({ id }) => [id, 'many'])),
  'returns what JSON cannot hold': (posts) => new Map(posts.map(({ id }) => [id, 1n])),
  hangs: () => new Promise(() => undefined),
};

for (const [name, value] of Object.entries(FAULTS))
  faulty(`that ${name} cost their value and a log line`, () =>
    open(
      async ({ ask, logged }) => {
        const post = (await ask('/cms/v2/posts/1')) as Post;
        assert.equal([post['id'], 'faulty' in post], [1, false]);
        assert.match(
          logged[0]?.message ?? '',
          'the field "faulty" of the plugin "faulty" could not be computed',
        );
      },
      { list: withField(value), handlerTimeoutMs: 2000 },
    ),
  );

faulty('one call of the function serves a hundred records', () => {
  const sizes: number[] = [];
  const list = withField((posts) => {
    sizes.push(posts.length);
    return new Map();
  });
  return open(
    async ({ ask, store }) => {
      const first = await store.get('posts', 1);
      assert.ok(first);
      const { id: _id, version: _version, ...values } = first;
      await store.commit(
        Array.from({ length: 120 }, (_, index) => ({
          op: 'create' as const,
          collection: 'posts',
          values: { ...values, slug: `more-${index}` },
        })),
      );
      await ask('/cms/v2/posts?per_page=100');
      assert.equal(sizes, [100]);
    },
    { list },
  );
});

faulty(
  'the function is called once for a batch of reads, and for embedded records that have the field',
  () => {
    let calls = 0;
    const list = [
      definePlugin(
        {
          name: 'counted',
          fields: [
            {
              of: ['*'],
              name: 'counted',
              schema: { type: 'integer', context: ['view', 'embed'] },
              value: 'counted.value',
              reads: [],
            },
          ],
        },
        () => ({
          'counted.value': (records) => {
            calls += 1;
            return new Map(records.map(({ id }) => [id, calls]));
          },
        }),
      ),
    ];
    return open(
      async ({ ask, admin }) => {
        const [post] = (await ask('/cms/v2/posts?per_page=1&_embed=author')) as readonly Post[];
        const embedded = post?.['_embedded'] as { readonly author: readonly Post[] } | undefined;
        assert.is(post?.['counted'], 1);
        assert.type(embedded?.author[0]?.['counted'], 'number');
        assert.is(
          ((await ask('/cms/v2/posts?context=edit', { as: admin })) as readonly Post[])[0]?.['counted'],
          undefined,
        );
      },
      { list, content: 'core' },
    );
  },
);

faulty('a part whose function is null is not there', () => {
  const declared = (isThere: boolean) =>
    definePlugin(
      {
        name: 'parts',
        fields: [
          { of: ['type'], name: 'shown', schema: { type: 'integer' }, value: 'parts.shown' },
          {
            of: ['post'],
            name: 'kept',
            schema: { type: 'integer' },
            value: 'parts.kept',
            write: 'parts.write',
          },
        ],
        documents: [{ path: '/parts.txt', write: 'parts.text' }],
        extends: [
          {
            namespace: 'cms/v2',
            routes: [
              {
                pattern: '/cms/v2/parts',
                endpoints: [{ methods: ['GET'], handler: 'parts.list', permission: 'public', args: {} }],
              },
            ],
          },
        ],
      },
      () => ({
        'parts.shown': isThere ? (posts) => new Map(posts.map(({ id }) => [id, id])) : null,
        'parts.kept': (posts) => new Map(posts.map(({ id }) => [id, id])),
        'parts.write': isThere ? () => undefined : null,
        'parts.text': isThere ? () => ({ type: 'text/plain', body: 'text' }) : null,
        'parts.list': isThere ? () => [] : null,
      }),
    );
  const look = (isThere: boolean): Promise<void> =>
    open(
      async ({ ask, site }) => {
        const post = (await ask('/cms/v2/posts/1')) as Post;
        assert.equal([post['shown'], post['kept']], [isThere ? 1 : undefined, 1]);
        assert.equal(await ask('/cms/v2/parts'), isThere ? [] : 404);
        const { schema } = (await ask('/cms/v2/posts', { method: 'OPTIONS' })) as {
          readonly schema: { readonly properties: Readonly<Record<string, Post>> };
        };
        assert.is(schema.properties['kept']?.['readonly'], isThere ? undefined : true);
        const found = await site.openDocument('/parts.txt', { siteUrl: 'http://site.test' });
        assert.is(found?.body, isThere ? 'text' : undefined);
      },
      { list: [declared(isThere)] },
    );
  return Promise.all([look(true), look(false)]).then(() => undefined);
});

faulty('that only some requests name are computed only for them', () => {
  let calls = 0;
  const list = [
    definePlugin(
      {
        name: 'asked',
        fields: [
          { of: ['*'], name: 'asked_value', schema: { type: 'integer' }, value: 'asked.value', asked: true },
        ],
      },
      () => ({
        'asked.value': (records) => {
          calls += 1;
          return new Map(records.map(({ id }) => [id, id]));
        },
      }),
    ),
  ];
  return open(
    async ({ ask }) => {
      await ask('/cms/v2/posts');
      assert.is(calls, 0);
      assert.equal(pick(await ask('/cms/v2/posts?_fields=asked_value'), 'asked_value'), [3, 2, 1]);
      assert.equal(await ask('/cms/v2/users/1?_fields=asked_value'), { asked_value: 1 });
    },
    { list, content: 'core' },
  );
});

faulty.run();
