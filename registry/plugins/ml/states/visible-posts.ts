import {
  type Identity,
  type Predicate,
  type StoredRecord,
  and,
  eq,
  not,
  oneOf,
  or,
} from '../../../../lib/index.ts';
import { type Waiter, pause } from '../../../plugin.ts';
import { readConfig } from '../posts/source-texts.ts';
import { checkStaleness } from '../posts/stale-jobs.ts';
import { visibleTo, type JobCaller } from '../records/caller.ts';
import { ROW_FIELDS, toJobRow, type JobRow } from '../records/job-record.ts';
import { JOB_STATUS } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';

/** Records that are read and handled in one turn. */
const SLICE = 500;
/** Posts that nobody translates. */
const ABSENT = ['trash', 'auto-draft', 'inherit'] as const;
const NO_JOBS = [JOB_STATUS.cancelled, JOB_STATUS.hidden, JOB_STATUS.duplicate] as const;

/** What a state depends on. */
const POST_FIELDS = ['type', 'status', 'language', 'group'] as const;

/** Who asks, and for what. */
export interface Scope {
  readonly identity: Identity;
  readonly caller: JobCaller;
  /** Names of types. */
  readonly types: readonly string[];
  /** Posts of one translation; undefined for all posts. */
  readonly ids?: readonly number[] | undefined;
}

async function readAll(
  services: TranslationServices,
  { collection, where, fields }: { collection: string; where: Predicate; fields: readonly string[] },
  waiter?: Waiter,
): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (let last = 0; ;) {
    const { records } = await services.store.find(
      {
        collection,
        where: and(where, { op: 'gt', field: 'id', value: last }),
        fields,
        order: [{ field: 'id', direction: 'asc' }],
        limit: SLICE,
      },
      waiter,
    );
    all.push(...records);
    if (records.length < SLICE) return all;
    await pause();
    last = records.at(-1)?.id ?? last;
  }
}

/** The types whose posts are translated: those that the site serves, without those that the XML configuration excludes. */
export async function listTranslatedTypes(services: TranslationServices): Promise<readonly string[]> {
  const { types } = await readConfig(services.store);
  return [...services.kinds.values()]
    .filter(({ type }) => type.served && type.routes && types.get(type.name) !== false)
    .map(({ type }) => type.name);
}

/** The jobs that the caller can see, without cancelled ones, by id. They are compared with their posts first. */
export async function readVisibleJobs(
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
  for (let from = 0; from < jobs.length; from += SLICE)
    checked.push(...(await checkStaleness(services.ports, jobs.slice(from, from + SLICE))));
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
export function toVisibility(services: TranslationServices, scope: Scope): string {
  return JSON.stringify([
    scope.types,
    scope.caller.manages,
    visibleTo(scope.caller),
    toReadable(services, scope),
  ]);
}

/** The posts that the caller may know of: those of the jobs that they can see and, for managers, those that they may read. */
export async function readVisiblePosts(
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
export async function readGroup(
  { store }: TranslationServices,
  id: number,
): Promise<readonly number[] | undefined> {
  const post = await store.get('posts', id);
  if (post === null) return undefined;
  const group = Number(post['group']);
  if (group === 0) return [id];
  const { records } = await store.find({ collection: 'posts', where: eq('group', group), fields: [] });
  return records.map((each) => each.id);
}
