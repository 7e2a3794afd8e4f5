import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundRefused, type Outbound, type OutboundRequest } from '../../../../lib/ports/outbound.ts';
import { createOembedSite, HOME, type OembedOptions } from './oembed-site.ts';

const ask = (url: string, more = ''): string => `url=${encodeURIComponent(url)}${more}`;

interface Page {
  readonly text: string;
  readonly status?: number;
  readonly url?: string;
}

/** An outside world of a few pages. Requests for any other page are refused. */
function createWorld(pages: Readonly<Record<string, Page>>): {
  readonly outbound: Outbound;
  readonly asked: OutboundRequest[];
} {
  const asked: OutboundRequest[] = [];
  return {
    asked,
    outbound: (request) => {
      asked.push(request);
      const page = pages[request.url];
      if (page === undefined)
        return Promise.reject(new OutboundRefused(new Error(`secret reason for ${request.url}`)));
      return Promise.resolve({
        status: page.status ?? 200,
        url: page.url ?? request.url,
        headers: {},
        body: new TextEncoder().encode(page.text),
      });
    },
  };
}

const PAGE = 'http://blog.test/post';
const link = (type: string, href: string): string =>
  `<link rel="alternate" type="${type}+oembed" href="${href}">`;
const head = (...links: readonly string[]): Page => ({
  text: `<!doctype html><html><head><title>x</title>${links.join('')}</head><body>y</body></html>`,
});
const RICH = {
  version: '1.0',
  type: 'rich',
  title: 'There',
  html: '<blockquote>q <a href="http://blog.test/">l</a></blockquote><iframe src="https://blog.test/e" width="300"></iframe>',
};
const DESCRIBED = 'http://blog.test/oembed?maxwidth=600&maxheight=900';

function blog(
  answer: unknown,
  page = head(link('application/json', '/oembed')),
): Readonly<Record<string, Page>> {
  return {
    [PAGE]: page,
    [DESCRIBED]: { text: typeof answer === 'string' ? answer : JSON.stringify(answer) },
  };
}

const rights = suite('oembed proxy rights');

for (const [login, status] of [
  [undefined, 401],
  ['subscriber', 403],
  ['translator', 403],
  ['contributor', 404],
  ['author', 404],
  ['editor', 404],
  ['administrator', 404],
] as const) {
  rights(`${login ?? 'nobody'} gets ${status}`, async () => {
    const { asked, outbound } = createWorld({});
    const { body } = await (await createOembedSite({ outbound })).get('proxy', ask(PAGE), login);
    const { code, data } = body as { code: string; data: { status: number } };
    assert.equal([code, data.status], [status === 404 ? 'oembed_invalid_url' : 'rest_forbidden', status]);
    assert.is(asked.length, status === 404 ? 1 : 0);
  });
}

for (const [query, code] of [
  ['', 'rest_missing_callback_param'],
  ['format=yaml', 'rest_missing_callback_param'],
  [ask(PAGE, '&format=yaml'), 'rest_invalid_param'],
  [ask(PAGE, '&discover=maybe'), 'rest_invalid_param'],
  [ask(PAGE, '&maxwidth=wide'), 'oembed_invalid_url'],
  [ask(PAGE, '&maxheight=tall&maxwidth='), 'oembed_invalid_url'],
] as const) {
  rights(`"${query}" is ${code}`, async () => {
    const { body } = await (
      await createOembedSite({ outbound: createWorld({}).outbound })
    ).get('proxy', query, 'administrator');
    assert.is((body as { code: string }).code, code);
  });
}

rights.run();

const own = suite('oembed proxy of own pages');

own('responds from the store, even without outbound requests', async () => {
  const { asked, outbound } = createWorld({});
  for (const options of [{}, { outbound }] satisfies OembedOptions[]) {
    const { get } = await createOembedSite(options);
    const { status, body } = await get('proxy', ask(`${HOME}/alpha/`), 'author');
    assert.equal([status, (body as { title: string }).title], [200, 'Alpha']);
    assert.is((await get('proxy', ask(`${HOME}/draft-post/`), 'administrator')).status, 404);
  }
  assert.is(asked.length, 0);
});

own.run();

const off = suite('oembed proxy without outbound requests');

off('responds with an error if a request is needed', async () => {
  const { status, body } = await (await createOembedSite()).get('proxy', ask(PAGE), 'author');
  assert.is(status, 503);
  assert.equal((body as { data: unknown }).data, { status: 503, service: 'oembed-outbound' });
});

for (const query of [ask(PAGE, '&discover=false'), ask('nonsense'), ask('ftp://blog.test/'), 'url=']) {
  off(`${query} is not found`, async () => {
    assert.is((await (await createOembedSite()).get('proxy', query, 'author')).status, 404);
  });
}

off.run();

const table = suite('oembed proxy of known providers');

const CAT = 'https://www.youtube.com/watch?v=cat';
const CAT_ASKED = `https://www.youtube.com/oembed?url=${encodeURIComponent(CAT).replaceAll('%20', '+')}&format=json&maxwidth=600&maxheight=900`;

table('asks the provider and passes its HTML on', async () => {
  const html = '<iframe src="https://www.youtube.com/embed/cat" allowfullscreen></iframe>';
  const { asked, outbound } = createWorld({
    [CAT_ASKED]: {
      text: JSON.stringify({ type: 'video', html, title: 'Cat', width: '480', height: 270, evil: 1 }),
    },
  });
  const { status, body } = await (await createOembedSite({ outbound })).get('proxy', ask(CAT), 'author');
  assert.equal(
    asked.map(({ url }) => url),
    [CAT_ASKED],
  );
  assert.is(status, 200);
  assert.equal(body, { version: '1.0', type: 'video', title: 'Cat', width: 480, height: 270, html });
});

table('is asked instead of the page even when it has no answer', async () => {
  const { asked, outbound } = createWorld({});
  assert.is((await (await createOembedSite({ outbound })).get('proxy', ask(CAT), 'author')).status, 404);
  assert.is(asked.length, 1);
});

for (const url of [
  'https://youtube.com.evil.test/watch?v=1',
  'https://evil.test/youtube.com/watch',
  'https://evilyoutube.com/watch',
  'https://www.youtube.com/other',
]) {
  table(`${url} is a page like any other`, async () => {
    const { asked, outbound } = createWorld({});
    await (await createOembedSite({ outbound })).get('proxy', ask(url), 'author');
    assert.equal(
      asked.map((request) => request.url),
      [url],
    );
  });
}

table('the host brings a table of its own, which is checked at the start', async () => {
  const providers = [{ hosts: ['*.own.test'], endpoint: 'https://own.test/o?key=1' }];
  const { asked, outbound } = createWorld({});
  const { get } = await createOembedSite({ outbound, settings: { providers } });
  await get('proxy', ask('http://a.own.test/x', '&maxwidth=100&maxheight=50'), 'author');
  assert.is(
    asked[0]?.url,
    'https://own.test/o?key=1&url=http%3A%2F%2Fa.own.test%2Fx&format=json&maxwidth=100&maxheight=50',
  );
  for (const wrong of [
    'x',
    [{}],
    [{ hosts: 'a', endpoint: 'https://a.test' }],
    [{ hosts: ['a'], endpoint: 'file:///a' }],
    [{ hosts: ['a'], paths: [1], endpoint: 'https://a.test' }],
  ]) {
    const error: unknown = await createOembedSite({ settings: { providers: wrong } }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, TypeError);
  }
});

table.run();

const discovery = suite('oembed proxy by discovery');

discovery('follows the link in the head and filters the HTML', async () => {
  const { asked, outbound } = createWorld(
    blog({ ...RICH, url: 'javascript:alert(1)', thumbnail_url: 'data:x', provider_url: 'http://blog.test' }),
  );
  const { status, body } = await (
    await createOembedSite({ outbound })
  ).get('proxy', ask(PAGE), 'contributor');
  assert.is(status, 200);
  assert.equal(body, {
    version: '1.0',
    type: 'rich',
    title: 'There',
    provider_url: 'http://blog.test',
    html: '<blockquote>q <a href="http://blog.test/">l</a></blockquote><iframe src="https://blog.test/e" sandbox="allow-scripts" security="restricted" width="300" title=""></iframe>',
  });
  assert.equal(
    asked.map(({ url }) => url),
    [PAGE, DESCRIBED],
  );
  assert.ok(asked.every(({ signal }) => signal !== undefined));
});

discovery('reads XML', async () => {
  const text =
    '<?xml version="1.0"?><oembed><version>1.0</version><type>link</type><title>A &amp; B</title></oembed>';
  const { outbound } = createWorld(blog(text, head(link('text/xml', '/oembed'))));
  const { body } = await (await createOembedSite({ outbound })).get('proxy', ask(PAGE), 'author');
  assert.equal(body, {
    version: '1.0',
    type: 'link',
    title: 'A & B',
    html: `<a href="${PAGE}">A &amp; B</a>`,
  });
});

discovery('builds the HTML of a picture', async () => {
  const { outbound } = createWorld(
    blog({ type: 'photo', url: 'https://blog.test/"p.png', title: '"><script>', width: 10, height: 5 }),
  );
  const { body } = await (await createOembedSite({ outbound })).get('proxy', ask(PAGE), 'author');
  assert.is(
    (body as { html: string }).html,
    `<a href="${PAGE}"><img src="https://blog.test/&quot;p.png" alt="&quot;&gt;" width="10" height="5"></a>`,
  );
});

discovery('is not done when not wanted', async () => {
  const { asked, outbound } = createWorld(blog(RICH));
  assert.is(
    (await (await createOembedSite({ outbound })).get('proxy', ask(PAGE, '&discover=false'), 'author'))
      .status,
    404,
  );
  assert.is(asked.length, 0);
});

for (const [name, pages] of [
  ['a page without a link', { [PAGE]: head() }],
  [
    'a page that is gone',
    {
      [PAGE]: { ...head(link('application/json', '/oembed')), status: 404 },
      [DESCRIBED]: { text: JSON.stringify(RICH) },
    },
  ],
  ['a description that cannot be fetched', { [PAGE]: head(link('application/json', '/oembed')) }],
  ['not JSON', blog('<html>')],
  ['JSON that is not a record', blog('null')],
  ['a list', blog('[]')],
  ['no type', blog({ ...RICH, type: undefined })],
  ['an unknown type', blog({ ...RICH, type: 'widget' })],
  ['HTML that is not text', blog({ ...RICH, html: {} })],
  ['HTML of which nothing is left', blog({ ...RICH, html: '<script>alert(1)</script><p>text</p>' })],
  ['very long HTML', blog({ ...RICH, html: `<blockquote>${'x'.repeat(70_000)}</blockquote>` })],
  ['a picture without address', blog({ type: 'photo', width: 1, height: 1 })],
  ['a picture of another scheme', blog({ type: 'photo', url: 'javascript:alert(1)', width: 1, height: 1 })],
  [
    'XML with a DOCTYPE',
    blog(
      '<!DOCTYPE oembed [<!ENTITY x SYSTEM "file:///etc/passwd">]><oembed><type>link</type><title>&x;</title></oembed>',
      head(link('text/xml', '/oembed')),
    ),
  ],
] as const satisfies readonly (readonly [string, Readonly<Record<string, Page>>])[]) {
  discovery(`${name} is not found`, async () => {
    const { outbound } = createWorld(pages);
    const { status, body } = await (await createOembedSite({ outbound })).get('proxy', ask(PAGE), 'author');
    assert.equal(
      [status, body],
      [404, { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } }],
    );
  });
}

discovery('the reason of a refusal goes to the log alone', async () => {
  const { get, logged } = await createOembedSite({ outbound: createWorld({}).outbound });
  const { text } = await get('proxy', ask(PAGE), 'author');
  assert.not.match(text, 'secret');
  assert.match(String(logged[0]?.error), 'secret reason');
  assert.is(logged[0]?.level, 'warn');
});

discovery('a bug is not treated as a refusal', async () => {
  const { get } = await createOembedSite({ outbound: () => Promise.reject(new TypeError('mistake')) });
  assert.is((await get('proxy', ask(PAGE), 'author')).status, 500);
});

discovery.run();

const memory = suite('oembed proxy memory');

memory('caches a response for one day, and the absence of one for five minutes', async () => {
  let now = 0;
  const pages: Record<string, Page> = {};
  const { asked, outbound } = createWorld(pages);
  const { get } = await createOembedSite({ outbound, now: () => now });
  const status = async (): Promise<number> => (await get('proxy', ask(PAGE), 'author')).status;
  assert.equal([await status(), await status(), asked.length], [404, 404, 1]);
  Object.assign(pages, blog(RICH));
  now += 5 * 60 * 1000 - 1;
  assert.is(await status(), 404);
  now += 1;
  assert.equal([await status(), await status(), asked.length], [200, 200, 3]);
  for (const page of Object.keys(pages)) delete pages[page];
  now += 24 * 60 * 60 * 1000 - 1;
  assert.is(await status(), 200);
  now += 1;
  assert.is(await status(), 404);
});

memory('other sizes are other responses', async () => {
  const { asked, outbound } = createWorld({});
  const { get } = await createOembedSite({ outbound });
  for (const more of ['', '&maxwidth=600', '&maxwidth=500', '&maxheight=100', '&format=xml'])
    await get('proxy', ask(PAGE, more), 'author');
  assert.is(asked.length, 3);
});

memory.run();
