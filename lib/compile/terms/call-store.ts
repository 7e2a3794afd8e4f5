import { AsyncLocalStorage } from 'node:async_hooks';
import { engineError } from '../../core/errors.ts';
import type { Json } from '../../schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../store/collection.ts';
import { asc, eq, lt } from '../../store/query.ts';
import { type Operation, type Store, type StoredRecord, StoreError } from '../../store/store.ts';

/** Collections in which a store keeps what calls share: their keys and the counts of their limits. Give them to the store beside your own. */
export const CALL_COLLECTIONS = [
  {
    name: 'call_keys',
    fields: {
      call_key: { type: 'text', maxLength: 64 },
      call_part: { type: 'integer' },
      digest: { type: 'text', maxLength: 64 },
      record: { type: 'integer' },
      targets: { type: 'json' },
      response: { type: 'json' },
      until: { type: 'integer' },
    },
    unique: [{ fields: ['call_key', 'call_part'] }],
    indexes: [['until']],
  },
  {
    name: 'call_counts',
    fields: {
      limit_key: { type: 'text', maxLength: 64 },
      until: { type: 'integer' },
      used: { type: 'integer' },
    },
    unique: [{ fields: ['limit_key'] }],
    indexes: [['until']],
  },
] as const satisfies readonly CollectionDescriptor[];

/** Most operations of one commit of a call with a key. */
const PARTS = 1000;

/** How many writes of these collections by this process pass between two removals of old rows. */
const SWEEP = 1000;
/** How far the clocks of processes may differ. Milliseconds. */
const SKEW_MS = 60_000;
let writes = 0;

/** Forgets keys and counts whose time is over, now and then. */
export async function sweepCalls(store: Store): Promise<void> {
  writes += 1;
  if (writes % SWEEP !== 0) return;
  const where = lt('until', Date.now() - SKEW_MS);
  await store.commit(CALL_COLLECTIONS.map(({ name }) => ({ op: 'removeAll', collection: name, where })));
}

/** A call with a key while it runs. */
export interface KeyedRun {
  readonly key: string;
  readonly digest: string;
  /** Epoch milliseconds after which the key is forgotten. */
  readonly until: number;
  /** Rows of an earlier run, by their part. */
  readonly known: ReadonlyMap<number, StoredRecord>;
  /** Commits so far. */
  commits: number;
  /** Id of the row of the first commit; null: nothing was committed. */
  row: number | null;
}

const runs = new AsyncLocalStorage<KeyedRun>();

/** Runs a handler, whose commits also write the rows of its key. */
export const runKeyed = <T>(run: KeyedRun, handler: () => T): T => runs.run(run, handler);

/** What a row says of one operation: the record that it wrote. `part`: the row that names the id of a new record. */
type Target = { readonly collection: string; readonly id?: number; readonly part?: number } | null;

/** The operations of a call with a key, and rows in the same commit that tell their records. */
function withRows(run: KeyedRun, operations: readonly Operation[]): readonly Operation[] {
  if (operations.length >= PARTS)
    throw new TypeError(`a call with a key can commit at most ${PARTS - 1} operations at once`);
  const first = run.commits * PARTS;
  const labelled = operations.map((operation, at) =>
    operation.op === 'create' && operation.as === undefined
      ? { ...operation, as: `call ${first + at}` }
      : operation,
  );
  const targets = labelled.map((operation, at): Target => {
    if (operation.op === 'create') return { collection: operation.collection, part: first + at + 1 };
    return operation.op === 'update' ? { collection: operation.collection, id: operation.id } : null;
  });
  const shared = { call_key: run.key, until: run.until };
  return [
    ...labelled,
    {
      op: 'create',
      collection: 'call_keys',
      values: { ...shared, call_part: first, digest: run.digest, targets: targets as readonly Json[] },
    },
    ...labelled.flatMap((operation, at): readonly Operation[] =>
      operation.op === 'create'
        ? [
            {
              op: 'create',
              collection: 'call_keys',
              values: { ...shared, call_part: first + at + 1, record: { $ref: operation.as ?? '' } },
            },
          ]
        : [],
    ),
  ];
}

/** What the commit of an earlier run wrote, as it is now. */
async function replay(
  store: Store,
  run: KeyedRun,
  row: StoredRecord,
): Promise<readonly (StoredRecord | null)[]> {
  return Promise.all(
    (row['targets'] as readonly Target[]).map((target) => {
      if (target === null) return null;
      const id = target.id ?? Number(run.known.get(target.part ?? 0)?.['record']);
      return store.get(target.collection, id);
    }),
  );
}

/** Whether a commit failed because another process has begun or ended a call with the same key. */
const isTaken = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'unique' && error.fields.includes('call_key');

async function commitKeyed(
  store: Store,
  run: KeyedRun,
  [operations, durability]: Parameters<Store['commit']>,
): Promise<readonly (StoredRecord | null)[]> {
  const known = run.known.get(run.commits * PARTS);
  if (known !== undefined) {
    run.row ??= known.id;
    run.commits += 1;
    return replay(store, run, known);
  }
  try {
    const results = await store.commit(withRows(run, operations), durability);
    run.row ??= results[operations.length]?.id ?? null;
    run.commits += 1;
    return results.slice(0, operations.length);
  } catch (error) {
    throw isTaken(error) ? engineError('rest_key_running') : error;
  }
}

/**
 * The same store, which keeps what calls share: in a call of an endpoint with `idempotent: 'key'`, each commit also writes the key, so that
 * the call is carried out once. Handlers must use this store, and `createEngine` gets it as `calls`. It needs `CALL_COLLECTIONS`.
 * @throws TypeError for a store without these collections
 */
export function keepCalls(store: Store): Store {
  const missing = CALL_COLLECTIONS.find(({ name }) => store.collections?.includes(name) === false);
  if (missing !== undefined)
    throw new TypeError(
      `keepCalls: the store does not have the collection "${missing.name}"; create it with collections: [...yours, ...CALL_COLLECTIONS]`,
    );
  const commit: Store['commit'] = (...given) => {
    const run = runs.getStore();
    return run === undefined ? store.commit(...given) : commitKeyed(store, run, given);
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** The rows of a key, by their part. */
export async function readKey(store: Store, key: string): Promise<ReadonlyMap<number, StoredRecord>> {
  const { records } = await store.find({
    collection: 'call_keys',
    where: eq('call_key', key),
    order: [asc('call_part')],
    limit: 10 * PARTS,
  });
  return new Map(records.map((record) => [Number(record['call_part']), record]));
}

/** Keeps the response of a call with a key. It may be lost in a crash: then the call is run again, and its commits are not. */
export async function keepResponse(store: Store, run: KeyedRun, response: Json): Promise<void> {
  const values = { response };
  const { key, digest, until, row } = run;
  const operation: Operation =
    row === null
      ? {
          op: 'create',
          collection: 'call_keys',
          values: { call_key: key, call_part: 0, digest, until, targets: [], ...values },
        }
      : { op: 'update', collection: 'call_keys', id: row, values };
  try {
    await store.commit([operation], row === null ? 'now' : 'later');
  } catch (error) {
    throw isTaken(error) ? engineError('rest_key_running') : error;
  }
}
