import { isRace } from '../../../lib/store/retry.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { PostgresFailure } from './postgres-failure.ts';

/** SQLSTATEs for an unknown name or an invalid value: a mistake of the program. */
const MISTAKE = /^(22|42|54|0A)/;
const DISK_FULL = '53100';

/** SQLSTATE of a unique key that is taken. */
export const TAKEN = '23505';

/** SQLSTATEs of conflicts between transactions, which are temporary. */
const PASSING: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Most attempts of one commit. */
export const ATTEMPTS = 4;
/** A dead connection fails at once. After a longer wait, a retry would wait as long again. */
const SOON_MS = 1000;

/** True when nothing was changed and a retry may succeed. A lost COMMIT is not a PostgresFailure. */
export function isWorthAnother(
  error: unknown,
  { attempt, started }: { readonly attempt: number; readonly started: number },
): boolean {
  if (!(error instanceof PostgresFailure) || attempt >= ATTEMPTS) return false;
  return PASSING.has(error.state) || (error.isLost && attempt === 1 && performance.now() - started < SOON_MS);
}

/** True when nothing was changed, and a commit's own operations are the reason, so that the commits beside it can succeed. */
export function isOwnFault(error: unknown): boolean {
  return isRace(error) || (error instanceof PostgresFailure && MISTAKE.test(error.state) && !error.isDenied);
}

/** Converts a failure to the error of the store contract. Other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof PostgresFailure) || (MISTAKE.test(error.state) && !error.isDenied)) return error;
  if (error.state === DISK_FULL)
    return new StoreError('full', 'There is no space left for the store.', { cause: error });
  return new StoreError('unavailable', `The store cannot be used: ${error.message}`, { cause: error });
}

/** Runs a read or write and converts its errors to those of the store contract. */
export async function guard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** How often a note on missing rights is repeated. Milliseconds. */
const DENIED_MS = 60_000;

/** Notes for the operator on rights that are missing. */
export function createDeniedNote(log: (message: string, error: unknown) => void): (error: Error) => void {
  let notedAt = -Infinity;
  return (error) => {
    if (performance.now() - notedAt < DENIED_MS) return;
    notedAt = performance.now();
    log(
      `The database refuses access: ${error.message}. Check that the schema and its tables exist and that no newer version of routebook has changed them, and grant the role of the address its rights on them. Requests get 503 meanwhile.`,
      error,
    );
  };
}
