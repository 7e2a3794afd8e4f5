// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEST_CONFIG } from '../../../../support/ports.ts';
import {
  applyJob,
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  toReports,
  translateXliff,
} from '../ml-site.ts';

const log = suite('the log of a job');
log('tells who got it, who handed it in and who applied it', async () => {
  const site = await createMlSite({ config: { ...TEST_CONFIG, namespaces: { ml: { extraRoutes: true } } } });
  const job = await createJob(site, 101, { translator_id: 4 });
  for (const translatorId of [0, 4])
    checkStatus(await site.ask('anna', 'POST /ml/tm/v1/jobs/assign', { jobId: job, translatorId }), 200);
  checkStatus(
    await site.ask(
      'anna',
      'POST /ml/tm/v1/ate/jobs/store',
      toReports(
        job,
        translateXliff(await fetchFile(site, job), (id, source) => (id === 'URL' ? 'fr' : source)),
      ),
    ),
    200,
  );
  const { id } = await applyJob(site, job);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', { jobs: [{ id: job }] }), 200);
  await applyJob(site, job).catch(() => undefined);
  const { body } = checkStatus(await site.ask('anna', `GET /ml/v1/jobs/${job}/log`), 200);
  assert.equal(
    body
      .toReversed()
      .map(({ code, message }: any) => `${code}: ${message}`)
      .slice(0, 5),
    [
      'assigned: Assigned to user 4 by user 1.',
      'unassigned: Given back by user 4.',
      'assigned: Assigned to user 4 by user 4.',
      'delivered: A translation was handed in by user 4.',
      'applied: Applied by user 1 as a new post.',
    ],
  );
  assert.ok(id > 0);
});
log.run();
