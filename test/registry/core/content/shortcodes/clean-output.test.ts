// What shortcodes add to a post is cleaned, whatever else the post holds. A user with `unfiltered_html` who adds a frame does not vouch for the shortcodes of others.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import type { Call } from '../../../../../lib/index.ts';
import { sanitiseContent } from '../../../../../registry/core/content/sanitise/sanitise.ts';
import { createPostShortcodes } from '../../../../../registry/core/content/shortcodes/render-post.ts';
import { createShortcodes } from '../../../../../registry/core/content/shortcodes/shortcodes.ts';
import { collections, createContentModel } from '../../../../../registry/index.ts';
import { listBuilderShortcodes } from '../../../../../registry/plugins/builder/shortcodes.ts';
import { allowedMarkup, hostileMarkup } from '../../../../support/markup-arbitraries.ts';
import { listFaults } from '../../../../support/markup-judge.ts';
import { createWholeSite } from '../../../../support/whole-site.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const FRAME = '<iframe src="https://video.test/1"></iframe>';
const ECHO = {
  block: {
    block: true,
    reads: [],
    render: ({ attributes, inner }: { attributes: Readonly<Record<string, string>>; inner: string }) =>
      `${attributes['html'] ?? ''}<div title="${attributes['html'] ?? ''}">${inner}</div>${inner}`,
  },
  inline: {
    block: false,
    reads: [],
    render: ({ attributes, inner }: { attributes: Readonly<Record<string, string>>; inner: string }) =>
      `<b ${attributes['html'] ?? ''}>${inner}</b><a href="${inner}">x</a>`,
  },
};
const shortcodes = createPostShortcodes({
  store: createMemoryStore(collections),
  shortcodes: new Map([
    ...createShortcodes(createContentModel('core')),
    ...listBuilderShortcodes({ namespaces: { builder: { shortcodes: ECHO } } }),
  ]),
  blocks: new Map(),
});
const PLACE = {
  siteUrl: 'http://site.test',
  footnotes: '',
  call: {} as Call,
  record: { id: 1, type: 'post', language: 'en', slug: 'a', title: 'A' },
};
const render = (content: string): Promise<string> => shortcodes.render(content, PLACE);

const HOSTILE: readonly (readonly [shortcode: string, output: string])[] = [
  [`[builder_code]${base64('<p>Hi</p><script>alert(1)</script>')}[/builder_code]`, '<p>Hi</p>alert(1)'],
  [
    `[builder_row][builder_code]${base64('<img src=x onerror=alert(1)>')}[/builder_code][/builder_row]`,
    '<div><img src=x></div>\n',
  ],
  ['[builder_button link="javascript:alert(1)"]Go[/builder_button]', '<p><a>Go</a></p>\n'],
  ['[builder_button link="data:text/html,x" title="Go" /]', '<p><a title="Go">Go</a></p>\n'],
  [
    '[builder_content_box title="T" link="java&#x73;cript:alert(1)" linktext="L"]One[/builder_content_box]',
    '<div><h2><a>T</a></h2>\n<p>One</p><p><a>L</a></p>\n</div>\n',
  ],
  ['[block html="<script>alert(1)</script>"]One[/block]', ''],
  ["[block html='<img src=x onerror=alert(1)>']<b>One</b>[/block]", ''],
];

const test = suite('outputs of shortcodes');
for (const [shortcode, output] of HOSTILE) {
  test(`${shortcode} is clean next to a frame`, async () => {
    const stored = sanitiseContent(shortcode);
    for (const [prefix, suffix] of [
      ['', ''],
      ['<!-- cms:html -->', '<!-- /cms:html -->'],
    ] as const) {
      const plain = await render(`${prefix}${stored}${suffix}`);
      const mixed = await render(`${prefix}${stored}${suffix}\n\n${prefix}${FRAME}${suffix}`);
      assert.ok(mixed.includes(FRAME));
      assert.equal(listFaults(mixed.replace(FRAME, '')), []);
      assert.ok(mixed.startsWith(plain), mixed);
      if (output !== '' && prefix === '') assert.is(plain, output);
    }
  });
}
test('a frame inside of wrappers stays byte for byte', async () => {
  assert.is(
    await render(`[builder_row][builder_text]${FRAME}[/builder_text][/builder_row]`),
    `<div><p>${FRAME}</p></div>\n`,
  );
  assert.is(await render(`[builder_title]${FRAME}[/builder_title]`), `<h2>${FRAME}</h2>\n`);
});
test('whatever a user without the right stores, it is clean next to a frame', async () => {
  const hostile = fc.tuple(
    hostileMarkup,
    hostileMarkup,
    fc.constantFrom(
      'builder_code',
      'builder_row',
      'builder_title',
      'builder_button',
      'builder_toggle',
      'block',
      'inline',
      'caption',
    ),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async ([body, attribute, name, isCode]) => {
      const quoted = attribute.replaceAll(/["[\]]/g, '');
      const stored = sanitiseContent(
        `[${name} link="${quoted}" title="${quoted}" html="${quoted}"]${isCode ? base64(body) : body}[/${name}]`,
      );
      if (!shortcodes.has(stored)) return;
      assert.equal(listFaults((await render(`${stored}\n\n${FRAME}`)).replaceAll(FRAME, '')), []);
    }),
    { numRuns: 400 },
  );
});
test('allowed output is the same with and without a frame in the post', async () => {
  await fc.assert(
    fc.asyncProperty(allowedMarkup, async (html) => {
      const stored = `[builder_code]${base64(html)}[/builder_code]`;
      assert.is(await render(`${stored}\n\n${FRAME}`), `${await render(stored)}<p>${FRAME}</p>\n`);
    }),
    { numRuns: 200 },
  );
});
test('a content that repeats itself is found in its wrapper in linear time', async () => {
  // Looking for it as a whole takes minutes.
  const text = 'a'.repeat(200_000);
  const html = await render(`[builder_button title="${text}${text}"]${text}<i>b</i>${text}[/builder_button]`);
  assert.equal([html.match(/<i>/g)?.length, html.length > 4 * text.length], [1, true]);
});

/** A block around its content. Gives what it was given, and what a content became. */
async function renderNotes(content: string): Promise<{ readonly inner: string[]; readonly html: string }> {
  const inner: string[] = [];
  const note = {
    name: 'core/note',
    reads: [],
    render: (_attributes: object, place: { readonly content: string }): string => {
      inner.push(place.content);
      return `<b onclick="x">${place.content}</b>`;
    },
  };
  const parts = { store: createMemoryStore(collections), shortcodes: new Map() };
  const posts = createPostShortcodes({ ...parts, blocks: new Map([[note.name, note]]) });
  return { html: await posts.render(content, PLACE), inner };
}
const OPEN = '<!-- cms:note -->';
const CLOSE = '<!-- /cms:note -->';
const VOID = '<!-- cms:note /-->';
test('blocks in blocks are rendered once each, inside first', async () => {
  const content = `a${OPEN}b${OPEN}c${CLOSE}${VOID}<!-- cms:group -->${VOID}<!-- /cms:group -->${CLOSE}d${CLOSE}`;
  const { inner, html } = await renderNotes(content);
  assert.equal(inner, ['c', '', '', 'b<b>c</b><b></b><b></b>']);
  assert.is(html, 'a<b>b<b>c</b><b></b><b></b></b>d');
});
test('below 20 levels, blocks show their content alone', async () => {
  const { inner, html } = await renderNotes(`${OPEN.repeat(9000)}x${VOID}${CLOSE.repeat(9000)}`);
  assert.is(html, `${'<b>'.repeat(20)}x${'</b>'.repeat(20)}`);
  assert.equal([inner.length, inner[0]], [20, 'x']);
});
test('blocks that are not closed show their content alone', async () => {
  const { inner, html } = await renderNotes(`${OPEN.repeat(9000)}x${OPEN}y${CLOSE}`);
  assert.equal([inner, html], [['y'], 'x<b>y</b>']);
});
test('what a block adds is clean, and its content is not cleaned again', async () => {
  const { html } = await renderNotes(`${OPEN.repeat(3)}${FRAME}${CLOSE.repeat(3)}`);
  assert.is(html, `<b><b><b>${FRAME}</b></b></b>`);
});

test('over HTTP: a contributor stores a script in base64, an administrator adds a frame', async () => {
  const users = [
    { id: 1, login: 'admin', slug: 'admin', name: 'Admin', role: 'administrator' },
    { id: 2, login: 'con', slug: 'con', name: 'Con', role: 'contributor' },
  ];
  const site = await createWholeSite({
    fixture: { site: { name: 'Test', timezone_string: 'UTC' }, users, posts: [] } as never,
  });
  const content = `[builder_code]${base64('<script>alert(1)</script>')}[/builder_code][builder_button link="javascript:alert(1)"]Go[/builder_button]`;
  const { id } = (
    await site.ask({ method: 'POST', target: '/cms/v2/posts', as: 'con', body: { title: 'Post', content } })
  ).body as { id: number };
  const changed = await site.ask({
    method: 'POST',
    target: `/cms/v2/posts/${id}`,
    as: 'admin',
    body: { status: 'publish', content: `${content}\n\n${FRAME}` },
  });
  assert.is(changed.status, 200);
  const { rendered } = (
    (await site.ask({ target: `/cms/v2/posts/${id}` })).body as { content: { rendered: string } }
  ).content;
  assert.is(rendered, `alert(1)<p><a>Go</a></p>\n<p>${FRAME}</p>\n`);
  await site.close();
});
test.run();
