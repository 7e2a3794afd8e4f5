import { StoreError } from './store.ts';

/** Whether a commit failed because another writer changed, created or removed the same record at the same time. */
export function isRace(error: unknown): error is StoreError {
  return (
    error instanceof StoreError &&
    (error.code === 'version' || error.code === 'unique' || error.code === 'missing')
  );
}

/** Maximum number of attempts. Each round has a winner, so this many concurrent writers all succeed. */
const ATTEMPTS = 25;

/** Runs the work again on the current state while it loses races. @throws StoreError of the last race, or any other error of the work */
export async function retryRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRace(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
