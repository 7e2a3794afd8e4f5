import { rejectsWith } from '../../adapters/stores/contract/cases.ts';
import { RestError } from '../../lib/core/errors.ts';

/** The RestError that the promise rejects with. It must have this code. Other errors are rethrown. */
export const rejects = (promise: Promise<unknown>, code: string): Promise<RestError> =>
  rejectsWith(RestError, promise, code);
