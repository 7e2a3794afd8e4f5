import { type Call, type Store, type StoredRecord, and, oneOf } from '../../../../lib/index.ts';
import { ADDRESSED, TEXT_KINDS, readOption, renderTitle } from '../../../plugin.ts';
import { checkAllStaleness, checkStaleness } from '../posts/stale-jobs.ts';
import { queueOf, readCaller, visibleTo } from '../records/caller.ts';
import { type JobRow, ROW_FIELDS, toJobRow } from '../records/job-record.ts';
import { JOB_STATUS } from '../records/status.ts';
import { readAddresses, type ToAddress, type TranslationServices } from '../services/services.ts';
import { toJobOrder, toJobPredicate, type JobFilter, type JobSorting } from './job-filter.ts';
import { describeStatus, nameService } from './service-name.ts';

interface Beside {
  readonly posts: ReadonlyMap<number, StoredRecord>;
  readonly toAddress: ToAddress;
  readonly users: ReadonlyMap<number, StoredRecord>;
  readonly nameOf: (language: string) => string;
}

async function readMany(
  store: Store,
  collection: string,
  { ids, fields }: { ids: readonly number[]; fields: readonly string[] },
): Promise<ReadonlyMap<number, StoredRecord>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  if (wanted.length === 0) return new Map();
  const { records } = await store.find({ collection, where: oneOf('id', wanted), fields });
  return new Map(records.map((record) => [record.id, record]));
}

// Creating one takes milliseconds. There is one for each language of the site.
const languageNames = new Map<string, Intl.DisplayNames>();

function namesIn(language: string): Intl.DisplayNames {
  const names = languageNames.get(language) ?? new Intl.DisplayNames([language, 'en'], { type: 'language' });
  languageNames.set(language, names);
  return names;
}

/** The name of a language; the code itself when it is not a valid BCP 47 tag. */
function nameIn(names: Intl.DisplayNames, language: string): string {
  try {
    return names.of(language) ?? language;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return language;
  }
}

async function readBeside(
  services: TranslationServices,
  jobs: readonly JobRow[],
  call: Pick<Call, 'language'>,
): Promise<Beside> {
  const { store } = services;
  const names = namesIn(call.language);
  const posts = await readMany(store, 'posts', {
    ids: jobs.flatMap((job) => [job.post, job.result]),
    fields: ADDRESSED,
  });
  return {
    posts,
    toAddress: await readAddresses(services, [...posts.values()]),
    users: await readMany(store, 'users', { ids: jobs.map((job) => job.translator), fields: ['name'] }),
    nameOf: (language) => nameIn(names, language),
  };
}

const toDay = (moment: string): string => moment.slice(0, 10);

function toProgress(job: JobRow): string {
  if (job.status === JOB_STATUS.complete) return '100% completed';
  return job.engine_job > 0 && job.status === JOB_STATUS.ready ? '90% completed' : '';
}

function toElement(job: JobRow, post: StoredRecord | undefined, url: string) {
  const type = job.post_type === '' ? 'post' : job.post_type;
  const label = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
  return {
    name: renderTitle(job.title),
    url,
    status: String(post?.['status'] ?? ''),
    type: { value: type, label },
  };
}

function toView(job: JobRow, { posts, toAddress, users, nameOf }: Beside, call: Call) {
  const original = toAddress(posts.get(job.post), call);
  return {
    id: job.id,
    original_element_id: job.post,
    type: job.type,
    tp_id: null,
    status: job.status,
    needs_update: job.needs_update,
    review_status: job.review_status === '' ? null : job.review_status,
    language_codes: { source: job.source, target: job.target },
    languages: { source: nameOf(job.source), target: nameOf(job.target) },
    translation_service_id: job.service,
    translation_service: nameService(job),
    sent_date: toDay(job.sent),
    deadline: toDay(job.deadline),
    ts_status: describeStatus(job),
    element: toElement(job, posts.get(job.post), original),
    translator_name: TEXT_KINDS.name.toShown(String(users.get(job.translator)?.['name'] ?? '')),
    translator_id: job.translator === 0 ? '' : job.translator,
    is_ate_job: job.engine_job > 0,
    automatic: job.automatic,
    progress: toProgress(job),
    batch: { id: job.batch, name: TEXT_KINDS.typed.toShown(job.batch_name), tp_id: null },
    extra_data: { translate_job_id: job.id, editor_job_id: job.engine_job === 0 ? null : job.engine_job },
    edit_url: call.site.url(`/ml/tm/v1/xliff/fetch/${job.id}`),
    view_url: toAddress(posts.get(job.result), call),
    view_original_url: original,
  };
}

/** Jobs as the list returns them. */
async function toJobViews(services: TranslationServices, jobs: readonly JobRow[], call: Call) {
  const beside = await readBeside(services, jobs, call);
  return jobs.map((job) => toView(job, beside, call));
}

/** Option with the time at which a translation was last applied. */
export const LAST_PICKED_UP = ['ml', 'last_picked_up'] as const;

type ListArgs = JobFilter & {
  readonly limit: number;
  readonly offset?: number;
  readonly sorting?: JobSorting;
  readonly pageName?: string;
};

/** The jobs that the caller can see and that match the filters. */
export async function listJobs(services: TranslationServices, args: ListArgs, call: Call) {
  const caller = await readCaller(services.store, call.identity);
  // A filter on `needs_update` must not depend on which jobs were listed before.
  if (args.needs_update !== undefined || (args.status ?? '').includes('3'))
    await checkAllStaleness(services.ports, call.signal);
  const { records, total } = await services.store.find(
    {
      collection: 'ml_jobs',
      where: and(
        visibleTo(caller),
        ...(args.pageName === 'translation-queue' ? [queueOf(caller)] : []),
        toJobPredicate(args),
      ),
      order: toJobOrder(args.sorting),
      limit: args.limit,
      offset: args.offset ?? 0,
      fields: ROW_FIELDS,
      total: true,
    },
    call,
  );
  const jobs = await checkStaleness(services.ports, records.map(toJobRow));
  const pickedUp = await readOption(services.store, ...LAST_PICKED_UP);
  return { jobs: await toJobViews(services, jobs, call), total, last_picked_up_date: pickedUp ?? null };
}
