import { type Operation, type Store, StoreError, and, eq, not, oneOf } from '../../../../lib/index.ts';
import { type Ports, pause } from '../../../plugin.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from '../records/job-record.ts';
import { withMetaRules } from '../records/meta-rules.ts';
import { JOB_STATUS } from '../records/status.ts';
import type { XmlConfig } from '../xml-config/xml-config.ts';
import { readConfig, readSource } from './source-texts.ts';

const SLICE = 100;

type StalePorts = Pick<Ports, 'store' | 'log' | 'content'>;

interface Comparison {
  readonly id: number;
  readonly values: { readonly post_version: number; readonly needs_update: boolean };
}

async function compareTexts(
  { store, content }: StalePorts,
  job: JobRow,
  config: XmlConfig,
): Promise<Comparison | null> {
  const post = await store.get('posts', job.post);
  if (post === null) return null;
  const { revision } = await readSource(store, post, {
    target: job.target,
    config: withMetaRules(config, content, String(post['type'])),
  });
  return { id: job.id, values: { post_version: post.version, needs_update: revision !== job.revision } };
}

/** A post that cannot be read must not stop the check of the others; its job stays unchanged. */
async function compare(ports: StalePorts, job: JobRow, config: XmlConfig): Promise<Comparison | null> {
  try {
    return await compareTexts(ports, job, config);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    ports.log({
      level: 'error',
      message: `comparing translation job ${job.id} with post ${job.post} failed; it stays as it is`,
      error,
    });
    return null;
  }
}

/** Stores the results. A store that rejects writes must not fail the request, because the next check finds the same. */
async function keep(store: Store, found: readonly Comparison[]): Promise<ReadonlyMap<number, number>> {
  try {
    const saved = await store.commit(
      found.map(({ id, values }): Operation => ({ op: 'update', collection: 'ml_jobs', id, values })),
    );
    return new Map(
      saved.flatMap((record) => (record === null ? [] : [[record.id, record.version] as const])),
    );
  } catch (error) {
    if (error instanceof StoreError && ['full', 'unavailable', 'unknown'].includes(error.code))
      return new Map();
    throw error;
  }
}

async function findChanged<T extends JobRow>(store: Store, jobs: readonly T[]): Promise<readonly T[]> {
  const { records } = await store.find({
    collection: 'posts',
    where: oneOf('id', [...new Set(jobs.map((job) => job.post))]),
    fields: [],
  });
  const versions = new Map(records.map((record) => [record.id, record.version]));
  return jobs.filter((job) => versions.has(job.post) && versions.get(job.post) !== job.post_version);
}

/**
 * Detects posts that changed after their jobs were made, and flags the jobs (`needs_update`). A post is read only if its
 * version differs from the one last compared.
 * @returns the checked jobs in their current state
 */
export async function checkStaleness<T extends JobRow>(
  ports: StalePorts,
  jobs: readonly T[],
): Promise<readonly T[]> {
  const { store } = ports;
  const changed = jobs.length === 0 ? [] : await findChanged(store, jobs);
  if (changed.length === 0) return jobs;
  const config = await readConfig(store);
  const found = (await Promise.all(changed.map((job) => compare(ports, job, config)))).filter(
    (each) => each !== null,
  );
  const versions = await keep(store, found);
  const byId = new Map(found.map((each) => [each.id, each.values]));
  return jobs.map((job) => {
    const values = byId.get(job.id);
    return values === undefined ? job : { ...job, ...values, version: versions.get(job.id) ?? job.version };
  });
}

/** Checks every job that is not cancelled, a hundred at a time. */
export async function checkAllStaleness(ports: StalePorts, signal: AbortSignal): Promise<void> {
  for (let last = 0; !signal.aborted;) {
    const where = and({ op: 'gt', field: 'id', value: last }, not(eq('status', JOB_STATUS.cancelled)));
    const { records } = await ports.store.find({
      collection: 'ml_jobs',
      where,
      fields: ROW_FIELDS,
      limit: SLICE,
    });
    if (records.length === 0) return;
    await checkStaleness(ports, records.map(toJobRow));
    await pause();
    last = records.at(-1)?.id ?? last;
  }
}
