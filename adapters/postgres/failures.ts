import { StoreError } from '../../lib/store/store.ts';
import { PostgresFailure } from './connections.ts';

/** SQLSTATE of a statement that names something that is not there, or a value that does not fit: a mistake of the program. */
const MISTAKE = /^(22|42|54|0A)/;
const DISK_FULL = '53100';

/** A unique key is taken. */
export const TAKEN = '23505';

/** Conflicts between transactions, which pass. */
const PASSING: ReadonlySet<string> = new Set(['40001', '40P01']);
const ATTEMPTS = 4;
/** A dead connection shows at once; who has waited longer would wait as long again. */
const SOON_MS = 1000;

/** True when nothing has happened and another attempt, the next after this one, may go through. A lost COMMIT is no PostgresFailure. */
export function isWorthAnother(error: unknown, { attempt, started }: { readonly attempt: number; readonly started: number }): boolean {
  if (!(error instanceof PostgresFailure) || attempt >= ATTEMPTS) return false;
  return PASSING.has(error.state) || (error.isLost && attempt === 1 && performance.now() - started < SOON_MS);
}

/** The error of the contract that a failure stands for; errors of other kinds as they are. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof PostgresFailure) || MISTAKE.test(error.state)) return error;
  if (error.state === DISK_FULL) return new StoreError('full', 'There is no space left for the store.', { cause: error });
  return new StoreError('unavailable', `The store can not be used: ${error.message}`, { cause: error });
}

/** Runs a read or write; errors come out as those of the contract. */
export async function guard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}
