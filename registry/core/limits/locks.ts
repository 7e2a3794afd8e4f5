import { and, eq } from '../../../lib/store/query.ts';
import { StoreError, type Operation, type StoredRecord } from '../../../lib/store/store.ts';
import type { Ports } from '../host/ports.ts';

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

const findLock = async (store: Ports['store'], name: string): Promise<StoredRecord | undefined> =>
  (await store.find({ collection: 'locks', where: eq('name', name), limit: 1 })).records[0];

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
    if (error instanceof StoreError && ['unique', 'version', 'missing'].includes(error.code)) return null;
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
