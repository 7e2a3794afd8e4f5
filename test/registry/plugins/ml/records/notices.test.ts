import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { upstreamError } from '../../../../../lib/ports/upstream.ts';
import { createBackground } from '../../../../../registry/core/host/background.ts';
import type { Ports } from '../../../../../registry/core/host/ports.ts';
import {
  collections,
  createSite,
  loadFixture,
  type TranslationNotice,
} from '../../../../../registry/index.ts';
import { remindOfDeadlines } from '../../../../../registry/plugins/ml/jobs/deadline-reminders.ts';
import { TEST_NOW } from '../../../../support/ports.ts';
import { checkStatus, createJob, createMlSite, deliverJob, ML_FIXTURE, type MlSite } from '../ml-site.ts';

interface Notified {
  readonly site: MlSite;
  readonly notices: readonly TranslationNotice[];
  readonly logged: readonly string[];
  /** Resolves when there are so many notices. */
  waitFor(count: number): Promise<void>;
}

async function open(
  notify: NonNullable<Ports['notify']> = () => undefined,
  parts: Partial<Ports> = {},
): Promise<Notified> {
  const notices: TranslationNotice[] = [];
  const logged: string[] = [];
  const log: Ports['log'] = ({ message }) => {
    logged.push(message);
  };
  const site = await createMlSite({
    log,
    background: createBackground(log),
    notify: (notice, signal) => {
      notices.push(notice);
      return notify(notice, signal);
    },
    ...parts,
  });
  const waitFor = async (count: number): Promise<void> => {
    for (let turn = 0; notices.length < count; turn += 1) {
      if (turn > 500) throw new Error(`${notices.length} notices instead of ${count}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
  };
  return { site, notices, logged, waitFor };
}

const show = (notices: readonly TranslationNotice[]) =>
  notices.map(
    ({ kind, job, to }) =>
      `${kind} ${job.post} ${job.target} to ${to.map(({ email }) => email.split('@')[0]).join('+')}`,
  );

const notices = suite('notices about translation jobs');
notices('assigned, due and ready, each to those whom it concerns', async () => {
  const { site, notices: got, waitFor } = await open();
  const job = await createJob(site, 101, { translator_id: 4, deadline: '2025-01-16' });
  await waitFor(2);
  assert.equal(show(got).sort(), ['assigned 101 fr to anna', 'due 101 fr to anna+admin']);
  // The job waits for its translator, and is no longer on its way to the engine.
  assert.is(got.find(({ kind }) => kind === 'assigned')?.job.status, 1);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/jobs/assign', { jobId: job, translatorId: 3 }), 200);
  await waitFor(3);
  await deliverJob(site, job);
  await waitFor(4);
  assert.equal(show(got.slice(2)), ['assigned 101 fr to manager', 'ready 101 fr to admin']);
  assert.equal(got[3]?.job, {
    id: job,
    post: 101,
    title: 'Post 101',
    source: 'en',
    target: 'fr',
    status: 4,
    deadline: '2025-01-16',
    automatic: false,
    translator: 3,
  });
});
notices('a deadline is announced once, the day before', async () => {
  let now = TEST_NOW;
  const { site, notices: got, waitFor } = await open(undefined, { now: () => now });
  await createJob(site, 101, { deadline: '2025-01-20' });
  for (const days of [0, 3, 1, 1, 1]) {
    now += days * 86_400_000;
    await remindOfDeadlines(site.ports);
    if (now < Date.UTC(2025, 0, 19)) assert.equal(show(got), []);
  }
  await waitFor(1);
  assert.equal(show(got), ['due 101 fr to admin']);
});
notices('failed: the service refuses, or a translation cannot be applied', async () => {
  const {
    site,
    notices: got,
    waitFor,
  } = await open(undefined, {
    upstream: {
      origin: (name) => (name === 'ate' ? 'http://ate.test' : null),
      request: () => Promise.reject(upstreamError('service_timeout', { data: { service: 'ate' } })),
    },
  });
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
      jobs: [{ post_id: 101, target_language: 'fr', translator_id: 4 }],
    }),
    504,
  );
  await waitFor(2);
  assert.equal(
    [show(got), got.map(({ job, reason }) => [job.status, reason?.code])],
    [
      ['failed 101 fr to admin', 'assigned 101 fr to anna'],
      [
        [40, 'service_timeout'],
        [40, undefined],
      ],
    ],
  );
});
notices('a host that throws or rejects does not harm the request; the log of the host says so', async () => {
  for (const notify of [
    (): never => {
      throw new Error('sync');
    },
    () => Promise.reject(new Error('async')),
  ]) {
    const { site, waitFor, logged } = await open(notify);
    await createJob(site, 101, { translator_id: 4 });
    await waitFor(1);
    await site.ports.background.stop();
    assert.equal(logged, ['the notice "assigned" of translation job 1 could not be delivered']);
  }
});
notices(
  'a request does not wait for a notice, and a site that is closed takes jobs without one',
  async () => {
    let release = (): void => undefined;
    const { site, waitFor, logged } = await open(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const job = await createJob(site, 101, { translator_id: 4 });
    await waitFor(1);
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/jobs/assign', { jobId: job, translatorId: 0 }), 200);
    release();
    await site.ports.background.stop();
    checkStatus(await site.ask('admin', 'POST /ml/tm/v1/jobs/assign', { jobId: job, translatorId: 4 }), 200);
    assert.equal(logged, ['background task "translation notices" was not started']);
  },
);
notices('an option of createSite, which looks for deadlines at the start', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, ML_FIXTURE);
  await store.commit([
    {
      op: 'create',
      collection: 'ml_jobs',
      values: {
        type: 'post',
        post: 101,
        post_type: 'post',
        source: 'en',
        target: 'fr',
        status: 1,
        deadline: '2020-01-01',
        title: 'Late',
        author: 1,
        translator: 4,
        service: 'local',
      },
    },
  ]);
  const got: TranslationNotice[] = [];
  const site = await createSite({
    store,
    notify: (notice) => {
      got.push(notice);
    },
  });
  for (let turn = 0; got.length === 0 && turn < 500; turn += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  assert.equal(show(got), ['due 101 fr to anna+admin']);
  await site.close();
  const error: unknown = await createSite({ store, notify: 'mail' as never }).catch(
    (reason: unknown) => reason,
  );
  assert.match(String(error), 'notify of the options of createSite is "mail"; it must be a function');
});
notices.run();
