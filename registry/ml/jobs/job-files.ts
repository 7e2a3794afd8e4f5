import type { Call } from '../../../lib/route/call.ts';
import { own } from '../../../lib/core/objects.ts';
import { RawBody, RestResponse } from '../../../lib/http/response.ts';
import { toAddress, toXliff, type Desk } from '../engine/desk.ts';
import { mlError } from '../errors.ts';
import { readWorkJob } from './job-lookup.ts';
import type { Job } from './job-record.ts';
import { readConfig } from '../delivery/source-texts.ts';
import { checkStaleness } from './stale-jobs.ts';
import { TRANSLATED_STATUSES } from '../status.ts';
import type { XliffVersion } from '../xliff/xliff-write.ts';

async function writeJob(desk: Desk, job: Job, { call, version }: { call: Call; version: XliffVersion }): Promise<string> {
  const { shortcodes } = await readConfig(desk.store);
  const post = await desk.store.get('posts', job.post);
  return toXliff(desk, job, { reference: toAddress(post, call), shortcodes, version });
}

/** The XLIFF file that a translator works on, base64. */
export async function fetchXliff(desk: Desk, { jobId, version }: { jobId: number; version: XliffVersion }, call: Call) {
  const job = await readWorkJob(desk, jobId, { call, forbidden: 'ml_tm_xliff_forbidden' });
  if (job.fields.length === 0) throw mlError('ml_xliff_no_translation_units');
  const [checked = job] = await checkStaleness(desk.ports, [job]);
  const content = await writeJob(desk, checked, { call, version });
  return { content: Buffer.from(content).toString('base64'), sourceLang: job.source, targetLang: job.target };
}

/** The finished translation of a job, as a file or as a list of texts. */
export async function downloadTranslation(desk: Desk, { job_id: id, job_type: type, json }: { job_id: number; job_type: string; json?: boolean }, call: Call) {
  const job = await readWorkJob(desk, id, { call });
  if (job.type !== type) throw mlError('ml_job_not_found');
  if (!TRANSLATED_STATUSES.has(job.status)) throw mlError('ml_job_not_translated', { data: { job_status: job.status } });
  if (json === true) {
    const translations = job.fields.map((field) => ({ field: field.id, source: field.source, target: own(job.targets, field.id)?.text ?? '' }));
    return { source_language: job.source, target_language: job.target, translations };
  }
  const body = new RawBody('application/x-xliff+xml', await writeJob(desk, job, { call, version: '1.2' }));
  return new RestResponse(body, { headers: { 'Content-Disposition': `attachment; filename="job-${id}.xliff"` } });
}
