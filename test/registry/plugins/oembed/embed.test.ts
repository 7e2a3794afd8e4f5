import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childElements, parseXml, textOf } from '../../../../registry/core/content/xml.ts';
import { TEST_NOW } from '../../../support/ports.ts';
import { createOembedSite, HOME, SITE_URL } from './oembed-site.ts';

const ask = (url: string, more = ''): string => `url=${encodeURIComponent(url)}${more}`;

const embed = suite('oembed embed');

embed('describes a post', async () => {
  const { get } = await createOembedSite();
  const { status, type, body } = await get('embed', ask(`${HOME}/alpha/`));
  assert.is(status, 200);
  assert.is(type, 'application/json; charset=UTF-8');
  assert.equal(body, {
    version: '1.0',
    provider_name: 'Test &amp; Site',
    provider_url: HOME,
    author_name: 'Admin',
    author_url: `${HOME}/author/admin-slug/`,
    title: 'Alpha',
    type: 'rich',
    width: 600,
    height: 338,
    html: `<blockquote class="cms-embedded-content"><a href="${HOME}/alpha/">Alpha</a></blockquote>`,
    thumbnail_url: `${SITE_URL}/uploads/2023/12/pic%20ture.png`,
    thumbnail_width: 640,
    thumbnail_height: 480,
  });
});

for (const [url, title] of [
  [`${HOME}/alpha/`, 'Alpha'],
  [`${HOME}/alpha`, 'Alpha'],
  [`${HOME}/ALPHA/`, 'Alpha'],
  [`${HOME}/?p=101`, 'Alpha'],
  [`${HOME}?p=101`, 'Alpha'],
  [`${SITE_URL}/?p=101`, 'Alpha'],
  [`${SITE_URL}/fr/?p=101`, 'Alpha'],
  [`https://site.test/en/alpha/`, 'Alpha'],
  [`${HOME}/alpha/?utm=x#part`, 'Alpha'],
  [`${SITE_URL}/alpha/`, 'Alpha'],
  [`${SITE_URL}/fr/alpha/`, 'Alpha en français'],
  [`${SITE_URL}/nl/nederlands/`, 'Nederlands'],
  [`${HOME}/日/`, '日'],
  [`${HOME}/%E6%97%A5/`, '日'],
  [`${HOME}/protected/`, 'Protected: Protected one'],
  [`${HOME}/?p=126`, 'Protected: Protected one'],
] as const) {
  embed(`finds ${url}`, async () => {
    const { status, body } = await (await createOembedSite()).get('embed', ask(url));
    assert.equal([status, (body as { title?: string }).title], [200, title]);
  });
}

for (const url of [
  '',
  'alpha',
  '/en/alpha/',
  'http://example.org/x',
  `${HOME}/`,
  HOME,
  SITE_URL,
  `${HOME}/no-such-post/`,
  `${HOME}/nederlands/`,
  `${HOME}/alpha/more/`,
  'http://site.test.evil.test/en/alpha/',
  'http://site.test:81/en/alpha/',
  'http://user@site.test/en/alpha/',
  'ftp://site.test/en/alpha/',
  'javascript:alert(1)',
  `${HOME}/?p=0`,
  `${HOME}/?p=-101`,
  `${HOME}/?p=101x`,
  `${HOME}/?p=99999999999999999999`,
  `${HOME}/?p=999`,
  `${HOME}/?p[]=101`,
  `${HOME}/%E6/`,
  `${HOME}/template/`,
  `${HOME}/?p=150`,
  ...['draft', 'pending', 'private', 'future', 'trash', 'auto-draft', 'inherit'].map(
    (status) => `${HOME}/${status}-post/`,
  ),
  ...[135, 136, 137, 138, 139, 140, 141].map((id) => `${HOME}/?p=${id}`),
]) {
  embed(`"${url}" is not found, for any caller`, async () => {
    const { get } = await createOembedSite();
    for (const login of [undefined, 'administrator']) {
      const { status, body } = await get('embed', ask(url), login);
      assert.is(status, 404);
      assert.equal(body, { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } });
    }
  });
}

embed('shows only the title and link of a protected post', async () => {
  const { get } = await createOembedSite();
  for (const format of ['json', 'xml']) {
    const { text } = await get('embed', ask(`${HOME}/protected/`, `&format=${format}`));
    assert.not.match(text, /canary|thumbnail|sesame/);
    assert.match(text, 'Protected: Protected one');
  }
});

embed('a scheduled post is found from its date on', async () => {
  for (const [now, status] of [
    [TEST_NOW - 1000, 404],
    [TEST_NOW, 200],
  ] as const) {
    assert.is(
      (await (await createOembedSite({ now: () => now })).get('embed', ask(`${HOME}/due/`))).status,
      status,
    );
  }
});

embed('without an author the site is the author', async () => {
  const { body } = await (await createOembedSite()).get('embed', ask(`${HOME}/quotes/`));
  const { author_name: name, author_url: url } = body as Record<string, string>;
  assert.equal([name, url], ['Test &amp; Site', HOME]);
});

embed('the title is rendered; the link contains its text only', async () => {
  const { get } = await createOembedSite();
  const { title, html } = (await get('embed', ask(`${HOME}/quotes/`))).body as Record<string, string>;
  assert.is(title, 'Fish &#038; <b>"chips"</b> &lt;now&gt;');
  assert.match(html ?? '', '>Fish &amp; "chips" &lt;now&gt;</a>');
  const untitled = (await get('embed', ask(`${HOME}/no-title/`))).body as Record<string, string>;
  assert.is(untitled['title'], '');
  assert.match(untitled['html'] ?? '', `>${HOME}/no-title/</a>`);
});

for (const [maxwidth, width, height] of [
  ['400', 400, 225],
  ['100', 200, 200],
  ['0', 200, 200],
  ['-5', 200, 200],
  ['-400', 400, 225],
  ['200', 200, 200],
  ['250.5', 250, 200],
  ['9999', 600, 338],
  ['wide', 200, 200],
  ['', 200, 200],
  ['356', 356, 201],
  ['1e9', 200, 200],
  ['Infinity', 200, 200],
  ['99999999999999999999', 600, 338],
] as const) {
  embed(`maxwidth ${maxwidth} is ${width} by ${height}`, async () => {
    const { body } = await (
      await createOembedSite()
    ).get('embed', ask(`${HOME}/alpha/`, `&maxwidth=${maxwidth}`));
    const { width: w, height: h } = body as Record<string, number>;
    assert.equal([w, h], [width, height]);
  });
}

for (const shape of ['maxwidth[length]=3', 'maxwidth[]=3', 'maxwidth[a][b]=3', 'maxwidth[toString]=3']) {
  embed(`${shape} is refused, by the proxy too`, async () => {
    const { get } = await createOembedSite();
    for (const [route, login] of [
      ['embed', undefined],
      ['proxy', 'author'],
    ] as const) {
      const { status, body } = await get(route, ask(`${HOME}/alpha/`, `&${shape}`), login);
      const { code, data } = body as { code: string; data: { params: unknown } };
      assert.equal(
        [status, code, data.params],
        [400, 'rest_invalid_param', { maxwidth: 'maxwidth is not of type integer.' }],
      );
    }
  });
}

embed('a missing url is named', async () => {
  const { status, body } = await (await createOembedSite()).get('embed', '');
  assert.is(status, 400);
  assert.is((body as { code: string }).code, 'rest_missing_callback_param');
});

embed('a page to embed is shown in a sandbox when the host serves it', async () => {
  const { get } = await createOembedSite({ settings: { embedPage: true } });
  const { html } = (await get('embed', ask(`${HOME}/alpha/`))).body as Record<string, string>;
  assert.match(
    html ?? '',
    /<iframe [^>]*sandbox="allow-scripts"[^>]*src="http:\/\/site\.test\/en\/alpha\/embed\/#\?secret=0102030405060708"/,
  );
  assert.not.match(html ?? '', 'script>');
});

embed.run();

const xml = suite('oembed xml');

function fieldsOf(text: string): readonly (readonly [string, string])[] {
  const root = parseXml(text);
  assert.is(root.name, 'oembed');
  return childElements(root).map((child) => [child.name, textOf(child)]);
}

xml('contains the members of the JSON response', async () => {
  const { get } = await createOembedSite();
  for (const path of ['/alpha/', '/quotes/', '/protected/']) {
    const json = (await get('embed', ask(HOME + path))).body as Record<string, unknown>;
    const { status, type, text } = await get('embed', ask(HOME + path, '&format=xml'));
    assert.equal([status, type], [200, 'text/xml; charset=UTF-8']);
    assert.equal(
      fieldsOf(text),
      Object.entries(json).map(([name, value]) => [name, String(value)]),
    );
  }
});

xml('errors are XML as well', async () => {
  const { status, type, text } = await (
    await createOembedSite()
  ).get('embed', ask(`${HOME}/none/`, '&format=xml'));
  assert.equal([status, type], [404, 'text/xml; charset=UTF-8']);
  assert.equal(fieldsOf(text), [
    ['code', 'oembed_invalid_url'],
    ['message', 'Not Found'],
    ['data', '404'],
  ]);
});

xml('_fields leaves it whole', async () => {
  const { type, text } = await (
    await createOembedSite()
  ).get('embed', ask(`${HOME}/alpha/`, '&format=xml&_fields=title'));
  assert.is(type, 'text/xml; charset=UTF-8');
  assert.ok(fieldsOf(text).length > 5);
});

for (const format of ['yaml', 'XML', '', 'json']) {
  xml(`format "${format}" is JSON`, async () => {
    const { type } = await (
      await createOembedSite()
    ).get('embed', ask(`${HOME}/alpha/`, `&format=${format}`));
    assert.is(type, 'application/json; charset=UTF-8');
  });
}

xml.run();
