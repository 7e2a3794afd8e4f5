// Whatever an author or a foreign page writes, responses must not show readers a script, an event handler or a foreign scheme. A full HTML parser decides.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { escapeXml } from '../../lib/core/escape.ts';
import { capabilitiesOf } from '../../registry/core/accounts/roles.ts';
import { collections } from '../../registry/index.ts';
import { readForeignAnswer } from '../../registry/plugins/oembed/foreign-answer.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { openHttpSite } from '../support/http-site.ts';
import { countRuns } from '../support/long-mode.ts';
import { hostileMarkup } from '../support/markup-arbitraries.ts';
import { listFaultsAnywhere, listFaultsOfEmbed, listFaultsOfHead } from '../support/markup-judge.ts';
import { createWholeSite, SITE_URL, type Asking } from '../support/whole-site.ts';

const FIXTURE: Fixture = {
  site: { name: 'Readers', timezone_string: 'UTC' },
  users: ['author', 'editor'].map((role, index) => ({
    id: index + 1,
    login: role,
    name: role,
    slug: role,
    role,
  })),
};
const OPTIONS = { config: { oembed: { embedPage: true } } };

/** Sends a request and returns the body. @throws AssertionError if the status differs */
type Ask = (asking: Pick<Asking, 'method' | 'target' | 'as' | 'body'>, status?: number) => Promise<unknown>;

interface Post {
  readonly id: number;
  readonly link: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
  readonly excerpt: { readonly rendered: string };
}

const htmlOf = (answer: unknown): string => String(Reflect.get(Object(answer), 'html'));

/** Publishes a post as an author, checks what anonymous callers see of it, and deletes it. */
async function checkPost(ask: Ask, html: string): Promise<void> {
  const written = { title: `x${html}`, content: html, excerpt: html, status: 'publish' };
  const { id } = (await ask(
    { method: 'POST', target: '/cms/v2/posts', as: 'author', body: written },
    201,
  )) as Post;
  const post = (await ask({ target: `/cms/v2/posts/${id}` })) as Post;
  for (const { rendered } of [post.title, post.content, post.excerpt])
    assert.equal(listFaultsAnywhere(rendered), [], rendered);
  const address = encodeURIComponent(post.link);
  const head = htmlOf(await ask({ target: `/seo/v1/get_head?url=${address}` }));
  assert.equal(listFaultsOfHead(head), [], head);
  const embed = htmlOf(await ask({ target: `/oembed/1.0/embed?url=${address}` }));
  assert.equal(listFaultsOfEmbed(embed), [], embed);
  await ask({ method: 'DELETE', target: `/cms/v2/posts/${id}?force=true`, as: 'author' });
}

const posts = suite('a post of an author');

posts('shows nothing that acts in its texts, its head and its oEmbed answer', async () => {
  const site = await createWholeSite({ fixture: FIXTURE, ...OPTIONS });
  const ask: Ask = async (asking, status = 200) => {
    const answer = await site.ask(asking);
    assert.is(answer.status, status, answer.text);
    return answer.body;
  };
  await fc.assert(
    fc.asyncProperty(hostileMarkup, (html) => checkPost(ask, html)),
    { numRuns: countRuns(150, 20_000) },
  );
  await site.close();
});

// A body with a NUL or with half a surrogate pair is refused before any other check.
const sendable = hostileMarkup.map((html) => Buffer.from(html.replaceAll('\0', '')).toString());

posts('shows nothing that acts over HTTP', async () => {
  const bearer = (token: string) =>
    token === 'author' ? { id: 1, role: 'author', capabilities: capabilitiesOf('author') } : null;
  const site = await openHttpSite(FIXTURE, { store: createMemoryStore(collections), bearer, ...OPTIONS });
  const ask: Ask = async ({ method = 'GET', target, as = null, body }, status = 200) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(as === null ? {} : { Authorization: `Bearer ${as}` }),
    };
    const answer = await fetch(
      `${site.origin}/en/cms-json${target}`,
      body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) },
    );
    const text = await answer.text();
    assert.is(answer.status, status, text);
    return JSON.parse(text);
  };
  try {
    await fc.assert(
      fc.asyncProperty(sendable, (html) => checkPost(ask, html)),
      { numRuns: countRuns(60, 2000) },
    );
  } finally {
    await site.close();
  }
});

posts.run();

const built = suite('rendered_content of the builder');

const layout = fc
  .tuple(
    hostileMarkup,
    hostileMarkup,
    fc.constantFrom('', 'builder_text', 'builder_title', 'builder_toggle', 'caption', 'unknown'),
  )
  .map(([first, second, name]) => (name === '' ? first : `${first}[${name} a="1"]${second}[/${name}]`));

built('contains nothing active', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  await fc.assert(
    fc.asyncProperty(layout, async (content) => {
      const { status, text, body } = await site.ask({
        method: 'POST',
        target: '/builder/rendered_content',
        as: 'editor',
        body: { content },
      });
      assert.is(status, 200, text);
      assert.equal(listFaultsAnywhere(String(Reflect.get(Object(body), 'content'))), []);
    }),
    { numRuns: countRuns(300, 20_000) },
  );
  await site.close();
});

built.run();

const foreign = suite('the oEmbed response for an untrusted page');

const TYPES = ['rich', 'video', 'photo', 'link'];
const members = fc.record({
  type: fc.constantFrom(...TYPES),
  html: hostileMarkup,
  title: hostileMarkup,
  url: fc.oneof(hostileMarkup, fc.constant('https://a.test/x.png?"onerror=alert(1)')),
});
const FORMS = {
  JSON: (answer: Readonly<Record<string, string>>) => JSON.stringify(answer),
  XML: (answer: Readonly<Record<string, string>>) =>
    `<oembed>${Object.entries(answer)
      .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
      .join('')}</oembed>`,
};

for (const [form, write] of Object.entries(FORMS)) {
  foreign(`contains nothing active, written as ${form}`, () => {
    let shown = 0;
    const numRuns = countRuns(300, 20_000);
    fc.assert(
      fc.property(members, (answer) => {
        const read = readForeignAnswer(write(answer), {
          page: `${SITE_URL}/?"><b onclick=x>`,
          isXml: form === 'XML',
          isTrusted: false,
        });
        if (read === null) return;
        shown += 1;
        assert.equal(listFaultsOfEmbed(String(read['html'])), []);
      }),
      { numRuns },
    );
    assert.ok(shown > numRuns / 10, `${shown} of ${numRuns} responses are shown`);
  });
}

foreign.run();

const judge = suite('the judge of heads');

judge('finds what acts in a head, and what ends it', () => {
  for (const html of [
    '<script>x</script>',
    '<meta http-equiv="refresh" content="0">',
    '<title onclick="x">a</title>',
    '<link rel="canonical" href="javascript:x">',
    '<img src="x">',
    'text',
    '<style>a{}</style>',
  ]) {
    assert.is.not(listFaultsOfHead(html).length, 0, html);
  }
  assert.equal(
    listFaultsOfHead(
      '<title>a</title>\n<meta name="b" content="&lt;c>" />\n<script type="application/ld+json">{}</script>',
    ),
    [],
  );
});

judge.run();
