// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../../../adapters/sqlite-store.ts';
import { createRequest } from '../../../../../lib/http/create-request.ts';
import type { Ports } from '../../../../../registry/core/host/ports.ts';
import { catalogues, collections, createSite } from '../../../../../registry/index.ts';
import { mlDescriptor } from '../../../../../registry/plugins/ml/routes/routes.ts';
import { mlStatesDescriptor } from '../../../../../registry/plugins/ml/states/state-routes.ts';
import { TEST_CONFIG, TEST_NOW } from '../../../../support/ports.ts';
import { inFolder } from '../../../../support/temporary.ts';
import { KEY, withMachine } from '../machine/machine-server.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  deliverJob,
  readTranslation,
  type MlSite,
  type UserName,
} from '../ml-site.ts';

const CONFIG = { ...TEST_CONFIG, namespaces: { ml: { extraRoutes: true } } };

const open = (parts: Partial<Ports> = {}): Promise<MlSite> => createMlSite({ config: CONFIG, ...parts });
const list = async (site: MlSite, query = '', user: UserName = 'admin'): Promise<any> =>
  checkStatus(await site.ask(user, `GET /ml/v1/translations?per_page=100${query}`), 200).body;
const statesOf = async (site: MlSite, query = '', user: UserName = 'admin'): Promise<readonly string[]> =>
  (await list(site, query, user)).map((each: any) => `${each.post} ${each.language} ${each.state}`);

const states = suite('states of translations');
states('a seed without the option has no further routes, the core controllers have them', async () => {
  checkStatus(await (await createMlSite()).ask('admin', 'GET /ml/v1/translations'), 404, 'rest_no_route');
  assert.is(mlDescriptor.routes.length, 2);
  for (const [option, wanted] of [
    [{}, true],
    [{ config: { ml: { extraRoutes: false } } }, false],
  ] as const) {
    const site = await createSite({ store: createMemoryStore(collections), content: 'core', ...option });
    assert.is(
      Object.hasOwn(
        ((await site.engine.dispatch(createRequest('/ml/v1'))).body as any).routes,
        '/ml/v1/translations',
      ),
      wanted,
    );
    await site.close();
  }
});
states('each post in each other language, drafts included, posts in the trash left out', async () => {
  assert.equal(await statesOf(await open()), [
    '107 nl missing',
    '107 fr missing',
    '105 en missing',
    '105 fr missing',
    '104 nl missing',
    '104 fr missing',
    '103 nl missing',
    '103 fr missing',
    '102 nl missing',
    '102 fr missing',
    '101 nl missing',
    '101 fr missing',
  ]);
});
states('a translation goes through every state', async () => {
  const site = await open();
  const state = async (): Promise<string> => (await list(site, '&post=101&language=fr'))[0].state;
  assert.is(await state(), 'missing');
  const job = await createJob(site, 101, { deadline: '2025-01-20', translator_id: 4 });
  assert.is(await state(), 'in_progress');
  await deliverJob(site, job);
  assert.is(await state(), 'in_review');
  const { id } = await applyJob(site, job);
  assert.is(await state(), 'draft');
  for (const [status, wanted] of [
    ['pending', 'in_review'],
    ['publish', 'done'],
    ['private', 'done'],
  ] as const) {
    checkStatus(await site.ask('admin', `POST /cms/v2/posts/${id}`, { status }), 200);
    assert.is(await state(), wanted, status);
  }
  checkStatus(await site.ask('admin', 'POST /cms/v2/posts/101', { title: 'Changed' }), 200);
  assert.is(await state(), 'outdated');
  assert.equal(await statesOf(site, `&post=${id}&language=fr`), ['101 fr outdated']);
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ post_id: 101, target_language: 'fr' }] }),
    200,
  );
  assert.is(await state(), 'in_progress');
  checkStatus(await site.ask('admin', `DELETE /cms/v2/posts/${id}`), 200);
  assert.is(await state(), 'in_progress');
});
states('filters, pages and counts', async () => {
  const site = await open();
  await createJob(site, 101);
  await createJob(site, 102);
  assert.equal(await statesOf(site, '&state=in_progress'), ['102 fr in_progress', '101 fr in_progress']);
  assert.equal(await statesOf(site, '&source_language=nl'), ['105 en missing', '105 fr missing']);
  assert.equal(await statesOf(site, '&type=post&language=nl&post=101'), ['101 nl missing']);
  const second = await site.ask('admin', 'GET /ml/v1/translations?per_page=5&page=3');
  assert.equal(
    [second.body.length, second.headers['X-CMS-Total'], second.headers['X-CMS-TotalPages']],
    [2, '12', '3'],
  );
  assert.equal((await site.ask('admin', 'GET /ml/v1/translations/counts')).body, {
    nl: { missing: 5, draft: 0, in_progress: 0, in_review: 0, outdated: 0, done: 0 },
    fr: { missing: 4, draft: 0, in_progress: 2, in_review: 0, outdated: 0, done: 0 },
    en: { missing: 1, draft: 0, in_progress: 0, in_review: 0, outdated: 0, done: 0 },
  });
  for (const query of [
    'language=xx',
    'type=nothing',
    'state=lost',
    'post=0',
    'per_page=101',
    'overdue=perhaps',
  ]) {
    const { body } = checkStatus(
      await site.ask('admin', `GET /ml/v1/translations?${query}`),
      400,
      'rest_invalid_param',
    );
    assert.ok(Object.keys(body.data.params).includes(query.split('=')[0] ?? ''), query);
  }
});
states(
  'pages and counts share one computation until something changes, and no one sees what others may',
  async () => {
    const store = createMemoryStore(collections);
    let reads = 0;
    const counted = {
      ...store,
      find: ((query, waiter) => {
        if (query.collection === 'posts' && query.fields?.includes('group') === true && query.limit === 500)
          reads += 1;
        return store.find(query, waiter);
      }) as typeof store.find,
    };
    const site = await open({ store: counted });
    const all = await statesOf(site);
    assert.is(reads, 1);
    assert.is(
      (await statesOf(site, '&language=fr')).length +
        (await statesOf(site, '&language=nl')).length +
        (await statesOf(site, '&language=en')).length,
      all.length,
    );
    await site.ask('admin', 'GET /ml/v1/translations/counts');
    assert.is(reads, 1);
    assert.equal(await statesOf(site, '', 'anna'), []);
    assert.is(reads, 2);
    await createJob(site, 101, { translator_id: 4 });
    assert.is((await list(site, '&post=101&language=fr'))[0].state, 'in_progress');
    assert.ok((await statesOf(site)).includes('101 fr in_progress'));
    checkStatus(await site.ask('admin', 'POST /cms/v2/posts/102', { status: 'private' }), 200);
    const before = reads;
    await Promise.all([
      statesOf(site),
      statesOf(site, '&page=2'),
      site.ask('admin', 'GET /ml/v1/translations/counts'),
    ]);
    assert.is(reads, before + 1);
  },
);
states('a deadline that has passed', async () => {
  let now = TEST_NOW;
  const site = await open({ now: () => now });
  await createJob(site, 101, { deadline: '2025-01-16', translator_id: 4 });
  const [entry] = await list(site, '&state=in_progress');
  assert.equal(
    [entry.job.deadline, entry.job.overdue, entry.job.translator_name, entry.job.service_name],
    ['2025-01-16', false, 'Anna Test', 'Local translator'],
  );
  now += 2 * 86_400_000;
  assert.equal(await statesOf(site, '&overdue=true'), ['101 fr in_progress']);
  assert.is((await list(site, '&overdue=false')).length, 11);
});
states(
  'translators see the jobs of their languages, managers what they may read, nobody else anything',
  async () => {
    const site = await open();
    await createJob(site, 102);
    await createJob(site, 103);
    assert.equal(await statesOf(site, '', 'anna'), ['103 fr in_progress', '102 fr in_progress']);
    assert.equal(await statesOf(site, '', 'noor'), []);
    assert.equal(await statesOf(site, '&post=102', 'noor'), []);
    // Without its job, a manager would not see the draft 102.
    assert.equal(await statesOf(site, '&language=nl', 'manager'), [
      '107 nl missing',
      '104 nl missing',
      '103 nl missing',
      '102 nl missing',
      '101 nl missing',
    ]);
    for (const path of ['translations', 'translations/counts', 'jobs/1/log']) {
      checkStatus(await site.ask('reader', `GET /ml/v1/${path}`), 403);
      checkStatus(await site.ask('nobody', `GET /ml/v1/${path}`), 401);
    }
  },
);
states('the newest job counts, and a hidden draft of another group member is not revealed', async () => {
  const site = await open();
  const job = await createJob(site);
  await deliverJob(site, job);
  const { id } = await applyJob(site, job);
  assert.equal(await statesOf(site, '&post=101', 'manager'), ['101 nl missing', '101 fr draft']);
  // By hand: a draft that no job made.
  await site.ports.store.commit([
    { op: 'update', collection: 'ml_jobs', id: job, values: { result: 0, status: 0 } },
  ]);
  assert.equal(await statesOf(site, '&post=101', 'manager'), ['101 nl missing', '101 fr missing']);
  assert.equal(await statesOf(site, '&post=101'), ['101 nl missing', '101 fr draft']);
  assert.ok(id > 0);
});
states('the same on SQLite', () =>
  inFolder(async (directory) => {
    const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
    try {
      const [memory, sqlite] = [await open({ store: createMemoryStore(collections) }), await open({ store })];
      for (const site of [memory, sqlite]) await deliverJob(site, await createJob(site, 104));
      for (const query of ['', '&state=in_review', '&language=fr&overdue=false'])
        assert.equal(await list(sqlite, query), await list(memory, query));
    } finally {
      await store.close();
    }
  }),
);
states('every text of the routes is there in French', () => {
  const texts = mlStatesDescriptor.routes.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ summary, description, args }) => [
      summary,
      description,
      ...Object.values(args).map((arg: { readonly description: string }) => arg.description),
    ]),
  );
  assert.equal(
    texts.filter((text) => !Object.hasOwn(catalogues['fr'] ?? {}, text)),
    [],
  );
});
states.run();

const review = suite('review and log');
review('a reviewer takes, gives back and accepts a machine translation, and the log tells', () =>
  withMachine('deepl', async ({ upstream }) => {
    const site = await createMlSite({
      upstream,
      config: { ...CONFIG, namespaces: { ml: { extraRoutes: true, libretranslate: { apiKey: KEY } } } },
    });
    const job = await createJob(site);
    const entry = async (): Promise<any> => (await list(site, '&post=101&language=fr'))[0];
    const { state, job: shown } = await entry();
    assert.equal([state, shown.automatic, shown.review_status], ['in_review', true, 'NEEDS_REVIEW']);
    const move = (to: string) =>
      site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', {
        ml_job_id: String(job),
        ate_job_data: [{ review_status: to }],
      });
    checkStatus(await move('EDITING'), 200);
    assert.equal(
      (await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }])).body[0]
        .errors[0].code,
      'edited',
    );
    assert.equal((await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations')).body, []);
    for (const to of ['NEEDS_REVIEW', 'ACCEPTED']) checkStatus(await move(to), 200);
    checkStatus(await move('EDITING'), 409, 'ml_job_not_translated');
    await applyJob(site, job);
    const log = checkStatus(await site.ask('anna', `GET /ml/v1/jobs/${job}/log?per_page=4`), 200);
    assert.equal(
      log.body.map((each: any) => each.message),
      [
        'Applied by user 1 as a new post.',
        'Review: NEEDS_REVIEW -> ACCEPTED, by user 4.',
        'Review: EDITING -> NEEDS_REVIEW, by user 4.',
        'The translation is being edited.',
      ],
    );
    assert.equal(
      [log.headers['X-CMS-Total'], log.body[0].code, log.body[3].code],
      ['5', 'applied', 'edited'],
    );
    checkStatus(await site.ask('noor', `GET /ml/v1/jobs/${job}/log`), 403, 'ml_job_forbidden');
    checkStatus(await site.ask('admin', 'GET /ml/v1/jobs/999/log'), 404, 'ml_job_not_found');
  }),
);
review.run();

const departed = suite('jobs of posts that are gone');
for (const [how, target, code] of [
  ['trash', 'DELETE /cms/v2/posts/101', 'ml_post_trashed'],
  ['deletion', 'DELETE /cms/v2/posts/101?force=true', 'ml_post_deleted'],
] as const) {
  departed(`${how}: open jobs are cancelled in the same commit, complete ones stay`, async () => {
    const site = await open();
    const complete = await createJob(site);
    await deliverJob(site, complete);
    await applyJob(site, complete);
    const waiting = await createJob(site, 101, { target_language: 'nl' });
    const commits: (readonly { readonly collection: string }[])[] = [];
    const { commit } = site.ports.store;
    Object.assign(site.ports.store, {
      commit: (operations: (typeof commits)[number], ...rest: unknown[]) => {
        commits.push(operations);
        return Reflect.apply(commit, site.ports.store, [operations, ...rest]) as unknown;
      },
    });
    checkStatus(await site.ask('admin', target), 200);
    assert.equal(
      commits
        .filter((operations) => operations.some(({ collection }) => collection === 'ml_jobs'))
        .map((operations) => operations.some(({ collection }) => collection === 'posts')),
      [true],
    );
    const jobs = await Promise.all([complete, waiting].map((id) => site.ports.store.get('ml_jobs', id)));
    assert.equal(
      jobs.map((job) => [job?.['status'], job?.['open_key']]),
      [
        [10, ''],
        [0, ''],
      ],
    );
    assert.equal(
      (await site.ask('admin', `GET /ml/v1/jobs/${waiting}/log`)).body.map((each: any) => each.code),
      [code],
    );
    assert.equal(
      (await site.ask('admin', 'GET /ml/tm/v1/jobs')).body.jobs.map((job: any) => job.id),
      [complete],
    );
  });
}
departed('the engine is told, and its failure does not harm the deletion', async () => {
  const cancelled: number[] = [];
  const engine = {
    name: 'remote',
    label: 'Agency',
    createJobs: async (jobs: readonly any[]) => new Map(jobs.map(({ job }) => [job.id, job.id + 700])),
    readJobs: async () => new Map(),
    fetchXliff: async () => null,
    confirm: async () => undefined,
    cancel: async (jobs: readonly any[]) => {
      cancelled.push(...jobs.map((job) => job.engine_job));
      throw new Error('no');
    },
    register: async () => undefined,
    state: async () => ({ activated: true, mode: 'remote', registered_at: '' }),
    syncUsers: async () => [],
    consoleUrl: async () => null,
  };
  const site = await open({ config: { ...CONFIG, namespaces: { ml: { extraRoutes: true, engine } } } });
  const job = await createJob(site);
  const {
    body: {
      jobs: [listed],
    },
  } = await site.ask('admin', 'GET /ml/tm/v1/jobs');
  assert.equal(
    [listed.translation_service, listed.ts_status, listed.is_ate_job],
    ['Agency', 'Created', true],
  );
  assert.is((await list(site, '&post=101&language=fr'))[0].job.service_name, 'Agency');
  checkStatus(await site.ask('admin', 'DELETE /cms/v2/posts/101?force=true'), 200);
  await site.ports.background.stop();
  assert.equal(cancelled, [job + 700]);
  assert.is((await site.ports.store.get('ml_jobs', job))?.['status'], 0);
});
departed('a translation that goes to the trash does not cancel the job of its source', async () => {
  const site = await open();
  const job = await createJob(site);
  await deliverJob(site, job);
  await applyJob(site, job);
  const again = await createJob(site);
  checkStatus(await site.ask('admin', `DELETE /cms/v2/posts/${(await readTranslation(site)).id}`), 200);
  assert.is((await site.ports.store.get('ml_jobs', again))?.['status'], 1);
});
departed.run();
