import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createContentModel } from '../../../../registry/core/model/content-model.ts';
import { collections } from '../../../../registry/index.ts';
import { fillTemplate } from '../../../../registry/plugins/seo/head/texts.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { openHttpSite, type HttpSite } from '../../../support/http-site.ts';
import { factsOf } from './values/facts.ts';

const FIXTURE: Fixture = {
  site: { name: 'Site', description: 'A site' },
  users: [{ id: 1, login: 'ed', password: 'edspassword', role: 'editor', name: 'Ed' }],
  posts: [
    {
      id: 5,
      slug: 'alpha',
      title: 'Alpha',
      content: 'First words.',
      status: 'publish',
      author: 1,
      date: '2024-01-05T10:00:00',
      date_gmt: '2024-01-05T09:00:00',
    },
  ],
};
const LOGIN = {
  authorization: `Basic ${Buffer.from('ed:edspassword').toString('base64')}`,
  'content-type': 'application/json',
};

async function withSite(
  content: { readonly core: boolean; readonly seo: boolean },
  run: (site: HttpSite) => Promise<void>,
): Promise<void> {
  const site = await openHttpSite(FIXTURE, { store: createMemoryStore(collections), content });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

const write = async (
  { origin }: HttpSite,
  path: string,
  meta: object,
): Promise<{ status: number; body: Readonly<Record<string, never>> }> => {
  const answer = await fetch(`${origin}/en/cms-json${path}`, {
    method: 'POST',
    headers: LOGIN,
    body: JSON.stringify({ meta }),
  });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, never>> };
};

async function readHead({ origin }: HttpSite, page: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(
    `${origin}/en/cms-json/seo/v1/get_head?url=${encodeURIComponent(`${origin}${page}`)}`,
  );
  return ((await answer.json()) as { json: Readonly<Record<string, unknown>> }).json;
}

const fields = suite('SEO fields as meta');

fields('what an editor writes on a post is shown in its head', () =>
  withSite({ core: false, seo: true }, async (site) => {
    const meta = {
      seo_title: '%%title%% %%sep%% by %%name%%',
      seo_description: 'About it',
      seo_canonical: 'https://other.test/alpha',
      seo_nofollow: true,
      seo_og_title: 'Open',
      seo_og_image: 'https://pictures.test/a.png',
      seo_twitter_title: 'Card',
    };
    const { status, body } = await write(site, '/cms/v2/posts/5', meta);
    assert.equal(
      [status, body['meta']],
      [
        200,
        {
          ...meta,
          seo_keyphrase: '',
          seo_noindex: false,
          seo_cornerstone: false,
          seo_og_description: '',
          seo_twitter_description: '',
          footnotes: '',
        },
      ],
    );
    const head = await readHead(site, '/en/alpha/');
    assert.equal(
      [head['title'], head['description'], head['canonical'], head['og_title'], head['twitter_title']],
      ['Alpha - by Ed', 'About it', 'https://other.test/alpha', 'Open', 'Card'],
    );
    assert.is((head['robots'] as Readonly<Record<string, string>>)['follow'], 'nofollow');
    assert.is((head['og_image'] as readonly { url: string }[])[0]?.url, 'https://pictures.test/a.png');
  }),
);

fields('a cornerstone is in the workouts', () =>
  withSite({ core: false, seo: true }, async (site) => {
    const list = async (): Promise<readonly number[]> => {
      const answer = await fetch(`${site.origin}/en/cms-json/seo/v1/workouts`, { headers: LOGIN });
      return (
        (await answer.json()) as { json: { cornerstone: { posts: readonly { object_id: number }[] } } }
      ).json.cornerstone.posts.map((post) => post.object_id);
    };
    assert.equal(await list(), []);
    await write(site, '/cms/v2/posts/5', { seo_cornerstone: true });
    assert.equal(await list(), [5]);
  }),
);

fields('a term has them, too', () =>
  withSite({ core: true, seo: true }, async (site) => {
    const { body } = await write(site, '/cms/v2/posts/5', {});
    assert.is(body['id'], 5);
    const made = await fetch(`${site.origin}/en/cms-json/cms/v2/categories`, {
      method: 'POST',
      headers: LOGIN,
      body: JSON.stringify({ name: 'News', meta: { seo_title: 'All %%term_title%%', seo_noindex: true } }),
    });
    assert.is(made.status, 201);
    const head = await readHead(site, '/en/category/news/');
    assert.equal(
      [head['title'], (head['robots'] as Readonly<Record<string, string>>)['index']],
      ['All News', 'noindex'],
    );
  }),
);

for (const [name, value] of [
  ['seo_canonical', 'javascript:alert(1)'],
  ['seo_og_image', 'x'],
  ['seo_title', 'a'.repeat(1001)],
  ['seo_noindex', 'perhaps'],
] as const) {
  fields(`${name} is refused with its path when it is ${String(value).slice(0, 20)}`, () =>
    withSite({ core: false, seo: true }, async (site) => {
      const { status, body } = await write(site, '/cms/v2/posts/5', { [name]: value });
      assert.is(status, 400);
      assert.match(String(body['message']), `meta.${name}`);
    }),
  );
}

fields('a site without them has the meta that it had', () => {
  assert.equal(
    createContentModel('core')
      .meta.get('post')
      ?.map(({ key }) => key),
    ['footnotes'],
  );
  assert.equal(createContentModel({ seo: true }).meta.get('category')?.length, 12);
});

fields.run();

const templates = suite('fillTemplate');
for (const [text, expected] of [
  ['no variables', 'no variables'],
  ['%%title%% %%sep%% %%sitename%%', 'Alpha - Site'],
  ['%%constructor%% x %%unknown%%', 'x'],
  ['100%% sure', '100%% sure'],
  ['%%excerpt%%', 'First words of the text.'],
  ['%%category%% %%date%%', 'News 2024-01-05'],
  ['%%focuskw%%', ''],
] as const)
  templates(text, () => {
    assert.is(fillTemplate(text, factsOf()), expected);
  });
templates('a value is not read as a template again', () => {
  assert.is(fillTemplate('%%title%%', factsOf({ heading: '%%sitename%%' })), '%%sitename%%');
});
templates.run();
