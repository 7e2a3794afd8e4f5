// Contents of posts are shown with the shortcodes of the site, from the cache and without it, alone and in lists.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWholeSite, type WholeSite, type WholeSiteOptions } from '../../../../support/whole-site.ts';

const DATES = {
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  modified: '2024-01-01T10:00:00',
  modified_gmt: '2024-01-01T10:00:00',
};
const toPost = (id: number, content: string, more: object = {}) => ({
  id,
  author: 1,
  status: 'publish',
  slug: `post-${id}`,
  title: `Post ${id}`,
  content,
  ...DATES,
  ...more,
});
const CODE = Buffer.from('<p>Code <b>x</b></p><script>1</script>').toString('base64');
const FIXTURE = {
  site: { name: 'Test', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'admin', slug: 'admin', name: 'Admin', role: 'administrator' },
    { id: 2, login: 'editor', slug: 'editor', name: 'Editor', role: 'editor' },
  ],
  media: [
    { id: 11, file: 'a.jpg', alt: 'First', mime_type: 'image/jpeg' },
    { id: 12, file: 'secret.jpg', alt: 'Hidden', mime_type: 'image/jpeg', parent: 5 },
    { id: 13, file: 'b.jpg', alt: 'Attached', mime_type: 'image/jpeg', parent: 1 },
  ],
  posts: [
    toPost(1, 'Before\n\n[gallery ids="11,12,13"]\n\nAfter'),
    toPost(
      2,
      '<!-- cms:shortcode -->\n[builder_button link="/go" title="Go on" target="_blank"]Go[/builder_button]\n<!-- /cms:shortcode -->\n<!-- cms:paragraph -->\n<p>A [sic] word, [shout volume="9"]loud[/shout], [[gallery]]</p>\n<!-- /cms:paragraph -->',
    ),
    toPost(
      3,
      `[builder_code]${CODE}[/builder_code][builder_content_box title="Box" link="/b" linktext="Read"]One[/builder_content_box]`,
    ),
    toPost(4, 'Secret [badge]x[/badge]', { password: 'sesame' }),
    toPost(5, 'A draft', { status: 'draft' }),
    toPost(6, 'Now [badge]x[/badge] and [badge]y[/badge]'),
    toPost(7, `${'[builder_row]'.repeat(30)}deep${'[/builder_row]'.repeat(30)}`),
    toPost(8, '[failing]'),
    toPost(9, '<p title="[gallery ids=11]">[gallery</p>'),
  ],
};
let calls = 0;
const SHORTCODES = {
  badge: {
    block: false,
    render: async ({ inner }: { inner: string }) => {
      calls += 1;
      return `<b onclick="1">${inner} ${calls}</b>`;
    },
  },
  failing: {
    block: true,
    render: () => {
      throw new Error('no');
    },
  },
};

const open = (options: Partial<WholeSiteOptions> = {}): Promise<WholeSite> =>
  createWholeSite({ fixture: FIXTURE as never, config: { builder: { shortcodes: SHORTCODES } }, ...options });

interface Shown {
  readonly id: number;
  readonly content: { readonly rendered: string };
}

/** What one post and the list show of it. They must agree. */
async function read(site: WholeSite, id: number, as?: string): Promise<string> {
  const one = (
    (await site.ask({ target: `/cms/v2/posts/${id}`, ...(as === undefined ? {} : { as }) })).body as Shown
  ).content.rendered;
  const list = (await site.ask({ target: '/cms/v2/posts?per_page=100', ...(as === undefined ? {} : { as }) }))
    .body as readonly Shown[];
  if (id !== 6) assert.is(list.find((post) => post.id === id)?.content.rendered, one);
  return one;
}

const GALLERY = (alt: string): string =>
  `<p>Before</p>\n<figure class="gallery"><figure><img src="http://site.test/uploads/a.jpg" alt="${alt}" /></figure><figure><img src="http://site.test/uploads/b.jpg" alt="Attached" /></figure></figure>\n<p>After</p>\n`;

for (const [name, options] of [
  ['with a cache', {}],
  ['without a cache', { cache: false }],
] as const) {
  const test = suite(`shortcodes in contents, ${name}`);
  test('a gallery shows its pictures, not those of a draft, and follows their changes', async () => {
    const site = await open(options);
    for (const _time of [1, 2]) assert.is(await read(site, 1), GALLERY('First'));
    await site.store.commit([{ op: 'update', collection: 'media', id: 11, values: { alt: 'Changed' } }]);
    for (const _time of [1, 2]) assert.is(await read(site, 1), GALLERY('Changed'));
    assert.is(await read(site, 1, 'editor'), GALLERY('Changed'));
    await site.close();
  });
  test('buttons keep link, title and target; unknown shortcodes and escaped ones stay', async () => {
    const site = await open(options);
    const html = await read(site, 2);
    assert.match(html, '<p><a href="/go" title="Go on" target="_blank">Go</a></p>');
    assert.match(html, '<p>A [sic] word, [shout volume="9"]loud[/shout], [gallery]</p>');
    await site.close();
  });
  test('code in base64 is decoded and cleaned; boxes keep title and link', async () => {
    const site = await open(options);
    assert.is(
      await read(site, 3),
      '<p>Code <b>x</b></p>1<div><h2><a href="/b">Box</a></h2>\n<p>One</p><p><a href="/b">Read</a></p>\n</div>\n',
    );
    await site.close();
  });
  test('a shortcode of the host may change at any time, and its markup is cleaned', async () => {
    const site = await open(options);
    calls = 0;
    assert.is(await read(site, 6), '<p>Now <b>x 1</b> and <b>y 2</b></p>\n');
    assert.not((await read(site, 6)) === '<p>Now <b>x 1</b> and <b>y 2</b></p>\n');
    assert.is(await read(site, 4), '');
    await site.close();
  });
  test('what cannot be rendered is shown as text and logged, and markup is no shortcode', async () => {
    const site = await open(options);
    assert.match(await read(site, 7), '[builder_row]');
    assert.is(await read(site, 8), '<p>[failing]</p>\n');
    assert.is(
      site.logged.filter(
        ({ message }) => message === 'the shortcodes of post 8 could not be rendered and are shown as text',
      ).length > 0,
      true,
    );
    assert.is(await read(site, 9), '<p title="[gallery ids=11]">[gallery</p>\n');
    await site.close();
  });
  test('a shortcode that returns something else than a text is named in the log', async () => {
    const counting = { block: false, render: () => 5 as never };
    const site = await open({
      ...options,
      fixture: { ...FIXTURE, posts: [...FIXTURE.posts, toPost(20, '[counting]')] } as never,
      config: { builder: { shortcodes: { ...SHORTCODES, counting } } },
    });
    assert.is(await read(site, 20), '<p>[counting]</p>\n');
    assert.ok(
      site.logged.some(
        ({ error }) =>
          String(error) ===
          'TypeError: the shortcode [counting] returned a number; it must return HTML as a text',
      ),
    );
    await site.close();
  });
  test('a shortcode that hangs shows its posts as text in time, and the others as they are', async () => {
    const hanging = Array.from({ length: 30 }, (_each, index) => toPost(20 + index, '[hanging]'));
    let started = 0;
    const hang = {
      block: true,
      render: () => {
        started += 1;
        return new Promise<string>(() => {});
      },
    };
    const site = await open({
      ...options,
      fixture: { ...FIXTURE, posts: [...FIXTURE.posts, ...hanging] } as never,
      config: { builder: { shortcodes: { ...SHORTCODES, hanging: hang } } },
      handlerTimeoutMs: 2000,
    });
    const { status, body } = await site.ask({ target: '/cms/v2/posts?per_page=100' });
    assert.is(status, 200);
    const shown = new Map((body as readonly Shown[]).map(({ id, content }) => [id, content.rendered]));
    for (const { id } of hanging) assert.is(shown.get(id), '<p>[hanging]</p>\n');
    assert.is(shown.get(1), GALLERY('First'));
    assert.is(started, 1);
    assert.ok(
      site.logged.some(
        ({ error }) => String(error) === 'Error: the shortcode [hanging] did not answer within 200 ms',
      ),
    );
    await site.close();
  });
  test.run();
}
