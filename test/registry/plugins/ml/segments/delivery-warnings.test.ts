// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  readJob,
  readProblems,
  readTranslation,
  toReports,
  toText,
  translateXliff,
  type MlSite,
  type UserName,
} from '../ml-site.ts';

const SOURCE =
  '<p>Hello <b>big</b> %s world</p><iframe src="https://a.example.org/"></iframe>[gallery ids="1"]';
/** One segment. */
const toBlock = (text: string): string => `<!-- cms:quote -->${text}<!-- /cms:quote -->`;

async function start(): Promise<{ readonly site: MlSite; readonly job: number }> {
  const site = await createMlSite();
  await site.ports.store.commit([
    { op: 'update', collection: 'posts', id: 107, values: { content: toBlock(SOURCE) } },
  ]);
  return { site, job: await createJob(site, 107, { translator_id: 4 }) };
}

async function handIn({ site, job }: { site: MlSite; job: number }, body: string, user: UserName = 'anna') {
  const xliff = translateXliff(await fetchFile(site, job), (id, source) => (id === 'body' ? body : source));
  return site.ask(user, 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff));
}

const readLog = async (site: MlSite): Promise<readonly unknown[]> =>
  (await readProblems(site)).map(([, code]) => code);

const warnings = suite('a translation that lost something');
warnings('without shortcodes or placeholders is refused by name, and nothing is stored', async () => {
  const given = await start();
  const { body } = checkStatus(
    await handIn(given, SOURCE.replace('%s ', '').replace('gallery', 'galerie')),
    422,
    'xliff_markup_lost',
  );
  assert.equal(Object.values(body.data.units), [{ shortcodes: ['gallery'], placeholders: ['%1$s'] }]);
  assert.equal((await given.site.ports.store.get('ml_jobs', given.job))?.['status'], 1);
});
warnings('is stored with warnings, which the log of the job repeats', async () => {
  const given = await start();
  const { body } = checkStatus(
    await handIn(given, SOURCE.replace('<b>big</b>', 'grand').replace('Hello', 'Bonjour<script>x</script>')),
    200,
  );
  assert.is(body.stored, true);
  assert.equal(
    body.warnings.map(({ code, unit, names }: any) => [code, toText(unit), names]),
    [
      ['tags_lost', 'body', ['b', '/b']],
      ['markup_removed', 'body', ['script']],
    ],
  );
  assert.equal(await readLog(given.site), ['tags_lost', 'markup_removed']);
});
warnings('names the attributes and the comments that went', async () => {
  const given = await start();
  const { body } = checkStatus(
    await handIn(
      given,
      SOURCE.replace('<b>big</b>', '<b onclick="go()">big</b>').replace(
        'Hello',
        '<a href="javascript:go()" title="x">Bonjour</a><?php echo 1 ?>',
      ),
    ),
    200,
  );
  assert.equal(
    body.warnings.map(({ code, names }: any) => [code, names]),
    [['markup_removed', ['a[href]', 'b[onclick]', '<?php']]],
  );
});
warnings('keeps what its source holds by right', async () => {
  const given = await start();
  const target = SOURCE.replace('Hello', 'Bonjour');
  assert.is(checkStatus(await handIn(given, target), 200).body, true);
  checkStatus(
    await given.site.ask('anna', 'POST /ml/tm/v1/tp/apply-translations', [{ id: given.job, type: 'post' }]),
    200,
  );
  assert.is((await readTranslation(given.site, 107)).content.raw, toBlock(target));
});
warnings('by the right of the user who applies it is logged', async () => {
  const given = await start();
  assert.is(checkStatus(await handIn(given, `${SOURCE}<object data="x"></object>`, 'admin'), 200).body, true);
  checkStatus(
    await given.site.ask('anna', 'POST /ml/tm/v1/tp/apply-translations', [{ id: given.job, type: 'post' }]),
    200,
  );
  assert.is((await readTranslation(given.site, 107)).content.raw, toBlock(SOURCE));
  assert.equal(await readLog(given.site), ['markup_removed']);
});
warnings(
  'of an older file without all units leaves the job to be translated, until it has them',
  async () => {
    const { site, job } = await start();
    const older = translateXliff(await fetchFile(site, job), (_id, source) => source);
    checkStatus(
      await site.ask('admin', 'POST /cms/v2/posts/107', {
        content: `${toBlock(SOURCE)}\n\n${toBlock('<p>New</p>')}`,
      }),
      200,
    );
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
    const { body } = checkStatus(
      await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, older)),
      200,
    );
    assert.equal(
      body.warnings.map(({ code, unit, names }: any) => [code, unit, names.map(toText)]),
      [['units_missing', '', ['body']]],
    );
    assert.match(
      body.warnings[0].message,
      /^the job is not ready, because these units are missing: body-[0-9a-f]{12}$/,
    );
    const stored = await readJob(site, job);
    assert.equal(
      [stored['status'], Object.keys(stored['targets']).length, stored['fields'].length],
      [1, stored['fields'].length - 1, stored['fields'].length],
    );
    const [refused] = checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
      200,
    ).body;
    assert.is(refused.errors[0].code, 'ml_job_not_translated');
    const newer = translateXliff(await fetchFile(site, job), (_id, source) => source);
    assert.is(
      checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, newer)), 200).body,
      true,
    );
    assert.is((await readJob(site, job))['status'], 4);
  },
);
warnings.run();
