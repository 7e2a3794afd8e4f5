import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { createSite, type Site } from '../../../../registry/index.ts';
import { collections } from '../../../../registry/index.ts';
import { loadFixture, type Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { listDangling, parseHead, type ParsedHead } from './head/parse-head.ts';

const DEMO = JSON.parse(
  readFileSync(new URL('../../../../../examples/demo-site.json', import.meta.url), 'utf8'),
) as Fixture;
const SITE_URL = 'http://localhost';
const ADDRESSES: ReadonlySet<string> = new Set(['og:url', 'og:image', 'article:publisher', 'article:author']);

async function openDemo(): Promise<Site> {
  const store = createMemoryStore(collections);
  await loadFixture(store, DEMO);
  return createSite({ store, log: () => undefined });
}

async function ask(site: Site, target: string): Promise<{ readonly status: number; readonly body: unknown }> {
  return site.engine.dispatch(createRequest(target, { siteUrl: SITE_URL }));
}

async function listLinks(site: Site, language: string): Promise<readonly string[]> {
  const { body } = await ask(site, `/cms/v2/posts?per_page=100&ml_language=${language}`);
  return (body as readonly { link: string }[]).map(({ link }) => link);
}

async function readHead(
  site: Site,
  url: string,
): Promise<{ readonly status: number; readonly head: ParsedHead; readonly html: string }> {
  const { status, body } = await ask(site, `/seo/v1/get_head?url=${encodeURIComponent(url)}`);
  const { html } = body as { html: string };
  return { status, html, head: parseHead(html) };
}

/** Requirements for every head. */
function checkHead(html: string, head: ParsedHead): void {
  assert.equal(
    [...new Set(head.tags)].filter((tag) => !['title', 'meta', 'link', 'script'].includes(tag)),
    [],
  );
  assert.equal(
    [
      head.tags.filter((tag) => tag === 'title').length,
      head.tags.filter((tag) => tag === 'script').length,
      head.stray,
    ],
    [1, 1, ''],
  );
  assert.ok(head.title.length > 0);
  assert.is(html.split('\n').length, head.tags.length);
  for (const [name, content] of Object.entries(head.meta)) {
    assert.ok(name !== '' && content !== '', name);
    if (ADDRESSES.has(name)) assert.ok(URL.canParse(content), content);
  }
  for (const { href = '' } of head.links) assert.ok(href.startsWith(`${SITE_URL}/`), href);
  assert.equal(listDangling(head.graph), []);
}

const heads = suite('heads of the demo site');

heads('every public post has a valid head at its own URL', async () => {
  const site = await openDemo();
  for (const language of ['en', 'fr']) {
    const links = await listLinks(site, language);
    assert.ok(links.length >= 10);
    for (const link of links) {
      const { status, head, html } = await readHead(site, link);
      assert.is(status, 200);
      checkHead(html, head);
      assert.is(head.links.find(({ rel }) => rel === 'canonical')?.['href'], link);
    }
  }
  await site.close();
});

heads('alternates of a post name each other', async () => {
  const site = await openDemo();
  const namesOf = async (url: string) =>
    (await readHead(site, url)).head.links
      .filter(({ rel }) => rel === 'alternate')
      .map(({ hreflang, href = '' }) => [hreflang, href] as const);
  let joined = 0;
  for (const link of await listLinks(site, 'fr')) {
    const names = await namesOf(link);
    if (names.length === 0) continue;
    joined += 1;
    for (const [, href] of names) assert.equal(await namesOf(href), names);
    assert.ok(names.some(([hreflang]) => hreflang === 'x-default'));
  }
  assert.ok(joined >= 5);
  await site.close();
});

heads('home pages, archives and the error page', async () => {
  const site = await openDemo();
  for (const [path, status] of [
    ['/en/', 200],
    ['/fr/', 200],
    ['/en/page/2/', 200],
    ['/en/?s=pie', 200],
    ['/en/none/', 404],
    ['/en/page/9/', 404],
  ] as const) {
    const answer = await readHead(site, `${SITE_URL}${path}`);
    assert.is(answer.status, status);
    checkHead(answer.html, answer.head);
  }
  await site.close();
});

heads.run();
