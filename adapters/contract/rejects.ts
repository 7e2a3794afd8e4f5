import { StoreError, type StoreErrorCode } from '../../lib/store/store.ts';

/** The StoreError that the promise rejects with. It must have this code. Other errors are rethrown. */
export async function rejectsStore(promise: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> {
  const outcome: unknown = await promise.then(() => null, (error: unknown) => error);
  if (outcome === null) throw new Error(`settled well, where ${code} was expected`);
  if (!(outcome instanceof StoreError)) throw outcome;
  if (outcome.code !== code) throw new Error(`rejected with ${outcome.code} (${outcome.message}), where ${code} was expected`);
  return outcome;
}
