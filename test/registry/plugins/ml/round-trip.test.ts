// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { and, eq } from '../../../../lib/store/query.ts';
import { XLIFF_VERSIONS } from '../../../../registry/plugins/ml/xliff/xliff-write.ts';
import { TEST_CONFIG } from '../../../support/ports.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  readJob,
  readProblems,
  readTranslation,
  toReports,
  toText,
  translateXliff,
} from './ml-site.ts';

const TEXTS: readonly (readonly [string, string])[] = [
  ['entities', '<p>&amp; &lt;b&gt; &nbsp;&eacute; &#8217; "quoted"</p>'],
  ['CDATA end markers', '<p>a]]&gt;b ]]> c ]]]]></p>'],
  ['right to left', '<p dir="rtl">مرحبا بالعالم — שלום \u200F</p>'],
  ['emoji and other planes', '<p>👩‍👩‍👧 𝒳 \u{1F600}</p>'],
  ['100,000 characters', `<p>${'Hello ébène مرحبا. '.repeat(6000).slice(0, 99_990)}</p>`],
  [
    'blocks',
    '<!-- cms:list {"ordered":true} -->\n<ol><li>a</li></ol>\n<!-- /cms:list -->\n\n<!-- cms:more -->',
  ],
];

const trip = suite('round trip');
for (const version of XLIFF_VERSIONS) {
  trip(`${version}: a post becomes its translation`, async () => {
    const site = await createMlSite();
    const job = await createJob(site);
    await deliverJob(site, job, { version });
    assert.is((await readJob(site, job))['status'], 4);
    const post = await applyJob(site, job);
    assert.equal(
      [post.title.raw, post.slug, post.ml_language, post.status],
      ['Article 101', 'post-101-fr', 'fr', 'draft'],
    );
    assert.is(
      post.content.raw,
      '<!-- cms:paragraph -->\n<p>Bonjour <b>world</b> &amp; all</p>\n<!-- /cms:paragraph -->',
    );
    assert.equal(post.ml_translations, { fr: post.id, en: 101 });
  });
  for (const [name, text] of TEXTS) {
    trip(`${version}: ${name} is read back unchanged`, async () => {
      const site = await createMlSite();
      await site.ports.store.commit([
        { op: 'update', collection: 'posts', id: 101, values: { content: text } },
      ]);
      const job = await createJob(site);
      await deliverJob(site, job, {
        version,
        translate: (id, source) => (id === 'title' ? `${source} fr` : source),
      });
      assert.is((await applyJob(site, job)).content.raw, text);
    });
  }
}
trip.run();

const applying = suite('applying');
applying('terms: existing translations are used, new ones are created in the same group', async () => {
  const site = await createMlSite();
  await site.ports.store.commit([
    { op: 'update', collection: 'posts', id: 101, values: { categories: [11, 12] } },
  ]);
  const job = await createJob(site);
  assert.equal(
    (await readJob(site, job))['fields'].map((field: any) => toText(field.id)),
    ['title', 'body', 'URL', 't_11', 't_21'],
  );
  await deliverJob(site, job);
  const post = await applyJob(site, job);
  assert.ok(post.categories.includes(13));
  const { records } = await site.ports.store.find({ collection: 'terms', where: eq('language', 'fr') });
  assert.equal(
    records.map((term) => [term['name'], term['slug'], term['taxonomy']]),
    [
      ['Le sport', 'le-sport', 'category'],
      ['Nouvelles', 'nouvelles', 'category'],
      ['rouge', 'rouge', 'post_tag'],
    ],
  );
  for (const [source, translated] of [
    [11, records[1]],
    [21, records[2]],
  ] as const) {
    const group = Number((await site.ports.store.get('terms', source))?.['group']);
    assert.ok(group > 0);
    assert.is(translated?.['group'], group);
  }
  assert.equal(post.tags, [records[2]?.id]);
});
applying('stores the name of a new term as it stores those that clients send', async () => {
  const site = await createMlSite();
  await site.ports.store.commit([{ op: 'update', collection: 'terms', id: 11, values: { name: 'R&amp;D' } }]);
  const job = await createJob(site);
  await deliverJob(site, job, {
    translate: (id, source) => (id === 't_11' ? `${source} & <b>prix</b> < 5` : source),
  });
  await applyJob(site, job);
  const { records } = await site.ports.store.find({
    collection: 'terms',
    where: and(eq('language', 'fr'), eq('taxonomy', 'category')),
    order: [{ field: 'id', direction: 'desc' }],
  });
  assert.equal([records[0]?.['name'], records[0]?.['slug']], ['R&amp;D &amp; prix &lt; 5', 'rd-prix-5']);
});
applying('cuts the name of a new term after as many characters as clients may send', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job, {
    translate: (id, source) => (id === 't_11' ? `a${'\u{1F600}'.repeat(250)}` : source),
  });
  await applyJob(site, job);
  const { records } = await site.ports.store.find({
    collection: 'terms',
    where: and(eq('language', 'fr'), eq('taxonomy', 'category')),
    order: [{ field: 'id', direction: 'desc' }],
  });
  assert.is(records[0]?.['name'], `a${'\u{1F600}'.repeat(199)}`);
});
applying('a second post uses the terms that the first one created', async () => {
  const site = await createMlSite();
  for (const id of [101, 102]) {
    const job = await createJob(site, id);
    await deliverJob(site, job);
    await applyJob(site, job, id);
  }
  const { total } = await site.ports.store.find({
    collection: 'terms',
    where: eq('language', 'fr'),
    total: true,
  });
  assert.is(total, 3);
  assert.equal((await readTranslation(site, 102)).tags, (await readTranslation(site, 101)).tags);
});
applying('a second job changes the same post and keeps its new text as a revision', async () => {
  const site = await createMlSite();
  const first = await createJob(site);
  await deliverJob(site, first);
  const { id } = await applyJob(site, first);
  await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'Post 101, changed' });
  const second = await createJob(site);
  await deliverJob(site, second);
  const post = await applyJob(site, second);
  assert.equal([post.id, post.title.raw, post.slug], [id, 'Article 101, changed', 'post-101-fr']);
  const { body } = checkStatus(await site.ask('admin', `GET /cms/v2/posts/${id}/revisions`), 200);
  assert.equal(
    body.map((revision: any) => revision.title.rendered),
    ['Article 101, changed'],
  );
});
applying('applying twice has the same result as once', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  const before = await applyJob(site, job);
  assert.equal(await applyJob(site, job), before);
});
applying('two concurrent requests create one post', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  const replies = await Promise.all(
    [1, 2, 3].map(() =>
      site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
    ),
  );
  assert.ok(replies.some((reply) => reply.body[0].errors === undefined));
  await readTranslation(site);
});
applying('concurrent French and Dutch translations join one group', async () => {
  const site = await createMlSite();
  const jobs = [await createJob(site), await createJob(site, 101, { target_language: 'nl' })];
  for (const job of jobs) await deliverJob(site, job);
  const replies = await Promise.all(
    jobs.map((id) => site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id, type: 'post' }])),
  );
  assert.equal(
    replies.map((reply) => reply.body[0].status),
    [10, 10],
  );
  const { total } = await site.ports.store.find({
    collection: 'posts',
    where: eq('group', 101),
    total: true,
  });
  assert.is(total, 3);
});
applying('markup is sanitised unless the user may write unfiltered HTML', async () => {
  const evil = '<p>Bonjour<script>alert(1)</script><img src=x onerror=alert(2)></p>';
  for (const [user, expected] of [
    ['admin', true],
    ['manager', false],
  ] as const) {
    const site = await createMlSite();
    const job = await createJob(site);
    await deliverJob(site, job, {
      translate: (id, source) => (id === 'body' ? evil : id === 'title' ? 'T<script>x</script>' : source),
    });
    checkStatus(
      await site.ask(user, 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
      200,
    );
    const post = await readTranslation(site);
    assert.is(/<script|onerror/.test(post.content.raw), expected);
    assert.is(post.title.raw.includes('<script'), expected);
  }
});
applying('a protected post is translated into a protected one', async () => {
  const site = await createMlSite();
  const job = await createJob(site, 104);
  await deliverJob(site, job);
  const post = await applyJob(site, job, 104);
  assert.is(post.password, 'secret');
});
applying('the status of the original, when configured', async () => {
  const site = await createMlSite({
    config: { ...TEST_CONFIG, namespaces: { ml: { appliedStatus: 'original' } } },
  });
  for (const [id, status] of [
    [101, 'publish'],
    [102, 'draft'],
    [103, 'private'],
  ] as const) {
    const job = await createJob(site, id);
    await deliverJob(site, job);
    assert.is((await applyJob(site, job, id)).status, status);
  }
  const { body } = checkStatus(await site.ask('nobody', 'GET /cms/v2/posts?ml_language=fr'), 200);
  assert.equal(
    body.map((post: any) => [post.title.rendered, post.date]),
    [['Article 101', '2025-01-01T10:00:00']],
  );
});
applying('a slug that is in use gets a suffix', async () => {
  const site = await createMlSite();
  const jobs = [await createJob(site), await createJob(site, 107)];
  for (const job of jobs)
    await deliverJob(site, job, { translate: (id, source) => (id === 'URL' ? 'le même' : source) });
  assert.is((await applyJob(site, jobs[0] ?? 0)).slug, 'le-meme');
  assert.is((await applyJob(site, jobs[1] ?? 0, 107)).slug, 'le-meme-2');
});
applying('the source in the trash: reports it and continues with the others', async () => {
  const site = await createMlSite();
  const jobs = [await createJob(site), await createJob(site, 107)];
  for (const job of jobs) await deliverJob(site, job);
  // Past the API, which would cancel the job.
  await site.ports.store.commit([
    { op: 'update', collection: 'posts', id: 101, values: { status: 'trash' } },
  ]);
  const { body } = checkStatus(await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations'), 200);
  assert.equal(
    body.map((each: any) => [each.id, each.status, each.errors?.[0].code]),
    [
      [jobs[0], 4, 'ml_post_not_found'],
      [jobs[1], 10, undefined],
    ],
  );
  assert.equal(await readProblems(site), [[jobs[0], 'ml_post_not_found']]);
});
applying('custom fields as configured', async () => {
  const site = await createMlSite();
  const xml = `<ml-config><custom-fields><custom-field action="translate">subtitle</custom-field><custom-field action="copy">price</custom-field>
    <custom-field action="ignore">note</custom-field></custom-fields><taxonomies><taxonomy translate="0">post_tag</taxonomy></taxonomies></ml-config>`;
  checkStatus(await site.ask('admin', 'POST /ml/v1/custom-xml-config', { content: xml }), 200);
  await site.ports.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 101,
      values: { meta: { footnotes: '', subtitle: 'Post sub', price: '12', note: 'n' } },
    },
  ]);
  const job = await createJob(site);
  assert.equal(
    (await readJob(site, job))['fields'].map((field: any) => toText(field.id)),
    ['title', 'body', 'URL', 't_11', 'field-subtitle-0'],
  );
  await deliverJob(site, job);
  const post = await applyJob(site, job);
  const stored = await site.ports.store.get('posts', post.id);
  assert.equal(stored?.['meta'], { footnotes: '', subtitle: 'Article sub', price: '12' });
  assert.equal(post.tags, [21]);
});
applying('texts translated before are prefilled and marked as from memory', async () => {
  const site = await createMlSite();
  await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'A long Post 101' });
  const first = await createJob(site);
  await deliverJob(site, first);
  await applyJob(site, first);
  await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'A long Post 102' });
  const xliff = await fetchFile(site, await createJob(site));
  assert.match(xliff, /<trans-unit id="body-[\s\S]*?state-qualifier="tm-suggestion"><!\[CDATA\[<p>Bonjour/);
  assert.match(
    xliff,
    /<trans-unit id="title"[^]*?<target state="new"><!\[CDATA\[\]\]><\/target>[^]*?<alt-trans match-quality="75%"[^>]*>\s*<source><!\[CDATA\[A long Post 101\]\]><\/source>\s*<target><!\[CDATA\[A long Article 101\]\]>/,
  );
});
applying.run();

const stale = suite('stale exports');
stale('a changed post is detected by the list, the file and the delivery', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const xliff = translateXliff(await fetchFile(site, job), (_id, source) => `${source} fr`);
  const isFlagged = async (): Promise<boolean> =>
    (await site.ask('admin', 'GET /ml/tm/v1/jobs')).body.jobs[0].needs_update;
  assert.is(await isFlagged(), false);
  await site.ask('admin', 'POST /cms/v2/posts/101', { sticky: true });
  assert.is(await isFlagged(), false);
  await site.ask('admin', 'POST /cms/v2/posts/101', { content: '<p>New</p>' });
  assert.is(await isFlagged(), true);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
  assert.is(await isFlagged(), true);
  await applyJob(site, job);
  assert.is(await isFlagged(), true);
});
stale('a job that was sent again accepts an old file, and is flagged', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const xliff = translateXliff(await fetchFile(site, job), (_id, source) => `${source} fr`);
  await site.ask('admin', 'POST /cms/v2/posts/101', { content: '<p>New</p>', excerpt: 'One field more' });
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
  assert.is((await readJob(site, job))['needs_update'], false);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
  assert.is((await readJob(site, job))['needs_update'], true);
});
stale.run();
