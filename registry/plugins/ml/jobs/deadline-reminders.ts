import { and, eq, lte, not, oneOf, type Operation } from '../../../../lib/index.ts';
import { type Ports, withLock } from '../../../plugin.ts';
import { JOB_STATUS, type JobRow, toLogEntry, findJobRows } from '../records/job-record.ts';
import { sendNotices } from '../records/notices.ts';

const DAY_MS = 86_400_000;

/** Jobs on which somebody still has to work. */
const UNFINISHED = [JOB_STATUS.waiting, JOB_STATUS.inProgress, JOB_STATUS.retry, JOB_STATUS.pending];

/** Entry in the log of a job whose translator was reminded of this deadline. */
const toReminder = ({ deadline }: JobRow) => ({
  code: 'ml_due',
  message: `The deadline is ${deadline}.`,
});

/** Unfinished jobs whose deadline is tomorrow at the latest, and of which nobody was reminded. */
async function findDue({ store, now }: Ports): Promise<readonly JobRow[]> {
  const tomorrow = new Date(now() + DAY_MS).toISOString().slice(0, 10);
  const where = and(oneOf('status', UNFINISHED), not(eq('deadline', '')), lte('deadline', tomorrow));
  const jobs = await findJobRows(store, where);
  if (jobs.length === 0) return jobs;
  const ids = jobs.map(({ id }) => id);
  const { records } = await store.find({
    collection: 'ml_job_log',
    where: and(oneOf('job', ids), eq('code', 'ml_due')),
    fields: ['job', 'message'],
  });
  const reminded = new Set(records.map(({ job, message }) => `${String(job)} ${String(message)}`));
  return jobs.filter((job) => !reminded.has(`${job.id} ${toReminder(job).message}`));
}

/** Reminds of deadlines, if the host has connected `notify`. */
export async function remindOfDeadlines(ports: Ports): Promise<void> {
  if (ports.notify === undefined) return;
  await withLock(ports, { name: 'ml.due' }, async () => {
    const due = await findDue(ports);
    if (due.length === 0) return;
    // First the log, then the notices: of several processes one reminds, and after a crash nobody is reminded twice.
    await ports.store.commit(due.map((job): Operation => toLogEntry(ports, job.id, toReminder(job))));
    sendNotices(ports, due, { kind: 'due' });
  });
}
