import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { eq } from '../../../../lib/store/query.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import { TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createSpoiltStore, withUnreadable } from '../../../support/spoilt-store.ts';
import { checkFilters, createFullSite } from './job-filters.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  readJob,
  readProblems,
} from './ml-site.ts';

// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
const list = suite('job list');
list('every filter', async () => checkFilters(await createFullSite()));
list('needs_update', async () => {
  const site = await createFullSite();
  await site.ask('admin', 'POST /cms/v2/posts/107', { content: 'new' });
  const ids = async (query: string): Promise<number[]> =>
    (await site.ask('admin', `GET /ml/tm/v1/jobs?${query}`)).body.jobs.map((job: any) => job.id);
  assert.equal(await ids('needs_update=exclude'), [5, 4, 3, 1]);
  assert.equal(await ids('status=3'), [2]);
  assert.equal(await ids('needs_update=include&status=30'), [3, 2]);
  assert.equal(await ids('needs_update=include'), [5, 4, 3, 2, 1]);
});
list('responds even when the store rejects writes', async () => {
  const site = await createMlSite();
  await createJob(site);
  await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'Changed' });
  const full = await createMlSite(
    { store: { ...site.ports.store, commit: () => Promise.reject(new StoreError('full', 'full')) } },
    null,
  );
  const { body } = checkStatus(await full.ask('admin', 'GET /ml/tm/v1/jobs'), 200);
  assert.is(body.jobs[0].needs_update, true);
});
list('skips a post that cannot be read, and shows an invalid language code as it is', async () => {
  const logged: string[] = [];
  const store = createMemoryStore(collections);
  const site = await createMlSite({ store });
  const jobs = [await createJob(site), await createJob(site, 107)];
  for (const post of [101, 107]) await site.ask('admin', `POST /cms/v2/posts/${post}`, { title: 'Changed' });
  await store.commit([
    { op: 'update', collection: 'ml_jobs', id: jobs[1] ?? 0, values: { target: 'no code' } },
  ]);
  const spoilt = createSpoiltStore(store, (collection, record) =>
    collection === 'posts' && record.id === 101 ? withUnreadable(record, 'content') : record,
  );
  const { body } = checkStatus(
    await (
      await createMlSite(
        {
          store: spoilt,
          log: ({ message }) => {
            logged.push(message);
          },
        },
        null,
      )
    ).ask('admin', 'GET /ml/tm/v1/jobs'),
    200,
  );
  assert.equal(
    body.jobs.map((job: any) => [job.id, job.needs_update, job.languages.target]),
    [
      [jobs[1], true, 'no code'],
      [jobs[0], false, 'French'],
    ],
  );
  assert.equal(logged, [`comparing translation job ${jobs[0]} with post 101 failed; it stays as it is`]);
});
list('all members of a job', async () => {
  const site = await createFullSite();
  const { body } = checkStatus(await site.ask('admin', 'GET /ml/tm/v1/jobs?id=1'), 200);
  assert.equal(body.jobs[0], {
    id: 1,
    original_element_id: 101,
    type: 'post',
    tp_id: null,
    status: 1,
    needs_update: false,
    review_status: null,
    language_codes: { source: 'en', target: 'fr' },
    languages: { source: 'English', target: 'French' },
    translation_service_id: 'local',
    translation_service: 'Local translator',
    sent_date: '2025-01-10',
    deadline: '2025-02-01',
    ts_status: 'Waiting for translator',
    element: {
      name: 'Post 101',
      url: 'http://localhost/en/post-101/',
      status: 'publish',
      type: { value: 'post', label: 'Post' },
    },
    translator_name: 'Anna Test',
    translator_id: 4,
    is_ate_job: true,
    automatic: false,
    progress: '',
    batch: { id: 1, name: 'Spring', tp_id: null },
    extra_data: { translate_job_id: 1, editor_job_id: 1 },
    edit_url: 'http://localhost/en/cms-json/ml/tm/v1/xliff/fetch/1',
    view_url: '',
    view_original_url: 'http://localhost/en/post-101/',
  });
  assert.is(body.last_picked_up_date, null);
});
list('names of languages in the language of the request', async () => {
  const site = await createFullSite();
  const { body } = await site.ask('admin', 'GET /ml/tm/v1/jobs?id=1&ml_language=fr');
  assert.equal(body.jobs[0].languages, { source: 'anglais', target: 'français' });
});
list.run();

const files = suite('files of jobs');
files('a finished translation, as texts and as a file', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  const { body } = checkStatus(
    await site.ask('admin', `GET /ml/tm/v1/tp/xliff/download/${job}/post?json=1`),
    200,
  );
  assert.equal(
    [body.source_language, body.target_language, body.translations[0]],
    ['en', 'fr', { field: 'title', source: 'Post 101', target: 'Article 101' }],
  );
  const file = checkStatus(await site.ask('admin', `GET /ml/tm/v1/tp/xliff/download/${job}/post`), 200);
  assert.is(file.headers['Content-Disposition'], `attachment; filename="job-${job}.xliff"`);
  assert.match(file.body, '<![CDATA[Article 101]]>');
});
files('the file names the shortcodes that must not be translated', async () => {
  const site = await createMlSite();
  await site.ask('admin', 'POST /ml/v1/custom-xml-config', {
    content: '<ml-config><shortcode-list>gallery,box</shortcode-list></ml-config>',
  });
  assert.match(await fetchFile(site, await createJob(site)), 'gallery, box');
});
files.run();

const syncing = suite('sync');
syncing('pages of a hundred jobs under one lock, which is released after the last page', async () => {
  const site = await createMlSite();
  const post = (id: number) =>
    ({
      op: 'create',
      collection: 'posts',
      values: { id, type: 'post', language: 'en', status: 'publish', slug: `p${id}`, title: `P${id}` },
    }) as const;
  await site.ports.store.commit(Array.from({ length: 120 }, (_, index) => post(1000 + index)));
  for (const start of [1000, 1060]) {
    checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
        jobs: Array.from({ length: 60 }, (_, index) => ({ post_id: start + index, target_language: 'fr' })),
      }),
      200,
    );
  }
  await deliverJob(site, 110);
  const { body: first } = checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/sync'), 200);
  assert.equal([first.nextPage, first.numberOfPages, first.downloadQueueSize], [2, 2, 0]);
  const { body: other } = checkStatus(await site.ask('manager', 'POST /ml/tm/v1/ate/jobs/sync'), 200);
  assert.equal(other, {
    lockKey: null,
    ateToken: null,
    nextPage: null,
    numberOfPages: null,
    downloadQueueSize: 0,
    jobs: [],
  });
  const { lockKey, ateToken, nextPage: page, numberOfPages } = first;
  const { body: second } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/sync', { lockKey, ateToken, page, numberOfPages }),
    200,
  );
  assert.equal(
    [second.nextPage, second.numberOfPages, second.jobs],
    [null, 2, [{ ateJobId: 110, url: null, ateStatus: 6, jobId: 110, status: 4 }]],
  );
  assert.ok((await site.ask('manager', 'POST /ml/tm/v1/ate/jobs/sync')).body.lockKey);
});
syncing('detects posts that have changed', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'Changed' });
  await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/sync');
  assert.is((await readJob(site, job))['needs_update'], true);
});
syncing.run();

const downloading = suite('download');
downloading('applies finished jobs by either id, does not fetch URLs, and logs failures', async () => {
  const site = await createMlSite();
  const jobs = [await createJob(site), await createJob(site, 107), await createJob(site, 104)];
  await deliverJob(site, 1);
  await deliverJob(site, 2);
  const { body } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/download', {
      jobs: [
        { jobId: jobs[0], url: 'http://127.0.0.1:1/steal' },
        { ateJobId: jobs[1] },
        { jobId: jobs[2] },
        { jobId: 99 },
        {},
      ],
    }),
    200,
  );
  assert.equal(
    body,
    [1, 2].map((jobId) => ({
      jobId,
      ateJobId: jobId,
      status: 10,
      needsReview: false,
      automatic: false,
      language_code: 'fr',
      original_element_id: jobId === 1 ? 101 : 107,
    })),
  );
  assert.equal(await readProblems(site), [[3, 'ml_job_not_translated']]);
});
downloading('does nothing while another caller holds the lock, and continues with its key', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  await site.ports.store.commit([
    {
      op: 'create',
      collection: 'locks',
      values: { name: 'ml.download', key: 'k', expires: TEST_NOW + 1000 },
    },
  ]);
  assert.equal(
    (await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/download', { jobs: [{ jobId: job }] })).body,
    [],
  );
  assert.is(
    (await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/download', { lockKey: 'k', jobs: [{ jobId: job }] }))
      .body.length,
    1,
  );
});
downloading.run();

const fixing = suite('fix');
fixing('reports why a job cannot be fixed, and completes one that can', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  const { body: early } = checkStatus(await site.ask('admin', `GET /ml/tm/v1/ate/jobs/${job}/fix`), 200);
  assert.equal([early.completed, early.error, early.reason !== ''], [false, true, true]);
  await deliverJob(site, job);
  assert.equal((await site.ask('admin', `GET /ml/tm/v1/ate/jobs/${job}/fix?jobId=${job}`)).body, {
    completed: true,
    error: false,
    reason: '',
  });
});
fixing('a translation in the trash is created again', async () => {
  const site = await createMlSite();
  const job = await createJob(site);
  await deliverJob(site, job);
  await site.ask('admin', `GET /ml/tm/v1/ate/jobs/${job}/fix`);
  const post = (await readJob(site, job))['result'];
  await site.ask('admin', `DELETE /cms/v2/posts/${post}?force=true`);
  assert.is((await site.ask('admin', `GET /ml/tm/v1/ate/jobs/${job}/fix`)).body.completed, true);
  assert.is.not((await readJob(site, job))['result'], post);
});
fixing.run();

const batches = suite('batches');
batches('are queued and refreshed in the background', async () => {
  const site = await createMlSite();
  await createJob(site, 101, { batch_name: 'Spring' });
  await createJob(site, 107, { batch_name: 'Spring' });
  assert.equal(
    (await site.ports.store.find({ collection: 'ml_batches' })).records.map((batch) => batch['name']),
    ['Spring'],
  );
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/tp/batches/sync', { batchId: '1' })).body, [1]);
  for (let look = 0; look < 100; look += 1) {
    const { body } = await site.ask('admin', 'GET /ml/tm/v1/tp/batches/status');
    if (body.length === 0) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  assert.unreachable('the batch must not stay queued');
});
batches('batches that a stopped process left queued are continued', async () => {
  const site = await createMlSite();
  await site.ports.store.commit([
    { op: 'create', collection: 'ml_batches', values: { name: 'Left', state: 'queued' } },
  ]);
  assert.equal((await site.ask('admin', 'GET /ml/tm/v1/tp/batches/status')).body, [1]);
  for (
    let look = 0;
    look < 100 && (await site.ports.store.get('ml_batches', 1))?.['state'] !== 'idle';
    look += 1
  )
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  assert.is((await site.ports.store.get('ml_batches', 1))?.['state'], 'idle');
});
batches.run();

const service = suite('local translation service');
service('registers once, and the status counts users and open jobs', async () => {
  const site = await createMlSite({
    config: { ...TEST_CONFIG, namespaces: { ml: { consoleUrl: 'https://desk.example.org/' } } },
  });
  assert.is((await site.ask('admin', 'GET /ml/tm/v1/ams/console')).body, '#');
  assert.equal((await site.ask('admin', 'GET /ml/tm/v1/ams/status')).body, {
    activated: false,
    mode: 'local',
    registered_at: '',
    translators: 4,
    managers: 2,
    open_jobs: 0,
  });
  assert.equal((await site.ask('manager', 'POST /ml/tm/v1/ams/register_manager')).body, {
    enabled: true,
    mode: 'local',
  });
  await createJob(site);
  assert.equal((await site.ask('admin', 'GET /ml/tm/v1/ams/status')).body, {
    activated: true,
    mode: 'local',
    registered_at: '2025-01-15T12:00:00',
    translators: 4,
    managers: 2,
    open_jobs: 1,
  });
  assert.is((await site.ask('admin', 'GET /ml/tm/v1/ams/console')).body, 'https://desk.example.org/');
});
service('lists translators and managers by capability', async () => {
  const site = await createMlSite();
  const { body } = await site.ask('admin', 'GET /ml/tm/v1/ams/synchronize/translators');
  assert.equal(
    body.result.translators.map((user: any) => user.email),
    ['admin@example.org', 'manager@example.org', 'anna@example.org', 'noor@example.org'],
  );
  const { body: managers } = await site.ask('admin', 'GET /ml/tm/v1/ams/synchronize/managers');
  assert.equal(managers.result.translation_managers[1], {
    email: 'manager@example.org',
    display_name: 'Manager Test',
    first_name: 'Manager',
    last_name: 'Test',
    subscription: true,
  });
});
service('the translation memory can be switched off', async () => {
  const site = await createMlSite();
  const { body } = await site.ask('admin', 'POST /ml/tm/v1/ams/engines', {
    list: [{ engine: 'memory', enabled: false }],
  });
  assert.equal(body, {
    list: [{ engine: 'memory', label: 'Translation memory', enabled: false, order: 1, languages: [] }],
  });
  const job = await createJob(site);
  await deliverJob(site, job);
  await site.ask('admin', `GET /ml/tm/v1/ate/jobs/${job}/fix`);
  assert.not.match(await fetchFile(site, await createJob(site)), 'tm-suggestion');
});
service('stores settings', async () => {
  const site = await createMlSite();
  assert.is(
    checkStatus(
      await site.ask('admin', 'POST /ml/st/v1/settings', {
        group: 'MO',
        key: 'pregen-dismissed',
        data: { a: [1] },
      }),
      200,
    ).body,
    null,
  );
  const { records } = await site.ports.store.find({ collection: 'options', where: eq('group', 'ST-MO') });
  assert.equal(
    records.map((record) => [record['key'], record['value']]),
    [['pregen-dismissed', { a: [1] }]],
  );
});
service.run();
