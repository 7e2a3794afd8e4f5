import { Limiter } from '../../../lib/core/limiter.ts';
import { perObject } from '../../../lib/core/objects.ts';
import { and, eq } from '../../../lib/store/query.ts';
import {
  findFirst,
  isRace,
  type Operation,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../lib/store/store.ts';
import type { Ports } from '../host/ports.ts';

const findLock = (store: Store, name: string): Promise<StoredRecord | undefined> =>
  findFirst(store, { collection: 'locks', where: eq('name', name) });

async function createMark(store: Store, name: string): Promise<StoredRecord | undefined> {
  try {
    await store.commit([{ op: 'create', collection: 'locks', values: { name, key: '', expires: 0 } }]);
  } catch (error) {
    // Another writer has created it meanwhile.
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
  }
  return findLock(store, name);
}

/**
 * The operation by which only one of several concurrent changes of a tree succeeds; the commits of the others fail as after any lost race
 * (`retryRaces`). Otherwise two records that move below each other at the same time would become a circle. A move must make it before it
 * looks at the tree, and so must a removal that moves records up. `kind`: the type or taxonomy of the records.
 */
export async function claimTree(store: Store, kind: string): Promise<Operation> {
  const name = `tree of ${kind}`;
  const mark = (await findLock(store, name)) ?? (await createMark(store, name));
  if (mark === undefined) throw new StoreError('missing', `the mark "${name}" was removed at the same time`);
  return { op: 'update', collection: 'locks', id: mark.id, version: mark.version, values: {} };
}

/** By kind: lets one change of a tree run at a time. */
const openTurns = perObject((_store: Store) => new Map<string, Limiter>());

/**
 * Runs a change of a tree when the earlier ones of this process have ended. They would lose the race for the mark to each other, and those
 * that lose too often are refused.
 */
export function inTreeTurn<T>(store: Store, kind: string, run: () => Promise<T>): Promise<T> {
  const turns = openTurns(store);
  const turn = turns.get(kind) ?? new Limiter({ atOnce: 1 });
  turns.set(kind, turn);
  return turn.run(run);
}

/** `name`: name of the lock. `ttlMs`: the time after which the lock of a crashed process is free. It is extended three times as often. `signal`: ends the work. */
interface LockedOptions {
  readonly name: string;
  readonly ttlMs: number;
  readonly signal: AbortSignal;
}

/**
 * Works while this process holds the lock. The signal of `work` is aborted when the given one is, and when another process has taken the
 * lock over, because this one was suspended for example.
 * @returns whether the lock was free
 */
export async function runLocked(
  ports: Pick<Ports, 'store' | 'now' | 'random' | 'log'>,
  { name, ttlMs, signal }: LockedOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const done = await withLock(ports, { name, ttlMs }, async (key) => {
    const lost = new AbortController();
    const extend = async (): Promise<void> => {
      try {
        if ((await takeLock(ports, name, { key, ttlMs })) === null) lost.abort();
      } catch (error) {
        ports.log({ level: 'warn', message: `the lock ${name} could not be extended`, error });
      }
    };
    let extended = Promise.resolve();
    const timer = setInterval(() => {
      extended = extend();
    }, ttlMs / 3);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      clearInterval(timer);
      // Otherwise it could take the lock again after its release.
      await extended;
    }
    return true;
  });
  return done !== null;
}

/** Works while this caller holds the lock, which is not extended. @returns what the work returns; null while another caller holds the lock */
export async function withLock<T>(
  ports: Pick<Ports, 'store' | 'now' | 'random'>,
  { name, ...options }: LockOptions & { readonly name: string },
  work: (key: string) => Promise<T>,
): Promise<T | null> {
  const key = await takeLock(ports, name, options);
  if (key === null) return null;
  try {
    return await work(key);
  } finally {
    await releaseLock(ports, name, key);
  }
}

/** `key`: key of the current holder, to extend the lock; absent or empty for a new holder. `ttlMs`: default 30 s, at most five minutes. `isForced`: also from another holder. */
interface LockOptions {
  readonly isForced?: boolean;
  readonly key?: string | undefined;
  readonly ttlMs?: number;
}

const TTL_MS = 30_000;
const KEY_BYTES = 16;
/** A lock that ends later than this was taken by a clock that was ahead. Its holder may be gone, and nobody could take it until then. */
const MOST_MS = 5 * 60_000;

/** Whether somebody has the lock at this time. */
function isHeld(lock: StoredRecord, time: number): boolean {
  const left = Number(lock['expires']) - time;
  return left > 0 && left <= MOST_MS;
}

/**
 * Takes the lock of this name, extends it with the holder's key, or takes over an expired one, so that a crashed
 * holder does not block others. Of several concurrent callers one succeeds, across all processes of the store.
 * @returns the key, or null while another caller holds the lock
 */
export async function takeLock(
  ports: Pick<Ports, 'store' | 'now' | 'random'>,
  name: string,
  options: LockOptions = {},
): Promise<string | null> {
  const { store, now, random } = ports;
  const held = await findLock(store, name);
  if (held !== undefined && held['key'] !== options.key && !options.isForced && isHeld(held, now()))
    return null;
  const key = options.key || Buffer.from(random(KEY_BYTES)).toString('hex');
  const values = { name, key, expires: now() + (options.ttlMs ?? TTL_MS) };
  const operation: Operation =
    held === undefined
      ? { op: 'create', collection: 'locks', values }
      : {
          op: 'update',
          collection: 'locks',
          id: held.id,
          values,
          version: options.isForced ? undefined : held.version,
        };
  try {
    await store.commit([operation]);
    return key;
  } catch (error) {
    // Another caller took the lock between the read and the write.
    if (isRace(error)) return null;
    throw error;
  }
}

/** Releases the lock. Does nothing if the key is not, or no longer, that of the holder. */
export async function releaseLock(ports: Pick<Ports, 'store'>, name: string, key: string): Promise<void> {
  await ports.store.commit([
    { op: 'removeAll', collection: 'locks', where: and(eq('name', name), eq('key', key)) },
  ]);
}

/** The key of the current holder of the lock; null: nobody has it. */
export async function readLock(
  { store, now }: Pick<Ports, 'store' | 'now'>,
  name: string,
): Promise<string | null> {
  const held = await findLock(store, name);
  return held !== undefined && isHeld(held, now()) ? String(held['key']) : null;
}

/** The lock of a post that somebody edits. Its key is the id of the user. */
export const editLockOf = (post: number): string => `edit ${post}`;
