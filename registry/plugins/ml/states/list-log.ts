import { RestResponse } from '../../../../lib/http/response.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { pageHeaders, toOffset } from '../../../../lib/route/paging.ts';
import { eq } from '../../../../lib/store/query.ts';
import { maySee, readCaller } from '../records/caller.ts';
import { mlError } from '../records/errors.ts';
import { toJob, toJobRow, type Job } from '../records/job-record.ts';
import { countWords, type JobWords } from '../segments/count-words.ts';
import type { TranslationServices } from '../services/services.ts';

/** @throws RestError `ml_job_not_found`, `ml_job_forbidden` */
async function readSeenJob(
  services: TranslationServices,
  id: number,
  call: Pick<Call, 'identity'>,
): Promise<Job> {
  const job = await services.store.get('ml_jobs', id);
  if (job === null) throw mlError('ml_job_not_found', { data: { job_id: id } });
  if (!maySee(await readCaller(services.store, call.identity), toJobRow(job)))
    throw mlError('ml_job_forbidden', { data: { job_id: id } });
  return toJob(job);
}

/** The words of a job. @throws RestError `ml_job_not_found`, `ml_job_forbidden` */
export async function readWords(
  services: TranslationServices,
  { id }: { id: number },
  call: Pick<Call, 'identity'>,
): Promise<JobWords> {
  return countWords(await readSeenJob(services, id, call));
}

/** A page of the log of a job, the newest entry first. @throws RestError `ml_job_not_found`, `ml_job_forbidden` */
export async function listLog(
  services: TranslationServices,
  { id, page, per_page: perPage }: { id: number; page: number; per_page: number },
  call: Call,
): Promise<RestResponse> {
  await readSeenJob(services, id, call);
  const { records, total } = await services.store.find(
    {
      collection: 'ml_job_log',
      where: eq('job', id),
      order: [{ field: 'id', direction: 'desc' }],
      limit: perPage,
      offset: toOffset({ page, perPage, offset: undefined }),
      total: true,
    },
    call,
  );
  return new RestResponse(
    records.map((entry) => ({
      id: entry.id,
      date: entry['date'],
      code: entry['code'],
      message: entry['message'],
    })),
    { headers: pageHeaders(call, { page, perPage, total }) },
  );
}
