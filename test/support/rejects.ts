import { RestError } from '../../lib/core/errors.ts';

/** The RestError that the promise rejects with. It must have this code. Other errors are rethrown. */
export async function rejects(promise: Promise<unknown>, code: string): Promise<RestError> {
  const outcome: unknown = await promise.then(() => null, (error: unknown) => error);
  if (outcome === null) throw new Error(`settled well, where ${code} was expected`);
  if (!(outcome instanceof RestError)) throw outcome;
  if (outcome.code !== code) throw new Error(`rejected with ${outcome.code} (${outcome.message}), where ${code} was expected`);
  return outcome;
}
