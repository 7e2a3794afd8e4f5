import { groupBy, own, perObject, slicesOf } from '../../../lib/core/objects.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { logToConsole } from '../../../lib/engine/console-log.ts';
import { asc, gt, oneOf } from '../../../lib/store/query.ts';
import {
  type Operation,
  retryRaces,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../lib/store/store.ts';
import { withCommit } from '../host/with-commit.ts';
import { toMedia } from '../records/media-record.ts';
import { toPost } from '../records/post-record.ts';
import { toSiblingMarks } from '../records/rights.ts';
import { changeOption, readOption } from '../settings/options.ts';
import { groupOf } from './translation-links.ts';

/** A collection whose records are translations of each other if they have the same `group` and `kind`; '': all are of one kind. */
interface Grouped {
  readonly kind: string;
  /** The fields that decide what the others keep of a record. */
  readonly fields: readonly string[];
  readonly toMarks: (record: StoredRecord) => readonly string[];
}

const GROUPED: Readonly<Record<string, Grouped>> = {
  posts: {
    kind: 'type',
    fields: ['type', 'language', 'group', 'status', 'trashed_from', 'author'],
    toMarks: (record) => toSiblingMarks(toPost(record)),
  },
  terms: {
    kind: 'taxonomy',
    fields: ['taxonomy', 'language', 'group'],
    toMarks: ({ language }) => [String(language)],
  },
  media: {
    kind: '',
    fields: ['language', 'group', 'status', 'author'],
    toMarks: (record) => {
      const media = toMedia(record);
      return toSiblingMarks({ ...media, status: media.status || 'inherit', trashed_from: '' });
    },
  },
};

const EMPTY: StoredRecord = { id: 0, version: 0, group: 0, status: '', trashed_from: '', author: 0 };
const AT_ONCE = 500;
/** Each round of concurrent writers has a winner. */
const ATTEMPTS = 25;

/** A record of a commit before and after it; null: there is none. `at`: its last operation that writes values. */
interface Touched {
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
  readonly at: number;
}

type WithRecord = Exclude<Operation, { op: 'removeAll' }>;

const isAbout =
  (collection: string) =>
  (operation: Operation): operation is WithRecord =>
    operation.collection === collection && operation.op !== 'removeAll';

const sameTexts = (left: unknown, right: readonly string[]): boolean =>
  JSON.stringify(left ?? []) === JSON.stringify(right);

type SiblingsOf = (member: StoredRecord) => readonly string[];

/** What each of these records keeps of the others of its group. */
function toSiblings({ kind, toMarks }: Grouped, members: readonly StoredRecord[]): SiblingsOf {
  const keyOf = (record: StoredRecord): string => `${groupOf(record)} ${String(own(record, kind))}`;
  const groups = groupBy(
    members.filter((each) => groupOf(each) !== 0),
    keyOf,
  );
  return (member) =>
    (groups.get(keyOf(member)) ?? [])
      .filter((each) => each !== member)
      .flatMap(toMarks)
      .sort();
}

function toUpdates(
  collection: string,
  members: readonly StoredRecord[],
  siblingsOf: SiblingsOf,
): readonly Operation[] {
  return members.flatMap((member): readonly Operation[] => {
    const siblings = siblingsOf(member);
    if (sameTexts(member['siblings'], siblings)) return [];
    const { id, version } = member;
    return [{ op: 'update', collection, id, version, values: { siblings } }];
  });
}

/** What decides about the siblings of the records with these ids, or of these groups. */
async function load(
  store: Store,
  collection: string,
  [field, values]: readonly [field: 'id' | 'group', values: readonly number[]],
): Promise<readonly StoredRecord[]> {
  const fields = [...(own(GROUPED, collection)?.fields ?? []), 'siblings'];
  const found: StoredRecord[] = [];
  for (const part of slicesOf(values, AT_ONCE)) {
    const where = oneOf(field, part);
    found.push(...(await store.find({ collection, where, fields })).records);
  }
  return found;
}

/** The plan for one collection of a commit. */
class Plan {
  readonly #store: Store;
  readonly #collection: string;
  readonly #grouped: Grouped;
  readonly #touched = new Map<string, Touched>();

  constructor(store: Store, collection: string, grouped: Grouped) {
    this.#store = store;
    this.#collection = collection;
    this.#grouped = grouped;
  }

  async #read(operations: readonly Operation[]): Promise<void> {
    const isOurs = isAbout(this.#collection);
    const ids = operations.flatMap((each) => (isOurs(each) && each.op !== 'create' ? [each.id] : []));
    const stored = await load(this.#store, this.#collection, ['id', [...new Set(ids)]]);
    const byId = new Map(stored.map((record) => [record.id, record]));
    for (const [at, operation] of operations.entries()) {
      if (!isOurs(operation)) continue;
      const key = operation.op === 'create' ? `new ${at}` : String(operation.id);
      const known = this.#touched.get(key);
      const before = operation.op === 'create' ? null : (byId.get(operation.id) ?? null);
      const current = known?.after ?? before ?? EMPTY;
      const after =
        operation.op === 'remove'
          ? null
          : ({ ...current, ...operation.values, id: current.id } as StoredRecord);
      this.#touched.set(key, { before, after, at });
    }
  }

  /** The groups whose members have to be told of a change. */
  #listGroups(): readonly number[] {
    const { fields } = this.#grouped;
    const changed = [...this.#touched.values()].filter(
      ({ before, after }) =>
        groupOf(before) + groupOf(after) !== 0 &&
        fields.some((field) => own(before ?? EMPTY, field) !== own(after ?? EMPTY, field)),
    );
    const groups = changed.flatMap(({ before, after }) => [groupOf(before), groupOf(after)]);
    return [...new Set(groups)].filter((group) => Number.isSafeInteger(group) && group !== 0);
  }

  /** The operations with what the members of the changed groups keep of each other. */
  async extend(operations: readonly Operation[]): Promise<readonly Operation[]> {
    await this.#read(operations);
    const changed = this.#listGroups();
    if (changed.length === 0) return operations;
    const members = await load(this.#store, this.#collection, ['group', changed]);
    const others = members.filter(({ id }) => !this.#touched.has(String(id)));
    const afters = [...this.#touched.values()].flatMap(({ after }) => after ?? []);
    const siblingsOf = toSiblings(this.#grouped, [...others, ...afters]);
    const extended = [...operations];
    for (const { before, after, at } of this.#touched.values()) {
      const write = extended[at];
      if (after === null || write === undefined || write.op === 'remove' || write.op === 'removeAll')
        continue;
      const siblings = siblingsOf(after);
      if (sameTexts(after['siblings'], siblings)) continue;
      const values = { ...write.values, siblings };
      extended[at] =
        write.op === 'create'
          ? { ...write, values }
          : { ...write, values, version: write.version ?? before?.version };
    }
    return [...extended, ...toUpdates(this.#collection, others, siblingsOf)];
  }
}

/** Whether a commit can change a group: it removes a record, or writes one of the fields. */
const mayChange = (operation: Operation): boolean => {
  const grouped = own(GROUPED, operation.collection);
  if (grouped === undefined || operation.op === 'removeAll') return false;
  if (operation.op === 'remove') return true;
  const { values } = operation;
  if (operation.op === 'create') return (own(values, 'group') ?? 0) !== 0;
  return grouped.fields.some((field) => Object.hasOwn(values, field));
};

async function extend(store: Store, operations: readonly Operation[]): Promise<readonly Operation[]> {
  let extended = operations;
  for (const [collection, grouped] of Object.entries(GROUPED))
    if (operations.some((each) => each.collection === collection && mayChange(each)))
      extended = await new Plan(store, collection, grouped).extend(extended);
  return extended;
}

/** Whether the commit itself has lost a race, and not only what was added to it. */
async function hasLost(store: Store, operations: readonly Operation[]): Promise<boolean> {
  const written = operations.filter((each) => each.op === 'update' || each.op === 'remove');
  const versions = await store.versions(written.map(({ collection, id }) => [collection, id] as const));
  return written.some(({ version }, at) => versions[at] === 0 || (version ?? versions[at]) !== versions[at]);
}

/** Two first members of a group at the same moment miss each other, because there is no record that both change. So the later one looks again. */
async function meetOthers(store: Store, operations: readonly Operation[]): Promise<void> {
  for (const [collection, grouped] of Object.entries(GROUPED)) {
    const first = operations.flatMap((each) =>
      each.op === 'create' && each.collection === collection && !Object.hasOwn(each.values, 'siblings')
        ? [Number(own(each.values, 'group') ?? 0)]
        : [],
    );
    const groups = [...new Set(first)].filter((group) => Number.isSafeInteger(group) && group !== 0);
    if (groups.length === 0) continue;
    await retryRaces(async () => {
      const members = await load(store, collection, ['group', groups]);
      const updates = toUpdates(collection, members, toSiblings(grouped, members));
      if (updates.length > 0) await store.commit(updates);
    });
  }
}

type Log = (event: LogEvent) => void;
const logs = new WeakMap<Store, Log>();

/** The commit is done, so a failure must not be told as one of the commit. The next write to the group repairs it. */
async function tryToMeet(store: Store, operations: readonly Operation[]): Promise<void> {
  try {
    await meetOthers(store, operations);
  } catch (error) {
    const message = 'new translations are stored, but may not know of each other until one is written again';
    (logs.get(store) ?? logToConsole)({ level: 'error', message, error });
  }
}

async function commit(
  store: Store,
  ...[operations, ...more]: Parameters<Store['commit']>
): ReturnType<Store['commit']> {
  for (let attempt = 1; ; attempt += 1) {
    const extended = await extend(store, operations);
    try {
      const results = await store.commit(extended, ...more);
      await tryToMeet(store, extended);
      return results.slice(0, operations.length);
    } catch (error) {
      const isRace = error instanceof StoreError && (error.code === 'version' || error.code === 'missing');
      if (!isRace || extended === operations || attempt === ATTEMPTS || (await hasLost(store, operations)))
        throw error;
    }
  }
}

const kept = new WeakSet<Store>();
const toKeeping = perObject((store: Store) => {
  const keeping = withCommit(store, (...args) =>
    args[0].some(mayChange) ? commit(store, ...args) : store.commit(...args),
  );
  kept.add(keeping);
  return keeping;
});

/**
 * A store that keeps in each record of a translation group which others it has, and in which state, in the commit that changes one of
 * them. So a query tells by a record alone whether another language comes before it. The version of the others grows with it: their
 * `ml_translations` have changed. `log`: default the console.
 */
export function keepSiblings(store: Store, log?: Log): Store {
  if (log !== undefined) logs.set(store, log);
  return kept.has(store) ? store : toKeeping(store);
}

/** Group and key of the option that says of how many collections the siblings are written. */
const DONE = ['content', 'siblings'] as const;
const PAGE = 200;

/** Writes the siblings of one page of groups. @returns the last group; 0: there is none */
async function syncPage(
  store: Store,
  [collection, grouped]: readonly [string, Grouped],
  after: number,
): Promise<number> {
  const { records } = await store.find({
    collection,
    where: gt('group', after),
    order: [asc('group')],
    limit: PAGE,
    fields: ['group'],
  });
  const groups = [...new Set(records.map(groupOf))];
  const members = await load(store, collection, ['group', groups]);
  const updates = toUpdates(collection, members, toSiblings(grouped, members));
  if (updates.length > 0) await store.commit(updates);
  return groups.at(-1) ?? 0;
}

/** Writes the siblings of records that an earlier version has stored, once. A store without translations costs one read for each collection. */
export async function syncSiblings(store: Store): Promise<void> {
  const count = Object.keys(GROUPED).length;
  if ((await readOption(store, ...DONE)) === count) return;
  let isEmpty = true;
  for (const each of Object.entries(GROUPED))
    for (let last = 0, next = 1; next !== 0; last = next) {
      const after = last;
      next = await retryRaces(() => syncPage(store, each, after));
      isEmpty &&= next === 0;
    }
  if (!isEmpty) await changeOption(store, DONE, () => count);
}
