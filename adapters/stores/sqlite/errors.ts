import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from './driver.ts';

/** Whether the file has lost a table or a column. Every statement is made from the tables that the store has checked or made. */
const lacksPart = ({ code, message }: SqliteFailure): boolean =>
  code === RESULT.error && /^no such (?:table|column): /.test(message);

const isDamaged = (failure: SqliteFailure): boolean => failure.code === RESULT.corrupt || lacksPart(failure);

/** Converts an error of the engine to the error of the store contract. Other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.code === RESULT.full)
    return new StoreError('full', 'There is no space left for the store.', { cause: error });
  if (isDamaged(error))
    return new StoreError(
      'unavailable',
      `The file of the store is damaged (${error.message}). Restore a backup.`,
      { cause: error },
    );
  return new StoreError('unavailable', `The store cannot be used: ${error.message}`, { cause: error });
}

/** What is wrong with a file, if the error says that it is damaged or not an SQLite file. */
export function findDamage(error: unknown): string | undefined {
  const failure = error instanceof StoreError ? error.cause : error;
  return failure instanceof SqliteFailure && (isDamaged(failure) || failure.code === RESULT.notADatabase)
    ? failure.message
    : undefined;
}

/** The error of a check that found damage. */
export function toDamage(finding: string): SqliteFailure {
  return new SqliteFailure(RESULT.corrupt, finding);
}

/** Runs a read or write and converts its errors to those of the store contract. */
export function guard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Like `guard`, for a read that may wait for another thread. */
export async function guardLong<T>(run: () => MaybePromise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}
