import { oneOf } from '../../../../lib/store/query.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { renderTitle } from '../../../core/content/render/render.ts';
import { TEXT_KINDS } from '../../../core/content/sanitise/text-fields.ts';
import { describeStatus, nameService } from '../jobs/service-name.ts';
import type { JobRow } from '../records/job-record.ts';
import type { TranslationServices } from '../services/services.ts';
import { isOverdue, type Entry } from './list-states.ts';

function toJobMember(
  job: JobRow,
  { overdue, users }: { overdue: boolean; users: ReadonlyMap<number, string> },
) {
  return {
    id: job.id,
    status: job.status,
    status_label: describeStatus(job),
    needs_update: job.needs_update,
    automatic: job.automatic,
    review_status: job.review_status === '' ? null : job.review_status,
    translator: job.translator,
    translator_name: users.get(job.translator) ?? '',
    service: job.service,
    service_name: nameService(job),
    sent: job.sent,
    deadline: job.deadline === '' ? null : job.deadline.slice(0, 10),
    overdue,
    completed: job.completed === '' ? null : job.completed,
  };
}

async function readRecords(
  { store }: TranslationServices,
  collection: 'posts' | 'users',
  { ids, field }: { ids: readonly number[]; field: string },
): Promise<readonly StoredRecord[]> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  return wanted.length === 0
    ? []
    : (await store.find({ collection, where: oneOf('id', wanted), fields: [field] })).records;
}

/** Entries as the list shows them. */
export async function toEntryViews(services: TranslationServices, entries: readonly Entry[]) {
  const posts = await readRecords(services, 'posts', {
    ids: entries.map(({ post }) => post.id),
    field: 'title',
  });
  const translators = await readRecords(services, 'users', {
    ids: entries.map(({ job }) => job?.translator ?? 0),
    field: 'name',
  });
  const titles = new Map(posts.map(({ id, title }) => [id, renderTitle(String(title))]));
  const users = new Map(translators.map(({ id, name }) => [id, TEXT_KINDS.name.toShown(String(name))]));
  const now = services.ports.now();
  return entries.map((entry) => {
    const { post, language, state, translation, job } = entry;
    return {
      post: post.id,
      type: String(post['type']),
      title: titles.get(post.id) ?? '',
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
