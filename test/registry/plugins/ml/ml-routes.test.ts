// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeMo } from '../../../../registry/plugins/ml/mo/mo.ts';
import { createMemoryFiles } from '../../../support/memory-files.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  readJob,
  toReports,
  translateXliff,
  USERS,
  type MlSite,
  type UserName,
} from './ml-site.ts';

const XML =
  '<wpml-config><custom-types><custom-type translate="1">post</custom-type></custom-types></wpml-config>';

/** Every route of the four namespaces: the users who may call it, the method and the parameters. `{job}` is replaced by the id of a waiting job. */
const ROUTES: readonly {
  readonly target: string;
  readonly body?: unknown;
  readonly allowed: readonly UserName[];
}[] = (() => {
  const admins: readonly UserName[] = ['admin'];
  const managers: readonly UserName[] = ['admin', 'manager'];
  const translators: readonly UserName[] = ['admin', 'manager', 'anna', 'noor'];
  const workers: readonly UserName[] = ['admin', 'manager', 'anna'];
  return [
    { target: 'GET /ml/v1/custom-xml-config', allowed: admins },
    { target: 'POST /ml/v1/custom-xml-config', body: { content: XML }, allowed: admins },
    { target: 'POST /ml/v1/custom-xml-config/validate', body: { content: XML }, allowed: admins },
    { target: 'GET /ml/tm/v1/jobs', allowed: translators },
    { target: 'POST /ml/tm/v1/jobs/assign', body: { jobId: '{job}', translatorId: 4 }, allowed: workers },
    { target: 'POST /ml/tm/v1/jobs/cancel', body: [{ id: 1, type: 'post' }], allowed: managers },
    { target: 'GET /ml/tm/v1/xliff/fetch/{job}', allowed: workers },
    { target: 'POST /ml/tm/v1/tp/apply-translations', body: [], allowed: translators },
    { target: 'POST /ml/tm/v1/tp/batches/sync', body: { batchId: 1 }, allowed: translators },
    { target: 'GET /ml/tm/v1/tp/batches/status', allowed: translators },
    {
      target: 'POST /ml/tm/v1/ate/jobs',
      body: { jobs: [{ post_id: 101, target_language: 'nl' }] },
      allowed: managers,
    },
    { target: 'GET /ml/tm/v1/ate/jobs/{job}', allowed: workers },
    {
      target: 'POST /ml/tm/v1/ate/jobs/store',
      body: { ml_job_id: '{job}', ate_job_data: [] },
      allowed: workers,
    },
    { target: 'POST /ml/tm/v1/ate/jobs/sync', allowed: translators },
    { target: 'POST /ml/tm/v1/ate/jobs/download', body: { jobs: [] }, allowed: translators },
    { target: 'POST /ml/tm/v1/ate/jobs/retry', allowed: translators },
    { target: 'GET /ml/tm/v1/ate/jobs/{job}/fix', allowed: workers },
    { target: 'POST /ml/tm/v1/ams/register_manager', allowed: managers },
    { target: 'GET /ml/tm/v1/ams/synchronize/translators', allowed: managers },
    { target: 'GET /ml/tm/v1/ams/synchronize/managers', allowed: managers },
    { target: 'GET /ml/tm/v1/ams/status', allowed: managers },
    { target: 'GET /ml/tm/v1/ams/console', allowed: managers },
    { target: 'GET /ml/tm/v1/ams/engines', allowed: managers },
    { target: 'POST /ml/tm/v1/ams/engines', body: [{ engine: 'memory', enabled: false }], allowed: managers },
    { target: 'POST /ml/st/v1/import_mo_strings', body: { plugins: ['shop'] }, allowed: admins },
    { target: 'POST /ml/st/v1/pre_generate_mo_files', allowed: admins },
    {
      target: 'POST /ml/st/v1/settings',
      body: { group: 'MO', key: 'pregen-dismissed', data: true },
      allowed: admins,
    },
  ];
})();

const FILES = {
  'plugins/shop/shop-fr_FR.mo': writeMo({
    headers: {},
    messages: [{ context: '', id: 'Cart', plural: '', translations: ['Panier'] }],
  }),
};

async function createBusySite(): Promise<{ readonly site: MlSite; readonly job: number }> {
  const site = await createMlSite({ files: createMemoryFiles(FILES) });
  return { site, job: await createJob(site, 101, { batch_name: 'Spring' }) };
}

const fill = <T>(value: T, job: number): T =>
  JSON.parse(
    (JSON.stringify(value) ?? 'null').replaceAll('"{job}"', String(job)).replaceAll('{job}', String(job)),
  ) as T;

const permissions = suite('permissions');
const EVERYBODY: readonly UserName[] = ['nobody', ...(Object.keys(USERS) as (keyof typeof USERS)[])];
const toBody = ({ target, body }: (typeof ROUTES)[number], job: number): unknown =>
  target.includes('store')
    ? { ml_job_id: String(job), ate_job_data: [] }
    : body === undefined
      ? undefined
      : fill(body, job);

permissions('unauthorized users', async () => {
  const { site, job } = await createBusySite();
  for (const route of ROUTES) {
    for (const user of EVERYBODY.filter((name) => !route.allowed.includes(name))) {
      const reply = await site.ask(user, fill(route.target, job), toBody(route, job));
      assert.is(
        reply.status,
        user === 'nobody' ? 401 : 403,
        `${user}: ${route.target}: ${JSON.stringify(reply.body)?.slice(0, 200)}`,
      );
    }
  }
});
for (const route of ROUTES) {
  permissions(`${route.target}: ${route.allowed.join(', ')}`, async () => {
    for (const user of route.allowed) {
      const { site, job } = await createBusySite();
      checkStatus(await site.ask(user, fill(route.target, job), toBody(route, job)), 200);
    }
  });
}
permissions('the callback requires the token', async () => {
  const { site, job } = await createBusySite();
  for (const query of ['', '?t=', '?t=x', `?t=${'0'.repeat(64)}`, `?t=${'%C3%A9'.repeat(64)}`]) {
    checkStatus(
      await site.ask('admin', `GET /ml/tm/v1/ate/jobs/receive/${job}${query}`),
      403,
      'ml_receive_invalid_token',
    );
  }
});
permissions.run();

const own = suite('translators');
own('see the jobs of their languages, and in the queue their own and unassigned ones', async () => {
  const site = await createMlSite();
  const free = await createJob(site);
  const annas = await createJob(site, 107, { translator_id: 4 });
  const others = await createJob(site, 102, { translator_id: 3 });
  await createJob(site, 101, { target_language: 'nl' });
  const list = async (user: UserName, query = ''): Promise<number[]> => {
    const { body } = await site.ask(user, `GET /ml/tm/v1/jobs${query}`);
    assert.is(body.total, body.jobs.length);
    return body.jobs.map((each: any) => each.id).sort((a: number, b: number) => a - b);
  };
  assert.equal(await list('anna'), [free, annas, others]);
  assert.equal(await list('anna', '?pageName=translation-queue'), [free, annas]);
  assert.is((await list('noor')).length, 1);
  assert.is((await list('manager')).length, 4);
});
own('work on their own and unassigned jobs, not on those of others', async () => {
  const site = await createMlSite();
  const others = await createJob(site, 101, { translator_id: 3 });
  const dutch = await createJob(site, 107, { target_language: 'nl' });
  for (const job of [others, dutch]) {
    checkStatus(await site.ask('anna', `GET /ml/tm/v1/xliff/fetch/${job}`), 403, 'ml_tm_xliff_forbidden');
    checkStatus(await site.ask('anna', `GET /ml/tm/v1/ate/jobs/${job}/fix`), 403, 'ml_job_forbidden');
    checkStatus(
      await site.ask('anna', `GET /ml/tm/v1/tp/xliff/download/${job}/post`),
      403,
      'ml_job_forbidden',
    );
    checkStatus(
      await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, 'x')),
      403,
      'not_your_job',
    );
  }
  checkStatus(await site.ask('anna', `GET /ml/tm/v1/ate/jobs/${dutch}`), 403, 'ml_job_forbidden');
});
own('deliver and apply their own jobs, but cannot change the engine data', async () => {
  const site = await createMlSite();
  const job = await createJob(site, 101, { translator_id: 4 });
  const xliff = translateXliff(await fetchFile(site, job), (_id, source) => `${source}!`);
  checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
  checkStatus(
    await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', {
      ml_job_id: String(job),
      ate_job_data: [{ status: 8 }],
    }),
    403,
    'not_your_job',
  );
  const { body } = checkStatus(await site.ask('anna', 'POST /ml/tm/v1/tp/apply-translations'), 200);
  assert.equal(body, [{ id: job, type: 'post', status: 10 }]);
});
own('applying or retrying jobs of others does nothing', async () => {
  const site = await createMlSite();
  const job = await createJob(site, 101, { translator_id: 3 });
  await deliverJob(site, job);
  for (const [target, body] of [
    ['tp/apply-translations', [{ id: job, type: 'post' }]],
    ['tp/apply-translations', undefined],
    ['ate/jobs/download', { jobs: [{ jobId: job }] }],
  ] as const) {
    assert.equal((await site.ask('anna', `POST /ml/tm/v1/${target}`, body)).body, []);
  }
  assert.equal(
    (await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/retry', { jobsToProcess: [job] })).body.processed,
    [],
  );
  assert.is((await readJob(site, job))['status'], 4);
});
own('can only take an unassigned job and return it', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const assign = (user: UserName, translatorId: number) =>
    site.ask(user, 'POST /ml/tm/v1/jobs/assign', { jobId: job, translatorId });
  checkStatus(await assign('anna', 3), 403, 'ml_job_forbidden');
  checkStatus(await assign('noor', 5), 403, 'ml_job_forbidden');
  checkStatus(await assign('anna', 4), 200);
  checkStatus(await assign('noor', 0), 403, 'ml_job_forbidden');
  checkStatus(await assign('anna', 0), 200);
  assert.is((await readJob(site, job))['translator'], 0);
});
own.run();

interface Refusal {
  readonly name: string;
  readonly target: string;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
  readonly user?: UserName;
}

const order = (more: object): object => ({ jobs: [{ post_id: 107, target_language: 'fr', ...more }] });
const CREATE = 'POST /ml/tm/v1/ate/jobs';
const STORE = 'POST /ml/tm/v1/ate/jobs/store';
const ASSIGN = 'POST /ml/tm/v1/jobs/assign';

/** The site has only job 1 (post 101 to French, waiting). */
const REFUSALS: readonly Refusal[] = [
  {
    name: 'configuration with a fault',
    target: 'POST /ml/v1/custom-xml-config',
    body: { content: '<x/>' },
    status: 400,
    code: 'invalid_xml_config',
  },
  {
    name: 'configuration with a DOCTYPE',
    target: 'POST /ml/v1/custom-xml-config',
    body: { content: '<!DOCTYPE a><wpml-config/>' },
    status: 400,
    code: 'invalid_xml_config',
  },
  {
    name: 'configuration that is missing',
    target: 'POST /ml/v1/custom-xml-config',
    body: {},
    status: 400,
    code: 'rest_missing_callback_param',
  },
  {
    name: 'configuration that is too long',
    target: 'POST /ml/v1/custom-xml-config',
    body: { content: 'x'.repeat(262_145) },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'configuration that is too long in bytes',
    target: 'POST /ml/v1/custom-xml-config/validate',
    body: { content: 'é'.repeat(140_000) },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with a scope that does not exist',
    target: 'GET /ml/tm/v1/jobs?scope=mars',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with a status that is not a number',
    target: 'GET /ml/tm/v1/jobs?status=done',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with a column that does not exist',
    target: 'GET /ml/tm/v1/jobs?sorting[password]=asc',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with a direction that does not exist',
    target: 'GET /ml/tm/v1/jobs?sorting[title]=up',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with an invalid date',
    target: 'GET /ml/tm/v1/jobs?sent_from=yesterday',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list with dates in the wrong order',
    target: 'GET /ml/tm/v1/jobs?sent_from=2025-02-01&sent_to=2025-01-01',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'list of too many',
    target: 'GET /ml/tm/v1/jobs?limit=501',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'assign without job',
    target: ASSIGN,
    body: { translatorId: 4 },
    status: 400,
    code: 'rest_missing_callback_param',
  },
  {
    name: 'assign a job of an invalid type',
    target: ASSIGN,
    body: { jobId: 1, translatorId: 4, type: 'page' },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'assign an unknown job',
    target: ASSIGN,
    body: { jobId: 99, translatorId: 4 },
    status: 404,
    code: 'job_not_found',
  },
  {
    name: 'assign a job of another type',
    target: ASSIGN,
    body: { jobId: 1, translatorId: 4, type: 'string' },
    status: 404,
    code: 'job_not_found',
  },
  {
    name: 'assign to an unknown user',
    target: ASSIGN,
    body: { jobId: 1, translatorId: 99 },
    status: 404,
    code: 'translator_not_found',
  },
  {
    name: 'assign to a user who is not a translator',
    target: ASSIGN,
    body: { jobId: 1, translatorId: 6 },
    status: 422,
    code: 'translator_not_capable',
  },
  {
    name: 'assign to a translator of other languages',
    target: ASSIGN,
    body: { jobId: 1, translatorId: 5 },
    status: 422,
    code: 'translator_not_capable',
  },
  {
    name: 'cancel too many',
    target: 'POST /ml/tm/v1/jobs/cancel',
    body: Array.from({ length: 201 }, () => ({ id: 1, type: 'post' })),
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'file of an unknown job',
    target: 'GET /ml/tm/v1/xliff/fetch/99',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'file in an unknown version',
    target: 'GET /ml/tm/v1/xliff/fetch/1?version=3.0',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'translation of an unknown job',
    target: 'GET /ml/tm/v1/tp/xliff/download/99/post',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'translation of another type',
    target: 'GET /ml/tm/v1/tp/xliff/download/1/string',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'translation of an invalid type',
    target: 'GET /ml/tm/v1/tp/xliff/download/1/page',
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'translation that is not available yet',
    target: 'GET /ml/tm/v1/tp/xliff/download/1/post',
    status: 409,
    code: 'ml_job_not_translated',
  },
  {
    name: 'unknown batch',
    target: 'POST /ml/tm/v1/tp/batches/sync',
    body: { batchId: [99] },
    status: 404,
    code: 'batch_not_found',
  },
  {
    name: 'batch without id',
    target: 'POST /ml/tm/v1/tp/batches/sync',
    body: {},
    status: 400,
    code: 'rest_missing_callback_param',
  },
  { name: 'empty list of jobs', target: CREATE, body: { jobs: [] }, status: 400, code: 'rest_invalid_param' },
  {
    name: 'job without post',
    target: CREATE,
    body: { jobs: [{ target_language: 'fr' }] },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'job without language',
    target: CREATE,
    body: { jobs: [{ post_id: 101 }] },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'more than 100 jobs',
    target: CREATE,
    body: { jobs: Array.from({ length: 101 }, () => ({ post_id: 101, target_language: 'fr' })) },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'job of an unknown post',
    target: CREATE,
    body: order({ post_id: 999 }),
    status: 404,
    code: 'ml_post_not_found',
  },
  {
    name: 'job of a post in the trash',
    target: CREATE,
    body: order({ post_id: 106 }),
    status: 404,
    code: 'ml_post_not_found',
  },
  {
    name: 'job of a draft of others',
    target: CREATE,
    body: order({ post_id: 102 }),
    status: 404,
    code: 'ml_post_not_found',
    user: 'manager',
  },
  {
    name: 'job of a protected post of others',
    target: CREATE,
    body: order({ post_id: 104 }),
    status: 404,
    code: 'ml_post_not_found',
    user: 'manager',
  },
  {
    name: 'job into the language of the post',
    target: CREATE,
    body: order({ target_language: 'en' }),
    status: 422,
    code: 'ml_same_language',
  },
  {
    name: 'job into an unknown language',
    target: CREATE,
    body: order({ target_language: 'de' }),
    status: 422,
    code: 'ml_language_unknown',
  },
  {
    name: 'job from another language',
    target: CREATE,
    body: order({ source_language: 'nl' }),
    status: 422,
    code: 'ml_language_unknown',
  },
  {
    name: 'job that already exists',
    target: CREATE,
    body: order({ post_id: 101 }),
    status: 409,
    code: 'ml_job_exists',
  },
  {
    name: 'job twice in one request',
    target: CREATE,
    body: {
      jobs: [
        { post_id: 107, target_language: 'fr' },
        { post_id: 107, target_language: 'fr' },
      ],
    },
    status: 409,
    code: 'ml_job_exists',
  },
  {
    name: 'job with an invalid deadline',
    target: CREATE,
    body: order({ deadline: '2025-02-30' }),
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'job for an unknown translator',
    target: CREATE,
    body: order({ translator_id: 99 }),
    status: 404,
    code: 'translator_not_found',
  },
  {
    name: 'job for the wrong translator',
    target: CREATE,
    body: order({ translator_id: 5 }),
    status: 422,
    code: 'translator_not_capable',
  },
  {
    name: 'sending an unknown job',
    target: CREATE,
    body: { jobs: [{ id: 99 }] },
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'engine record of an unknown job',
    target: 'GET /ml/tm/v1/ate/jobs/99',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'storing for an unknown job',
    target: STORE,
    body: { ml_job_id: '99', ate_job_data: [] },
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'storing for an invalid id',
    target: STORE,
    body: { ml_job_id: '0x1', ate_job_data: [] },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'storing an object in place of a list',
    target: STORE,
    body: { ml_job_id: '1', ate_job_data: { ate_job_id: 1 } },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'storing content that is not base64',
    target: STORE,
    body: { ml_job_id: '1', ate_job_data: [{ translated_xliff: { content: '<xliff/>' } }] },
    status: 422,
    code: 'not_xml_file',
  },
  { name: 'storing a text', target: STORE, body: toReports(1, 'hello'), status: 422, code: 'not_xml_file' },
  {
    name: 'storing bytes that are not text',
    target: STORE,
    body: toReports(1, Buffer.from([0x3c, 0xff, 0xfe])),
    status: 422,
    code: 'not_xml_file',
  },
  {
    name: 'storing a file with a DOCTYPE',
    target: STORE,
    body: toReports(1, '<!DOCTYPE xliff SYSTEM "file:///etc/passwd"><xliff version="1.2"/>'),
    status: 422,
    code: 'not_xml_file',
  },
  {
    name: 'storing another kind of XML',
    target: STORE,
    body: toReports(1, '<html/>'),
    status: 422,
    code: 'xliff_invalid',
  },
  {
    name: 'storing a foreign file',
    target: STORE,
    body: toReports(
      1,
      '<xliff version="1.2"><file original="1-abc"><trans-unit id="title"><target>x</target></trans-unit></file></xliff>',
    ),
    status: 422,
    code: 'xliff_does_not_match',
  },
  {
    name: 'fixing an unknown job',
    target: 'GET /ml/tm/v1/ate/jobs/99/fix',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'fixing a job with the wrong job id',
    target: 'GET /ml/tm/v1/ate/jobs/1/fix?jobId=2',
    status: 404,
    code: 'ml_job_not_found',
  },
  {
    name: 'setting an unknown engine',
    target: 'POST /ml/tm/v1/ams/engines',
    body: [{ engine: 'mars' }],
    status: 400,
    code: 'ml_engine_unknown',
  },
  {
    name: 'proxy without connection',
    target: 'GET /ml/ate/v1/ate/proxy?url=/jobs&method=GET',
    status: 503,
    code: 'service_not_connected',
  },
  {
    name: 'proxy without parameters',
    target: 'GET /ml/ate/v1/ate/proxy',
    status: 400,
    code: 'endpoint_without_parameters',
  },
  {
    name: 'proxy without URL',
    target: 'GET /ml/ate/v1/ate/proxy?method=GET',
    status: 400,
    code: 'missing_required_parameters',
  },
  {
    name: 'proxy with another method',
    target: 'GET /ml/ate/v1/ate/proxy?url=/jobs&method=POST',
    status: 400,
    code: 'invalid_method',
  },
  {
    name: 'importing from a path',
    target: 'POST /ml/st/v1/import_mo_strings',
    body: { plugins: ['../secret'] },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'a setting without name',
    target: 'POST /ml/st/v1/settings',
    body: { group: 'MO', data: 1 },
    status: 400,
    code: 'rest_missing_callback_param',
  },
  {
    name: 'a setting with a bad name',
    target: 'POST /ml/st/v1/settings',
    body: { group: 'a/b', key: 'x', data: 1 },
    status: 400,
    code: 'rest_invalid_param',
  },
  {
    name: 'a setting that is too long',
    target: 'POST /ml/st/v1/settings',
    body: { group: 'a', key: 'x', data: 'x'.repeat(65_536) },
    status: 400,
    code: 'rest_invalid_param',
  },
];

const refusals = suite('refusals');
refusals('have their own codes and change nothing', async () => {
  const site = await createMlSite();
  await createJob(site);
  const before = await readJob(site, 1);
  const wrong: string[] = [];
  for (const { name, target, body, status, code, user } of REFUSALS) {
    const reply = await site.ask(user ?? 'admin', target, body);
    if (reply.status !== status || reply.body.code !== code)
      wrong.push(`${name}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`);
    assert.equal(await readJob(site, 1), before, name);
  }
  assert.equal(wrong, []);
  assert.is((await site.ports.store.find({ collection: 'ml_jobs', total: true })).total, 1);
});
refusals('a closed job is neither assigned, delivered, sent nor cancelled', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const xliff = translateXliff(await fetchFile(site, job), (_id, source) => source);
  assert.equal(
    (await site.ask('admin', 'POST /ml/tm/v1/jobs/cancel', { jobs: [{ id: job, type: 'post' }] })).body,
    [{ id: job, type: 'post' }],
  );
  assert.equal(
    (
      await site.ask('admin', 'POST /ml/tm/v1/jobs/cancel', [
        { id: job, type: 'post' },
        { id: 'x' },
        null,
        { id: 99, type: 'post' },
      ])
    ).body,
    [],
  );
  checkStatus(await site.ask('admin', ASSIGN, { jobId: job, translatorId: 4 }), 409, 'ml_job_closed');
  checkStatus(await site.ask('admin', STORE, toReports(job, xliff)), 409, 'ml_job_closed');
  checkStatus(await site.ask('admin', CREATE, { jobs: [{ id: job }] }), 409, 'ml_job_closed');
  assert.equal((await site.ask('admin', 'GET /ml/tm/v1/jobs')).body.total, 0);
  checkStatus(await site.ask('admin', CREATE, { jobs: [{ post_id: 101, target_language: 'fr' }] }), 200);
});
refusals('a file with a missing or empty target or another language', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const xliff = await fetchFile(site, job);
  const full = translateXliff(xliff, (id, source) =>
    id === 'body' ? source.replace(/<p>.*<\/p>/, '0') : '0',
  );
  const rows: readonly (readonly [string, number, string | undefined])[] = [
    [xliff, 422, 'xliff_invalid'],
    [translateXliff(xliff, (id) => (id === 'body' ? ' ' : 'x')), 422, 'xliff_invalid'],
    [full.replace(/<trans-unit id="body-[\s\S]*?<\/trans-unit>/, ''), 422, 'xliff_invalid'],
    [
      full.replaceAll(
        /<trans-unit[\s\S]*<\/trans-unit>/g,
        '<trans-unit id="x"><target>y</target></trans-unit>',
      ),
      422,
      'xliff_invalid',
    ],
    [full.replace('target-language="fr"', 'target-language="nl"'), 422, 'xliff_does_not_match'],
    [full.replace(/original="\d+/, 'original="2'), 422, 'xliff_does_not_match'],
    [full, 200, undefined],
  ];
  for (const [text, status, code] of rows)
    checkStatus(await site.ask('admin', STORE, toReports(job, text)), status, code);
});
refusals('a type that the configuration excludes, and a post without a text', async () => {
  const site = await createMlSite();
  const xml = XML.replace('translate="1"', 'translate="0"');
  checkStatus(await site.ask('admin', 'POST /ml/v1/custom-xml-config', { content: xml }), 200);
  checkStatus(await site.ask('admin', CREATE, order({})), 422, 'ml_type_not_translatable');
  checkStatus(await site.ask('admin', 'POST /ml/v1/custom-xml-config', { content: ' ' }), 200);
  assert.is((await site.ask('admin', 'GET /ml/v1/custom-xml-config')).body, '');
  await site.ports.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 107,
      values: { title: '', content: '', slug: '', categories: [] },
    },
  ]);
  checkStatus(await site.ask('admin', CREATE, order({})), 422, 'ml_xliff_no_translation_units');
});
refusals('one of two concurrent orders for the same post and language is accepted', async () => {
  const site = await createMlSite();
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => site.ask('admin', CREATE, order({ batch_name: 'Same' }))),
  );
  assert.equal(replies.map((reply) => reply.status).sort(), [200, 409, 409, 409]);
  const refused = replies.find((reply) => reply.status === 409);
  assert.equal([refused?.body.code, refused?.body.data.job_id], ['ml_job_exists', 1]);
});
refusals.run();
