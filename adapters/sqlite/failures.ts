import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import { StoreError } from '../../lib/store/store.ts';
import { RESULT, SqliteFailure } from './driver.ts';

/** The error of the contract that an engine's error stands for; errors of other kinds as they are. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.code === RESULT.full) return new StoreError('full', 'There is no space left for the store.', { cause: error });
  return new StoreError('unavailable', `The store can not be used: ${error.message}`, { cause: error });
}

/** Runs a read or write; errors come out as those of the contract. */
export function guard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** The same for a read that may have to wait for another thread. */
export async function guardLong<T>(run: () => MaybePromise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}
