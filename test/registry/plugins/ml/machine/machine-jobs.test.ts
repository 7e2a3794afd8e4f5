import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Ports } from '../../../../../registry/core/host/ports.ts';
import { createTestPorts, TEST_CONFIG } from '../../../../support/ports.ts';
import { until } from '../../../../support/until.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  fetchFile,
  readJob,
  readTranslation,
  waitForMachines,
  type MlSite,
} from '../ml-site.ts';
import { KEY, withMachine, type MachineServer } from './machine-server.ts';

const CONFIG = { ...TEST_CONFIG, namespaces: { ml: { libretranslate: { apiKey: KEY } } } };

/** Runs with a site that is connected to the service. */
function withSite(
  id: 'deepl' | 'libretranslate',
  run: (site: MlSite, server: MachineServer, logged: readonly string[]) => Promise<void>,
  parts: Partial<Ports> = {},
): Promise<void> {
  return withMachine(id, async (server) => {
    const logged: string[] = [];
    const log: Ports['log'] = ({ message }) => {
      logged.push(message);
    };
    await run(
      await createMlSite({ upstream: server.upstream, config: CONFIG, log, ...parts }),
      server,
      logged,
    );
  });
}

const readLog = async ({ ports }: MlSite): Promise<readonly unknown[]> =>
  (await ports.store.find({ collection: 'ml_job_log' })).records.map(({ code }) => code);
const stateOf = async (site: MlSite, job: number): Promise<readonly unknown[]> => {
  const { status, automatic, review_status } = await readJob(site, job);
  return [status, automatic, review_status];
};
const APPLY = 'POST /ml/tm/v1/tp/apply-translations';
const accept = (job: number) => ({ ml_job_id: String(job), ate_job_data: [{ review_status: 'ACCEPTED' }] });

const jobs = suite('jobs by a machine');
for (const id of ['deepl', 'libretranslate'] as const) {
  jobs(`${id}: the job is automatic, waits for review, and is applied once it is accepted`, () =>
    withSite(id, async (site) => {
      const job = await createJob(site);
      assert.equal(await stateOf(site, job), [4, true, 'NEEDS_REVIEW']);
      const {
        body: {
          jobs: [listed],
        },
      } = await site.ask('anna', 'GET /ml/tm/v1/jobs?status=30');
      assert.equal([listed.id, listed.automatic, listed.review_status], [job, true, 'NEEDS_REVIEW']);
      assert.equal((await site.ask('admin', APPLY)).body, []);
      assert.is(
        (await site.ask('admin', APPLY, [{ id: job, type: 'post' }])).body[0].errors[0].code,
        'ml_review_needed',
      );
      checkStatus(await site.ask('noor', 'POST /ml/tm/v1/ate/jobs/store', accept(job)), 403, 'not_your_job');
      assert.is(
        checkStatus(await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', accept(job)), 200).body,
        true,
      );
      checkStatus(
        await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', accept(job)),
        409,
        'ml_job_not_translated',
      );
      const post = await applyJob(site, job);
      assert.equal(
        [post.title.raw, post.slug, post.content.raw],
        [
          'POST 101',
          'post-101',
          '<!-- cms:paragraph -->\n<p>HELLO <b>WORLD</b> &amp; ALL</p>\n<!-- /cms:paragraph -->',
        ],
      );
      assert.equal(await stateOf(site, job), [10, true, 'ACCEPTED']);
    }),
  );
}
jobs('a file that a person hands in is a review', () =>
  withSite('deepl', async (site) => {
    const job = await createJob(site);
    assert.match(await fetchFile(site, job), 'HELLO <b>WORLD</b>');
    await deliverJob(site, job);
    assert.equal(await stateOf(site, job), [4, true, 'ACCEPTED']);
    await applyJob(site, job);
    assert.match((await readTranslation(site)).content.raw, 'Bonjour');
  }),
);
jobs('a job that is made again asks for changed texts only', () =>
  withSite('deepl', async (site, server) => {
    const job = await createJob(site);
    const before = server.asked.length;
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
    await waitForMachines(site);
    assert.is(server.asked.length, before);
    checkStatus(await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'Changed' }), 200);
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
    await waitForMachines(site);
    assert.equal(
      server.asked.slice(before).map((body) => body['text']),
      [['Changed']],
    );
    assert.equal(await stateOf(site, job), [4, true, 'NEEDS_REVIEW']);
  }),
);
jobs('people translate what the service does not; the reason is in the logs, without the key', () =>
  withSite('libretranslate', async (site, server, logged) => {
    server.odd.push({ status: 403, body: { error: KEY } });
    const { body } = checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
        jobs: [101, 107].map((id) => ({ post_id: id, target_language: 'fr' })),
      }),
      200,
    );
    assert.equal(body, { jobs: { 1: 1, 2: 2 } });
    await waitForMachines(site);
    assert.equal(
      [await stateOf(site, 1), await stateOf(site, 2), server.asked.length],
      [[1, false, ''], [1, false, ''], 1],
    );
    assert.equal(await readLog(site), ['service_bad_response']);
    assert.equal(logged, [
      'machine translation of job 1: LibreTranslate: the service refuses the key (status 403).',
    ]);
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: 1 }] }), 200);
    await waitForMachines(site);
    assert.equal(await stateOf(site, 1), [4, true, 'NEEDS_REVIEW']);
    const seen = [
      await site.ask('admin', 'GET /ml/tm/v1/jobs'),
      await site.ask('admin', 'GET /ml/tm/v1/ams/engines'),
      await fetchFile(site, 1),
      (await site.ports.store.find({ collection: 'ml_jobs' })).records,
    ];
    assert.not.match(JSON.stringify(seen), KEY);
  }),
);
jobs('a connected service does not get a job that a machine has translated', () =>
  withMachine('deepl', async ({ upstream }) => {
    const sent: string[] = [];
    const both: Ports['upstream'] = {
      origin: (service) => (service === 'ate' ? 'https://engine.test' : upstream.origin(service)),
      request: (service, request) => {
        if (service !== 'ate') return upstream.request(service, request);
        sent.push(request.path);
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
      },
    };
    const mixed = await createMlSite({ upstream: both, config: CONFIG });
    const job = await createJob(mixed);
    assert.equal([sent, await stateOf(mixed, job)], [[], [4, true, 'NEEDS_REVIEW']]);
    checkStatus(await mixed.ask('admin', 'POST /ml/tm/v1/ate/jobs/store', accept(job)), 200);
    await applyJob(mixed, job);
    assert.equal(sent, []);
  }),
);
jobs('an engine that is switched off is not asked', () =>
  withSite('deepl', async (site, server) => {
    assert.equal(
      (await site.ask('admin', 'GET /ml/tm/v1/ams/engines')).body.list.map(
        ({ engine, label }: { engine: string; label: string }) => [engine, label],
      ),
      [
        ['memory', 'Translation memory'],
        ['deepl', 'DeepL'],
      ],
    );
    checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/ams/engines', [{ engine: 'deepl', enabled: false }]),
      200,
    );
    assert.equal([await stateOf(site, await createJob(site)), server.asked.length], [[1, false, ''], 0]);
  }),
);
jobs('markup that a machine adds is cleaned even if an administrator applies it', () =>
  withSite('deepl', async (site, server) => {
    server.odd.push({
      body: { translations: Array.from({ length: 5 }, () => ({ text: 'x <b>y</b> <script>z()</script>' })) },
    });
    const job = await createJob(site);
    assert.equal(await stateOf(site, job), [4, true, 'NEEDS_REVIEW']);
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/store', accept(job)), 200);
    assert.not.match((await applyJob(site, job)).content.raw, 'script');
  }),
);
jobs('a slow service does not hold the request, and a person can translate meanwhile', () =>
  withSite('deepl', async (site, server) => {
    server.odd.push({ silent: true });
    const { body } = checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ post_id: 101, target_language: 'fr' }] }),
      200,
    );
    assert.equal(body, { jobs: { 1: 1 } });
    assert.equal(await stateOf(site, 1), [2, false, '']);
    await deliverJob(site, 1);
    assert.equal(await stateOf(site, 1), [4, false, '']);
    await applyJob(site, 1);
    assert.match((await readTranslation(site)).content.raw, 'Bonjour');
    await site.ports.background.stop();
    assert.equal(await stateOf(site, 1), [10, false, '']);
  }),
);
jobs('jobs that a stopped process left are translated after the next start', () =>
  withSite('deepl', async (site, server) => {
    server.odd.push({ silent: true });
    const orders = ['fr', 'nl'].map((target_language) => ({ post_id: 101, target_language }));
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: orders }), 200);
    await until(() => server.asked.length > 0, 'a request to the machine');
    await site.ports.background.stop();
    assert.equal(
      [await stateOf(site, 1), await stateOf(site, 2)],
      [
        [2, false, ''],
        [2, false, ''],
      ],
    );
    // A crash leaves the lock as well; it has expired.
    await site.ports.store.commit([
      { op: 'create', collection: 'locks', values: { name: 'ml.machine', key: 'dead', expires: 1 } },
    ]);
    const next = await createMlSite(
      { upstream: server.upstream, config: CONFIG, store: site.ports.store },
      null,
    );
    await waitForMachines(next);
    assert.equal(
      [await stateOf(next, 1), await stateOf(next, 2)],
      [
        [4, true, 'NEEDS_REVIEW'],
        [4, true, 'NEEDS_REVIEW'],
      ],
    );
  }),
);
jobs('many requests share one run through the queue', async () => {
  const { background: real } = createTestPorts();
  const running = new Set<object>();
  const background: Ports['background'] = {
    ...real,
    run: (name, task) => {
      const run = {};
      if (name === 'machine translation') running.add(run);
      return real.run(name, task).finally(() => running.delete(run));
    },
  };
  await withSite(
    'deepl',
    async (site, server) => {
      server.odd.push({ silent: true });
      for (const id of [101, 102, 107])
        checkStatus(
          await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
            jobs: [{ post_id: id, target_language: 'fr' }],
          }),
          200,
        );
      await until(() => server.asked.length > 0, 'a request to the machine');
      assert.is(running.size, 1);
      await site.ports.background.stop();
    },
    { background },
  );
});
jobs('a request that comes when a run ends starts the next one', () =>
  withSite('deepl', async (site) => {
    // The look that finds the queue empty answers only after the next job is stored.
    const late: (() => void)[] = [];
    const { store } = site.ports;
    const find = store.find.bind(store);
    store.find = async (query, ...rest) => {
      const found = await find(query, ...rest);
      if (
        query.collection === 'ml_jobs' &&
        query.where?.op === 'eq' &&
        query.where.field === 'machine' &&
        found.records.length === 0 &&
        late.length === 0
      )
        await new Promise<void>((resolve) => {
          late.push(resolve);
        });
      return found;
    };
    await createJob(site);
    await until(() => late.length > 0, 'work that begins late');
    checkStatus(
      await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ post_id: 107, target_language: 'fr' }] }),
      200,
    );
    late[0]?.();
    await waitForMachines(site);
    assert.equal(await stateOf(site, 2), [4, true, 'NEEDS_REVIEW']);
  }),
);
jobs.run();
