import { type Order, type Predicate, and, eq, invalidParams, not, oneOf, or } from '../../../../lib/index.ts';
import { own } from '../../../plugin.ts';
import { JOB_STATUS } from '../records/status.ts';

/** Parameters of the job list, as validated. Dates are `YYYY-MM-DD`. */
export interface JobFilter {
  readonly ids?: string;
  readonly local_job_ids?: string;
  readonly id?: number;
  readonly scope?: string;
  readonly title?: string;
  readonly source_language?: string;
  readonly target_language?: string;
  readonly status?: string;
  readonly needs_update?: string;
  readonly translated_by?: string;
  readonly batch_name?: string;
  readonly element_type?: string;
  readonly only_automatic?: boolean;
  readonly includeTranslationServiceJobs?: boolean;
  readonly sent_from?: string;
  readonly sent_to?: string;
  readonly deadline_from?: string;
  readonly deadline_to?: string;
}

/** Statuses that a filter names by number, although they are stored in other fields. */
const NEEDS_UPDATE = 3;
const NEEDS_REVIEW = 30;
const MAX_LISTED = 200;

type Name = keyof JobFilter;

const refuse = (name: Name, message: string): Error =>
  invalidParams([[name, { code: 'rest_invalid_param', message: `${name} ${message}`, data: null }]]);

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
  ate: [{ op: 'gt', field: 'engine_job', value: 0 }],
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
    ...(typeof first === 'string' ? [{ op: 'gte', field, value: first } as const] : []),
    // A time on that day sorts after the date alone.
    ...(typeof last === 'string'
      ? [{ op: 'lte', field, value: `${last}T99` } as const, not(eq(field, ''))]
      : []),
  ];
}

const anyOf = (list: readonly string[], match: (text: string) => Predicate): Predicate =>
  or(...list.map(match));

/** The condition for each plain parameter. */
const MATCHERS: readonly [Name, (value: string) => Predicate][] = [
  ['ids', (text) => oneOf('id', toIntegers('ids', text))],
  ['local_job_ids', (text) => oneOf('id', toIntegers('local_job_ids', text))],
  ['id', (text) => eq('id', Number(text))],
  [
    'title',
    (text) => anyOf(toList('title', text), (part) => ({ op: 'contains', field: 'title', text: part })),
  ],
  ['source_language', (text) => eq('source', text)],
  ['target_language', (text) => oneOf('target', toList('target_language', text))],
  [
    'translated_by',
    (text) => (/^\d{1,15}$/.test(text) ? eq('translator', Number(text)) : eq('service', text)),
  ],
  [
    'batch_name',
    (text) =>
      anyOf(toList('batch_name', text), (part) => ({ op: 'equalsFolded', field: 'batch_name', text: part })),
  ],
  ['element_type', (text) => eq('post_type', text.replace(/^post_/, ''))],
];

/**
 * The jobs that the parameters select. Cancelled jobs are never included.
 * @throws RestError `rest_invalid_param` for invalid lists and for dates in the wrong order
 */
export function toJobPredicate(filter: JobFilter): Predicate {
  const plain = MATCHERS.flatMap(([name, match]) => {
    const value = filter[name];
    return value === undefined || value === '' ? [] : [match(String(value))];
  });
  return and(
    not(oneOf('status', [JOB_STATUS.cancelled, JOB_STATUS.hidden])),
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
const SORT_COLUMNS = {
  id: ['id'],
  title: ['title'],
  batch_name: ['batch_name'],
  language: ['source', 'target'],
  sent_date: ['sent'],
  deadline_date: ['deadline'],
  status: ['status'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type JobSorting = Readonly<Partial<Record<keyof typeof SORT_COLUMNS, 'asc' | 'desc'>>>;

const isColumn = (name: string): name is keyof typeof SORT_COLUMNS => Object.hasOwn(SORT_COLUMNS, name);

/** The order of the list, with the columns as the caller named them. Default: the newest job first. */
export function toJobOrder(sorting: JobSorting | undefined): readonly Order[] {
  const columns = Object.entries(sorting ?? {}).flatMap(([name, direction]) =>
    isColumn(name) ? SORT_COLUMNS[name].map((field): Order => ({ field, direction })) : [],
  );
  return columns.length === 0 ? [{ field: 'id', direction: 'desc' }] : columns;
}
