// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import type { Ports } from '../../../../registry/core/host/ports.ts';
import { collections } from '../../../../registry/index.ts';
import { TEST_CONFIG } from '../../../support/ports.ts';
import { inFolder } from '../../../support/temporary.ts';
import { KEY, withMachine } from './machine/machine-server.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  readJob,
  readProblems,
  toReports,
  translateXliff,
  type MlSite,
  type Translate,
  type UserName,
} from './ml-site.ts';

const open = (parts: Partial<Ports> = {}, ml: object = {}): Promise<MlSite> =>
  createMlSite({ config: { ...TEST_CONFIG, namespaces: { ml: { extraRoutes: true, ...ml } } }, ...parts });
const add = (site: MlSite, entry: object, user: UserName = 'manager') =>
  site.ask(user, 'POST /ml/v1/glossary', { source_language: 'en', ...entry });

const WORLD = { term: 'world', targets: { fr: 'monde' }, note: 'all of <it>' };
const NAME = { term: 'Hello', translate: false, case_sensitive: true };

async function handIn(
  site: MlSite,
  job: number,
  { version = '1.2', translate }: { version?: string; translate: Translate },
): Promise<any> {
  const xliff = translateXliff(await fetchFile(site, job, version), translate);
  return checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200)
    .body;
}

const routes = suite('the routes of the glossary');
routes('add, replace, list and remove entries', async () => {
  const site = await open();
  const world = checkStatus(await add(site, WORLD), 201).body;
  assert.equal(world, {
    id: world.id,
    term: 'world',
    source_language: 'en',
    translate: true,
    case_sensitive: false,
    targets: { fr: 'monde' },
    note: 'all of <it>',
  });
  checkStatus(await add(site, NAME), 201);
  assert.equal(
    checkStatus(await add(site, { term: ' World ', targets: { fr: ' le  monde ', nl: 'wereld' } }), 200).body,
    { ...world, term: 'World', targets: { fr: 'le monde', nl: 'wereld' }, note: '' },
  );
  const namesOf = async (query: string): Promise<unknown> =>
    checkStatus(await site.ask('anna', `GET /ml/v1/glossary${query}`), 200).body.map(({ term }: any) => term);
  assert.equal(
    await Promise.all(
      [
        '',
        '?per_page=1&page=2',
        '?search=HELL',
        '?language=nl',
        '?language=nl&search=wor',
        '?source_language=fr',
      ].map(namesOf),
    ),
    [['Hello', 'World'], ['World'], ['Hello'], ['Hello', 'World'], ['World'], []],
  );
  assert.is((await site.ask('anna', 'GET /ml/v1/glossary')).headers['X-CMS-Total'], '2');
  assert.is(
    checkStatus(await site.ask('anna', `GET /ml/v1/glossary/${world.id}`), 200).body.targets.nl,
    'wereld',
  );
  checkStatus(await site.ask('anna', 'GET /ml/v1/glossary/999'), 404, 'ml_glossary_not_found');
  assert.equal(
    checkStatus(await site.ask('manager', `DELETE /ml/v1/glossary/${world.id}`), 200).body.previous.term,
    'World',
  );
  checkStatus(await site.ask('manager', `DELETE /ml/v1/glossary/${world.id}`), 404, 'ml_glossary_not_found');
});
routes('keep terms apart that differ in capitals, if capitals matter', async () => {
  const site = await open();
  for (const [term, sensitive, status] of [
    ['US', true, 201],
    ['us', true, 201],
    ['US', false, 201],
    ['Us', false, 200],
    ['US', true, 200],
  ] as const)
    checkStatus(await add(site, { term, translate: false, case_sensitive: sensitive }), status);
  assert.equal(
    (await site.ask('anna', 'GET /ml/v1/glossary')).body
      .map(({ term, case_sensitive: sensitive }: any) => [term, sensitive])
      .toSorted(),
    [
      ['US', true],
      ['Us', false],
      ['us', true],
    ],
  );
});
routes('refuse what is not an entry, and callers without the right', async () => {
  const site = await open();
  for (const [entry, status, code] of [
    [{ term: ' — ', translate: false }, 400, 'rest_invalid_param'],
    [{ term: 'a' }, 400, 'rest_invalid_param'],
    [{ term: 'a', translate: false, targets: { fr: 'b' } }, 400, 'rest_invalid_param'],
    [{ term: 'a', targets: { fr: ' ' } }, 400, 'rest_invalid_param'],
    [{ term: 'a', targets: { de: 'b' } }, 422, 'ml_language_unknown'],
    [{ term: 'a', targets: { en: 'b' } }, 422, 'ml_same_language'],
    [{ term: 'a', source_language: 'constructor', translate: false }, 422, 'ml_language_unknown'],
    [{ term: 'x'.repeat(201), translate: false }, 400, 'rest_invalid_param'],
  ] as const)
    checkStatus(await add(site, entry), status, code);
  assert.is((await site.ask('admin', 'GET /ml/v1/glossary')).body.length, 0);
  checkStatus(await add(site, NAME, 'anna'), 403);
  checkStatus(await site.ask('reader', 'GET /ml/v1/glossary'), 403);
  checkStatus(await (await createMlSite()).ask('admin', 'GET /ml/v1/glossary'), 404, 'rest_no_route');
});
routes('many writers of one term make one entry, in a file as well', async () => {
  await inFolder(async (folder) => {
    const site = await open({
      store: await createSqliteStore({ directory: folder, collections, durability: 'relaxed' }),
    });
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_each, index) => add(site, { ...WORLD, targets: { fr: `monde ${index}` } })),
    );
    assert.equal(replies.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201]);
    assert.is((await site.ask('admin', 'GET /ml/v1/glossary?search=worl&language=fr')).body.length, 1);
    await site.ports.store.close();
  });
});
routes.run();

const jobs = suite('the glossary in jobs');
jobs('is in the files of both versions', async () => {
  const site = await open();
  await add(site, WORLD);
  await add(site, NAME);
  const job = await createJob(site, 101, { translator_id: 4 });
  const old = await fetchFile(site, job);
  assert.match(
    old,
    '<note from="glossary" annotates="source">Translate &quot;world&quot; as &quot;monde&quot;: all of &lt;it&gt;</note>',
  );
  assert.match(old, '<note from="glossary" annotates="source">Do not translate &quot;Hello&quot;.</note>');
  for (const version of ['2.0', '2.1']) {
    const xliff = await fetchFile(site, job, version);
    assert.match(
      xliff,
      '<gls:term>world</gls:term><gls:translation>monde</gls:translation><gls:definition>all of &lt;it&gt;</gls:definition>',
    );
    assert.match(xliff, '<gls:term>Hello</gls:term><gls:translation>Hello</gls:translation>');
    assert.match(
      xliff,
      '<note appliesTo="source" category="glossary">Do not translate &quot;Hello&quot;.</note>',
    );
  }
});
jobs('a translation that does not follow it is stored with warnings, which the log repeats', async () => {
  const site = await open();
  await add(site, WORLD);
  await add(site, NAME);
  const job = await createJob(site, 101, { translator_id: 4 });
  const bad = await handIn(site, job, {
    translate: (id, source) =>
      id === 'body' ? source.replace('Hello', 'Bonjour').replace('world', 'terre') : source,
  });
  assert.equal(
    [bad.stored, bad.warnings.map(({ code, names }: any) => [code, names])],
    [
      true,
      [
        ['term_lost', ['Hello']],
        ['term_not_used', ['world → monde']],
      ],
    ],
  );
  assert.equal(
    (await readProblems(site)).map(([, code]) => code),
    ['term_lost', 'term_not_used'],
  );
  assert.is(
    await handIn(site, job, {
      version: '2.1',
      translate: (id, source) => (id === 'body' ? source.replace('world', 'Monde entier') : source),
    }),
    true,
  );
  assert.match((await applyJob(site, job)).content.raw, 'Hello <b>Monde entier</b>');
});
jobs(
  'machines leave protected terms as they are, and a term that they do not use is in the log',
  async () => {
    await withMachine('libretranslate', async ({ upstream, asked }) => {
      const site = await open({ upstream }, { libretranslate: { apiKey: KEY } });
      await add(site, WORLD);
      await add(site, NAME);
      const job = await createJob(site, 101);
      assert.match(
        JSON.stringify(asked),
        '<span translate=\\"no\\" class=\\"notranslate\\" id=\\"m0\\">Hello</span>',
      );
      const { targets, fields } = await readJob(site, job);
      const body = fields.find(({ part }: any) => part === 'body');
      assert.match(targets[body.id].text, 'Hello <b>WORLD</b> &amp; ALL');
      assert.equal(
        (await site.ask('admin', `GET /ml/v1/jobs/${job}/log`)).body.map(({ code }: any) => code),
        ['term_not_used'],
      );
    });
  },
);
jobs('DeepL gets the terms as a glossary of its own, once for each state of the glossary', async () => {
  await withMachine('deepl', async ({ upstream, asked, glossaries }) => {
    const site = await open({ upstream }, { deepl: { syncGlossary: true } });
    await createJob(site, 107);
    assert.equal(
      [glossaries.size, asked.every((body) => !('glossary_id' in body))],
      [0, true],
      'a site without terms has no glossary',
    );
    await add(site, WORLD);
    await add(site, NAME);
    const read = async (post: number): Promise<string> => {
      const { targets, fields } = await readJob(site, await createJob(site, post));
      return targets[fields.find(({ part }: any) => part === 'body').id].text;
    };
    assert.match(await read(101), 'Hello <b>monde</b> &amp; ALL');
    assert.equal(
      [...glossaries.values()].map(({ source_lang: source, target_lang: target, entries }) => [
        source,
        target,
        [...entries],
      ]),
      [['en', 'fr', [['world', 'monde']]]],
    );
    await read(102);
    assert.equal([...glossaries.keys()], ['gl-1'], 'the second job uses the same glossary');
    await add(site, { ...WORLD, targets: { fr: 'terre' } });
    assert.match(await read(103), '<b>terre</b>');
    assert.equal([...glossaries.keys()], ['gl-2'], 'the glossary of the earlier terms is removed');
    assert.equal(await readProblems(site), []);
  });
});
jobs('a job is translated without a glossary if DeepL refuses it', async () => {
  await withMachine('deepl', async ({ upstream }) => {
    const failing: Ports['upstream'] = {
      ...upstream,
      request: (service, request) =>
        upstream.request(
          service,
          request.method === 'POST' && request.path === '/v2/glossaries' ? { ...request, body: {} } : request,
        ),
    };
    const site = await open({ upstream: failing }, { deepl: { syncGlossary: true } });
    await add(site, WORLD);
    const job = await createJob(site, 101);
    assert.is((await readJob(site, job))['status'], 4);
    const log: any[] = (await site.ask('admin', `GET /ml/v1/jobs/${job}/log`)).body;
    assert.equal(log.map(({ code }) => code).toSorted(), ['service_bad_response', 'term_not_used']);
    assert.is(
      log.find(({ code }) => code === 'service_bad_response').message,
      'DeepL: the glossary could not be used (status 400).',
    );
  });
});
jobs.run();
