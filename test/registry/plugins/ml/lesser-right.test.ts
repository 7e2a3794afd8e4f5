// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
// Markup of a translation is kept only if both the user who delivered it and the user who applies it may write unfiltered HTML.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitiseContent } from '../../../../registry/core/content/sanitise/sanitise.ts';
import type { TextEngine } from '../../../../registry/plugins/ml/engine/text-engine.ts';
import { TEST_CONFIG } from '../../../support/ports.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  readTranslation,
  toReports,
  toText,
  translateXliff,
  type MlSite,
  type UserName,
} from './ml-site.ts';

const HOSTILE = '<p>Bonjour<script>alert(1)</script> <img src="x" onerror="alert(1)"></p>';
const CLEAN = sanitiseContent(HOSTILE);
/** The text as the block of the source. */
const toBlock = (text: string): string => `<!-- cms:paragraph -->\n${text}\n<!-- /cms:paragraph -->`;
const CONFIG =
  '<ml-config><custom-fields><custom-field action="translate">footnotes</custom-field></custom-fields></ml-config>';

const translate = (id: string, source: string): string =>
  id === 'body' || id === 'excerpt' || id.startsWith('field-footnotes') ? HOSTILE : `${source} fr`;

async function handIn(site: MlSite, job: number, user: UserName): Promise<void> {
  const xliff = translateXliff(await fetchFile(site, job), translate);
  checkStatus(await site.ask(user, 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
}

async function createSite(
  parts: Parameters<typeof createMlSite>[0] = {},
): Promise<{ readonly site: MlSite; readonly job: number }> {
  const site = await createMlSite(parts);
  await site.ports.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 101,
      values: { excerpt: 'An excerpt', meta: { footnotes: '[{"id":"a","content":"A note"}]' } },
    },
  ]);
  checkStatus(await site.ask('admin', 'POST /ml/v1/custom-xml-config', { content: CONFIG }), 200);
  return { site, job: await createJob(site, 101, { translator_id: 4 }) };
}

async function applyAs(site: MlSite, job: number, user: UserName): Promise<any> {
  const { body } = checkStatus(
    await site.ask(user, 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
    200,
  );
  assert.equal(
    body.map((each: any) => [each.id, each.status, each.errors]),
    [[job, 10, undefined]],
  );
  return readTranslation(site);
}

const textsOf = (post: any): unknown => [
  post.content.raw,
  post.excerpt.raw,
  JSON.parse(post.meta.footnotes)[0].content,
];

const rights = suite('a translation with markup');

rights('is dangerous before it is sanitised, and harmless after', () => {
  assert.match(HOSTILE, /<script|onerror/);
  assert.not.match(CLEAN, /<script|onerror/);
});

const ROWS: readonly (readonly [writer: UserName, applicant: UserName, expected: string])[] = [
  ['anna', 'admin', CLEAN],
  ['anna', 'anna', CLEAN],
  ['manager', 'admin', CLEAN],
  ['admin', 'anna', CLEAN],
  ['admin', 'manager', CLEAN],
  ['admin', 'admin', HOSTILE],
];
for (const [writer, applicant, expected] of ROWS) {
  rights(
    `of ${writer}, applied by ${applicant}, is ${expected === CLEAN ? 'sanitised' : 'kept'}`,
    async () => {
      const { site, job } = await createSite();
      await handIn(site, job, writer);
      assert.equal(textsOf(await applyAs(site, job, applicant)), [toBlock(expected), expected, expected]);
    },
  );
}

rights('of the translation memory is sanitised for every user who applies it', async () => {
  const { site, job } = await createSite();
  await handIn(site, job, 'anna');
  await applyAs(site, job, 'admin');
  // Another post with the same texts gets all of its first translations from the memory.
  const texts = {
    title: 'Post 101',
    excerpt: 'An excerpt',
    content: String((await site.ports.store.get('posts', 101))?.['content']),
  };
  await site.ports.store.commit([{ op: 'update', collection: 'posts', id: 107, values: texts }]);
  const second = await createJob(site, 107);
  await site.ports.store.commit([{ op: 'update', collection: 'ml_jobs', id: second, values: { status: 4 } }]);
  await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: second, type: 'post' }]);
  const post = await readTranslation(site, 107);
  assert.equal([post.content.raw, post.excerpt.raw], [toBlock(CLEAN), CLEAN]);
});

rights('of an engine is sanitised, even when the engine sets unfiltered', async () => {
  const machine: TextEngine = {
    id: 'machine',
    label: 'Machine',
    languages: [],
    translate: async ({ fields }) =>
      new Map(
        fields.map(({ id, source }) => [
          id,
          { text: translate(toText(id), source), state: 'initial' as const, unfiltered: true as const },
        ]),
      ),
  };
  const { site, job } = await createSite({
    config: { ...TEST_CONFIG, namespaces: { ml: { textEngines: [machine] } } },
  });
  await site.ports.store.commit([
    { op: 'update', collection: 'ml_jobs', id: job, values: { status: 4, review_status: 'ACCEPTED' } },
  ]);
  assert.equal(textsOf(await applyAs(site, job, 'admin')), [toBlock(CLEAN), CLEAN, CLEAN]);
});

rights('that equals its source is kept unchanged for all users', async () => {
  for (const applicant of ['admin', 'anna'] as const) {
    const { site, job: _first } = await createSite();
    const content =
      '<iframe src="https://video.test/1"></iframe>\n<form><input name="q"></form><svg><path d="M0 0"/></svg><style>p{}</style>';
    await site.ports.store.commit([{ op: 'update', collection: 'posts', id: 107, values: { content } }]);
    const job = await createJob(site, 107, { translator_id: 4 });
    const xliff = translateXliff(await fetchFile(site, job), (id, source) =>
      id === 'title' ? `${source} fr` : source,
    );
    checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
    checkStatus(
      await site.ask(applicant, 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
      200,
    );
    assert.is((await readTranslation(site, 107)).content.raw, content);
  }
});

rights.run();
