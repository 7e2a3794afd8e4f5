import { HtmlValidate } from 'html-validate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { collections } from '../../../../../registry/index.ts';
import type { Fixture } from '../../../../../registry/transfer/fixture/fixture.ts';
import { openHttpSite } from '../../../../support/http-site.ts';

const ODD = 'A & B <i>"quoted"</i> \'single\' </title><script>x</script> — é';
const DATES = { date: '2024-01-05T10:00:00', date_gmt: '2024-01-05T09:00:00' };
const FIXTURE: Fixture = {
  site: { name: 'Site & "Co"', description: ODD },
  users: [{ id: 1, login: 'ed', slug: 'ed', password: 'edspassword', role: 'editor', name: ODD }],
  categories: [{ id: 11, name: ODD, slug: 'news', parent: 0 }],
  posts: [
    {
      id: 5,
      slug: 'odd',
      title: ODD,
      excerpt: ODD,
      content: `<p>${ODD}</p><img src="/uploads/a.png?x=1&y=2" alt="a">`,
      status: 'publish',
      author: 1,
      categories: [11],
      group: 5,
      ...DATES,
    },
    {
      id: 6,
      slug: 'etrange',
      ml_language: 'fr',
      title: 'Étrange',
      content: '<p>Mots.</p>',
      status: 'publish',
      author: 1,
      group: 5,
      ...DATES,
    },
    {
      id: 7,
      slug: 'closed',
      title: 'Closed',
      content: 'x',
      password: 'sesame',
      status: 'publish',
      author: 1,
      ...DATES,
    },
  ],
};

/** One page of each kind. */
const PAGES = [
  '/en/',
  '/fr/',
  '/en/odd/',
  '/fr/etrange/',
  '/en/closed/',
  '/en/category/news/',
  '/en/author/ed/',
  '/en/2024/01/',
  '/en/?s=%3Cb%3E',
  '/en/nowhere/',
];

const heads = suite('heads in the eyes of html-validate');
heads('are valid on every kind of page, whatever stands in the texts', async () => {
  const site = await openHttpSite(FIXTURE, {
    store: createMemoryStore(collections),
    content: { core: true, seo: true },
  });
  const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
  const judge = async (head: string): Promise<readonly string[]> => {
    const report = await validator.validateString(
      `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${head}\n</head>\n<body><p>x</p></body>\n</html>\n`,
    );
    return report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    );
  };
  try {
    // All are read before the first is judged: a connection that idles meanwhile is closed under the next request.
    const found: [page: string, html: string][] = [];
    for (const page of PAGES) {
      const { html } = (await (
        await fetch(
          `${site.origin}/en/cms-json/seo/v1/get_head?url=${encodeURIComponent(`${site.origin}${page}`)}`,
        )
      ).json()) as { readonly html: string };
      found.push([page, html]);
    }
    for (const [page, html] of found) {
      assert.match(html, '<title>');
      assert.equal(await judge(html), [], page);
    }
    assert.is.not((await judge('<title>a</title><meta name="a" name="b"></p>')).length, 0);
  } finally {
    await site.close();
  }
});
heads.run();
