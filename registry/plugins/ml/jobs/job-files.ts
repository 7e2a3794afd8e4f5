import { type Call, RawBody, RestResponse } from '../../../../lib/index.ts';
import { own } from '../../../plugin.ts';
import { listJobTerms } from '../glossary/read-glossary.ts';
import { readConfig } from '../posts/source-texts.ts';
import { checkStaleness } from '../posts/stale-jobs.ts';
import { mlError } from '../records/errors.ts';
import type { Job } from '../records/job-record.ts';
import { TRANSLATED_STATUSES } from '../records/status.ts';
import { readAddresses, toXliff, type TranslationServices } from '../services/services.ts';
import type { XliffVersion } from '../xliff/xliff-write.ts';
import { readWorkJob } from './job-lookup.ts';

async function writeJob(
  services: TranslationServices,
  job: Job,
  { call, version }: { call: Call; version: XliffVersion },
): Promise<string> {
  const { shortcodes } = await readConfig(services.store);
  const post = await services.store.get('posts', job.post);
  const toAddress = await readAddresses(services, post === null ? [] : [post]);
  return toXliff(services, job, {
    reference: toAddress(post, call),
    shortcodes,
    terms: await listJobTerms(services.store, job),
    version,
  });
}

/** The XLIFF file for the translator, in base64. */
export async function fetchXliff(
  services: TranslationServices,
  { jobId, version }: { jobId: number; version: XliffVersion },
  call: Call,
) {
  const job = await readWorkJob(services, jobId, { call, forbidden: 'ml_tm_xliff_forbidden' });
  if (job.fields.length === 0) throw mlError('ml_xliff_no_translation_units');
  const [checked = job] = await checkStaleness(services.ports, [job]);
  const content = await writeJob(services, checked, { call, version });
  return { content: Buffer.from(content).toString('base64'), sourceLang: job.source, targetLang: job.target };
}

/** The finished translation of a job, as a file or as a list of texts. */
export async function downloadTranslation(
  services: TranslationServices,
  { job_id: id, job_type: type, json }: { job_id: number; job_type: string; json?: boolean },
  call: Call,
) {
  const job = await readWorkJob(services, id, { call });
  if (job.type !== type) throw mlError('ml_job_not_found');
  if (!TRANSLATED_STATUSES.has(job.status))
    throw mlError('ml_job_not_translated', { data: { job_status: job.status } });
  if (json === true) {
    const translations = job.fields.map((field) => ({
      field: field.id,
      source: field.source,
      target: own(job.targets, field.id)?.text ?? '',
    }));
    return { source_language: job.source, target_language: job.target, translations };
  }
  const body = new RawBody(
    'application/x-xliff+xml',
    await writeJob(services, job, { call, version: '1.2' }),
  );
  return new RestResponse(body, {
    headers: { 'Content-Disposition': `attachment; filename="job-${id}.xliff"` },
  });
}
