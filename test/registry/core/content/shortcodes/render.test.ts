import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS } from '../../../../../lib/core/identity.ts';
import { createRequest } from '../../../../../lib/http/create-request.ts';
import { CAPABILITIES, capabilitiesOf } from '../../../../../registry/core/accounts/roles.ts';
import { servicesOf } from '../../../../../registry/core/services.ts';
import { createBuilderNamespace } from '../../../../../registry/plugins/builder/index.ts';
import { builderDescriptor } from '../../../../../registry/plugins/builder/routes.ts';
import { listBuilderShortcodes } from '../../../../../registry/plugins/builder/shortcodes.ts';
import { checkAnswer } from '../../../../support/answers.ts';
import { createTestPorts, TEST_CONFIG } from '../../../../support/ports.ts';
import { createTestEngine } from '../../../../support/site.ts';

async function createSite(settings: Readonly<Record<string, unknown>> = {}) {
  const ports = createTestPorts({ config: { ...TEST_CONFIG, namespaces: { builder: settings } } });
  await ports.store.commit([
    {
      op: 'create',
      collection: 'media',
      values: { id: 1, file: '2024/a b.jpg', alt: 'A "b"', mime_type: 'image/jpeg', width: 10, height: 20 },
    },
    { op: 'create', collection: 'media', values: { id: 2, file: 'paper.pdf', mime_type: 'application/pdf' } },
  ]);
  const { shortcodes } = servicesOf(ports);
  for (const [name, shortcode] of listBuilderShortcodes(ports.config)) shortcodes.set(name, shortcode);
  const engine = createTestEngine([createBuilderNamespace(ports)], { capabilities: CAPABILITIES });
  return async (body: unknown, role = 'editor') => {
    const identity = role === '' ? ANONYMOUS : { id: 1, role, capabilities: capabilitiesOf(role) };
    const response = await engine.dispatch(
      createRequest('/builder/rendered_content', { method: 'POST', body, siteUrl: 'http://site.test' }),
      identity,
    );
    return { status: response.status, body: response.body as Readonly<Record<string, unknown>> };
  };
}

const test = suite('builder rendered_content');

const CASES: readonly (readonly [label: string, content: string, html: string])[] = [
  ['paragraphs', 'One\n\nTwo\nthree', '<p>One</p>\n<p>Two<br />\nthree</p>\n'],
  ['blocks', '<!-- cms:paragraph --><p>One</p><!-- /cms:paragraph -->', '<p>One</p>'],
  [
    'layout',
    '[builder_container][builder_row][builder_column type="1_1"][builder_text]One\n\nTwo[/builder_text][/builder_column][/builder_row][/builder_container]',
    '<section><div><div><p>One</p>\n<p>Two</p></div></div></section>\n',
  ],
  ['a title', '[builder_title size="3"]Hello[/builder_title]', '<h3>Hello</h3>\n'],
  [
    'a button with its link',
    '[builder_button link="/go/?a=1&amp;b=2" title="Go on" target="_blank"]Go[/builder_button]',
    '<p><a href="http://site.test/go/?a=1&amp;b=2" title="Go on" target="_blank">Go</a></p>\n',
  ],
  [
    'a button with a dangerous link',
    '[builder_button link="javascript:alert(1)"]Go[/builder_button]',
    '<p><a>Go</a></p>\n',
  ],
  [
    'titles of toggles and tabs',
    '[builder_toggle title="More &amp; more"]One[/builder_toggle][builder_tab title="Tab"]Two[/builder_tab]',
    '<div><h2>More &amp; more</h2>\n<p>One</p></div>\n<div><h2>Tab</h2>\n<p>Two</p></div>\n',
  ],
  [
    'a box with its link',
    '[builder_content_box title="Box" link="/b" linktext="Read"]One[/builder_content_box]',
    '<div><h2><a href="http://site.test/b">Box</a></h2>\n<p>One</p><p><a href="http://site.test/b">Read</a></p>\n</div>\n',
  ],
  [
    'code in base64',
    '[builder_code]PHA+w4l0w6kgPGI+eDwvYj48L3A+PHNjcmlwdD4xPC9zY3JpcHQ+[/builder_code]',
    '<p>Été <b>x</b></p>1',
  ],
  ['code that is not base64', '[builder_code]a < b[/builder_code]', '<p>a &lt; b</p>\n'],
  [
    'an unknown shortcode goes, its content stays in the sentence',
    'A [shout volume="9"]loud[/shout] word',
    '<p>A loud word</p>\n',
  ],
  [
    'an unknown wrapper around blocks',
    '[x_wrap a="1"][builder_text]One[/builder_text][/x_wrap]',
    '<p>One</p>\n',
  ],
  ['brackets in sentences', 'He said [sic] so [1].', '<p>He said [sic] so [1].</p>\n'],
  [
    'a gallery',
    '[gallery ids="1,2,99,x"]',
    '<figure class="gallery"><figure><img src="http://site.test/uploads/2024/a%20b.jpg" alt="A &quot;b&quot;" width="10" height="20" /></figure></figure>\n',
  ],
  ['an empty gallery', '[gallery]', ''],
  [
    'absolute addresses',
    '<p><a href="/en/x/?a=1&amp;b=2#c">x</a> <a href="y">y</a> <a href="#top">t</a> <a href="mailto:a@b.test">m</a> <img src="//cdn.test/a.png" srcset="/a.png 1x, /b.png 2x"></p>',
    '<p><a href="http://site.test/en/x/?a=1&amp;b=2#c">x</a> <a href="http://site.test/en/y">y</a> <a href="#top">t</a> <a href="mailto:a@b.test">m</a> <img src="http://cdn.test/a.png" srcset="http://site.test/a.png 1x, http://site.test/b.png 2x"></p>\n',
  ],
  [
    'nothing active',
    '<p onclick="x()">a<script>alert(1)</script><a href="javascript:x">b</a></p>',
    '<p>aalert(1)<a>b</a></p>\n',
  ],
  ['nothing', '', ''],
];

for (const [label, content, html] of CASES) {
  test(label, async () => {
    const { status, body } = await (await createSite())({ content });
    assert.is(status, 200);
    assert.equal(body, { content: html });
    checkAnswer(builderDescriptor, ['POST', '/builder/rendered_content'], body);
  });
}

test('shortcodes of the host, cleaned like everything else', async () => {
  const ask = await createSite({
    shortcodes: {
      badge: {
        block: false,
        render: async ({ attributes, inner }: { attributes: Record<string, string>; inner: string }) =>
          `<b onclick="x()">${attributes['kind']}: ${inner}</b>`,
      },
    },
  });
  assert.equal((await ask({ content: 'A [badge kind="new"]shop[/badge]' })).body, {
    content: '<p>A <b>new: shop</b></p>\n',
  });
});

test('counts when asked to', async () => {
  const { body } = await (
    await createSite()
  )({ content: '<h2>A <em>title</em></h2><p>Three more words</p>', with: 'stats' });
  assert.equal([body['word_count'], body['headings']], [5, [{ level: 2, text: 'A title' }]]);
  checkAnswer(builderDescriptor, ['POST', '/builder/rendered_content'], body);
});

for (const [label, body, status, code] of [
  ['no content', {}, 400, 'rest_missing_callback_param'],
  ['a number', { content: 5 }, 400, 'rest_invalid_param'],
  ['a list', { content: ['x'] }, 400, 'rest_invalid_param'],
  ['another extra', { content: 'x', with: 'all' }, 400, 'rest_invalid_param'],
  ['too much', { content: 'é'.repeat(500_001) }, 413, 'builder_content_too_large'],
  [
    'too deep',
    {
      content: `${Array.from({ length: 21 }, (_each, index) => `[c${index}]`).join('')}${Array.from({ length: 21 }, (_each, index) => `[/c${20 - index}]`).join('')}`,
    },
    400,
    'builder_nested_too_deep',
  ],
  ['too many', { content: '[gallery]'.repeat(4001) }, 400, 'builder_too_many_shortcodes'],
] as const) {
  test(`refuses ${label}`, async () => {
    const answer = await (await createSite())(body);
    assert.equal([answer.status, answer.body['code']], [status, code]);
  });
}

test('is for editors', async () => {
  const ask = await createSite();
  assert.equal(
    [(await ask({ content: 'x' }, '')).status, (await ask({ content: 'x' }, 'author')).status],
    [401, 403],
  );
});

test('an invalid shortcode of the host is an error at start', async () => {
  for (const shortcodes of [
    'x',
    { 'Bad Name': { block: true, render: () => '' } },
    { good: { render: () => '' } },
  ]) {
    const made = await createSite({ shortcodes }).then(
      () => null,
      (error: unknown) => error,
    );
    assert.instance(made, TypeError);
  }
});

test.run();
