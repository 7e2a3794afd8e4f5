import { StoreError } from '../../lib/store/store.ts';

/** A commit lost a race when another writer changed, made or removed the same record at the same moment. */
export function isRace(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === 'version' || error.code === 'unique' || error.code === 'missing');
}

/** Most tries. Every round of a race has a winner, so that so many writers at once all come through. */
const ATTEMPTS = 25;

/** Runs the work again, on what is there now, while it loses races. @throws StoreError of the last race, or whatever else the work throws */
export async function retryRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRace(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
