// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { upstreamError, type Upstream, type UpstreamRequest } from '../../../../../lib/ports/upstream.ts';
import { collections } from '../../../../../registry/index.ts';
import { TEST_CONFIG } from '../../../../support/ports.ts';
import { createSpoiltStore, withUnreadable } from '../../../../support/spoilt-store.ts';
import {
  checkStatus,
  createJob,
  createMlSite,
  readJob,
  readTranslation,
  translateXliff,
  type MlSite,
} from '../ml-site.ts';

type Sent = UpstreamRequest & { readonly service: string };

interface Service {
  readonly upstream: Upstream;
  readonly sent: Sent[];
  /** The next responses of the service, by `METHOD /path`. */
  readonly answers: Map<
    string,
    (request: UpstreamRequest) => { readonly status?: number; readonly body?: unknown; readonly raw?: string }
  >;
}

/** A translation service with the given responses. By default it accepts every job under its id + 1000. */
function createService(): Service {
  const sent: Sent[] = [];
  const answers: Service['answers'] = new Map();
  answers.set('POST /jobs', ({ body }) => ({
    body: { jobs: Object.fromEntries((body as any).jobs.map((job: any) => [job.id, job.id + 1000])) },
  }));
  return {
    sent,
    answers,
    upstream: {
      origin: (service) =>
        service === 'ate' ? 'https://engine.test/v2' : service === 'ams' ? 'https://accounts.test' : null,
      async request(service, request) {
        sent.push({ service, ...request });
        const answer = answers.get(`${request.method} ${request.path}`)?.(request) ?? {
          status: 200,
          body: {},
        };
        const text = answer.raw ?? JSON.stringify(answer.body ?? {});
        return {
          status: answer.status ?? 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(text),
        };
      },
    },
  };
}

/** Every job that was sent to the service. */
const sentJobs = (service: Service): any[] =>
  service.sent
    .filter((request) => request.path === '/jobs' && request.method === 'POST')
    .flatMap((request) => (request.body as any).jobs);

const fileOf = (service: Service, job: number): string =>
  Buffer.from(sentJobs(service).find((each) => each.id === job).file.content, 'base64').toString('utf8');

/** Lets the service complete the job. */
function finish(service: Service, job: number): void {
  const address = `https://engine.test/v2/files/${job}.xliff?key=1`;
  service.answers.set('GET /jobs', () => ({
    body: { [job + 1000]: { status: 6, translated_xliff: address } },
  }));
  service.answers.set(`GET /files/${job}.xliff`, () => ({
    raw: translateXliff(fileOf(service, job), (_id, source) => `${source} fr`),
  }));
}

const notifyPath = (service: Service): string => {
  const url = new URL(sentJobs(service)[0].notify_url);
  return `${url.pathname.replace('/en/cms-json', '')}${url.search}`;
};

async function createConnected(): Promise<{ readonly site: MlSite; readonly service: Service }> {
  const service = createService();
  return { service, site: await createMlSite({ upstream: service.upstream }) };
}

const engine = suite('http engine');
engine('gets the job with its file and the URL of the callback', async () => {
  const { site, service } = await createConnected();
  const job = await createJob(site);
  const [{ service: name, body } = { service: '', body: null }] = service.sent;
  const [given] = (body as any).jobs;
  assert.equal(
    [name, given.id, given.source_language.code, given.target_language.code, given.permalink],
    ['ate', job, 'en', 'fr', 'http://localhost/en/post-101/'],
  );
  assert.match(fileOf(service, job), 'Post 101');
  assert.match(given.notify_url, new RegExp(`/ml/tm/v1/ate/jobs/receive/${job}\\?t=[0-9a-f]{64}$`));
  const stored = await readJob(site, job);
  assert.equal([stored['status'], stored['engine'], stored['engine_job']], [1, 'remote', job + 1000]);
});
engine('its callback fetches, applies and confirms the translation', async () => {
  const { site, service } = await createConnected();
  const job = await createJob(site);
  checkStatus(await site.ask('nobody', `GET ${notifyPath(service)}`), 425, 'xliff_not_ready');
  finish(service, job);
  const reply = checkStatus(await site.ask('nobody', `GET ${notifyPath(service)}`), 200);
  assert.equal([reply.body, reply.headers['Cache-Control']], [null, 'no-store']);
  assert.is((await readTranslation(site)).title.raw, 'Post 101 fr');
  assert.equal(service.sent.find((request) => request.path === '/jobs/confirm')?.body, { ids: [job + 1000] });
  checkStatus(await site.ask('nobody', `GET ${notifyPath(service)}`), 200);
});
engine('markup of the service is sanitised', async () => {
  const { site, service } = await createConnected();
  const job = await createJob(site);
  finish(service, job);
  service.answers.set(`GET /files/${job}.xliff`, () => ({
    raw: translateXliff(fileOf(service, job), (id, source) =>
      id === 'body' ? source.replace('</p>', '<script>y</script></p>') : source,
    ),
  }));
  checkStatus(await site.ask('nobody', `GET ${notifyPath(service)}`), 200);
  assert.not.match((await readTranslation(site)).content.raw, '<script');
});

engine('markup of the service is sanitised even when an administrator applies it', async () => {
  const { site, service } = await createConnected();
  const job = await createJob(site);
  finish(service, job);
  service.answers.set(`GET /files/${job}.xliff`, () => ({
    raw: translateXliff(fileOf(service, job), (id, source) =>
      id === 'body' ? source.replace('</p>', '<script>y</script></p>') : source,
    ),
  }));
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
    200,
  );
  assert.not.match((await readTranslation(site)).content.raw, '<script');
});

const REPORTS: readonly (readonly [
  name: string,
  prepare: (site: MlSite, service: Service, job: number) => Promise<unknown>,
  status: number,
  code: string,
  retry: string | undefined,
])[] = [
  [
    'a cancelled job',
    (site, _service, job) => site.ask('admin', 'POST /ml/tm/v1/jobs/cancel', [{ id: job, type: 'post' }]),
    422,
    'ml_job_cancelled',
    undefined,
  ],
  [
    'a removed job',
    (site, _service, job) => site.ports.store.commit([{ op: 'remove', collection: 'ml_jobs', id: job }]),
    422,
    'ml_job_missing',
    undefined,
  ],
  [
    'a job that is being edited',
    (site, _service, job) =>
      site.ports.store.commit([
        { op: 'update', collection: 'ml_jobs', id: job, values: { review_status: 'EDITING' } },
      ]),
    422,
    'edited',
    undefined,
  ],
  [
    'a job that is being applied',
    (site) =>
      site.ports.store.commit([
        {
          op: 'create',
          collection: 'locks',
          values: { name: 'ml.apply.101:fr', key: 'x', expires: site.ports.now() + 60_000 },
        },
      ]),
    423,
    'locked',
    '30',
  ],
  [
    'a file that lost a placeholder',
    async (site, service, job) => {
      const fields = (await readJob(site, job))['fields'].map((field: any) =>
        field.id === 'title' ? Object.assign({}, field, { source: `${field.source} %s` }) : field,
      );
      await site.ports.store.commit([{ op: 'update', collection: 'ml_jobs', id: job, values: { fields } }]);
      service.answers.set(`GET /files/${job}.xliff`, () => ({
        raw: translateXliff(fileOf(service, job), (_id, source) => source),
      }));
    },
    422,
    'xliff_markup_lost',
    undefined,
  ],
  [
    'a source in the trash',
    (site) => site.ask('admin', 'DELETE /cms/v2/posts/101'),
    422,
    'ml_job_cancelled',
    undefined,
  ],
  [
    'a source that was put into the trash past the API',
    (site) =>
      site.ports.store.commit([{ op: 'update', collection: 'posts', id: 101, values: { status: 'trash' } }]),
    503,
    'apply_failed',
    '300',
  ],
  [
    'a broken file',
    async (_site, service, job) => service.answers.set(`GET /files/${job}.xliff`, () => ({ raw: '<broken' })),
    503,
    'apply_failed',
    '300',
  ],
  [
    'a file on another host',
    async (_site, service) =>
      service.answers.set('GET /jobs', () => ({
        body: { 1001: { status: 6, translated_xliff: 'https://evil.test/v2/x' } },
      })),
    503,
    'apply_failed',
    '300',
  ],
  [
    'a service that does not respond',
    async (_site, service) =>
      service.answers.set('GET /jobs', () => {
        throw upstreamError('service_timeout');
      }),
    503,
    'apply_failed',
    '300',
  ],
  [
    'no file yet',
    async (_site, service) =>
      service.answers.set('GET /jobs', () => ({ body: { 1001: { status: 1, translated_xliff: null } } })),
    425,
    'xliff_not_ready',
    '60',
  ],
];
for (const [name, prepare, status, code, retry] of REPORTS) {
  engine(`the callback for ${name}`, async () => {
    const { site, service } = await createConnected();
    const job = await createJob(site);
    finish(service, job);
    await prepare(site, service, job);
    const reply = checkStatus(await site.ask('nobody', `GET ${notifyPath(service)}`), status, code);
    assert.is(reply.body.data.jobId, job);
    // Headers of an error are covered by the engine's own tests; this checks that they are requested.
    assert.is(reply.headers['Retry-After'], retry);
    assert.equal(
      service.sent.filter(
        (request) => !['/jobs', '/jobs/cancel', `/files/${job}.xliff`].includes(request.path),
      ),
      [],
    );
  });
}
engine('sync: cancelled and hidden jobs are closed, translated ones are listed for download', async () => {
  const { site, service } = await createConnected();
  const jobs = [
    await createJob(site),
    await createJob(site, 107),
    await createJob(site, 104),
    await createJob(site, 102),
  ];
  service.answers.set('GET /jobs', ({ query }) => {
    assert.is(query?.['ids'], '1001,1002,1003,1004');
    return {
      body: {
        1001: { status: 20 },
        1002: { status: 42 },
        1003: { status: 6, translated_xliff: 'https://engine.test/v2/files/3' },
        1004: { status: 1 },
      },
    };
  });
  const { body } = checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/sync'), 200);
  assert.equal(body.jobs, [
    { ateJobId: 1003, url: 'https://engine.test/v2/files/3', ateStatus: 6, jobId: 3, status: 1 },
  ]);
  assert.equal(await Promise.all(jobs.map(async (id) => (await readJob(site, id))['status'])), [0, 42, 1, 2]);
});
engine('batches: finished translations are fetched', async () => {
  const { site, service } = await createConnected();
  const job = await createJob(site, 101, { batch_name: 'Spring' });
  finish(service, job);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/tp/batches/sync', { batchId: [1] }), 200);
  for (
    let look = 0;
    look < 200 && (await site.ports.store.get('ml_batches', 1))?.['state'] === 'queued';
    look += 1
  )
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  assert.is((await readJob(site, job))['status'], 4);
});
engine('a job that the service did not accept is sent again', async () => {
  const { site, service } = await createConnected();
  const take = service.answers.get('POST /jobs');
  service.answers.set('POST /jobs', () => ({ status: 500 }));
  const refused = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ post_id: 101, target_language: 'fr' }] }),
    502,
    'service_bad_response',
  );
  assert.equal([refused.body.data.upstream_status, refused.body.data.jobs], [500, [1]]);
  assert.is((await readJob(site, 1))['status'], 40);
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry', { jobsToProcess: [1] }),
    502,
    'service_bad_response',
  );
  if (take !== undefined) service.answers.set('POST /jobs', take);
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry')).body, {
    jobsToProcess: [],
    processed: [1],
  });
  assert.is((await readJob(site, 1))['status'], 1);
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry')).body, {
    jobsToProcess: [],
    processed: [],
  });
});
engine('a job whose file cannot be written does not stop the others', async () => {
  const service = createService();
  const logged: string[] = [];
  const spoilt = createSpoiltStore(createMemoryStore(collections), (collection, record) =>
    collection === 'ml_jobs' && record.id === 1 ? withUnreadable(record, 'fields') : record,
  );
  const site = await createMlSite({
    upstream: service.upstream,
    store: spoilt,
    log: ({ message }) => {
      logged.push(message);
    },
  });
  const take = service.answers.get('POST /jobs');
  service.answers.set('POST /jobs', () => ({ body: { jobs: {} } }));
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
      jobs: [101, 107].map((id) => ({ post_id: id, target_language: 'fr' })),
    }),
    200,
  );
  if (take !== undefined) service.answers.set('POST /jobs', take);
  const { body } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry', { jobsToProcess: [1, 2] }),
    200,
  );
  assert.equal(body, { jobsToProcess: [], processed: [2] });
  assert.equal(logged, ['writing the file of translation job 1 failed; it is left out']);
});
engine('retries: ten a call, a round every ten minutes', async () => {
  const service = createService();
  let now = Date.UTC(2025, 0, 15);
  const site = await createMlSite({ upstream: service.upstream, now: () => now });
  const take = service.answers.get('POST /jobs');
  service.answers.set('POST /jobs', () => ({ body: { jobs: {} } }));
  const post = (id: number) =>
    ({
      op: 'create',
      collection: 'posts',
      values: { id, type: 'post', language: 'en', status: 'publish', slug: `p${id}`, title: 'P' },
    }) as const;
  await site.ports.store.commit(Array.from({ length: 12 }, (_, index) => post(1000 + index)));
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
      jobs: Array.from({ length: 12 }, (_, index) => ({ post_id: 1000 + index, target_language: 'fr' })),
    }),
    200,
  );
  if (take !== undefined) service.answers.set('POST /jobs', take);
  const { body } = await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry');
  assert.equal([body.jobsToProcess, body.processed.length], [[11, 12], 10]);
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry')).body.processed, []);
  now += 10 * 60_000;
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/retry')).body.processed, [11, 12]);
});
engine('cancelling informs the service, and works even when the service fails', async () => {
  const { site, service } = await createConnected();
  const jobs = [await createJob(site), await createJob(site, 107)];
  await site.ask('admin', 'POST /ml/tm/v1/jobs/cancel', [{ id: jobs[0], type: 'post' }]);
  assert.equal(service.sent.at(-1)?.body, { ids: [1001] });
  service.answers.set('POST /jobs/cancel', () => ({ status: 503 }));
  assert.equal(
    (await site.ask('admin', 'POST /ml/tm/v1/jobs/cancel', [{ id: jobs[1], type: 'post' }])).body,
    [{ id: 2, type: 'post' }],
  );
  assert.is((await readJob(site, 2))['status'], 0);
});
engine('accounts: registers the site, sends the users and opens the console', async () => {
  const { site, service } = await createConnected();
  service.answers.set('POST /translators', () => ({
    body: { translators: [{ email: 'anna@example.org', subscription: true }] },
  }));
  service.answers.set('GET /console', () => ({ body: { url: 'https://accounts.test/login?once=1' } }));
  assert.is((await site.ask('admin', 'GET /ml/tm/v1/ams/console')).body, '#');
  assert.equal((await site.ask('admin', 'POST /ml/tm/v1/ams/register_manager')).body, {
    enabled: true,
    mode: 'remote',
  });
  const [{ service: name, body: account }] = service.sent as any[];
  assert.equal([name, account.manager.email], ['ams', 'admin@example.org']);
  assert.is(
    (await site.ask('admin', 'GET /ml/tm/v1/ams/console')).body,
    'https://accounts.test/login?once=1',
  );
  const { body } = await site.ask('admin', 'GET /ml/tm/v1/ams/synchronize/translators');
  assert.equal(
    body.result.translators.filter((user: any) => user.subscription).map((user: any) => user.email),
    ['anna@example.org'],
  );
  assert.is((await site.ask('admin', 'GET /ml/tm/v1/ams/status')).body.activated, true);
});
engine('invalid responses', async () => {
  for (const answer of [{ raw: '<html>' }, { raw: '[]' }, { status: 302 }, { status: 401 }]) {
    const { site, service } = await createConnected();
    service.answers.set('POST /register', () => answer);
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ams/register_manager'), 502, 'service_bad_response');
  }
});
engine.run();

const proxy = suite('ate/proxy');
const PROXY = '/ml/ate/v1/ate/proxy';
const toQuery = (parts: Readonly<Record<string, string>>): string => new URLSearchParams(parts).toString();
proxy(
  'passes method, path, query, body and status; headers that identify the caller are left out',
  async () => {
    const { site, service } = await createConnected();
    service.answers.set('PUT /jobs/7', () => ({ status: 201, body: { ok: true } }));
    const reply = await site.ask('manager', `PUT ${PROXY}`, {
      url: '/jobs/7?a=1',
      method: 'PUT',
      query: { b: '2' },
      body: { c: 3 },
      content_type: 'application/vnd.x+json',
      headers: [
        'X-Trace: 9',
        'Authorization: Bearer stolen',
        'Cookie: a=b',
        'Host: evil.test',
        'X-Forwarded-For: 1.2.3.4',
        'Bad Name: x',
        'X-Split: a\r\nb: c',
      ],
    });
    assert.equal(
      [reply.status, reply.body, reply.headers['Cache-Control']],
      [201, '{"ok":true}', 'no-store'],
    );
    const { signal: _signal, ...sent } = service.sent[0] ?? {};
    assert.equal(sent, {
      service: 'ate',
      method: 'PUT',
      path: '/jobs/7',
      query: { a: '1', b: '2' },
      body: '{"c":3}',
      headers: { 'x-trace': '9', 'content-type': 'application/vnd.x+json' },
    });
  },
);
proxy('a URL of either service', async () => {
  const { site, service } = await createConnected();
  checkStatus(
    await site.ask('admin', `GET ${PROXY}?${toQuery({ url: 'https://engine.test/v2/x', method: 'get' })}`),
    200,
  );
  checkStatus(
    await site.ask('admin', `GET ${PROXY}?${toQuery({ url: 'https://accounts.test/y', method: 'GET' })}`),
    200,
  );
  assert.equal(
    service.sent.map((request) => [request.service, request.path]),
    [
      ['ate', '/x'],
      ['ams', '/y'],
    ],
  );
});
const FOREIGN = [
  'https://engine.test.evil.example/v2/x',
  'https://engine.test@evil.example/v2/',
  'https://user:pw@engine.test/v2/x',
  'http://engine.test/v2/x',
  'https://engine.test:8443/v2/x',
  'https://engine.test/v1/x',
  'https://engine.test/v2/../admin',
  'https://engine.test/v2',
  '/../admin',
  '/..%2f../admin/../../x',
  'file:///etc/passwd',
  'javascript:1',
  'evil.example/x',
  '\\\\evil\\x',
  ' ',
];
for (const url of FOREIGN) {
  proxy(`does not reach ${url}`, async () => {
    const { site, service } = await createConnected();
    const reply = await site.ask('admin', `GET ${PROXY}?${toQuery({ url, method: 'GET' })}`);
    assert.is(
      service.sent.filter((request) => request.path.startsWith('/..') || !request.path.startsWith('/'))
        .length,
      0,
    );
    if (service.sent.length === 0) checkStatus(reply, 400, 'invalid_url');
    else assert.match(service.sent[0]?.path ?? '', /^\/[^/.]/);
  });
}
proxy('markup of the service does not become a page of the site', async () => {
  const service = createService();
  const upstream: Upstream = {
    ...service.upstream,
    request: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html', location: 'x' },
      body: Buffer.from('<script>'),
    }),
  };
  const site = await createMlSite({ upstream, config: TEST_CONFIG });
  const reply = await site.ask('admin', `GET ${PROXY}?${toQuery({ url: '/x', method: 'GET' })}`);
  assert.equal([reply.status, reply.body, reply.headers['location']], [200, '<script>', undefined]);
});
proxy('a timeout of the service is reported', async () => {
  const { site, service } = await createConnected();
  service.answers.set('GET /x', () => {
    throw upstreamError('service_timeout');
  });
  checkStatus(
    await site.ask('admin', `GET ${PROXY}?${toQuery({ url: '/x', method: 'GET' })}`),
    504,
    'service_timeout',
  );
});
for (const user of ['nobody', 'reader', 'anna', 'editor'] as const) {
  proxy(`refuses ${user}`, async () => {
    const { site, service } = await createConnected();
    checkStatus(
      await site.ask(user, `GET ${PROXY}?${toQuery({ url: '/x', method: 'GET' })}`),
      user === 'nobody' ? 401 : 403,
      'rest_forbidden',
    );
    assert.is(service.sent.length, 0);
  });
}
proxy.run();
