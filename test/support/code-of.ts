import { RestError } from '../../lib/core/errors.ts';

/** The code of the RestError that the function throws; null when it returns. Other errors are rethrown. */
export function codeOf(run: () => unknown): string | null {
  try {
    run();
  } catch (error) {
    if (error instanceof RestError) return error.code;
    throw error;
  }
  return null;
}
