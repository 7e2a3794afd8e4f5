import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation } from '../../../../lib/store/store.ts';
import { LONGEST_TURN_MS, measureTurns, watchTurns } from '../../../support/turns.ts';
import { checkStatus, createMlSite, readJob } from './ml-site.ts';

const JOBS = 60;
const CONTENT = '<!-- cms:paragraph -->\n<p>Hello <b>world</b></p>\n<!-- /cms:paragraph -->\n'.repeat(150);

const turns = suite('many concurrent jobs');
/** The longest turns of the event loop while jobs are created and while they are applied. */
async function measureJobs(): Promise<{ readonly made: number; readonly applied: number }> {
  const site = await createMlSite();
  const ids = Array.from({ length: JOBS }, (_each, index) => 1000 + index);
  await site.ports.store.commit(
    ids.map((id): Operation => ({
      op: 'create',
      collection: 'posts',
      values: {
        id,
        type: 'post',
        language: 'en',
        status: 'publish',
        slug: `p${id}`,
        title: `P ${id}`,
        content: CONTENT,
      },
    })),
  );
  const making = watchTurns();
  const { body } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
      jobs: ids.map((id) => ({ post_id: id, target_language: 'fr' })),
    }),
    200,
  );
  const made = making.stop();
  const [first] = Object.keys(body.jobs);
  const targets = Object.fromEntries(
    (await readJob(site, Number(first)))['fields'].map(({ id, source }: { id: string; source: string }) => [
      id,
      { text: `${source} fr`, state: 'translated' },
    ]),
  );
  await site.ports.store.commit(
    Object.keys(body.jobs).map((id): Operation => ({
      op: 'update',
      collection: 'ml_jobs',
      id: Number(id),
      values: { status: 4, targets },
    })),
  );
  const applying = watchTurns();
  assert.is(
    checkStatus(await site.ask('manager', 'POST /ml/tm/v1/tp/apply-translations'), 200).body.length,
    JOBS,
  );
  const applied = applying.stop();
  return { made, applied };
}

turns('do not block the event loop for more than 50 ms while they are created and applied', async () => {
  const longest = await measureTurns(async () => {
    const { made, applied } = await measureJobs();
    return Math.max(made, applied);
  });
  assert.ok(longest < LONGEST_TURN_MS, `${longest} ms`);
});
turns.run();
