import { createHmac } from 'node:crypto';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Snapshot, Store, StoredRecord } from '../../../lib/store/store.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import { readOption, readOptions, SECRETS } from '../../core/settings/options.ts';
import { type ExportedSite, type Item, textLengthOf } from './item.ts';
import { isDerived, withoutDerived } from './known-roles.ts';
import { IMPORTS } from './ledger.ts';

/** What is exported of a site. */
export interface ExportOptions {
  /** The collections that the store was made for. */
  readonly collections: readonly CollectionDescriptor[];
  /** Names of types and collections. Default: everything. */
  readonly types?: readonly string[] | undefined;
  /** Only records that changed at this moment or later: a date in GMT. Records without such a date are always part. */
  readonly since?: string | undefined;
  /** Collections that come first and are part whatever `types` says. Default: none. */
  readonly first?: readonly string[];
  /** Also the secrets of the site and what was imported from where, as a backup needs them. Default false. */
  readonly everything?: boolean;
}

/** The names of the collections that an export can hold. */
export function listExported(collections: readonly CollectionDescriptor[]): readonly string[] {
  return collections.filter(({ transient }) => transient !== true).map(({ name }) => name);
}

const OWN_GROUPS: ReadonlySet<string> = new Set([SECRETS, IMPORTS]);
/** Collections in the order of an export: what others refer to comes first. */
const ORDER = [
  'options',
  'users',
  'credentials',
  'terms',
  'media',
  'posts',
  'post_history',
  'revisions',
  'comments',
  'old_slugs',
];

/** Characters of a page that are aimed at, so that memory does not depend on the size of the records. */
const PAGE_TEXT = 512 * 1024;
const MOST_RECORDS = 500;
const FIRST_PAGE = 16;
const ORIGIN_LENGTH = 32;

/** The records of a collection by id. The pages shrink where records are large. */
async function* readAll(snapshot: Snapshot, collection: string): AsyncGenerator<StoredRecord> {
  let after = 0;
  let limit = FIRST_PAGE;
  for (;;) {
    const records = await snapshot.read(collection, after, limit);
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < limit) return;
    after = last.id;
    const size = records.reduce((sum, record) => sum + textLengthOf(record), 1);
    limit = Math.max(1, Math.min(MOST_RECORDS, limit * 2, Math.floor((limit * PAGE_TEXT) / size)));
  }
}

/** Whether a record is of the wanted types. A record without a type belongs to its collection. */
function isOfType(collection: string, record: StoredRecord, types: readonly string[] | undefined): boolean {
  if (types === undefined || types.includes(collection)) return true;
  const type =
    collection === 'posts'
      ? record['type']
      : collection === 'terms'
        ? record['taxonomy']
        : collection === 'media'
          ? 'attachment'
          : undefined;
  return typeof type === 'string' && types.includes(type);
}

function isRecent(
  { modified_gmt: modified, date_gmt: date }: StoredRecord,
  since: string | undefined,
): boolean {
  const changed = modified === undefined || modified === '' ? date : modified;
  return since === undefined || typeof changed !== 'string' || changed === '' || changed >= since;
}

function toItem(collection: string, { id, version: _version, ...values }: StoredRecord): Item {
  return { place: `${collection} ${id}`, collection, id, values: withoutDerived(collection, values) };
}

/** The items of one state of a site. They can be read more than once, so that no format has to keep them in memory. */
export interface ExportedItems extends AsyncIterable<Item> {
  /** The items of a collection, by id. */
  of(collection: string): AsyncIterable<Item>;
  /** Those of a collection with these ids, which ascend. */
  pick(collection: string, ids: readonly number[]): AsyncIterable<Item>;
  /** Must be called once. */
  close(): Promise<void>;
}

/** Ids that are read together. A read returns them all if no others lie between them. */
function toRuns(ids: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === id - 1 && run.length < FIRST_PAGE) run.push(id);
    else runs.push([id]);
  }
  return runs;
}

/** Takes a snapshot of a site and opens it for reading. @throws TypeError if the store has no snapshots */
export async function openExport(
  store: Store,
  { collections, types, since, first = [], everything = false }: ExportOptions,
): Promise<ExportedItems> {
  if (store.snapshot === undefined)
    throw new TypeError('the store cannot be exported: it has no method snapshot');
  const names = listExported(collections);
  const ordered = [...new Set([...first, ...ORDER, ...names])].filter((name) => names.includes(name));
  const snapshot = await store.snapshot();
  const isPart = (collection: string, record: StoredRecord): boolean => {
    const isWanted =
      first.includes(collection) || (isOfType(collection, record, types) && isRecent(record, since));
    return (
      isWanted &&
      !isDerived(collection, record) &&
      (everything || collection !== 'options' || !OWN_GROUPS.has(String(record['group'])))
    );
  };
  async function* of(collection: string): AsyncGenerator<Item> {
    if (!names.includes(collection)) return;
    for await (const record of readAll(snapshot, collection))
      if (isPart(collection, record)) yield toItem(collection, record);
  }
  return {
    of,
    async *pick(collection, ids) {
      for (const run of toRuns(ids)) {
        for (const record of await snapshot.read(collection, Number(run[0]) - 1, run.length))
          if (run.includes(record.id) && isPart(collection, record)) yield toItem(collection, record);
      }
    },
    async *[Symbol.asyncIterator]() {
      for (const collection of ordered) yield* of(collection);
    },
    close: () => snapshot.close(),
  };
}

/** Yields the records of one state of a site, as one item each. @throws TypeError if the store has no snapshots */
export async function* exportItems(store: Store, options: ExportOptions): AsyncGenerator<Item> {
  const items = await openExport(store, options);
  try {
    yield* items;
  } finally {
    await items.close();
  }
}

/** What identifies a site in exports, the same in each of them: it is derived from the secret of the site. Undefined for a site without one. */
async function readOrigin(store: Store): Promise<string | undefined> {
  const secret = await readOption(store, SECRETS, 'site');
  return typeof secret === 'string'
    ? createHmac('sha256', secret).update('origin of an export').digest('hex').slice(0, ORIGIN_LENGTH)
    : undefined;
}

const SITE = 'site';

/** What an export says of the site in a store. `url`: its address; without one, an address that nobody has and that differs from site to site. */
export async function readExportedSite(
  store: Store,
  { content, url }: { readonly content: ContentModel; readonly url?: string | undefined },
): Promise<ExportedSite> {
  const origin = await readOrigin(store);
  const options = await readOptions(store, SITE);
  // A file has one title: of a site with one for each language, the first.
  const textOf = (key: string): string => {
    const value = own(options, key) ?? '';
    return String((isObject(value) ? Object.values(value)[0] : value) ?? '');
  };
  return {
    content,
    origin,
    url: url ?? `https://${origin ?? 'site'}.invalid`,
    title: textOf('name'),
    description: textOf('description'),
  };
}
