import { own } from '../core/objects.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { Change, ChangeOrigin, ChangeSource, ChangesQuery, LoggedValues, Positions } from './change.ts';
import { collectionOf } from './check-query.ts';
import type { Collections, CollectionDescriptor, LoggedFields } from './collection.ts';
import { type StoredRecord, StoreError } from './store.ts';

/** A record before and after an operation; null: there is none. */
export interface RecordChange {
  /** The record before the change; null: it is new. */
  readonly before: StoredRecord | null;
  /** The record after the change; null: it is gone. */
  readonly after: StoredRecord | null;
}

/** A change as one row of a table, in the order of `CHANGE_COLUMNS`. `fields` and `before` are JSON; '' stands for null. */
export type ChangeRow = readonly [
  collection: string,
  revision: number,
  id: number,
  version: number,
  op: Change['op'],
  at: number,
  by: number,
  from: string,
  request: string,
  fields: string,
  before: string,
];

/** The columns of a table of changes. The first two are its key. */
export const CHANGE_COLUMNS = [
  'collection',
  'revision',
  'id',
  'version',
  'op',
  'at',
  'by',
  'from',
  'request',
  'fields',
  'before',
] as const;

const NOTHING: LoggedFields = { keeps: [] };

/** The fields of a record that its descriptor has in the log. */
function pick({ logged }: CollectionDescriptor, record: StoredRecord): LoggedValues {
  const { keeps, hides = [] } = typeof logged === 'object' ? logged : NOTHING;
  const values: Record<string, Json> = {};
  for (const name of keeps) values[name] = own(record, name) ?? null;
  for (const name of hides) values[name] = own(record, name) !== '';
  return values;
}

/** What differs, so that most rows are short. */
function differences(before: LoggedValues, after: LoggedValues): LoggedValues {
  const isSame = ([name, value]: readonly [string, Json]): boolean =>
    JSON.stringify(value) === JSON.stringify(own(after, name));
  return Object.fromEntries(Object.entries(before).filter((entry) => !isSame(entry)));
}

/** Whether a collection has a log. */
export const isLogged = ({ logged }: CollectionDescriptor): boolean => logged !== undefined;

/** The collections of positions. @throws StoreError `invalid` for one without a log */
export function loggedNames(collections: Collections, positions: Positions): readonly string[] {
  const names = Object.keys(positions);
  for (const name of names)
    if (!isLogged(collectionOf(collections, name)))
      throw new StoreError('invalid', `The collection ${name} has no log.`);
  return names;
}

/** The row of a change. `revision`: that of this change. */
export function toChangeRow(
  collection: CollectionDescriptor,
  { before, after }: RecordChange,
  { revision, source, at }: { readonly revision: number; readonly source: ChangeSource; readonly at: number },
): ChangeRow {
  const record = (after ?? before) as StoredRecord;
  const fields = pick(collection, record);
  const old = before === null ? '' : JSON.stringify(differences(pick(collection, before), fields));
  return [
    collection.name,
    revision,
    record.id,
    record.version,
    before === null ? 'create' : after === null ? 'remove' : 'update',
    at,
    // The column is a number. A text follows the origin.
    ...(typeof source.by === 'number'
      ? ([source.by, source.from] as const)
      : ([0, `${source.from} ${source.by}`] as const)),
    source.request,
    JSON.stringify(fields),
    old,
  ];
}

/** The change of a row, as a database returns it. */
export function fromChangeRow(row: readonly unknown[]): Change {
  const [collection, revision, id, version, op, at, by, from, request, kept, old] = row;
  const fields = JSON.parse(String(kept)) as LoggedValues;
  const [, origin, text] = /^(\w+)(?: (.+))?$/s.exec(String(from)) ?? [];
  return {
    collection: String(collection),
    revision: Number(revision),
    id: Number(id),
    version: Number(version),
    op: op as Change['op'],
    at: Number(at),
    by: text ?? Number(by),
    from: origin as ChangeOrigin,
    request: String(request),
    fields,
    before: old === '' ? null : { ...fields, ...(JSON.parse(String(old)) as LoggedValues) },
  };
}

/** Joins the changes of several collections: by time, but never against the order within a collection, whose clock may have been set back. */
export function mergeChanges(lists: readonly (readonly Change[])[], limit: number): readonly Change[] {
  const [only, ...others] = lists.filter((list) => list.length > 0);
  if (only === undefined) return [];
  if (others.length === 0) return only.slice(0, limit);
  const heads = [only, ...others].map((list) => ({ list, next: 0 }));
  const merged: Change[] = [];
  while (merged.length < limit) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads)
      if (
        head.next < head.list.length &&
        (first === undefined || (head.list[head.next]?.at ?? 0) < (first.list[first.next]?.at ?? 0))
      )
        first = head;
    if (first === undefined) break;
    merged.push(first.list[first.next] as Change);
    first.next += 1;
  }
  return merged;
}

/** The positions after these changes were read. */
export function toPositions(after: Positions, changes: readonly Change[]): Positions {
  const positions: Record<string, number> = { ...after };
  for (const { collection, revision } of changes) positions[collection] = revision;
  return positions;
}

/** @throws StoreError `expired` when changes after a position are no longer in the log */
export function checkKept({ after, limit }: ChangesQuery, starts: Positions): void {
  if (limit === 0) return;
  for (const [name, revision] of Object.entries(after))
    if (revision < (own(starts, name) ?? 0))
      throw new StoreError(
        'expired',
        `The log of ${name} begins after revision ${String(own(starts, name))}, so that changes after ${revision} are missing.`,
      );
}
