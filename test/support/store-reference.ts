import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Change } from '../../lib/store/change.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Order, Predicate, Query, Scalar } from '../../lib/store/query.ts';
import { type Operation, type Store, type StoredRecord, StoreError } from '../../lib/store/store.ts';
import { fold } from '../../lib/store/stored-text.ts';

type Draft = Record<string, Json> & { id: number; version: number };
interface Shelf {
  readonly records: Draft[];
  lastId: number;
  revision: number;
  readonly log: Change[];
}
type State = Record<string, Shelf>;

const EMPTY: Readonly<Record<string, Json>> = {
  integer: 0,
  text: '',
  boolean: false,
  integers: [],
  texts: [],
  json: null,
};

function compareScalars(a: Json | undefined, b: Json | undefined): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
  const [left, right] = [
    Array.from(a, (sign) => sign.codePointAt(0) ?? 0),
    Array.from(b, (sign) => sign.codePointAt(0) ?? 0),
  ];
  const at = left.findIndex((point, index) => point !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

function matches(record: Draft, where: Predicate): boolean {
  if (where.op === 'not') return !matches(record, where.of);
  if (!('field' in where))
    return where.op === 'and'
      ? where.of.every((each) => matches(record, each))
      : where.of.some((each) => matches(record, each));
  const value = record[where.field];
  switch (where.op) {
    case 'eq':
      return value === where.value;
    case 'in':
      return (where.values as readonly unknown[]).includes(value);
    case 'lt':
      return compareScalars(value, where.value) < 0;
    case 'lte':
      return compareScalars(value, where.value) <= 0;
    case 'gt':
      return compareScalars(value, where.value) > 0;
    case 'gte':
      return compareScalars(value, where.value) >= 0;
    case 'contains':
      return ['σ', 'ς'].some((end) => fold(String(value)).includes(fold(where.text).replace(/[σς]$/, end)));
    case 'equalsFolded':
      return fold(String(value)) === fold(where.text);
    case 'hasAny':
      return where.values.some((each) => (value as readonly Json[]).includes(each));
    case 'hasAll':
      return where.values.every((each) => (value as readonly Json[]).includes(each));
    default:
      throw new Error('unknown predicate');
  }
}

function rank(index: number, length: number): number {
  return index === -1 ? length : index;
}

function compare(collection: CollectionDescriptor, order: Order, [a, b]: readonly [Draft, Draft]): number {
  const sign = order.direction === 'asc' ? 1 : -1;
  if ('rank' in order) {
    const of = (record: Draft): number =>
      rank(
        order.rank.findIndex((each) => matches(record, each)),
        order.rank.length,
      );
    return sign * (of(a) - of(b));
  }
  if ('list' in order) {
    const of = (record: Draft): number =>
      rank(order.list.values.indexOf(record[order.list.field] as Scalar), order.list.values.length);
    return sign * (of(a) - of(b));
  }
  const [left, right] = [a[order.field], b[order.field]];
  const folded =
    collection.fields[order.field]?.folded === true
      ? compareScalars(fold(String(left)), fold(String(right)))
      : 0;
  return sign * (folded === 0 ? compareScalars(left, right) : folded);
}

/** Counts a change, and logs it as the descriptor says. */
function note(
  { name, logged }: CollectionDescriptor,
  shelf: Shelf,
  [before, after]: readonly [Draft | null, Draft | null],
): void {
  shelf.revision += 1;
  if (typeof logged !== 'object') return;
  const pick = (record: Draft): Record<string, Json> => ({
    ...Object.fromEntries(logged.keeps.map((field) => [field, structuredClone(record[field] ?? null)])),
    ...Object.fromEntries((logged.hides ?? []).map((field) => [field, record[field] !== ''])),
  });
  const record = (after ?? before) as Draft;
  shelf.log.push({
    collection: name,
    revision: shelf.revision,
    id: record.id,
    version: record.version,
    op: before === null ? 'create' : after === null ? 'remove' : 'update',
    at: 0,
    by: 0,
    from: 'command',
    request: '',
    fields: pick(record),
    before: before === null ? null : pick(before),
  });
}

function applyOne(
  collection: CollectionDescriptor,
  shelf: Shelf,
  [operation, labels]: readonly [Operation, Map<string, number>],
): StoredRecord | null {
  const resolve = (value: unknown): Json =>
    typeof value === 'object' && value !== null && '$ref' in value
      ? (labels.get(String(value.$ref)) ?? 0)
      : (structuredClone(value) as Json);
  const settle = (record: Draft): void => {
    for (const key of collection.unique ?? []) {
      const free =
        key.except !== undefined &&
        Object.entries(key.except).every(([field, value]) => record[field] === value);
      const taken = shelf.records.some(
        (other) => other.id !== record.id && key.fields.every((field) => other[field] === record[field]),
      );
      if (!free && taken) throw new StoreError('unique', 'taken', { fields: key.fields });
    }
  };
  if (operation.op === 'removeAll') {
    const kept = shelf.records.filter((record) => !matches(record, operation.where));
    for (const record of shelf.records.filter((each) => !kept.includes(each)).sort((a, b) => a.id - b.id))
      note(collection, shelf, [record, null]);
    shelf.records.splice(0, Infinity, ...kept);
    return null;
  }
  if (operation.op === 'create') {
    const id = Number(operation.values['id'] ?? shelf.lastId + 1);
    if (shelf.records.some((record) => record.id === id))
      throw new StoreError('unique', 'taken', { fields: ['id'] });
    const values = Object.entries(collection.fields).map(([name, field]) => [
      name,
      resolve(operation.values[name] ?? EMPTY[field.type]),
    ]);
    const record = Object.assign({ id, version: 1 }, Object.fromEntries(values)) as Draft;
    settle(record);
    shelf.records.push(record);
    shelf.lastId = Math.max(shelf.lastId, id);
    note(collection, shelf, [null, record]);
    if (operation.as !== undefined) labels.set(operation.as, id);
    return structuredClone(record);
  }
  const at = shelf.records.findIndex((record) => record.id === operation.id);
  const found = shelf.records[at];
  if (found === undefined) throw new StoreError('missing', 'missing');
  if (operation.version !== undefined && operation.version !== found.version)
    throw new StoreError('version', 'version');
  if (operation.op === 'remove') {
    note(collection, shelf, [found, null]);
    shelf.records.splice(at, 1);
    return found;
  }
  const changes = Object.entries(operation.values).map(([name, value]) => [name, resolve(value)]);
  const record: Draft = { ...found, ...Object.fromEntries(changes), version: found.version + 1 };
  settle(record);
  note(collection, shelf, [found, record]);
  shelf.records[at] = record;
  return structuredClone(record);
}

/**
 * The contract in its simplest form: filter, sort, slice, copy everything. It is slow, does not check its input, and shares
 * only the folding of texts with the real stores. The fuzz tests compare the other stores with it.
 */
export function createReferenceStore(collections: readonly CollectionDescriptor[]): Store {
  let state: State = Object.fromEntries(
    collections.map(({ name }) => [name, { records: [], lastId: 0, revision: 0, log: [] }]),
  );
  const collectionOf = (name: string): CollectionDescriptor =>
    collections.find((each) => each.name === name) as CollectionDescriptor;
  const shelfOf = (from: State, name: string): Shelf => from[name] as Shelf;
  return {
    find: async (query: Query) => {
      const collection = collectionOf(query.collection);
      const order: readonly Order[] = [
        ...(query.order ?? []),
        { field: 'id', direction: query.order?.[0]?.direction ?? 'asc' },
      ];
      const found = shelfOf(state, query.collection).records.filter(
        (record) => query.where === undefined || matches(record, query.where),
      );
      found.sort(
        (a, b) => order.map((each) => compare(collection, each, [a, b])).find((result) => result !== 0) ?? 0,
      );
      const page = found.slice(query.offset ?? 0, (query.offset ?? 0) + (query.limit ?? Infinity));
      const names = query.fields === undefined ? undefined : new Set(['id', 'version', ...query.fields]);
      return {
        records: page.map(
          (record) =>
            Object.fromEntries(
              Object.entries(structuredClone(record)).filter(([name]) => names?.has(name) ?? true),
            ) as StoredRecord,
        ),
        total: query.total === true ? found.length : -1,
        ...(query.longTexts === 'omit' ? { incomplete: [] } : {}),
      };
    },
    get: async (name, id) =>
      structuredClone(shelfOf(state, name).records.find((record) => record.id === id) ?? null),
    versions: (keys) =>
      keys.map(([name, id]) => shelfOf(state, name).records.find((record) => record.id === id)?.version ?? 0),
    commit: async (operations) => {
      const next = structuredClone(state);
      const labels = new Map<string, number>();
      const results = operations.map((operation) =>
        applyOne(collectionOf(operation.collection), shelfOf(next, operation.collection), [
          operation,
          labels,
        ]),
      );
      state = next;
      return results;
    },
    changes: ({ after, limit }) => ({
      changes: Object.entries(after)
        .flatMap(([name, revision]) => shelfOf(state, name).log.filter((each) => each.revision > revision))
        .slice(0, limit),
      heads: Object.fromEntries(Object.keys(after).map((name) => [name, shelfOf(state, name).revision])),
      starts: Object.fromEntries(Object.keys(after).map((name) => [name, 0])),
    }),
    forgetChanges: async () => false,
    flush: async () => undefined,
    revision: (names) => names.reduce((sum, name) => sum + shelfOf(state, name).revision, 0),
    close: async () => undefined,
  };
}
