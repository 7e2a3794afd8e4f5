import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { listCorrections } from '../../../../../registry/plugins/ml/memory/corrections.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  type MlSite,
  readTranslation,
} from '../ml-site.ts';

// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
const WORDS = ['harbour', 'lighthouse', 'library', 'market'];
const toBody = (words: readonly string[]): string =>
  words
    .map(
      (word) =>
        `<!-- cms:paragraph -->\n<p>The ${word} of Port Arven opens at nine every day of the week</p>\n<!-- /cms:paragraph -->`,
    )
    .join('\n\n');
const translate = (id: string, source: string): string =>
  id === 'URL' ? `${source}-fr` : source.replaceAll('The', 'Le').replaceAll('opens', 'ouvre');
const APPLIED = { id: 1, version: 1, post: 1, source: 'en', target: 'fr', result: 1, learned: 0 };
const APPLY = 'POST /ml/tm/v1/tp/apply-translations';

const setBody = (site: MlSite, post: number, content: string): Promise<unknown> =>
  site.ask('admin', `POST /cms/v2/posts/${post}`, { content });
const apply = async (site: MlSite, job: number, more: object = {}): Promise<any> =>
  checkStatus(await site.ask('manager', APPLY, [{ id: job, type: 'post', ...more }]), 200).body[0];

/** A post with a published translation. */
async function start(): Promise<{ readonly site: MlSite; readonly translation: any }> {
  const site = await createMlSite();
  await setBody(site, 101, toBody(WORDS));
  const job = await createJob(site);
  await deliverJob(site, job, { translate });
  assert.is((await apply(site, job)).status, 10);
  const { id } = await readTranslation(site);
  checkStatus(await site.ask('editor', `POST /cms/v2/posts/${id}`, { status: 'publish' }), 200);
  return { site, translation: await readTranslation(site) };
}

async function correct(site: MlSite, { id, content }: any): Promise<void> {
  checkStatus(
    await site.ask('editor', `POST /cms/v2/posts/${id}`, {
      content: content.raw.replace('Le library', 'La bibliothèque'),
    }),
    200,
  );
}

const unitOf = (file: string, word: string): string =>
  file.split('<trans-unit').find((unit) => unit.includes(`<source><![CDATA[<p>The ${word}`)) ?? '';

const corrections = suite('corrections by hand');
corrections('go into the memory, and so into the jobs of other posts', async () => {
  const { site, translation } = await start();
  await correct(site, translation);
  await setBody(site, 107, toBody(['library', 'market']));
  const file = await fetchFile(site, await createJob(site, 107));
  assert.match(
    unitOf(file, 'library'),
    '<target state="needs-review-translation" state-qualifier="tm-suggestion"><![CDATA[<p>La bibliothèque of Port',
  );
  assert.match(unitOf(file, 'market'), '<![CDATA[<p>Le market of Port');
});
corrections('are suggested for similar texts', async () => {
  const { site, translation } = await start();
  await correct(site, translation);
  await setBody(site, 107, toBody(['library']).replace('nine', 'ten'));
  const unit = unitOf(await fetchFile(site, await createJob(site, 107)), 'library');
  assert.match(
    unit,
    /<target state="new"><!\[CDATA\[\]\]><\/target>[^]*<alt-trans match-quality="93%"[^]*La bibliothèque of Port Arven ouvre at nine/,
  );
});
corrections(
  'are not overwritten: applying names them, and sending the job again takes them over',
  async () => {
    const { site, translation } = await start();
    await setBody(site, 101, toBody([...WORDS, 'bakery']));
    const job = await createJob(site);
    await deliverJob(site, job, { translate });
    await correct(site, translation);
    const refused = await apply(site, job);
    assert.equal([refused.status, refused.errors[0].code], [4, 'ml_translation_edited']);
    assert.match(refused.errors[0].message, /would be overwritten: body-[0-9a-f]{12}\. /);
    assert.match((await readTranslation(site)).content.raw, 'La bibliothèque');
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
    const file = await fetchFile(site, job);
    assert.match(unitOf(file, 'library'), 'La bibliothèque');
    assert.match(unitOf(file, 'bakery'), '<target state="translated"><![CDATA[<p>Le bakery');
    await deliverJob(site, job, {
      translate: (id, source) =>
        source.includes('library')
          ? source.replace('The library', 'La bibliothèque').replace('opens', 'ouvre')
          : translate(id, source),
    });
    assert.is((await apply(site, job)).status, 10);
    const { content } = await readTranslation(site);
    assert.match(content.raw, /Le harbour[^]*La bibliothèque[^]*Le bakery/);
  },
);
corrections('are overwritten if the request says so', async () => {
  const { site, translation } = await start();
  await setBody(site, 101, toBody([...WORDS, 'bakery']));
  const job = await createJob(site);
  await deliverJob(site, job, { translate });
  await correct(site, translation);
  assert.is((await apply(site, job)).errors[0].code, 'ml_translation_edited');
  assert.is((await apply(site, job, { overwrite: true })).status, 10);
  assert.match((await readTranslation(site)).content.raw, 'Le library');
});
corrections(
  'of a text that the source no longer has, and other changes of the translation, stop nothing',
  async () => {
    const { site, translation } = await start();
    await correct(site, translation);
    checkStatus(
      await site.ask('editor', `POST /cms/v2/posts/${translation.id}`, { sticky: true, slug: 'autre' }),
      200,
    );
    await setBody(site, 101, toBody(['harbour', 'lighthouse', 'market']));
    const job = await createJob(site);
    await deliverJob(site, job, { translate });
    assert.is((await apply(site, job)).status, 10);
  },
);
corrections('of the title are known as well', async () => {
  const { site, translation } = await start();
  checkStatus(await site.ask('editor', `POST /cms/v2/posts/${translation.id}`, { title: 'Le titre' }), 200);
  await setBody(site, 101, toBody(['harbour']));
  assert.match(
    await fetchFile(site, await createJob(site)),
    '<target state="needs-review-translation" state-qualifier="tm-suggestion"><![CDATA[Le titre]]>',
  );
});
corrections('are not guessed when paragraphs change places or their number', () => {
  const units = ['one', 'two', 'two', 'three'].map((text, at) => ({
    id: `body-${at}`,
    source: text,
    text: `<p>${text}</p>`,
  }));
  const compare = (words: readonly string[]): unknown => {
    const text = units.map((unit) => unit.text).join('');
    const [found] = runSteps(
      listCorrections(
        { ...APPLIED, texts: [{ id: 'body', label: '', text, units }] },
        { id: 1, version: 1, content: words.map((word) => `<p>${word}</p>`).join(''), meta: {} },
      ),
    );
    return found?.units?.map((unit) => [unit.id, unit.text]) ?? null;
  };
  assert.equal(compare(['one', 'deux', 'two', 'three']), [['body-1', '<p>deux</p>']]);
  assert.equal(compare(['un', 'two', 'deux', 'trois']), [
    ['body-0', '<p>un</p>'],
    ['body-2', '<p>deux</p>'],
    ['body-3', '<p>trois</p>'],
  ]);
  for (const words of [
    ['three', 'two', 'two', 'one'],
    ['one', 'two', 'three'],
    ['one', 'two', 'two', 'three', 'four'],
    ['new', 'one', 'two', 'two'],
  ])
    assert.is(compare(words), null, words.join());
});
corrections.run();
