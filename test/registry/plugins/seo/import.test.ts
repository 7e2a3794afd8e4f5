import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { and, eq } from '../../../../lib/store/query.ts';
import type { Imports } from '../../../../registry/core/host/ports.ts';
import { createContentModel } from '../../../../registry/core/model/content-model.ts';
import { readOption } from '../../../../registry/core/settings/options.ts';
import { createSeoSite, type SeoSite } from './seo-site.ts';

async function* toLines(lines: readonly unknown[]): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
}

/** An import directory in memory. */
function createImports(files: Readonly<Record<string, readonly unknown[]>>): Imports {
  return { lines: async (name) => (files[name] === undefined ? null : toLines(files[name])) };
}

const importFiles = (files: Readonly<Record<string, readonly unknown[]>>): Promise<SeoSite> =>
  createSeoSite({ ports: { imports: createImports(files) } });

async function readSaid(site: SeoSite, type: string, id: number) {
  return (
    await site.store.find({
      collection: 'seo_meta',
      where: and(eq('object_type', type), eq('object_id', id)),
    })
  ).records[0];
}

const imports = suite('import');

imports('posts are found by id, slug and URL', async () => {
  const site = await importFiles({
    'posts.jsonl': [
      { id: 101, title: 'One', robots: { noindex: true }, cornerstone: true },
      '',
      { slug: 'alpha-fr', language: 'fr', focus_phrase: 'mots' },
      { url: 'http://site.test/en/beta/', description: 'Three' },
      { url: 'http://site.test/en/?p=110', canonical: 'https://c.example/' },
      { id: 999, title: 'Nobody' },
      'no json',
      { id: 102, unknown: 1 },
      { id: 102, og_image: 'javascript:alert(1)' },
    ],
  });
  const { status, body } = await site.call('POST /seo/v1/import/file/posts');
  assert.is(status, 200);
  assert.equal(body, {
    next_url: false,
    objects: [
      { line: 1, object_type: 'post', object_id: 101, fields: ['title', 'cornerstone', 'noindex'] },
      { line: 3, object_type: 'post', object_id: 103, fields: ['focus_phrase'] },
      { line: 4, object_type: 'post', object_id: 102, fields: ['description'] },
      { line: 5, object_type: 'post', object_id: 110, fields: ['canonical'] },
    ],
  });
  const said = await readSaid(site, 'post', 101);
  assert.equal([said?.['title'], said?.['noindex'], said?.['nofollow']], ['One', true, false]);
  assert.is(site.logged.filter(({ level }) => level === 'warn').length, 4);
});
imports('fields that an editor set are kept', async () => {
  const site = await importFiles({ 'posts.jsonl': [{ id: 101, title: 'Theirs', description: 'Theirs' }] });
  await site.store.commit([
    { op: 'create', collection: 'seo_meta', values: { object_type: 'post', object_id: 101, title: 'Mine' } },
  ]);
  assert.equal((await site.call('POST /seo/v1/import/file/posts')).body['objects'], [
    { line: 1, object_type: 'post', object_id: 101, fields: ['description'] },
  ]);
  const said = await readSaid(site, 'post', 101);
  assert.equal([said?.['title'], said?.['description']], ['Mine', 'Theirs']);
});
imports('runs in batches, continues where it stopped, and restarts after cleanup', async () => {
  const site = await importFiles({
    'posts.jsonl': Array.from({ length: 60 }, () => ({ id: 101, title: 'One' })),
  });
  const next = async () => {
    const { body } = await site.call('POST /seo/v1/import/file/posts');
    return [(body['objects'] as readonly unknown[]).length, body['next_url']];
  };
  assert.equal(await next(), [25, 'seo/v1/import/file/posts']);
  assert.equal(await next(), [25, 'seo/v1/import/file/posts']);
  assert.equal(await next(), [10, false]);
  assert.equal(await next(), [0, false]);
  assert.is((await site.call('POST /seo/v1/import/file/cleanup')).status, 200);
  assert.equal(await next(), [25, 'seo/v1/import/file/posts']);
});
imports('terms', async () => {
  const site = await importFiles({
    'terms.jsonl': [
      { url: 'http://site.test/en/category/news/', title: 'All news' },
      { slug: 'rouge', nope: 1 },
      { slug: 'red', description: 'Red' },
    ],
  });
  assert.equal((await site.call('POST /seo/v1/import/file/terms')).body['objects'], [
    { line: 1, object_type: 'term', object_id: 2, fields: ['title'] },
    { line: 3, object_type: 'term', object_id: 11, fields: ['description'] },
  ]);
});
imports('settings fill missing values', async () => {
  const site = await importFiles({
    'settings.jsonl': [
      { option: 'representation', values: { company_or_person: 'company', company_name: 'Theirs' } },
      { option: 'profiles', values: { network_b_site: 'not a name' } },
      { option: 'integrations', values: {} },
    ],
  });
  await site.call('POST /seo/v1/configuration/site_representation', { company_or_person: 'person' });
  assert.equal((await site.call('POST /seo/v1/import/file/settings')).body['objects'], [
    { line: 1, object_type: 'representation', object_id: 0, fields: ['company_name'] },
  ]);
  assert.equal(await readOption(site.store, 'seo', 'representation'), {
    company_or_person: 'person',
    company_name: 'Theirs',
  });
});
imports('imported fields appear in the head', async () => {
  const site = await importFiles({ 'posts.jsonl': [{ slug: 'alpha', og_title: 'Card' }] });
  await site.call('POST /seo/v1/import/file/posts');
  assert.match(
    String((await site.call('GET /seo/v1/get_head?url=http://site.test/en/alpha/')).body['html']),
    '<meta property="og:title" content="Card" />',
  );
});
imports('on a site with the SEO fields, editors see and change what was imported', async () => {
  const content = createContentModel({ seo: true });
  const files = createImports({
    'posts.jsonl': [
      {
        id: 101,
        title: 'Theirs',
        focus_phrase: 'alpha',
        breadcrumb_title: 'Crumb',
        robots: { noindex: true },
      },
      { id: 101, title: 'Again', description: 'New' },
    ],
    'terms.jsonl': [{ id: 2, title: 'All news' }],
  });
  const site = await createSeoSite({ ports: { imports: files, content } });
  await site.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 101,
      values: { meta: { seo_keyphrase: 'mine', other: 'kept' } },
    },
  ]);
  assert.equal(
    (
      (await site.call('POST /seo/v1/import/file/posts')).body['objects'] as readonly { fields: unknown }[]
    ).map(({ fields }) => fields),
    [['title', 'breadcrumb_title', 'noindex'], ['description']],
  );
  assert.is((await site.call('POST /seo/v1/import/file/terms')).status, 200);
  assert.equal((await site.store.get('posts', 101))?.['meta'], {
    seo_keyphrase: 'mine',
    other: 'kept',
    seo_title: 'Theirs',
    seo_noindex: true,
    seo_description: 'New',
  });
  assert.equal((await site.store.get('terms', 2))?.['meta'], { seo_title: 'All news' });
  const said = await readSaid(site, 'post', 101);
  assert.equal([said?.['breadcrumb_title'], said?.['title']], ['Crumb', '']);
  assert.equal((await site.call('GET /seo/v1/meta/search?post_id=101&query=seo_')).body['meta'], [
    { key: 'seo_breadcrumb_title', value: 'Crumb' },
    { key: 'seo_description', value: 'New' },
    { key: 'seo_keyphrase', value: 'mine' },
    { key: 'seo_noindex', value: true },
    { key: 'seo_title', value: 'Theirs' },
  ]);
});
imports('valid files pass, and a missing file is not an error', async () => {
  const site = await importFiles({ 'posts.jsonl': [{ id: 101, title: 'One' }] });
  assert.equal((await site.call('POST /seo/v1/import/file/validate_data')).body, {
    objects: [],
    next_url: false,
  });
});
imports('errors are listed with their lines', async () => {
  const site = await importFiles({
    'posts.jsonl': [{ id: 101 }, { title: 'Whose?' }, '[]'],
    'terms.jsonl': [{ id: 2, title: 5 }],
    'settings.jsonl': [{ option: 'x' }, { option: 'profiles', values: { __proto__: 1, toString: 'x' } }],
  });
  const { status, body } = await site.call('POST /seo/v1/import/file/validate_data');
  assert.equal([status, body['code']], [422, 'seo_error_validation']);
  const { errors } = body['data'] as { errors: readonly { file: string; line: number }[] };
  assert.equal(
    errors.map(({ file, line }) => [file, line]),
    [
      ['posts.jsonl', 2],
      ['posts.jsonl', 3],
      ['terms.jsonl', 1],
      ['settings.jsonl', 1],
      ['settings.jsonl', 2],
    ],
  );
});
for (const [path, code] of [
  ['file/nope', 'import_not_found'],
  ['aioseo/posts', 'import_not_found'],
  ['constructor/posts', 'import_not_found'],
  ['file/posts', 'import_source_missing'],
] as const) {
  imports(`${path}: ${code}`, async () => {
    const site = await importFiles({});
    const { status, body } = await site.call(`POST /seo/v1/import/${path}`);
    assert.equal([status, body['code']], [404, code]);
  });
}
imports('a site without a directory has nothing to import', async () => {
  const site = await createSeoSite();
  assert.is((await site.call('POST /seo/v1/import/file/posts')).body['code'], 'import_source_missing');
});
imports.run();
