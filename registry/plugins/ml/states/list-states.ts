import {
  type ArgsOf,
  findInBatches,
  and,
  type Call,
  eq,
  type Identity,
  not,
  oneOf,
  or,
  type Predicate,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  cachedByRevision,
  groupBy,
  invalidParam,
  pause,
  remember,
  slicesOf,
  type Waiter,
} from '../../../plugin.ts';
import { checkStaleness, readConfig } from '../posts/source-texts.ts';
import {
  JOB_STATUS,
  type JobCaller,
  type JobRow,
  readCaller,
  ROW_FIELDS,
  toJobRow,
  visibleTo,
} from '../records/job-record.ts';
import type { TranslationServices } from '../services/services.ts';
import { type STATE_FILTERS, toState, type TranslationState } from './state-routes.ts';

/** Records that are read and handled in one turn. */
const SLICE = 500;
/** Posts that nobody translates. */
const ABSENT = ['trash', 'auto-draft', 'inherit'] as const;
const NO_JOBS = [JOB_STATUS.cancelled, JOB_STATUS.hidden, JOB_STATUS.duplicate] as const;

/** What a state depends on. */
const POST_FIELDS = ['type', 'status', 'language', 'group'] as const;

/** Who asks, and for what. */
interface Scope {
  readonly identity: Identity;
  readonly caller: JobCaller;
  /** Names of types. */
  readonly types: readonly string[];
  /** Posts of one translation; undefined for all posts. */
  readonly ids?: readonly number[] | undefined;
}

async function readAll(
  { store }: TranslationServices,
  query: { collection: string; where: Predicate; fields: readonly string[] },
  waiter?: Waiter,
): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const records of findInBatches(store, { ...query, limit: SLICE }, waiter)) {
    all.push(...records);
    await pause();
  }
  return all;
}

/** The types whose posts are translated: those that the site serves, without those that the XML configuration excludes. */
async function listTranslatedTypes(services: TranslationServices): Promise<readonly string[]> {
  const { types } = await readConfig(services.store);
  return [...services.kinds.values()]
    .filter(({ type }) => type.served && type.routes && types.get(type.name) !== false)
    .map(({ type }) => type.name);
}

/** The jobs that the caller can see, without cancelled ones, by id. They are compared with their posts first. */
async function readVisibleJobs(
  services: TranslationServices,
  { caller, types, ids }: Scope,
  waiter?: Waiter,
): Promise<readonly JobRow[]> {
  const where = and(
    visibleTo(caller),
    not(oneOf('status', NO_JOBS)),
    oneOf('post_type', types),
    ...(ids === undefined ? [] : [oneOf('post', ids)]),
  );
  const jobs = (await readAll(services, { collection: 'ml_jobs', where, fields: ROW_FIELDS }, waiter)).map(
    toJobRow,
  );
  const checked: JobRow[] = [];
  for (const part of slicesOf(jobs, SLICE)) checked.push(...(await checkStaleness(services, part)));
  return checked;
}

/** What a manager may read of each type. */
const toReadable = (
  services: TranslationServices,
  { identity, caller, types }: Scope,
): readonly Predicate[] =>
  caller.manages
    ? types.flatMap((type) => {
        const rights = services.kinds.get(type)?.rights;
        return rights === undefined ? [] : [and(eq('type', type), rights.readable(identity))];
      })
    : [];

/** Callers with the same text see the same jobs and posts of a scope without `ids`. */
function toVisibility(services: TranslationServices, scope: Scope): string {
  return JSON.stringify([
    scope.types,
    scope.caller.manages,
    visibleTo(scope.caller),
    toReadable(services, scope),
  ]);
}

/** The posts that the caller may know of: those of the jobs that they can see and, for managers, those that they may read. */
async function readVisiblePosts(
  services: TranslationServices,
  scope: Scope,
  { jobs, waiter }: { jobs: readonly JobRow[]; waiter?: Waiter | undefined },
): Promise<readonly StoredRecord[]> {
  const named = [...new Set(jobs.flatMap(({ post, result }) => [post, result]))].filter((id) => id > 0);
  const { types, ids } = scope;
  const where = and(
    oneOf('type', types),
    not(oneOf('status', ABSENT)),
    or(...toReadable(services, scope), oneOf('id', named)),
    ...(ids === undefined ? [] : [oneOf('id', ids)]),
  );
  return readAll(services, { collection: 'posts', where, fields: POST_FIELDS }, waiter);
}

/** The posts of the translation group of a post; undefined if there is no such post. */
async function readGroup({ store }: TranslationServices, id: number): Promise<readonly number[] | undefined> {
  const post = await store.get('posts', id);
  if (post === null) return undefined;
  const group = Number(post['group']);
  if (group === 0) return [id];
  const { records } = await store.find({ collection: 'posts', where: eq('group', group), fields: [] });
  return records.map((each) => each.id);
}

/** Everything that states are computed from. */
const SOURCES = ['posts', 'ml_jobs', 'options'] as const;
/** Callers with the same rights see the same. More than a few kinds of callers seldom look at the same time. */
const MOST = 5;

/** One post in one other language. */
export interface Entry {
  readonly post: StoredRecord;
  readonly language: string;
  readonly state: TranslationState;
  readonly translation: StoredRecord | undefined;
  readonly job: JobRow | undefined;
}

/** What selects entries. Absent members select all. */
type StateFilter = ArgsOf<typeof STATE_FILTERS>;

const toKey = (post: number, language: string): string => `${post} ${language}`;

/** The newest job of each post and language. */
const byTarget = (jobs: readonly JobRow[]): ReadonlyMap<string, JobRow> =>
  new Map(jobs.map((job) => [toKey(job.post, job.target), job]));

function toGroups(posts: readonly StoredRecord[]): readonly (readonly StoredRecord[])[] {
  const toGroupKey = ({ group, id }: StoredRecord): string =>
    group === 0 ? `post ${id}` : `group ${String(group)}`;
  return [...groupBy(posts, toGroupKey).values()];
}

/** The post that the others are translations of: the one with a job, else the one that gave the group its number, else the oldest one. */
function findOriginal(
  group: readonly StoredRecord[],
  sources: ReadonlySet<number>,
): StoredRecord | undefined {
  return (
    group.find(({ id }) => sources.has(id)) ?? group.find((post) => post['group'] === post.id) ?? group[0]
  );
}

/** A deadline is over when its day has passed and the translation has not arrived. */
export function isOverdue({ job, state }: Entry, now: number): boolean {
  return (
    state === 'in_progress' &&
    job !== undefined &&
    job.deadline !== '' &&
    job.deadline < new Date(now).toISOString().slice(0, 10)
  );
}

const isAmong = (list: readonly string[] | undefined, value: string): boolean =>
  list === undefined || list.length === 0 || list.includes(value);

/** @throws RestError `rest_invalid_param` for a word that the site does not know */
function checkWords(
  filter: StateFilter,
  known: Readonly<Record<'type' | 'language' | 'source_language', readonly string[]>>,
): void {
  for (const name of ['type', 'language', 'source_language'] as const) {
    const unknown = filter[name]?.find((word) => !known[name].includes(word));
    if (unknown !== undefined)
      throw invalidParam(
        name,
        `${name} has "${unknown}"; it must have some of ${known[name].join(', ')}.`,
        'rest_not_in_enum',
      );
  }
}

async function readScope(
  services: TranslationServices,
  filter: StateFilter,
  call: Call,
): Promise<Scope | null> {
  const all = await listTranslatedTypes(services);
  const { languages } = services.config;
  checkWords(filter, { type: all, language: languages, source_language: languages });
  const types = all.filter((type) => isAmong(filter.type, type));
  const ids = filter.post === undefined ? undefined : await readGroup(services, filter.post);
  if (types.length === 0 || (filter.post !== undefined && ids === undefined)) return null;
  return { identity: call.identity, caller: await readCaller(services, call), types, ids };
}

/** All entries of a scope, the newest post first, the languages of a post in the order of the site. */
async function readScopeEntries(
  services: TranslationServices,
  scope: Scope,
  waiter?: Waiter,
): Promise<readonly Entry[]> {
  const jobs = await readVisibleJobs(services, scope, waiter);
  const newest = byTarget(jobs);
  const sources = new Set(jobs.map(({ post }) => post));
  const { languages } = services.config;
  return toGroups(await readVisiblePosts(services, scope, { jobs, waiter }))
    .flatMap((group) => {
      const post = findOriginal(group, sources);
      if (post === undefined) return [];
      return languages
        .filter((language) => language !== post['language'])
        .flatMap((language): readonly Entry[] => {
          const job = newest.get(toKey(post.id, language));
          // A translator sees the posts of jobs only in the languages of these jobs.
          if (job === undefined && !scope.caller.manages) return [];
          const translation = group.find((each) => each['language'] === language);
          return [{ post, language, translation, job, state: toState(job, translation) }];
        });
    })
    .sort((left, right) => right.post.id - left.post.id);
}

function isSelected(entry: Entry, filter: StateFilter, now: number): boolean {
  return (
    isAmong(filter.source_language, String(entry.post['language'])) &&
    isAmong(filter.language, entry.language) &&
    isAmong(filter.state, entry.state) &&
    (filter.overdue === undefined || isOverdue(entry, now) === filter.overdue)
  );
}

/** Reads the entries that the filter selects and that the caller may see. */
type ReadEntries = (filter: StateFilter, call: Call) => Promise<readonly Entry[]>;

/** Pages and counts of callers with the same rights share one computation until a post or a job changes. */
export function createReadEntries(services: TranslationServices): ReadEntries {
  const open = cachedByRevision(services.store, {
    collections: SOURCES,
    make: () => new Map<string, Promise<readonly Entry[]>>(),
    most: MOST,
  });
  return async (filter, call) => {
    const scope = await readScope(services, filter, call);
    if (scope === null) return [];
    // The computation is shared, so a caller who disconnects must not end it.
    const entries = await (scope.ids === undefined
      ? remember(await open(), toVisibility(services, scope), () => readScopeEntries(services, scope))
      : readScopeEntries(services, scope, call));
    const now = services.now();
    return entries.filter((entry) => isSelected(entry, filter, now));
  };
}
