import { StoreError, type StoreErrorCode } from '../../../lib/store/store.ts';

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** The error of a class that the promise rejects with. It must have this code. Other errors are rethrown. */
export async function rejectsWith<E extends Error & { readonly code: string }>(
  type: ErrorClass<E>,
  promise: Promise<unknown>,
  code: string,
): Promise<E> {
  const outcome: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome === null) throw new Error(`settled well, where ${code} was expected`);
  if (!(outcome instanceof type)) throw outcome;
  if (outcome.code !== code)
    throw new Error(`rejected with ${outcome.code} (${outcome.message}), where ${code} was expected`);
  return outcome;
}

/** The StoreError that the promise rejects with. It must have this code. Other errors are rethrown. */
export const rejectsStore = (promise: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> =>
  rejectsWith(StoreError, promise, code);
