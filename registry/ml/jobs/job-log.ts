import { RestError } from '../../../lib/core/errors.ts';
import type { Operation } from '../../../lib/store/store.ts';
import type { Ports } from '../../ports.ts';
import { toMoment } from './job-record.ts';

/** An entry in the log of a job: what went wrong beside the answer. `code`: of the error, or of a warning. */
export function toLogEntry(ports: Pick<Ports, 'now'>, job: number, { code, message }: { code: string; message: string }): Operation {
  return { op: 'create', collection: 'ml_job_log', values: { job, date: toMoment(ports.now()), code, message } };
}

/** Writes why one job of several failed; what is no answer for a caller goes to the log of the host. */
export async function logFailure(ports: Pick<Ports, 'now' | 'log' | 'store'>, job: number, error: unknown): Promise<{ readonly code: string; readonly message: string }> {
  const isAnswer = error instanceof RestError;
  if (!isAnswer) ports.log({ level: 'error', message: `translation job ${job} failed`, error });
  const entry = isAnswer ? { code: error.code, message: error.message } : { code: 'apply_failed', message: 'The translation could not be applied.' };
  await ports.store.commit([toLogEntry(ports, job, entry)]);
  return entry;
}
