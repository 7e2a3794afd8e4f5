import { type Operation, and, eq, oneOf } from '../../../../lib/index.ts';
import { type PlanDeparture, type Ports, runLater } from '../../../plugin.ts';
import type { TranslationEngine } from '../engine/engine.ts';
import { logFailure, toLogEntry } from '../records/job-log.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from '../records/job-record.ts';
import { JOB_STATUS, OPEN_STATUSES } from '../records/status.ts';
import { readTranslationOptions } from '../services/service-options.ts';
import { createTranslationEngine } from '../services/services.ts';

/** Tells the engine in the background. The jobs are cancelled here even if that fails. */
async function cancelAtEngine(
  ports: Ports,
  engine: TranslationEngine,
  jobs: readonly JobRow[],
): Promise<void> {
  try {
    await engine.cancel(jobs);
  } catch (error) {
    for (const { id } of jobs) await logFailure(ports, id, error);
  }
}

function toOperations(
  ports: Ports,
  jobs: readonly JobRow[],
  how: 'trashed' | 'deleted',
): readonly Operation[] {
  const message = how === 'trashed' ? 'The post was moved to the trash.' : 'The post was deleted.';
  return jobs.flatMap((job): readonly Operation[] => [
    {
      op: 'update',
      collection: 'ml_jobs',
      id: job.id,
      version: job.version,
      values: { status: JOB_STATUS.cancelled, open_key: '' },
    },
    toLogEntry(ports, job.id, { code: `ml_post_${how}`, message }),
  ]);
}

/** What was applied to the translations of a deleted post, or to it as a translation: nobody may read its text any more. */
const toForgotten = (post: number): readonly Operation[] =>
  ['post', 'result'].map((field) => ({ op: 'removeAll', collection: 'ml_applied', where: eq(field, post) }));

/** Cancels the open jobs of a post in the commit that moves it to the trash or deletes it. Complete jobs stay as they are. */
export function createCancelDeparted(ports: Ports): PlanDeparture {
  const engine = createTranslationEngine(ports, readTranslationOptions(ports.config));
  return async (post, how) => {
    const where = and(eq('post', post), oneOf('status', [...OPEN_STATUSES]));
    const jobs = (await ports.store.find({ collection: 'ml_jobs', where, fields: ROW_FIELDS })).records.map(
      toJobRow,
    );
    const sent = jobs.filter((job) => job.engine_job > 0);
    return {
      also: [...toOperations(ports, jobs, how), ...(how === 'deleted' ? toForgotten(post) : [])],
      after: () => {
        if (sent.length > 0)
          runLater(ports, 'cancelling translation jobs', () => cancelAtEngine(ports, engine, sent));
      },
    };
  };
}
