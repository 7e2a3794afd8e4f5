// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import * as assert from 'uvu/assert';
import type { Ports } from '../../../../registry/core/host/ports.ts';
import { checkStatus, createJob, createMlSite, deliverJob, type MlSite } from './ml-site.ts';

/** Five jobs that differ in every filtered field; their ids are 1 to 5. */
export async function createFullSite(parts: Partial<Ports> = {}): Promise<MlSite> {
  const site = await createMlSite(parts);
  await createJob(site, 101, { translator_id: 4, deadline: '2025-02-01', batch_name: 'Spring' });
  await createJob(site, 107, { batch_name: 'spring sale', deadline: '2025-03-01' });
  await createJob(site, 101, { target_language: 'nl' });
  await createJob(site, 105, { target_language: 'en' });
  await createJob(site, 104);
  await deliverJob(site, 2);
  const change = (id: number, values: Readonly<Record<string, string | number | boolean>>) =>
    ({ op: 'update', collection: 'ml_jobs', id, values }) as const;
  await site.ports.store.commit([
    change(1, { sent: '2025-01-10T23:00:00' }),
    change(2, { sent: '2025-01-11T00:00:00' }),
    change(3, { service: 'translateur', review_status: 'NEEDS_REVIEW' }),
    change(4, { automatic: true }),
    change(5, { title: 'Über Größe' }),
  ]);
  return site;
}

const FILTERS: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['', [5, 4, 3, 2, 1]],
  ['ids=1,3', [3, 1]],
  ['local_job_ids=1,3', [3, 1]],
  ['id=2', [2]],
  ['scope=local', [5, 4, 2, 1]],
  ['scope=remote', [3]],
  ['scope=ate', [5, 4, 3, 2, 1]],
  ['scope=all', [5, 4, 3, 2, 1]],
  ['title=post%20101', [3, 1]],
  ['title=%C3%9CBER,107', [5, 2]],
  ['title=nothing', []],
  ['source_language=nl', [4]],
  ['target_language=nl,en', [4, 3]],
  ['status=4', [2]],
  ['status=1,4', [5, 4, 3, 2, 1]],
  ['status=30', [3]],
  ['status=4,30', [3, 2]],
  ['status=0', []],
  ['translated_by=4', [1]],
  ['translated_by=translateur', [3]],
  ['batch_name=SPRING', [1]],
  ['batch_name=Spring,Spring%20Sale', [2, 1]],
  ['element_type=post_post', [5, 4, 3, 2, 1]],
  ['element_type=post_page', []],
  ['only_automatic=1', [4]],
  ['includeTranslationServiceJobs=0', [5, 4, 2, 1]],
  ['sent_from=2025-01-11', [5, 4, 3, 2]],
  ['sent_to=2025-01-10', [1]],
  ['sent_from=2025-01-10&sent_to=2025-01-11', [2, 1]],
  ['deadline_from=2025-02-01', [2, 1]],
  ['deadline_to=2025-02-01', [1]],
  ['deadline_from=2025-02-02&deadline_to=2025-03-01', [2]],
  ['limit=2', [5, 4]],
  ['limit=2&offset=2', [3, 2]],
  ['limit=2&offset=4', [1]],
  ['sorting[id]=asc', [1, 2, 3, 4, 5]],
  ['sorting[title]=asc&limit=2', [1, 3]],
  ['sorting[language]=desc', [4, 3, 5, 2, 1]],
  ['sorting[deadline_date]=desc&limit=2', [2, 1]],
  ['sorting=%7B%22status%22%3A%22desc%22%7D&limit=1', [2]],
  ['sorting[batch_name]=desc&limit=2', [2, 1]],
  ['sorting[sent_date]=asc&limit=2', [1, 2]],
];

/** Checks the list of the site against every row of the table. */
export async function checkFilters(site: MlSite): Promise<void> {
  for (const [query, ids] of FILTERS) {
    const { body } = checkStatus(await site.ask('admin', `GET /ml/tm/v1/jobs?${query}`), 200);
    assert.equal(
      body.jobs.map((job: any) => job.id),
      ids,
      query,
    );
    assert.is(body.total, query.includes('limit') ? 5 : ids.length, query);
  }
}
