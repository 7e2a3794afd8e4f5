import { eq, not, oneOf, and } from '../../lib/query.ts';
import type { Operation, Store } from '../../lib/store.ts';
import { pause } from '../pause.ts';
import { JOB_STATUS } from './status.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from './job-record.ts';
import { readConfig, readSource } from './source-texts.ts';
import type { XmlConfig } from './xml-config.ts';

const SLICE = 100;

async function compare(store: Store, job: JobRow, config: XmlConfig): Promise<Operation | null> {
  const post = await store.get('posts', job.post);
  if (post === null) return null;
  const { revision } = await readSource(store, post, { target: job.target, config });
  return { op: 'update', collection: 'ml_jobs', id: job.id, values: { post_version: post.version, needs_update: revision !== job.revision } };
}

/**
 * Notices posts that have changed since their jobs were made, and flags the jobs (`needs_update`). Only posts with another
 * version than the one last compared are read.
 * @returns the jobs that were looked at, as they are now.
 */
export async function checkStaleness<T extends JobRow>(store: Store, jobs: readonly T[]): Promise<readonly T[]> {
  if (jobs.length === 0) return jobs;
  const { records } = await store.find({ collection: 'posts', where: oneOf('id', [...new Set(jobs.map((job) => job.post))]), fields: [] });
  const versions = new Map(records.map((record) => [record.id, record.version]));
  const changed = jobs.filter((job) => versions.has(job.post) && versions.get(job.post) !== job.post_version);
  if (changed.length === 0) return jobs;
  const config = await readConfig(store);
  const operations = (await Promise.all(changed.map((job) => compare(store, job, config)))).filter((operation) => operation !== null);
  const updated = await store.commit(operations);
  const flags = new Map(updated.flatMap((record) => (record === null ? [] : [[record.id, record] as const])));
  return jobs.map((job) => {
    const now = flags.get(job.id);
    return now === undefined ? job : { ...job, version: now.version, post_version: Number(now['post_version']), needs_update: now['needs_update'] === true };
  });
}

/** Looks at every job that is not cancelled, a hundred at a time. */
export async function checkAllStaleness(store: Store, signal: AbortSignal): Promise<void> {
  for (let last = 0; !signal.aborted;) {
    const where = and({ op: 'gt', field: 'id', value: last }, not(eq('status', JOB_STATUS.cancelled)));
    const { records } = await store.find({ collection: 'ml_jobs', where, fields: ROW_FIELDS, limit: SLICE });
    if (records.length === 0) return;
    await checkStaleness(store, records.map(toJobRow));
    await pause();
    last = records.at(-1)?.id ?? last;
  }
}
