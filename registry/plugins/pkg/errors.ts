import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** The errors of `pkg/installer/v1` in addition to those of the engine and of the upstream port. */
export const PKG_ERRORS = {
  subscription_fetched_recently: [
    429,
    'The subscription was read a short time ago. Retry-After says when it can be read again.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const pkgError = createErrors(PKG_ERRORS);
