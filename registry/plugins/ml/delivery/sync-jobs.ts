import { type Call, type Operation, type Predicate, and, eq, oneOf } from '../../../../lib/index.ts';
import { releaseLock, takeLock } from '../../../plugin.ts';
import type { EngineRecord } from '../engine/engine.ts';
import { checkStaleness } from '../posts/stale-jobs.ts';
import { readCaller, visibleTo, type JobCaller } from '../records/caller.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from '../records/job-record.ts';
import { ENGINE_STATUS, JOB_STATUS, OPEN_STATUSES } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';

const PAGE = 100;
const LOCK = 'ml.sync';

interface SyncArgs {
  readonly lockKey?: string;
  readonly ateToken?: string;
  readonly page?: number;
  readonly nextPage?: number;
  readonly numberOfPages?: number;
  readonly includeManualAndLongstandingJobs?: boolean;
}

/** The job fields to change for a status of the engine; null when nothing changes. */
function toChange(job: JobRow, { status }: EngineRecord): Readonly<Record<string, string | number>> | null {
  const seen = status === job.engine_status ? null : { engine_status: status };
  if (status === ENGINE_STATUS.cancelled)
    return { engine_status: status, status: JOB_STATUS.cancelled, open_key: '' };
  if (status === ENGINE_STATUS.hidden)
    return { engine_status: status, status: JOB_STATUS.hidden, open_key: '' };
  // A job that the engine reports as delivered is complete only if it was applied as a post here.
  if (status === ENGINE_STATUS.delivered && job.result !== 0 && job.status !== JOB_STATUS.ready)
    return { engine_status: status, status: JOB_STATUS.complete, open_key: '' };
  if (status === ENGINE_STATUS.translating && job.status === JOB_STATUS.waiting)
    return { engine_status: status, status: JOB_STATUS.inProgress };
  return seen;
}

const FETCHABLE: ReadonlySet<number> = new Set([
  ENGINE_STATUS.translated,
  ENGINE_STATUS.delivering,
  ENGINE_STATUS.delivered,
  ENGINE_STATUS.edited,
]);

interface SyncedJob {
  readonly ateJobId: number;
  readonly url: string | null;
  readonly ateStatus: number;
  readonly jobId: number;
  readonly status: number;
}

function toQueued(job: JobRow, record: EngineRecord | undefined): readonly SyncedJob[] {
  const ateStatus = record?.status ?? job.engine_status;
  const isHere = job.status === JOB_STATUS.ready;
  const isThere =
    OPEN_STATUSES.has(job.status) &&
    FETCHABLE.has(ateStatus) &&
    record?.xliff !== null &&
    record !== undefined;
  return isHere || isThere
    ? [{ ateJobId: job.engine_job, url: record?.xliff ?? null, ateStatus, jobId: job.id, status: job.status }]
    : [];
}

async function syncPage(
  services: TranslationServices,
  jobs: readonly JobRow[],
): Promise<readonly SyncedJob[]> {
  const records = await services.engine.readJobs(jobs);
  const changes = jobs.flatMap((job) => {
    const record = records.get(job.id);
    const values = record === undefined ? null : toChange(job, record);
    return values === null
      ? []
      : [
          {
            op: 'update',
            collection: 'ml_jobs',
            id: job.id,
            version: job.version,
            values,
          } satisfies Operation,
        ];
  });
  const saved = changes.length === 0 ? [] : await services.store.commit(changes);
  const changed = new Map(
    saved.flatMap((record) => (record === null ? [] : [[record.id, toJobRow(record)] as const])),
  );
  const current = jobs.map((job) => changed.get(job.id) ?? job);
  await checkStaleness(services.ports, current);
  return current.flatMap((job) => toQueued(job, records.get(job.id)));
}

/** Visible jobs for which the engine may have news. Long-standing jobs are those that a translator handles manually. */
function matchOpen(caller: JobCaller, includeAll: boolean): Predicate {
  const open = and(oneOf('status', [...OPEN_STATUSES]), { op: 'gt', field: 'engine_job', value: 0 });
  return and(visibleTo(caller), open, ...(includeAll ? [] : [eq('automatic', true)]));
}

const NOTHING = {
  lockKey: null,
  ateToken: null,
  nextPage: null,
  numberOfPages: null,
  downloadQueueSize: 0,
  jobs: [],
} as const;

/**
 * Asks the engine about the open jobs, a hundred per call, under a lock of 30 seconds. `ateToken` names the last job of the
 * previous page, so that jobs completed meanwhile do not shift the others. The lock is released after the last page.
 */
export async function syncJobs(services: TranslationServices, args: SyncArgs, call: Call) {
  const lockKey = await takeLock(services.ports, LOCK, { key: args.lockKey });
  if (lockKey === null) return NOTHING;
  const open = matchOpen(
    await readCaller(services.store, call.identity),
    args.includeManualAndLongstandingJobs ?? true,
  );
  const last = /^\d{1,15}$/.test(args.ateToken ?? '') ? Number(args.ateToken) : 0;
  const { records, total } = await services.store.find({
    collection: 'ml_jobs',
    where: and(open, { op: 'gt', field: 'id', value: last }),
    fields: ROW_FIELDS,
    limit: PAGE,
    total: true,
  });
  const jobs = await syncPage(services, records.map(toJobRow));
  const isLast = total <= PAGE;
  if (isLast) await releaseLock(services.ports, LOCK, lockKey);
  const page = args.nextPage ?? args.page ?? 1;
  return {
    lockKey,
    ateToken: isLast ? null : String(records.at(-1)?.id ?? last),
    nextPage: isLast ? null : page + 1,
    numberOfPages: args.numberOfPages ?? Math.max(1, Math.ceil(total / PAGE)),
    downloadQueueSize: jobs.length,
    jobs,
  };
}
