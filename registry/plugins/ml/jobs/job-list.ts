import {
  and,
  type Call,
  contains,
  desc,
  eq,
  equalsFolded,
  gt,
  gte,
  lte,
  not,
  oneOf,
  or,
  type Order,
  type Predicate,
  RestResponse,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  ADDRESSED,
  createMemo,
  findByIds,
  invalidParam,
  own,
  readOption,
  renderTitle,
  TEXT_KINDS,
} from '../../../plugin.ts';
import { checkAllStaleness, checkStaleness } from '../posts/source-texts.ts';
import {
  ENGINE_STATUS_WORDS,
  JOB_STATUS,
  JOB_STATUS_WORDS,
  type JobRow,
  queueOf,
  readCaller,
  ROW_FIELDS,
  toJobRow,
  visibleTo,
  CANCELLED_STATUSES,
} from '../records/job-record.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import { readAddresses, type ToAddress, type TranslationServices } from '../services/services.ts';

/** Parameters of the job list, as validated. Dates are `YYYY-MM-DD`. */
type JobFilter = TmArgs<'ml.tm.jobs.list'>;

/** Statuses that a filter names by number, although they are stored in other fields. */
const NEEDS_UPDATE = 3;
const NEEDS_REVIEW = 30;
const MAX_LISTED = 200;

type Name = keyof JobFilter;

const refuse = (name: Name, message: string): Error => invalidParam(name, `${name} ${message}`);

function toList(name: Name, text: string): readonly string[] {
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (list.length > MAX_LISTED)
    throw refuse(name, `must not have more than ${MAX_LISTED} values; it has ${list.length}.`);
  return list;
}

function toIntegers(name: Name, text: string): readonly number[] {
  const list = toList(name, text);
  const wrong = list.find((part) => !/^\d{1,15}$/.test(part));
  if (wrong !== undefined)
    throw refuse(name, `must be a list of whole numbers, separated by commas; "${wrong}" is none.`);
  return list.map(Number);
}

function matchStatus(text: string): Predicate {
  const statuses = toIntegers('status', text);
  return or(
    oneOf(
      'status',
      statuses.filter((status) => status !== NEEDS_UPDATE && status !== NEEDS_REVIEW),
    ),
    ...(statuses.includes(NEEDS_REVIEW) ? [eq('review_status', 'NEEDS_REVIEW')] : []),
    ...(statuses.includes(NEEDS_UPDATE) ? [eq('needs_update', true)] : []),
  );
}

/** `include`: jobs with the given statuses and jobs that need an update; `exclude`: only jobs that need none. */
function matchStatusAndUpdate({ status, needs_update: update }: JobFilter): readonly Predicate[] {
  const statuses = status === undefined || status === '' ? null : matchStatus(status);
  if (update === 'exclude') return [...(statuses === null ? [] : [statuses]), eq('needs_update', false)];
  if (statuses === null) return [];
  return [update === 'include' ? or(statuses, eq('needs_update', true)) : statuses];
}

const SCOPES: Readonly<Record<string, readonly Predicate[]>> = {
  all: [],
  local: [eq('service', 'local')],
  remote: [not(eq('service', 'local'))],
  ate: [gt('engine_job', 0)],
};

function matchDates(
  field: string,
  [from, to]: readonly [Name, Name],
  filter: JobFilter,
): readonly Predicate[] {
  const first = filter[from];
  const last = filter[to];
  if (typeof first === 'string' && typeof last === 'string' && first > last)
    throw refuse(from, `must not be after ${to}.`);
  return [
    ...(typeof first === 'string' ? [gte(field, first)] : []),
    // A time on that day sorts after the date alone.
    ...(typeof last === 'string' ? [lte(field, `${last}T99`), not(eq(field, ''))] : []),
  ];
}

const anyOf = (list: readonly string[], match: (text: string) => Predicate): Predicate =>
  or(...list.map(match));

/** The condition for each plain parameter. */
const MATCHERS: readonly [Name, (value: string) => Predicate][] = [
  ['ids', (text) => oneOf('id', toIntegers('ids', text))],
  ['local_job_ids', (text) => oneOf('id', toIntegers('local_job_ids', text))],
  ['id', (text) => eq('id', Number(text))],
  ['title', (text) => anyOf(toList('title', text), (part) => contains('title', part))],
  ['source_language', (text) => eq('source', text)],
  ['target_language', (text) => oneOf('target', toList('target_language', text))],
  [
    'translated_by',
    (text) => (/^\d{1,15}$/.test(text) ? eq('translator', Number(text)) : eq('service', text)),
  ],
  ['batch_name', (text) => anyOf(toList('batch_name', text), (part) => equalsFolded('batch_name', part))],
  ['element_type', (text) => eq('post_type', text.replace(/^post_/, ''))],
];

/**
 * The jobs that the parameters select. Cancelled jobs are never included.
 * @throws RestError `rest_invalid_param` for invalid lists and for dates in the wrong order
 */
function toJobPredicate(filter: JobFilter): Predicate {
  const plain = MATCHERS.flatMap(([name, match]) => {
    const value = filter[name];
    return value === undefined || value === '' ? [] : [match(String(value))];
  });
  return and(
    not(oneOf('status', [...CANCELLED_STATUSES])),
    ...plain,
    ...(own(SCOPES, filter.scope ?? 'all') ?? []),
    ...matchStatusAndUpdate(filter),
    ...(filter.only_automatic === true ? [eq('automatic', true)] : []),
    ...(filter.includeTranslationServiceJobs === false ? [eq('service', 'local')] : []),
    ...matchDates('sent', ['sent_from', 'sent_to'], filter),
    ...matchDates('deadline', ['deadline_from', 'deadline_to'], filter),
  );
}

/** Sortable columns and their fields. */
const SORT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  id: ['id'],
  title: ['title'],
  batch_name: ['batch_name'],
  language: ['source', 'target'],
  sent_date: ['sent'],
  deadline_date: ['deadline'],
  status: ['status'],
};

/** The order of the list, with the columns as the caller named them. Default: the newest job first. */
function toJobOrder(sorting: JobFilter['sorting'] = {}): readonly Order[] {
  const columns = Object.entries(sorting).flatMap(([name, direction]) =>
    (own(SORT_COLUMNS, name) ?? []).map((field): Order => ({ field, direction })),
  );
  return columns.length === 0 ? [desc('id')] : columns;
}

/** Name of the service that has a job. */
export const nameService = ({ service }: JobRow): string =>
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

interface Beside {
  readonly posts: ReadonlyMap<number, StoredRecord>;
  readonly toAddress: ToAddress;
  readonly users: ReadonlyMap<number, StoredRecord>;
  readonly nameOf: (language: string) => string;
}

// Creating one takes milliseconds. There is one for each language of the site.
const displayNames = createMemo<Intl.DisplayNames>(100);

/** The name of a language; the code itself when it is not a valid BCP 47 tag. */
function nameLanguage(language: string, inLanguage: string): string {
  const names = displayNames(
    inLanguage,
    () => new Intl.DisplayNames([inLanguage, 'en'], { type: 'language' }),
  );
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
  call: Call,
): Promise<Beside> {
  const posts = await findByIds(services.store, {
    collection: 'posts',
    ids: jobs.flatMap(({ post, result }) => [post, result]),
    fields: ADDRESSED,
  });
  return {
    posts,
    toAddress: await readAddresses(services, [...posts.values()]),
    users: await findByIds(services.store, {
      collection: 'users',
      ids: jobs.map(({ translator }) => translator),
      fields: ['name'],
    }),
    nameOf: (language) => nameLanguage(language, call.language),
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

/** Option with the time at which a translation was last applied. */
export const LAST_PICKED_UP = ['ml', 'last_picked_up'] as const;

/** The jobs that the caller can see and that match the filters. */
export async function listJobs(services: TranslationServices, args: JobFilter, call: Call) {
  const caller = await readCaller(services, call);
  // A filter on `needs_update` must not depend on which jobs were listed before.
  if (args.needs_update !== undefined || (args.status ?? '').includes('3'))
    await checkAllStaleness(services, call.signal);
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
  const jobs = await checkStaleness(services, records.map(toJobRow));
  const beside = await readBeside(services, jobs, call);
  const pickedUp = await readOption(services.store, ...LAST_PICKED_UP);
  return new RestResponse({
    jobs: jobs.map((job) => toView(job, beside, call)),
    total,
    last_picked_up_date: pickedUp ?? null,
  });
}
