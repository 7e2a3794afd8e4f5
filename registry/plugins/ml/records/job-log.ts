import { type Operation, RestError } from '../../../../lib/index.ts';
import type { Ports, Reference } from '../../../plugin.ts';
import { toMoment } from './job-record.ts';

/** An entry in the log of a job: what happened to it, or a problem that the response does not report. `code`: what happened, or the code of an error or a warning. */
export function toLogEntry(
  ports: Pick<Ports, 'now'>,
  job: number | Reference,
  { code, message }: { code: string; message: string },
): Operation {
  return {
    op: 'create',
    collection: 'ml_job_log',
    values: { job, date: toMoment(ports.now()), code, message },
  };
}

/** Who did it, for the log. 0: the service. */
export const nameUser = (id: number): string => (id === 0 ? 'the translation service' : `user ${id}`);

/** The entry that says who translates a job from now on; 0: nobody. */
export const toAssignment = (
  translator: number,
  by: number,
): { readonly code: string; readonly message: string } =>
  translator === 0
    ? { code: 'unassigned', message: `Given back by ${nameUser(by)}.` }
    : { code: 'assigned', message: `Assigned to user ${translator} by ${nameUser(by)}.` };

/** Logs why one of several jobs failed. An unexpected error goes to the log of the host. */
export async function logFailure(
  ports: Pick<Ports, 'now' | 'log' | 'store'>,
  job: number,
  error: unknown,
): Promise<{ readonly code: string; readonly message: string }> {
  const isAnswer = error instanceof RestError;
  if (!isAnswer) ports.log({ level: 'error', message: `translation job ${job} failed`, error });
  const entry = isAnswer
    ? { code: error.code, message: error.message }
    : { code: 'apply_failed', message: 'The translation could not be applied.' };
  await ports.store.commit([toLogEntry(ports, job, entry)]);
  return entry;
}
