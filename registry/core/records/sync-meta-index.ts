import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, gt, type Predicate } from '../../../lib/store/query.ts';
import {
  type Operation,
  retryRaces,
  type Store,
  type StoredRecord,
  toUpdate,
} from '../../../lib/store/store.ts';
import type { ContentModel } from '../model/content-model.ts';
import { changeOption, readOption } from '../settings/options.ts';
import { createKinds, type PostKind } from './kind.ts';
import { listIndexed, toIndexValues } from './meta-values.ts';
import { toPost } from './post-record.ts';

/** Group and key of the option with the fields that are filled. */
export const INDEXED = ['content', 'indexed'] as const;
const PAGE = 200;

/** Changes records page by page. Another writer may change one of them at the same time; its page is then read again. @returns the number of changes */
async function changePages(
  store: Store,
  {
    where,
    ...query
  }: { readonly collection: string; readonly where: Predicate; readonly fields: readonly string[] },
  toChanges: (record: StoredRecord) => readonly Operation[],
): Promise<number> {
  let count = 0;
  for (let last = 0, found = PAGE; found === PAGE;) {
    const after = gt('id', last);
    const { records, changes } = await retryRaces(async () => {
      const page = await store.find({ ...query, where: and(where, after), limit: PAGE });
      const operations = page.records.flatMap(toChanges);
      if (operations.length > 0) await store.commit(operations);
      return { records: page.records, changes: operations.length };
    });
    count += changes;
    found = records.length;
    last = records.at(-1)?.id ?? last;
  }
  return count;
}

/** Fills the fields of a type's indexed keys. */
function fill(store: Store, kind: PostKind): Promise<number> {
  const fields = ['meta', ...listIndexed(kind).map(({ field }) => field)];
  const query = { collection: 'posts', where: eq('type', kind.type.name), fields };
  return changePages(store, query, (record) => {
    const values = toIndexValues(kind, toPost(record).meta ?? {});
    const isCurrent = Object.entries(values).every(([field, value]) => own(record, field) === value);
    return isCurrent ? [] : [toUpdate('posts', record, values)];
  });
}

function listWanted(kinds: Iterable<PostKind>): readonly string[] {
  return [...kinds].flatMap((kind) => listIndexed(kind).map(({ field }) => field)).sort();
}

/** Must be called before posts are written by a program with another configuration: fields that it does not know are filled again at the next start. */
export async function forgetUnknownIndexes(store: Store, content: ContentModel): Promise<void> {
  const known = new Set(listWanted(createKinds(content).values()));
  const done = await readOption(store, ...INDEXED);
  if (!Array.isArray(done) || done.every((field) => known.has(String(field)))) return;
  await changeOption(store, INDEXED, () => done.filter((field) => known.has(String(field))));
}

/** Fills the fields of keys that became indexed since the site was last started. Costs one read if there are none. */
export async function syncMetaIndex(store: Store, content: ContentModel): Promise<void> {
  const kinds = [...createKinds(content).values()].filter((kind) => listIndexed(kind).length > 0);
  const wanted = listWanted(kinds);
  const done = await readOption(store, ...INDEXED);
  if (JSON.stringify(done ?? []) === JSON.stringify(wanted)) return;
  const known = new Set(Array.isArray(done) ? done : []);
  for (const kind of kinds)
    if (listIndexed(kind).some(({ field }) => !known.has(field))) await fill(store, kind);
  await changeOption(store, INDEXED, () => wanted);
}

/** Group and key of the option with the meta keys that the last start declared. */
const DECLARED = ['content', 'meta'] as const;
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['user', 'users'],
  ['comment', 'comments'],
]);

/** A meta key whose values get another name. `of`: a type, a taxonomy, `user` or `comment`. */
export interface MetaRename {
  readonly of: string;
  /** The name so far. */
  readonly from: string;
  /** The new name. */
  readonly to: string;
}

/** The records that have the meta of an owner. */
function placeOf(
  of: string,
  { types, taxonomies }: ContentModel,
): readonly [collection: string, where: Predicate] {
  const collection = OWNERS.get(of);
  if (collection !== undefined) return [collection, and()];
  if (taxonomies.has(of)) return ['terms', eq('taxonomy', of)];
  if (types.has(of)) return ['posts', eq('type', of)];
  throw new TypeError(`"${of}" is not a type, a taxonomy, user or comment`);
}

/** Gives the stored values of a meta key another name, page by page. A record that has a value under the new name keeps it. @returns the number of changed records @throws TypeError for an owner that the site does not have */
export async function renameMeta(
  store: Store,
  content: ContentModel,
  { of, from, to }: MetaRename,
): Promise<number> {
  const [collection, where] = placeOf(of, content);
  const kind = collection === 'posts' ? createKinds(content).get(of) : undefined;
  return changePages(store, { collection, where, fields: ['meta'] }, (record) => {
    const { meta } = record;
    if (!isObject(meta) || !Object.hasOwn(meta, from) || Object.hasOwn(meta, to)) return [];
    const renamed = Object.fromEntries(
      Object.entries(meta as Readonly<Record<string, Json>>).map(([key, value]) => [
        key === from ? to : key,
        value,
      ]),
    );
    const values = { meta: renamed, ...(kind === undefined ? {} : toIndexValues(kind, renamed)) };
    return [toUpdate(collection, record, values)];
  });
}

/** Group and key of the option with the renames that the last start declared. */
const RENAMED = ['content', 'renamed'] as const;

/** Moves the values of keys that say which name they had, when the declaration is new. A rename that is declared again later is done again. */
export async function moveRenamedMeta(store: Store, content: ContentModel): Promise<void> {
  const renames = [...content.meta].flatMap(([of, keys]) =>
    keys.flatMap(({ key, was }) => (was === null ? [] : [{ of, from: was, to: key }])),
  );
  const nameOf = ({ of, from, to }: MetaRename): string => JSON.stringify([of, from, to]);
  const declared = renames.map(nameOf);
  const before = (await readOption(store, ...RENAMED)) ?? [];
  if (JSON.stringify(before) === JSON.stringify(declared)) return;
  const done = new Set(Array.isArray(before) ? before : []);
  for (const rename of renames) if (!done.has(nameOf(rename))) await renameMeta(store, content, rename);
  await changeOption(store, RENAMED, () => declared);
}

/**
 * Remembers the declared meta keys, and returns those of the last start that are no longer declared, or with another type: their values stay
 * in the store and are shown to nobody.
 */
export async function findLostMeta(store: Store, { meta }: ContentModel): Promise<readonly string[]> {
  const declared = Object.fromEntries(
    [...meta].flatMap(([of, keys]) => keys.map(({ key, type }) => [`${key} of ${of}`, type] as const)),
  );
  const before = await readOption(store, ...DECLARED);
  if (JSON.stringify(before ?? {}) === JSON.stringify(declared)) return [];
  await changeOption(store, DECLARED, () => declared);
  const moved = new Set([...meta].flatMap(([of, keys]) => keys.map(({ was }) => `${was} of ${of}`)));
  const known = new Map<string, string>(Object.entries(declared));
  return Object.entries(isObject(before) ? before : {}).flatMap(([name, type]) => {
    const now = known.get(name);
    if (now === type || (now === undefined && moved.has(name))) return [];
    return [now === undefined ? name : `${name} (was ${String(type)}, is ${now})`];
  });
}
