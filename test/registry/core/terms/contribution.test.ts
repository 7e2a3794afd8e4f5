import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Operation } from '../../../../lib/store/store.ts';
import { batchFixture } from '../../../support/batch/fixture.ts';
import { type Answer, createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const open = (): Promise<WholeSite> => createWholeSite({ fixture: batchFixture, content: 'core' });

const field = ({ body }: Answer, name: string): unknown => (isObject(body) ? body[name] : undefined);
const idsOf = ({ body }: Answer): readonly unknown[] =>
  Array.isArray(body) ? body.map((each: unknown) => (isObject(each) ? each['id'] : null)) : [];
const codeOf = (answer: Answer): readonly unknown[] => [answer.status, field(answer, 'code')];

/** Sends a write as an editor. */
function write(site: WholeSite, request: `${string} ${string}`, body?: unknown): Promise<Answer> {
  const [method = '', target = ''] = request.split(' ');
  return site.ask({ method, target, as: 'editor', ...(body === undefined ? {} : { body }) });
}

async function countOf(site: WholeSite, target: string): Promise<unknown> {
  return field(await site.ask({ target: `/cms/v2/${target}` }), 'count');
}

async function createTerm(site: WholeSite, base: string, body: object): Promise<number> {
  return Number(field(await write(site, `POST /cms/v2/${base}`, body), 'id'));
}

async function createPost(site: WholeSite, body: object): Promise<number> {
  return Number(
    field(await write(site, 'POST /cms/v2/posts', { title: 't', status: 'publish', ...body }), 'id'),
  );
}

const texts = suite('texts of terms');

texts('are as long as a response with a hundred of them allows', async () => {
  const site = await open();
  for (const base of ['tags', 'categories']) {
    const most = { name: 'n'.repeat(200), description: 'd'.repeat(65_525) };
    const term = await createTerm(site, base, most);
    assert.equal(field(await site.ask({ target: `/cms/v2/${base}/${term}` }), 'name'), most.name);
    for (const [name, text] of Object.entries(most)) {
      for (const [request, body] of [
        [`POST /cms/v2/${base}`, { ...most, slug: 'other' }],
        [`PUT /cms/v2/${base}/${term}`, {}],
      ] as const) {
        const answer = await write(site, request, { ...body, [name]: `${text}x` });
        assert.equal(codeOf(answer), [400, 'rest_invalid_param'], `${request} ${name}`);
        assert.match(answer.text, `${name} must be at most ${text.length} characters long`);
      }
    }
  }
  await site.close();
});

texts('are counted by code point, as in WordPress', async () => {
  const site = await open();
  const name = '\u{1F600}'.repeat(200);
  const term = await createTerm(site, 'tags', { name });
  assert.is(field(await site.ask({ target: `/cms/v2/tags/${term}` }), 'name'), name);
  assert.equal(codeOf(await write(site, 'POST /cms/v2/tags', { name: `${name}x` })), [
    400,
    'rest_invalid_param',
  ]);
  await site.close();
});

texts.run();

const counts = suite('counts of terms');

counts('follow every way in which a post comes and goes', async () => {
  const site = await open();
  const tag = await createTerm(site, 'tags', { name: 'counted' });
  const seen: unknown[] = [];
  const look = async (): Promise<void> => {
    seen.push(await countOf(site, `tags/${tag}`));
  };
  const post = await createPost(site, { tags: [tag], status: 'draft' });
  await look();
  for (const body of [
    { status: 'publish' },
    { tags: [] },
    { tags: [tag] },
    { status: 'private' },
    { status: 'publish', ml_language: 'fr' },
  ]) {
    await write(site, `PUT /cms/v2/posts/${post}`, body);
    await look();
  }
  await write(site, `DELETE /cms/v2/posts/${post}`);
  await look();
  await write(site, `PUT /cms/v2/posts/${post}`, { status: 'publish' });
  await look();
  await write(site, 'POST /batch/v1', {
    requests: [
      { path: '/cms/v2/posts', body: { title: 'b', status: 'publish', tags: [tag] } },
      { path: '/cms/v2/posts', body: { title: 'd', tags: [tag] } },
    ],
  });
  await look();
  await write(site, `DELETE /cms/v2/posts/${post}?force=true`);
  await look();
  assert.equal(seen, [0, 1, 0, 1, 0, 1, 0, 1, 2, 1]);
  await site.close();
});

counts('include a scheduled post from its date on, also in a cached response', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const site = await createWholeSite({ fixture: batchFixture, content: 'core', now: () => now });
  const tag = await createTerm(site, 'tags', { name: 'soon' });
  await createPost(site, { tags: [tag], date_gmt: '2026-01-01T01:00:00' });
  const before = [await countOf(site, `tags/${tag}`), await countOf(site, `tags/${tag}`)];
  now += 3_600_000;
  assert.equal([...before, await countOf(site, `tags/${tag}`)], [0, 0, 1]);
  await site.close();
});

counts('are exact after many writers used one term at once, and no writer is refused', async () => {
  const site = await open();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_each, index) =>
      write(site, 'POST /cms/v2/posts', {
        title: `p${index}`,
        status: index % 4 === 0 ? 'draft' : 'publish',
        tags: [11],
      }),
    ),
  );
  assert.equal(
    answers.filter(({ status }) => status !== 201),
    [],
  );
  assert.is(await countOf(site, 'tags/11'), 75);
  await site.close();
});

counts('decide what a list hides and how it is sorted, page by page', async () => {
  const site = await open();
  const tags = await Promise.all(
    ['one', 'two', 'three', 'none'].map((name) => createTerm(site, 'tags', { name })),
  );
  for (const [index, uses] of [1, 2, 3, 0].entries())
    for (let use = 0; use < uses; use += 1) await createPost(site, { tags: [tags[index]] });
  const [one, two, three] = tags;
  const list = (query: string): Promise<Answer> => site.ask({ target: `/cms/v2/tags?${query}` });
  assert.equal(idsOf(await list('orderby=count&order=desc&hide_empty=true')), [three, two, one]);
  const second = await list('orderby=count&order=desc&hide_empty=true&per_page=2&page=2');
  assert.equal(
    [idsOf(second), second.headers['X-CMS-Total'], second.headers['X-CMS-TotalPages']],
    [[one], '3', '2'],
  );
  assert.equal(idsOf(await list('hide_empty=true')), [one, three, two]);
  await site.close();
});

counts.run();

const terms = suite('terms');

terms('of one name that are created at once: one is made, and the others are told of it', async () => {
  const site = await open();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => write(site, 'POST /cms/v2/tags', { name: 'Same' })),
  );
  assert.equal(
    answers.map(codeOf).toSorted((a, b) => Number(a[0]) - Number(b[0])),
    [[201, undefined], ...Array.from({ length: 19 }, () => [400, 'term_exists'])],
  );
  await site.close();
});

terms('have slugs of their own, with the slugs of their ancestors where a slug is taken', async () => {
  const site = await open();
  const top = await createTerm(site, 'categories', { name: 'Top' });
  const below = await createTerm(site, 'categories', { name: 'Below', parent: top });
  const slugs: unknown[] = [];
  for (const body of [
    { name: 'News', parent: below },
    { name: 'News', parent: top },
    { name: 'Other', slug: 'news' },
    { name: '!!!' },
  ])
    slugs.push(field(await write(site, 'POST /cms/v2/categories', body), 'slug'));
  assert.equal(slugs, ['news-below', 'news-top', 'news-2', 'term']);
  assert.equal(codeOf(await write(site, `PUT /cms/v2/categories/${top}`, { slug: 'news' })), [
    409,
    'duplicate_term_slug',
  ]);
  assert.equal(codeOf(await write(site, `PUT /cms/v2/categories/${top}`, { name: ' <b></b> ' })), [
    400,
    'empty_term_name',
  ]);
  await site.close();
});

terms('never become their own ancestors, and a loop in the store does not hang a reader', async () => {
  const site = await open();
  const top = await createTerm(site, 'categories', { name: 'Top' });
  const below = await createTerm(site, 'categories', { name: 'Below', parent: top });
  assert.is(field(await write(site, `PUT /cms/v2/categories/${top}`, { parent: below }), 'parent'), 0);
  await site.store.commit([{ op: 'update', collection: 'terms', id: top, values: { parent: below } }]);
  const looped = await site.ask({ target: `/cms/v2/categories/${top}` });
  assert.equal([looped.status, field(looped, 'link')], [200, 'http://site.test/en/category/below/top/']);
  await site.close();
});

terms('keep neither scripts nor markup in their names, and only a little in their descriptions', async () => {
  const site = await open();
  const made = await write(site, 'POST /cms/v2/tags', {
    name: '<script>alert(1)</script>a < b & <i>c</i>',
    description: '<a href="javascript:x" onclick="y">l</a><img src=x onerror=z><em>e</em>',
  });
  assert.equal([field(made, 'name'), field(made, 'description')], ['a &lt; b &amp; c', '<a>l</a><em>e</em>']);
  await site.close();
});

terms('of a flat taxonomy have no parent, and a parent must be of the same taxonomy', async () => {
  const site = await open();
  assert.equal(codeOf(await write(site, 'POST /cms/v2/tags', { name: 'x', parent: 11 })), [
    400,
    'rest_taxonomy_not_hierarchical',
  ]);
  assert.equal(codeOf(await write(site, 'POST /cms/v2/categories', { name: 'x', parent: 11 })), [
    400,
    'rest_term_invalid',
  ]);
  await site.close();
});

terms('of one registered taxonomy are replaced without those of the others of the post', async () => {
  const taxonomies = ['mood', 'area'].map((name) => ({ name, base: `${name}s`, types: ['post'] }));
  const site = await createWholeSite({ fixture: batchFixture, content: { core: true, taxonomies } });
  const [calm, wild] = [
    await createTerm(site, 'moods', { name: 'Calm' }),
    await createTerm(site, 'moods', { name: 'Wild' }),
  ];
  const coast = await createTerm(site, 'areas', { name: 'Coast' });
  const post = await createPost(site, { moods: [calm], areas: [coast] });
  const changed = await write(site, `PUT /cms/v2/posts/${post}`, { moods: [wild] });
  assert.equal([field(changed, 'moods'), field(changed, 'areas')], [[wild], [coast]]);
  await site.close();
});

terms('are listed by language; one without a language belongs to all of them', async () => {
  const site = await open();
  await site.store.commit([
    {
      op: 'create',
      collection: 'terms',
      values: { taxonomy: 'post_tag', name: 'shared', slug: 'shared', language: '' },
    },
  ]);
  await write(site, 'POST /cms/v2/tags?ml_language=fr', { name: 'rouge' });
  const namesIn = async (language: string): Promise<unknown[]> => {
    const { body } = await site.ask({ target: '/cms/v2/tags', language });
    return (body as { name: string }[]).map(({ name }) => name);
  };
  assert.equal(
    [await namesIn('en'), await namesIn('fr')],
    [
      ['red', 'shared'],
      ['rouge', 'shared'],
    ],
  );
  await site.close();
});

terms('of a post that the caller may not read are not listed', async () => {
  const site = await open();
  const post = await createPost(site, { tags: [11], status: 'draft' });
  assert.equal(codeOf(await site.ask({ target: `/cms/v2/tags?post=${post}` })), [
    401,
    'rest_forbidden_context',
  ]);
  assert.equal(codeOf(await site.ask({ target: `/cms/v2/tags?post=${post}`, as: 'contributor' })), [
    403,
    'rest_forbidden_context',
  ]);
  assert.equal(idsOf(await site.ask({ target: `/cms/v2/tags?post=${post}`, as: 'editor' })), [11]);
  await site.close();
});

terms('change only in the version that If-Match names', async () => {
  const site = await open();
  const read = await site.ask({ target: '/cms/v2/tags/11' });
  const change = (name: string): Promise<Answer> =>
    site.ask({
      method: 'PUT',
      target: '/cms/v2/tags/11',
      as: 'editor',
      body: { name },
      headers: { 'if-match': read.headers['ETag'] ?? '' },
    });
  assert.equal([(await change('rouge')).status, (await change('late')).status], [200, 412]);
  await site.close();
});

terms.run();

const removal = suite('a removed term');

removal(
  'leaves its posts, hands its children to its parent, and the last category is replaced by the default one',
  async () => {
    const site = await open();
    const top = await createTerm(site, 'categories', { name: 'Top' });
    const middle = await createTerm(site, 'categories', { name: 'Middle', parent: top });
    const child = await createTerm(site, 'categories', { name: 'Child', parent: middle });
    const [only, both] = [
      await createPost(site, { categories: [middle] }),
      await createPost(site, { categories: [2, middle] }),
    ];
    const removed = await write(site, `DELETE /cms/v2/categories/${middle}?force=true`);
    assert.is((field(removed, 'previous') as { count: number }).count, 2);
    assert.is(field(await site.ask({ target: `/cms/v2/categories/${child}` }), 'parent'), top);
    assert.equal(
      [
        field(await site.ask({ target: `/cms/v2/posts/${only}` }), 'categories'),
        field(await site.ask({ target: `/cms/v2/posts/${both}` }), 'categories'),
      ],
      [[1], [2]],
    );
    await site.close();
  },
);

removal('leaves more posts than one commit changes', async () => {
  const site = await open();
  const posts = Array.from({ length: 450 }, (_each, index): Operation => ({
    op: 'create',
    collection: 'posts',
    values: {
      type: 'post',
      language: 'en',
      status: 'publish',
      slug: `many-${index}`,
      date: '2024-01-01T00:00:00',
      tags: [11],
    },
  }));
  await site.store.commit(posts);
  assert.is((await write(site, 'DELETE /cms/v2/tags/11?force=true')).status, 200);
  assert.is(
    (
      await site.store.find({
        collection: 'posts',
        where: { op: 'hasAny', field: 'tags', values: [11] },
        limit: 0,
        total: true,
      })
    ).total,
    0,
  );
  await site.close();
});

removal('is not the default category of any language, for anybody', async () => {
  const site = await createWholeSite({
    fixture: { ...batchFixture, site: { ...batchFixture.site, default_category: { en: 1, fr: 2 } } },
    content: 'core',
  });
  for (const id of [1, 2])
    assert.equal(
      codeOf(
        await site.ask({
          method: 'DELETE',
          target: `/cms/v2/categories/${id}?force=true`,
          as: 'administrator',
        }),
      ),
      [403, 'rest_cannot_delete'],
    );
  await site.close();
});

removal.run();
