import type { Call } from '../../../../lib/route/call.ts';
import { and } from '../../../../lib/store/query.ts';
import { readOption } from '../../../core/settings/options.ts';
import { remindOncePerDay } from '../notices/due-jobs.ts';
import { checkAllStaleness, checkStaleness } from '../posts/stale-jobs.ts';
import { queueOf, readCaller, visibleTo } from '../records/caller.ts';
import { ROW_FIELDS, toJobRow } from '../records/job-record.ts';
import type { TranslationServices } from '../services/services.ts';
import { toJobOrder, toJobPredicate, type JobFilter, type JobSorting } from './job-filter.ts';
import { toJobViews } from './job-view.ts';

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
  remindOncePerDay(services.ports);
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
