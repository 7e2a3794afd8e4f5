import type { JobRow } from '../records/job-record.ts';
import { ENGINE_STATUS_WORDS, JOB_STATUS_WORDS } from '../records/status.ts';

/** Name of the service that has a job. */
export const nameService = ({ service }: Pick<JobRow, 'service'>): string =>
  service === 'local' ? 'Local translator' : service;

/** State of a job in words: at the service while it has the job, else here. */
export function describeStatus({
  engine,
  engine_job: engineJob,
  engine_status: atEngine,
  status,
}: JobRow): string {
  return (
    (engine === 'remote' && engineJob > 0 ? ENGINE_STATUS_WORDS[atEngine] : JOB_STATUS_WORDS[status]) ?? ''
  );
}
