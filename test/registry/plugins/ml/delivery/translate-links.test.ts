// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPage } from '../../../../../registry/plugins/ml/delivery/translate-links.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  readTranslation,
  type MlSite,
} from '../ml-site.ts';

const PAGES = 'http://127.0.0.1:8787';

/** Writes the source text and applies a translation of it in which "Hello" is "Bonjour". Returns the new content. */
async function translate(site: MlSite, content: string): Promise<any> {
  await site.ports.store.commit([{ op: 'update', collection: 'posts', id: 107, values: { content } }]);
  const job = await createJob(site, 107);
  await deliverJob(site, job);
  return (await applyJob(site, job, 107)).content.raw;
}

/** A site where post 101 has a published translation, `post-101-fr`. Returns the address of its pages. */
async function createLinked(): Promise<{
  readonly site: MlSite;
  readonly home: string;
  readonly translated: number;
}> {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  const { id, link } = await applyJob(site, job);
  checkStatus(await site.ask('editor', `POST /cms/v2/posts/${id}`, { status: 'publish' }), 200);
  return { site, home: new URL(link).origin, translated: id };
}

const ROWS: readonly (readonly [name: string, link: string, expected: string])[] = [
  ['absolute', 'HOME/en/post-101/', 'HOME/fr/post-101-fr/'],
  ['of the other scheme', 'https:HOST/en/post-101/', 'https:HOST/fr/post-101-fr/'],
  ['without scheme', 'HOST/en/post-101/', 'HOST/fr/post-101-fr/'],
  ['from the root', '/en/post-101/', '/fr/post-101-fr/'],
  [
    'without the last slash, with query and fragment',
    '/en/post-101?a=1&amp;b=%20&c#top',
    '/fr/post-101-fr/?a=1&amp;b=%20&c#top',
  ],
  ['without a language', '/post-101/#x', '/fr/post-101-fr/#x'],
  ['relative', '../post-101/', '/fr/post-101-fr/'],
  ['by number', '/en/?p=101', '/fr/post-101-fr/'],
  ['by number, with query and fragment', '/?utm=1&amp;p=101&amp;x=2#f', '/fr/post-101-fr/?utm=1&amp;x=2#f'],
  ['to a term', '/en/category/sports/', '/fr/category/le-sport/'],
  ['to a post without translation', '/en/post-103/?x#y', '/en/post-103/?x#y'],
  ['to a term that the first job translated', '/en/category/news/?x', '/fr/category/nouvelles/?x'],
  ['to an unknown term', '/en/category/nothing/', '/en/category/nothing/'],
  ['to a post in the trash', '/?p=106', '/?p=106'],
  ['to a translation', '/fr/post-101-fr/', '/fr/post-101-fr/'],
  ['to a post of another language', '/nl/post-105/', '/nl/post-105/'],
  ['to another site', 'https://example.org/en/post-101/', 'https://example.org/en/post-101/'],
  ['to an unknown page', '/en/nothing/', '/en/nothing/'],
  ['within the page', '#post-101', '#post-101'],
  ['by mail', 'mailto:post-101@example.org', 'mailto:post-101@example.org'],
  ['with references in its path', '/en&#47;post-101/', '/en&#47;post-101/'],
];

const links = suite('internal links of a translation');
links('lead to the translation of their target, if it has one', async () => {
  const { site, home } = await createLinked();
  const fill = (text: string): string =>
    text.replace('HOME', home).replace('HOST', home.replace('http:', ''));
  const toContent = (word: string, column: 1 | 2): string =>
    ROWS.map((row) => `<p>${word} <a class="l" href="${fill(row[column])}">there</a></p>`).join('\n');
  const found = await translate(site, toContent('Hello', 1));
  const lines = found.split('\n');
  for (const [index, [name, , expected]] of ROWS.entries())
    assert.is(lines[index], `<p>Bonjour <a class="l" href="${fill(expected)}">there</a></p>`, name);
});
links('a new translation has the translation of the featured image, if there is one', async () => {
  const site = await createMlSite();
  const file = (id: number, language: string, status = 'inherit') =>
    ({
      op: 'create',
      collection: 'media',
      values: {
        id,
        language,
        status,
        group: language === '' ? 0 : id < 34 ? 30 : 34,
        mime_type: 'image/png',
      },
    }) as const;
  await site.ports.store.commit([file(30, 'en'), file(31, 'fr'), file(32, 'nl', 'private'), file(33, '')]);
  // The only translation of 34 is in the trash.
  await site.ports.store.commit([file(34, 'en'), file(35, 'fr', 'trash')]);
  const featured: number[] = [];
  for (const [id, image] of [
    [101, 30],
    [107, 33],
    [104, 34],
  ] as const) {
    await site.ports.store.commit([
      { op: 'update', collection: 'posts', id, values: { featured_media: image } },
    ]);
    const job = await createJob(site, id);
    await deliverJob(site, job);
    featured.push((await applyJob(site, job, id)).featured_media);
  }
  assert.equal(featured, [31, 33, 34]);
});

links('of a text that equals its source stay byte for byte, as the text does', async () => {
  const { site } = await createLinked();
  const content = '<p><a href="/en/post-101/">101</a></p>';
  assert.is(await translate(site, content), content);
});
links('lead to a draft by its number, so that its slug stays unknown', async () => {
  const { site, translated } = await createLinked();
  checkStatus(await site.ask('editor', `POST /cms/v2/posts/${translated}`, { status: 'draft' }), 200);
  assert.is(
    await translate(site, '<p>Hello <a href="/en/post-101/?a=1#b">x</a></p>'),
    `<p>Bonjour <a href="/fr/?p=${translated}&amp;a=1#b">x</a></p>`,
  );
});
links('follow in the excerpt, and nowhere but in href', async () => {
  const { site } = await createLinked();
  await site.ports.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 107,
      values: { excerpt: 'Hello <a href="/en/post-101/" title="/en/post-101/">/en/post-101/</a>' },
    },
  ]);
  await translate(site, '<!-- cms:image {"link":"/en/post-101/"} /--><p data-href="/en/post-101/">Hello</p>');
  const { content, excerpt } = await readTranslation(site, 107);
  assert.is(excerpt.raw, 'Bonjour <a href="/fr/post-101-fr/" title="/en/post-101/">/en/post-101/</a>');
  assert.is(
    content.raw,
    '<!-- cms:image {"link":"/en/post-101/"} /--><p data-href="/en/post-101/">Bonjour</p>',
  );
});
links('of footnotes follow, and the notes stay valid JSON', async () => {
  const { site } = await createLinked();
  const footnotes =
    '[{"content":"Hello \\"you\\" <a href=\\"/en/post-101/\\">\\u2014</a>","id":"a-1"},{"content":"Same","id":"b-2"}]';
  await site.ports.store.commit([
    { op: 'update', collection: 'posts', id: 107, values: { meta: { footnotes } } },
  ]);
  await translate(site, '<p>Hello</p>');
  const { meta } = await readTranslation(site, 107);
  assert.equal(JSON.parse(meta.footnotes), [
    { content: 'Bonjour "you" <a href="/fr/post-101-fr/">—</a>', id: 'a-1' },
    { content: 'Same', id: 'b-2' },
  ]);
});
links.run();

const pages = suite('toPage');
pages('a page on another origin is written in full', () => {
  assert.is(
    toPage('/en/a/?x#y', 'https://fr.example.org/b/', { byId: false, pagesUrl: PAGES }),
    'https://fr.example.org/b/?x#y',
  );
});
pages.run();
