import {
  type Call,
  defineNamespace,
  desc,
  eq,
  type Namespace,
  pageHeaders,
  RestResponse,
  type StoredRecord,
} from '../../../../lib/index.ts';
import { TEXT_KINDS, findByIds, renderTitle, toOffset } from '../../../plugin.ts';
import { describeStatus, nameService } from '../jobs/job-list.ts';
import { jobError } from '../records/errors.ts';
import { findJob, type Job, type JobRow, maySee, readCaller } from '../records/job-record.ts';
import { countWords } from '../segments/count-words.ts';
import type { TranslationServices } from '../services/services.ts';
import { createReadEntries, type Entry, isOverdue } from './list-states.ts';
import { mlStatesDescriptor, TRANSLATION_STATES, type TranslationState } from './state-routes.ts';

function toJobMember(
  job: JobRow,
  { overdue, users }: { overdue: boolean; users: ReadonlyMap<number, StoredRecord> },
) {
  return {
    id: job.id,
    status: job.status,
    status_label: describeStatus(job),
    needs_update: job.needs_update,
    automatic: job.automatic,
    review_status: job.review_status === '' ? null : job.review_status,
    translator: job.translator,
    translator_name: TEXT_KINDS.name.toShown(String(users.get(job.translator)?.['name'] ?? '')),
    service: job.service,
    service_name: nameService(job),
    sent: job.sent,
    deadline: job.deadline === '' ? null : job.deadline.slice(0, 10),
    overdue,
    completed: job.completed === '' ? null : job.completed,
  };
}

/** Entries as the list shows them. */
async function toEntryViews(services: TranslationServices, entries: readonly Entry[]) {
  const { store } = services;
  const posts = await findByIds(store, {
    collection: 'posts',
    ids: entries.map(({ post }) => post.id),
    fields: ['title'],
  });
  const users = await findByIds(store, {
    collection: 'users',
    ids: entries.map(({ job }) => job?.translator ?? 0),
    fields: ['name'],
  });
  const now = services.now();
  return entries.map((entry) => {
    const { post, language, state, translation, job } = entry;
    return {
      post: post.id,
      type: String(post['type']),
      title: renderTitle(String(posts.get(post.id)?.['title'] ?? '')),
      status: String(post['status']),
      source_language: String(post['language']),
      language,
      state,
      translation: translation?.id ?? null,
      translation_status: translation === undefined ? null : String(translation['status']),
      job: job === undefined ? null : toJobMember(job, { overdue: isOverdue(entry, now), users }),
    };
  });
}

/** @throws RestError `ml_job_not_found`, `ml_job_forbidden` */
async function readSeenJob(services: TranslationServices, id: number, call: Call): Promise<Job> {
  const job = await findJob(services.store, id);
  if (job === null) throw jobError('ml_job_not_found', id);
  if (!maySee(await readCaller(services, call), job)) throw jobError('ml_job_forbidden', id);
  return job;
}

/** A page of the log of a job, the newest entry first. @throws RestError `ml_job_not_found`, `ml_job_forbidden` */
async function listLog(
  services: TranslationServices,
  { id, page, per_page: perPage }: { id: number; page: number; per_page: number },
  call: Call,
): Promise<RestResponse> {
  await readSeenJob(services, id, call);
  const { records, total } = await services.store.find(
    {
      collection: 'ml_job_log',
      where: eq('job', id),
      order: [desc('id')],
      limit: perPage,
      offset: toOffset({ page, perPage }),
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

type Counts = Record<TranslationState, number>;

const toZeros = (): Counts => Object.fromEntries(TRANSLATION_STATES.map((state) => [state, 0])) as Counts;

function countStates(entries: readonly Entry[]): Readonly<Record<string, Counts>> {
  const counts = new Map<string, Counts>();
  for (const { language, state } of entries) {
    const ofLanguage = counts.get(language) ?? toZeros();
    ofLanguage[state] += 1;
    counts.set(language, ofLanguage);
  }
  return Object.fromEntries(counts);
}

/** The routes that show what is translated. */
export function createStates(services: TranslationServices): Namespace {
  const readEntries = createReadEntries(services);
  return defineNamespace(mlStatesDescriptor, {
    'ml.states.list': async ({ page, per_page: perPage, ...filter }, call) => {
      const entries = await readEntries(filter, call);
      const offset = toOffset({ page, perPage });
      return new RestResponse(await toEntryViews(services, entries.slice(offset, offset + perPage)), {
        headers: pageHeaders(call, { page, perPage, total: entries.length }),
      });
    },
    'ml.states.count': async (filter, call) => countStates(await readEntries(filter, call)),
    'ml.states.words': async ({ id }, call) => countWords(await readSeenJob(services, id, call)),
    'ml.states.log': (args, call) => listLog(services, args, call),
  });
}
