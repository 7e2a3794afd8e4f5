// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { openHttpSite } from '../../../support/http-site.ts';

const DATES = { date: '2024-01-05T10:00:00', date_gmt: '2024-01-05T09:00:00' };
const TEXT = `<p>Red lamps. ${'They shine. '.repeat(200)}<a href="/en/beta/">more</a></p><h2>Red lamps</h2>`;
const FIXTURE: Fixture = {
  site: { name: 'Site', description: 'A site' },
  users: [
    { id: 1, login: 'ed', slug: 'ed', password: 'edspassword', role: 'editor', name: 'Ed' },
    { id: 2, login: 'ann', slug: 'ann', password: 'annspassword', role: 'author', name: 'Ann' },
  ],
  categories: [{ id: 11, name: 'News', slug: 'news', parent: 0 }],
  posts: [
    {
      id: 5,
      slug: 'red-lamps',
      title: 'Red lamps for every room',
      content: TEXT,
      status: 'publish',
      author: 1,
      categories: [11],
      meta: { seo_keyphrase: 'red lamps', seo_title: '%%title%% here' },
      ...DATES,
    },
    {
      id: 6,
      slug: 'beta',
      title: 'Beta',
      content: '<p>Short.</p>',
      status: 'publish',
      author: 2,
      categories: [11],
      ...DATES,
    },
    { id: 7, slug: 'draft', title: 'Draft', content: 'Words.', status: 'draft', author: 2, ...DATES },
    {
      id: 8,
      slug: 'closed',
      title: 'Closed',
      content: 'canary',
      status: 'publish',
      author: 2,
      password: 'sesame',
      ...DATES,
    },
    {
      id: 9,
      slug: 'hidden',
      title: 'Hidden',
      content: 'Words.',
      status: 'publish',
      author: 1,
      meta: { seo_noindex: true },
      ...DATES,
    },
  ],
};
const PASSWORDS: Readonly<Record<string, string>> = { ed: 'edspassword', ann: 'annspassword' };

type Ask = (path: string, user?: string, body?: unknown) => Promise<any>;

async function withSite(seo: boolean, run: (ask: Ask, origin: string) => Promise<void>): Promise<void> {
  const site = await openHttpSite(FIXTURE, {
    store: createMemoryStore(collections),
    content: { core: true, seo },
  });
  const ask: Ask = async (path, user, body) => {
    const login =
      user === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(`${user}:${PASSWORDS[user]}`).toString('base64')}` };
    const answer = await fetch(`${site.origin}/en/cms-json${path}`, {
      headers: { ...login, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  try {
    await run(ask, site.origin);
  } finally {
    await site.close();
  }
}

const head = suite('seo_head_json');
head('is that of get_head, for posts and terms, in lists and alone', () =>
  withSite(true, async (ask, origin) => {
    const headOf = async (page: string): Promise<unknown> =>
      (await ask(`/seo/v1/get_head?url=${encodeURIComponent(`${origin}${page}`)}`)).json;
    const [lamps, news] = [await headOf('/en/red-lamps/'), await headOf('/en/category/news/')];
    assert.is((lamps as any).title, 'Red lamps for every room here');
    assert.equal(await ask('/cms/v2/posts/5?_fields=id,seo_head_json'), { id: 5, seo_head_json: lamps });
    assert.equal(await ask('/cms/v2/posts/5?_fields[]=seo_head_json.title&_fields[]=id'), {
      id: 5,
      seo_head_json: { title: 'Red lamps for every room here' },
    });
    assert.equal(await ask('/cms/v2/posts?_fields=id,seo_head_json&include=5'), [
      { id: 5, seo_head_json: lamps },
    ]);
    assert.equal(await ask('/cms/v2/categories/11?_fields=seo_head_json'), { seo_head_json: news });
    assert.equal(await ask('/cms/v2/categories?_fields=seo_head_json&include=11'), [{ seo_head_json: news }]);
  }),
);
head('is absent unless it is named, and null for what is not public', () =>
  withSite(true, async (ask) => {
    for (const path of ['/cms/v2/posts/5', '/cms/v2/posts/5?_fields=id,title', '/cms/v2/categories/11'])
      assert.not.ok('seo_head_json' in (await ask(path)));
    assert.equal(await ask('/cms/v2/posts/7?_fields=seo_head_json', 'ed'), { seo_head_json: null });
    assert.not.match(JSON.stringify(await ask('/cms/v2/posts/8?_fields=seo_head_json')), 'canary');
    assert.is(
      (await ask('/cms/v2/posts/8?_fields=seo_head_json')).seo_head_json.title.includes('Closed'),
      true,
    );
  }),
);
head('follows settings at once, although the post stays the same', () =>
  withSite(true, async (ask) => {
    const read = async (): Promise<unknown> =>
      (await ask('/cms/v2/posts/6?_fields=seo_head_json')).seo_head_json.title;
    assert.is(await read(), 'Beta - Site');
    await ask('/cms/v2/posts/6', 'ed', { meta: { seo_title: 'Other' } });
    assert.is(await read(), 'Other');
  }),
);
head('is named in any item of a repeated list', () =>
  withSite(true, async (ask) => {
    for (const query of [
      '_fields=slug&_fields=seo_head_json.title',
      '_fields=seo_head_json.title&_fields=slug',
      '_fields[]=slug&_fields[]=seo_head_json.title',
    ]) {
      assert.equal(
        await ask(`/cms/v2/posts/6?${query}`),
        { slug: 'beta', seo_head_json: { title: 'Beta - Site' } },
        query,
      );
    }
  }),
);
head('belongs to sites with the SEO fields only', () =>
  withSite(false, async (ask) => {
    assert.equal(await ask('/cms/v2/posts/5?_fields=id,seo_head_json,seo_checks'), { id: 5 });
  }),
);
head.run();

const checks = suite('seo_checks');
checks('name what the score of the statistics is made from', () =>
  withSite(true, async (ask) => {
    const { seo_checks: found } = await ask('/cms/v2/posts/5?_fields=seo_checks', 'ed');
    const { score, rank, checks: list } = found.keyphrase;
    assert.equal(
      [found.keyphrase.text, rank, list.length, found.readability.checks.map(({ id }: any) => id)],
      ['red lamps', 'good', 11, ['sentence-length', 'paragraph-length', 'headings', 'text-present']],
    );
    assert.equal(
      list.find(({ id }: any) => id === 'phrase-in-title'),
      { id: 'phrase-in-title', grade: 9 },
    );
    assert.is(score, Math.round((list.reduce((sum: number, { grade }: any) => sum + grade, 0) / 99) * 100));
  }),
);
checks('are null for callers who may not edit the post', () =>
  withSite(true, async (ask) => {
    assert.equal(await ask('/cms/v2/posts/5?_fields=seo_checks'), { seo_checks: null });
    assert.equal(
      (await ask('/cms/v2/posts?_fields=id,seo_checks&include=5,6&orderby=id&order=asc', 'ann')).map(
        (each: any) => [each.id, each.seo_checks?.keyphrase.rank ?? null],
      ),
      [
        [5, null],
        [6, 'na'],
      ],
    );
  }),
);
checks('agree with the ranks of the statistics, whose links lead to their posts', () =>
  withSite(true, async (ask, origin) => {
    const { seo_scores: scores } = await ask('/seo/v1/statistics', 'ed');
    assert.equal(
      scores.map(({ seo_rank: rank }: any) => rank),
      ['good', 'na', 'noindex'],
    );
    for (const { seo_rank: rank, count, link, links } of scores) {
      const posts = await ask(`${link.replace(`${origin}/en/cms-json`, '')}&_fields=id,seo_checks`, 'ed');
      assert.equal(
        [posts.map((post: any) => post.seo_checks.keyphrase.rank), links.length],
        [Array.from({ length: count }, () => rank), 1],
        link,
      );
    }
  }),
);
checks.run();
